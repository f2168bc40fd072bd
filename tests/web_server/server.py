"""A small HTTP server whose every answer is a value, run in a thread of its own.

It runs in a thread so that the program under test can be a subprocess, an event loop or both,
and it speaks to sockets directly so that it can break the protocol where a test asks for that.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the program under test sent. `at` is the server's clock when it had arrived.

    `number` counts the requests for the same target, from 1.
    """

    target: str
    headers: dict[str, str]
    at: float
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. `raw` replaces everything and is sent as it is, then the connection is cut.

    With `drip_seconds`, the body comes byte by byte, this far apart.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    hang: bool = False
    drip_seconds: float = 0.0
    release: threading.Event | None = None


Answer = Reply | Callable[[Request], Reply]


def page(title: str, body: str = "", *, head: str = "", **headers: str) -> Reply:
    """An HTML page with a heading and some text."""
    html = (
        f"<!doctype html><html><head><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1><p>{body or 'Text of ' + title}.</p></main></body></html>"
    )
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(body=html.encode(), headers={"Content-Type": "text/html; charset=utf-8", **names})


class WebServer:
    """Answers by path. Unknown paths are 404; `requests` keeps everything that was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.fallback: Answer = Reply(status=404, body=b"not here")
        self.requests: list[Request] = []
        self._seen: Counter[str] = Counter()
        self.in_flight = 0
        self.most_in_flight = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def host_dir(self) -> str:
        return f"127.0.0.1_{self.port}"

    def serve(self, path: str, answer: Answer) -> None:
        self.answers[path] = answer

    def serve_pages(self, paths: list[str], *, lastmod: str | None = None) -> None:
        """Serve a page at each path and a sitemap that names them all."""
        from tests.web_server.sites import sitemap_of

        for path in paths:
            self.serve(path, page(f"Page {path}"))
        urls = [self.url + path for path in paths]
        self.serve("/sitemap.xml", sitemap_of(urls, lastmod=lastmod))

    def count(self, path: str) -> int:
        return sum(request.target == path for request in self.requests)

    def counts(self) -> Counter[str]:
        return Counter(request.target for request in self.requests)

    def forget(self) -> None:
        """Forget the requests seen so far."""
        self.requests.clear()
        self._seen.clear()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                while request := await self._read(reader):
                    self.in_flight += 1
                    self.most_in_flight = max(self.most_in_flight, self.in_flight)
                    try:
                        if not await self._answer(request, writer):
                            break
                    finally:
                        self.in_flight -= 1
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        except asyncio.CancelledError:
            # The server stops; a cancelled conversation is no error that anybody should hear of.
            return
        finally:
            # What the other side has not taken by now, it shall not have.
            writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader) -> Request | None:
        head = await reader.readuntil(b"\r\n\r\n")
        at = time.monotonic()
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        target = first.split(" ")[1]
        self._seen[target] += 1
        request = Request(target=target, headers=headers, at=at, number=self._seen[target])
        self.requests.append(request)
        return request

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        answer = self.answers.get(request.target, self.fallback)
        reply = answer if isinstance(answer, Reply) else answer(request)
        return await self._send(reply, writer)

    async def _send(self, reply: Reply, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection can be used again afterwards."""
        if reply.release is not None:
            await asyncio.to_thread(reply.release.wait)
        if reply.hang:
            await asyncio.sleep(3600)
        if reply.raw is not None:
            writer.write(reply.raw)
            await writer.drain()
            return False
        headers = {"Content-Length": str(len(reply.body)), **reply.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        body = b"" if reply.status in (204, 304) else reply.body
        writer.write(f"HTTP/1.1 {reply.status} Status\r\n{lines}\r\n".encode("latin-1"))
        if reply.drip_seconds:
            for byte in body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(reply.drip_seconds)
        else:
            writer.write(body)
        await writer.drain()
        return True


@contextmanager
def serving(server: WebServer | None = None) -> Iterator[WebServer]:
    """The server, listening on a free port of loopback until the block ends."""
    server = server or WebServer()
    started: Future[asyncio.AbstractEventLoop] = Future()

    async def listen() -> None:
        listener = await asyncio.start_server(server.handle, "127.0.0.1", 0, limit=2**22)
        server.port = listener.sockets[0].getsockname()[1]
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        server_stop.append(lambda: loop.call_soon_threadsafe(stop.set))
        started.set_result(loop)
        await stop.wait()
        listener.close()
        # A conversation cancelled before its first step would never close its connection.
        for _ in range(3):
            await asyncio.sleep(0)
        conversations = asyncio.all_tasks() - {asyncio.current_task()}
        for conversation in conversations:
            conversation.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)

    server_stop: list[Callable[[], object]] = []
    thread = threading.Thread(target=lambda: asyncio.run(listen()), daemon=True)
    thread.start()
    started.result(timeout=10)
    try:
        yield server
    finally:
        server_stop[0]()
        thread.join(timeout=10)
