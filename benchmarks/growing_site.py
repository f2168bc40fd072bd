"""A website of any size on loopback, in a process of its own, cheap enough not to be measured.

Its pages follow from their numbers, nothing is kept. It knows how many pages it was asked for, and
what another process had cost when it asked for its first one.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized

from benchmarks.measured import cpu_seconds_of

PAGES_PER_SITEMAP = 10_000
PAGES_PER_FOLDER = 100
LASTMOD = "2024-05-06T07:08:09+00:00"

_WORDS = (
    "The mirror keeps one file for each page and one row for each file, so that a reader who "
    "comes back later finds what was there before and what has changed since then. "
)
_LINKS = "".join(
    f'<li><a href="/part-{part}/page-{part * PAGES_PER_FOLDER}.html">Part {part}</a></li>'
    for part in range(40)
)
_SECTION = f"""<h2 id="s{{part}}">Step {{part}} of page {{number}}</h2>
<p>{_WORDS * 2}</p>
<ul><li>first, <code>set --level {{number}}</code></li><li>then <em>wait</em></li></ul>
<pre><code class="language-sh">tool --page {{number}} --part {{part}}</code></pre>
<table><tr><th>name</th><th>value</th></tr><tr><td>page</td><td>{{number}}</td></tr></table>
"""
_PAGE = (
    '<!doctype html><html lang="en"><head><title>Page {number}</title></head><body>'
    f"<nav><ul>{_LINKS}</ul></nav><main><h1>Page {{number}}</h1>"
    + "".join(_SECTION.replace("{part}", str(part)) for part in range(1, 5))
    + "</main><footer><p>All rights reserved.</p></footer></body></html>"
)


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
        if self._asked.value == 0 and self._watched.value:
            self._cpu_seconds.value = cpu_seconds_of(self._watched.value)
            self._began.value = time.monotonic()
        self._asked.value += 1


@contextmanager
def serving(pages: int) -> Iterator[Site]:
    """A site of so many pages until the block ends."""
    context = multiprocessing.get_context("fork")
    numbers = [context.Value(kind) for kind in "iidd"]
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(pages, theirs, numbers), daemon=True)
    process.start()
    port = ours.recv()
    try:
        yield _site(port, numbers)
    finally:
        process.terminate()
        process.join()


def _site(port: int, numbers: list) -> Site:
    asked, watched, began, cpu_seconds = numbers
    return Site(
        url=f"http://127.0.0.1:{port}",
        _asked=asked,
        _watched=watched,
        _began=began,
        _cpu_seconds=cpu_seconds,
    )


def _serve(pages: int, ready, numbers: list) -> None:
    async def listen() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Conversation(pages, site), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        site = _site(port, numbers)
        ready.send(port)
        await server.serve_forever()

    asyncio.run(listen())


class _Conversation(asyncio.Protocol):
    """Just enough of HTTP for a client that sends requests without bodies, one at a time."""

    def __init__(self, pages: int, site: Site) -> None:
        self._pages = pages
        self._site = site
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._received.endswith(b"\r\n\r\n"):
            target = self._received.split(b" ", 2)[1].decode()
            self._received = b""
            self._answer(target)

    def _answer(self, target: str) -> None:
        status, kind, text = "200 OK", "application/xml", ""
        if target.endswith(".html"):
            self._site.note_page()
            kind, text = "text/html; charset=utf-8", page(int(target[target.rindex("-") + 1 : -5]))
        elif target == "/sitemap.xml":
            text = index(self._site.url, self._pages)
        elif target.startswith("/sitemap-"):
            text = sitemap(self._site.url, int(target[9:-4]), self._pages)
        else:
            status = "404 Not Found"
        body = text.encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)


def page(number: int) -> str:
    """About 5 KB of a manual's page."""
    return _PAGE.replace("{number}", str(number))


def index(url: str, pages: int) -> str:
    """Names the sitemaps."""
    parts = range(-(-pages // PAGES_PER_SITEMAP))
    entries = (f"<sitemap><loc>{url}/sitemap-{part}.xml</loc></sitemap>" for part in parts)
    return _document("sitemapindex", entries)


def sitemap(url: str, part: int, pages: int) -> str:
    """Names up to 10,000 pages, each with its lastmod."""
    numbers = range(part * PAGES_PER_SITEMAP, min(pages, (part + 1) * PAGES_PER_SITEMAP))
    entries = (
        f"<url><loc>{url}/part-{number // PAGES_PER_FOLDER}/page-{number}.html</loc>"
        f"<lastmod>{LASTMOD}</lastmod></url>\n"
        for number in numbers
    )
    return _document("urlset", entries)


def _document(root: str, entries: Iterator[str]) -> str:
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0"?>\n<{root} xmlns="{space}">\n{"".join(entries)}</{root}>\n'
