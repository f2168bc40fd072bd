"""A web server on loopback, in a process of its own, cheap enough not to be what is measured.

It knows how many pages it was asked for, and what another process had cost when it asked for its
first one.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from benchmarks.measured import cpu_seconds_of

PAGE = "text/html; charset=utf-8"
XML = "application/xml"
GZIP = "application/gzip"

Answer = tuple[str, bytes]
"""A media type and a body."""
Answers = Callable[[str], Callable[[str], Answer | None]]
"""From the address of the site to what it answers to each path; None is a 404."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The site, and what it has seen since `watch`."""

    url: str
    _asked: "Synchronized[int]"
    _watched: "Synchronized[int]"
    _began: "Synchronized[float]"
    _cpu_seconds: "Synchronized[float]"

    @property
    def pages_asked(self) -> int:
        return self._asked.value

    @property
    def first_page(self) -> tuple[float, float]:
        """The monotonic clock at the first page asked for, and the watched process's CPU then."""
        return self._began.value, self._cpu_seconds.value

    def watch(self, pid: int) -> None:
        """Count anew, and look at this process when the first page is asked for; 0 for none."""
        self._watched.value = pid
        self._asked.value = 0

    def note_page(self) -> None:
        """A page was asked for."""
        if self._asked.value == 0 and self._watched.value:
            self._cpu_seconds.value = cpu_seconds_of(self._watched.value)
            self._began.value = time.monotonic()
        self._asked.value += 1


@contextmanager
def serving(answers: Answers) -> Iterator[Site]:
    """The site until the block ends."""
    context = multiprocessing.get_context("fork")
    numbers = [context.Value(kind) for kind in "iidd"]
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(answers, theirs, numbers), daemon=True)
    process.start()
    url = ours.recv()
    try:
        yield _site(url, numbers)
    finally:
        process.terminate()
        process.join()


def _site(url: str, numbers: list[Any]) -> Site:
    asked, watched, began, cpu_seconds = numbers
    return Site(url=url, _asked=asked, _watched=watched, _began=began, _cpu_seconds=cpu_seconds)


def _serve(answers: Answers, ready: Connection, numbers: list[Any]) -> None:
    async def listen() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: conversation(), "127.0.0.1", 0)
        site = _site(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", numbers)
        answer = answers(site.url)

        def conversation() -> _Conversation:
            return _Conversation(answer, site)

        ready.send(site.url)
        await server.serve_forever()

    asyncio.run(listen())


class _Conversation(asyncio.Protocol):
    """Just enough of HTTP for a client that sends requests without bodies, one at a time."""

    def __init__(self, answer: Callable[[str], Answer | None], site: Site) -> None:
        self._answer = answer
        self._site = site
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._received.endswith(b"\r\n\r\n"):
            return
        target = self._received.split(b" ", 2)[1].decode()
        is_last = b"connection: close" in self._received.lower()
        self._received = b""
        self._send(self._answer(target))
        if is_last:
            self._transport.close()

    def _send(self, answer: Answer | None) -> None:
        status = "200 OK" if answer else "404 Not Found"
        kind, body = answer or ("text/plain", b"")
        if kind == PAGE:
            self._site.note_page()
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)
