"""A response body as it arrives: content codings undone in small pieces, so bombs stay small."""

import zlib
from collections.abc import Iterator

PIECE_BYTES = 256 * 1024
GZIP_WINDOW = 31
ZLIB_WINDOW = 15
RAW_WINDOW = -15

ACCEPTED_CODINGS = "gzip, deflate"


class BodyBroken(Exception):
    """The body does not follow its content coding, or ended before it was whole."""


class UnknownCoding(Exception):
    """The server used a content coding that was not offered to it."""


class BodyDecoder:
    """Undoes one content coding; pieces are at most PIECE_BYTES long, whatever the ratio."""

    def __init__(self, coding: str) -> None:
        self._coding = coding.strip().lower()
        if self._coding in ("", "identity"):
            self._inflate = None
        elif self._coding in ("gzip", "x-gzip"):
            self._inflate = zlib.decompressobj(GZIP_WINDOW)
        elif self._coding == "deflate":
            self._inflate = zlib.decompressobj(ZLIB_WINDOW)
        else:
            raise UnknownCoding(self._coding)
        self._started = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded pieces of these bytes; raises BodyBroken."""
        if self._inflate is None:
            yield data
            return
        while data:
            try:
                piece = self._inflate.decompress(data, PIECE_BYTES)
            except zlib.error as error:
                if self._started or self._coding != "deflate":
                    raise BodyBroken(f"the {self._coding} body is damaged: {error}") from None
                # Many servers send raw deflate where the standard asks for the zlib format.
                self._inflate = zlib.decompressobj(RAW_WINDOW)
                self._started = True
                continue
            self._started = True
            if piece:
                yield piece
            data = self._inflate.unconsumed_tail
            if self._inflate.eof:
                data = self._inflate.unused_data
                if self._coding == "deflate" or not data.startswith(b"\x1f\x8b"):
                    return
                self._inflate = zlib.decompressobj(GZIP_WINDOW)

    def finish(self) -> None:
        """Raise BodyBroken if the coding says that more should have come."""
        if self._inflate is not None and self._started and not self._inflate.eof:
            raise BodyBroken(f"the {self._coding} body ended early")
