"""Everything a server can do wrong, as answers for the test server to give."""

import asyncio
import gzip
import socket
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from typing import Literal

from tests.web_server.server import Reply, Request, WebServer

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
BIG_PIECE = b"<p>" + b"x" * 65_530 + b"</p>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdeed(Reply):
    """Raw bytes sent piece by piece, and what happens to the connection afterwards."""

    pieces: Callable[[], Iterable[bytes]]
    seconds_between: float = 0.0
    then: Literal["close", "reset", "stall"] = "close"


class MisbehavingServer(WebServer):
    """A web server that also knows how to misbehave."""

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        answer = self.answers.get(request.target, self.fallback)
        reply = answer if isinstance(answer, Reply) else answer(request)
        if not isinstance(reply, Misdeed):
            return await self._send(reply, writer)
        for piece in reply.pieces():
            writer.write(piece)
            await writer.drain()
            # Also with nothing to wait for: an endless answer must leave the others their turn.
            await asyncio.sleep(reply.seconds_between)
        if reply.then == "stall":
            await asyncio.sleep(3600)
        if reply.then == "reset":
            _reset(writer)
        return False


def _reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    with suppress(OSError):
        # A linger time of zero makes closing a reset.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def sent(
    *pieces: bytes, then: Literal["close", "reset", "stall"] = "close", seconds_between: float = 0.0
) -> Misdeed:
    """These bytes and no others."""
    return Misdeed(pieces=lambda: pieces, then=then, seconds_between=seconds_between)


def dripping(head: bytes, *, seconds_between: float) -> Misdeed:
    """An answer that never ends and never quite stops."""

    def pieces() -> Iterator[bytes]:
        yield head
        yield from repeat(b"x")

    return Misdeed(pieces=pieces, seconds_between=seconds_between)


def endless(head: bytes, piece: bytes) -> Misdeed:
    """An answer that never ends, as fast as it is read."""

    def pieces() -> Iterator[bytes]:
        yield head
        yield from repeat(piece)

    return Misdeed(pieces=pieces)


def endless_chunks(piece: bytes = BIG_PIECE) -> Misdeed:
    return endless(CHUNKED, b"%x\r\n%s\r\n" % (len(piece), piece))


def gzip_bomb(megabytes: int, *, layers: int = 1) -> bytes:
    """Zeros, compressed about a thousand times with each layer."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    megabyte = b"\0" * 1_000_000
    packed = b"".join(packer.compress(megabyte) for _ in range(megabytes)) + packer.flush()
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return packed
