"""A response body as it arrives: content codings undone in small pieces, so bombs stay small."""

import zlib
from collections.abc import Iterator

PIECE_BYTES = 256 * 1024
GZIP_WINDOW = 31
ZLIB_WINDOW = 15
RAW_WINDOW = -15
# What people write where a coding belongs, of bodies that are as they are. Browsers do not mind.
_NO_CODINGS = frozenset(
    {"", "identity", "none", "binary", "7bit", "8bit", "aws-chunked"}
    | {"utf-8", "utf8", "us-ascii", "iso-8859-1", "windows-1252"}
)
_GZIP_MAGIC = b"\x1f\x8b"

ACCEPTED_CODINGS = "gzip, deflate"


class BodyBroken(Exception):
    """The body does not follow its content coding, or ended before it was whole."""


class UnknownCoding(Exception):
    """The server used a content coding that was not offered to it."""


class BodyDecoder:
    """Undoes one content coding; pieces are at most PIECE_BYTES long, whatever the ratio."""

    def __init__(self, coding: str) -> None:
        named = (name.strip() for name in coding.lower().split(","))
        self._coding = ", ".join(name for name in named if name not in _NO_CODINGS)
        if self._coding not in ("", "gzip", "x-gzip", "deflate"):
            raise UnknownCoding(self._coding)
        # None before the first stream; gzip may have several, one after the other.
        self._stream: zlib._Decompress | None = None
        self._held = b""
        self._is_over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded pieces of these bytes; raises BodyBroken."""
        if not self._coding:
            yield data
            return
        data, self._held = self._held + data, b""
        while data and not self._is_over:
            if self._stream is None or self._stream.eof:
                if len(data) < len(_GZIP_MAGIC):
                    self._held = data
                    return
                self._begin(data)
                continue
            try:
                piece = self._stream.decompress(data, PIECE_BYTES)
            except zlib.error as error:
                raise BodyBroken(f"the {self._coding} body is damaged: {error}") from None
            if piece:
                yield piece
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail

    def _begin(self, head: bytes) -> None:
        """Go on with the stream that begins here; what follows the last one is nobody's."""
        if self._stream is not None:
            self._is_over = self._coding == "deflate" or not head.startswith(_GZIP_MAGIC)
        if self._is_over:
            return
        window = GZIP_WINDOW
        if self._coding == "deflate":
            # Many servers send raw deflate where the standard asks for the zlib format.
            window = ZLIB_WINDOW if _is_zlib(head) else RAW_WINDOW
        self._stream = zlib.decompressobj(window)

    def finish(self) -> None:
        """Raise BodyBroken if the coding says that more should have come."""
        is_whole = self._stream.eof if self._stream is not None else not self._held
        if not is_whole:
            raise BodyBroken(f"the {self._coding} body ended early")


def _is_zlib(head: bytes) -> bool:
    """Whether these bytes can begin the zlib format (RFC 1950)."""
    return head[0] & 0x8F == 0x08 and int.from_bytes(head[:2], "big") % 31 == 0
