"""Sitemaps as they arrive: compressed or not, cut into steps, and never more than 50 MB."""

import zlib
from collections.abc import Iterator
from enum import StrEnum

from markmirror.web.sitemap.entries import STEP_BYTES

MAX_SITEMAP_BYTES = 52_428_800

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31
# Sitemaps shrink by a factor of about 13; what shrinks by more than this was made to do harm.
_MAX_RATIO = 200
_RATIO_COUNTS_FROM_BYTES = 1024 * 1024
_MAX_LAYERS = 2


class InflateFault(StrEnum):
    """Why a file could not be read to its end, in words for a person."""

    TOO_LARGE = "this file is over 50 MB: split it and list the parts in a sitemap index"
    BOMB = "this file unpacks to far more than a sitemap would: it is not read"
    DAMAGED = "the compressed data is damaged"
    TRUNCATED = "the compressed data ends too early"


class Inflater:
    """Gives the document in pieces of at most STEP_BYTES; gzip is known by its first bytes.

    Look at `fault` after each feed: once it is set nothing more comes out. Gzip inside of gzip is
    unpacked too, since servers compress what is compressed already.
    """

    def __init__(self, *, limit: int = MAX_SITEMAP_BYTES, _layer: int = 1) -> None:
        self._limit = limit
        self._layer = _layer
        self._head = b""
        self._decided = False
        self._stream: zlib._Decompress | None = None
        self._inner: Inflater | None = None
        self._garbage = False
        self._bytes_in = 0
        self._bytes_out = 0
        self._fault: InflateFault | None = None

    @property
    def fault(self) -> InflateFault | None:
        """What is wrong with the file, if something is."""
        return self._fault or (self._inner.fault if self._inner else None)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take the next bytes of the file and give those of the document."""
        if self._decided:
            yield from self._take(data)
            return
        self._head += data
        if len(self._head) >= len(_GZIP_MAGIC):
            yield from self._decide()

    def finish(self) -> Iterator[bytes]:
        """Say that the file has ended; what was held back comes out."""
        if not self._decided:
            yield from self._decide()
        if self._inner:
            yield from self._inner.finish()
        if self._stream is not None and not self.fault:
            self._fault = InflateFault.TRUNCATED

    def _decide(self) -> Iterator[bytes]:
        self._decided = True
        head, self._head = self._head, b""
        if self._layer <= _MAX_LAYERS and head.startswith(_GZIP_MAGIC):
            self._stream = zlib.decompressobj(_GZIP_WINDOW)
            self._inner = Inflater(limit=self._limit, _layer=self._layer + 1)
        yield from self._take(head)

    def _take(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None:
            yield from self._pass_on(data)
            return
        self._bytes_in += len(data)
        while not self.fault:
            if self._stream is None:
                data = self._next_member(data)
            if self._stream is None:
                return
            try:
                piece = self._stream.decompress(data, STEP_BYTES)
            except zlib.error:
                self._fault = InflateFault.DAMAGED
                return
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                data = self._stream.unused_data
                self._stream = None
            self._bytes_out += len(piece)
            consumed = self._bytes_in - len(data)
            if self._bytes_out > max(_RATIO_COUNTS_FROM_BYTES, consumed * _MAX_RATIO):
                self._fault = InflateFault.BOMB
                return
            yield from self._inner.feed(piece)
            # A full piece may have left output behind even if all input is used up.
            if not data and len(piece) < STEP_BYTES:
                return

    def _next_member(self, data: bytes) -> bytes:
        """Go on with the next member, if one follows the last: the bytes it is read from."""
        if self._garbage:
            return b""
        self._head += data
        if len(self._head) < len(_GZIP_MAGIC):
            return b""
        head, self._head = self._head, b""
        if head.startswith(_GZIP_MAGIC):
            self._stream = zlib.decompressobj(_GZIP_WINDOW)
        else:
            self._garbage = True
        return head

    def _pass_on(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), STEP_BYTES):
            if self.fault:
                return
            piece = data[start : start + STEP_BYTES]
            self._bytes_out += len(piece)
            if self._bytes_out > self._limit:
                self._fault = InflateFault.TOO_LARGE
                return
            yield piece
