"""A made-up product's documentation on loopback, for the demo to mirror."""

import gzip
import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(__file__).parent / "site"
PORT = 8642
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# What the sitemaps name, in this order, each with its lastmod where the site knows one.
GUIDE: tuple[tuple[str, str | None], ...] = (
    ("/", "2024-01-05"),
    ("/guide/install/", "2024-01-05"),
    ("/guide/quickstart/", "2024-01-07"),
    ("/guide/configuration.html", "2024-02-01"),
    ("/guide/troubleshooting/", "2024-02-01"),
    ("/guide/plugins/", "2023-11-30"),
    ("/print/install.html", "2024-01-05"),
    ("/old/quickstart", "2023-10-01"),
)
REST: tuple[tuple[str, str | None], ...] = (
    ("/concepts/", None),
    ("/concepts/retries/", None),
    ("/reference/cli/", None),
    ("/reference/events.html", None),
    ("/reference/events.html?version=1", None),
    ("/downloads/manual.pdf", None),
    ("/releases/", "2024-02-01"),
    ("/blog/hello/", "2024-01-09"),
)
PAGES = frozenset(path for path, _ in GUIDE + REST)
MOVED = {"/old/quickstart": "/guide/quickstart/"}
FILES = {"/reference/events.html?version=1": "reference/events-1.html"}
TYPES = {".html": "text/html; charset=utf-8", ".pdf": "application/pdf"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the site says to one request."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class Website:
    """The site, with a memory of what was asked and a way to change a page."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.host_dir = f"127.0.0.1_{port}"
        self.answered: list[tuple[str, int]] = []
        self.before_page: Callable[[str], None] = lambda _: None
        self._rewritten: dict[str, tuple[bytes, str]] = {}

    def rewrite(self, path: str, body: bytes, *, lastmod: str) -> None:
        """From now on this page says something else, and the sitemap says so."""
        self._rewritten[path] = body, lastmod

    def source(self, path: str) -> bytes:
        """The HTML of a page as it was written."""
        name = FILES.get(path, path.lstrip("/"))
        return (FOLDER / (f"{name}index.html" if path.endswith("/") else name)).read_bytes()

    def answer(self, target: str, if_none_match: str) -> Answer:
        """What a request gets; those for pages are remembered in `answered`, with their status."""
        if made := self._made_on_the_fly(target):
            return made
        if target not in PAGES:
            return Answer(status=404, body=b"Not found.")
        answer = self._page(target, if_none_match)
        self.answered.append((target, answer.status))
        self.before_page(target)
        return answer

    def _page(self, target: str, if_none_match: str) -> Answer:
        if target in MOVED:
            return Answer(status=301, headers={"Location": MOVED[target]})
        try:
            body, _ = self._rewritten.get(target) or (self.source(target), "")
        except FileNotFoundError:
            return Answer(status=404, body=b"This page was taken away.")
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if etag == if_none_match:
            return Answer(status=304, headers={"ETag": etag})
        kind = TYPES[Path(target.partition("?")[0]).suffix or ".html"]
        return Answer(body=body, headers={"Content-Type": kind, "ETag": etag})

    def _made_on_the_fly(self, target: str) -> Answer | None:
        if target == "/robots.txt":
            return Answer(body=f"User-agent: *\nSitemap: {self.origin}/map.xml\n".encode())
        if target == "/map.xml":
            children = "".join(
                f"<sitemap><loc>{self.origin}{path}</loc></sitemap>\n"
                for path in ("/map/guide.xml", "/map/rest.xml.gz")
            )
            return _xml(f'<sitemapindex xmlns="{NAMESPACE}">\n{children}</sitemapindex>')
        if target == "/map/guide.xml":
            return _xml(self._urlset(GUIDE))
        if target == "/map/rest.xml.gz":
            packed = gzip.compress(self._urlset(REST).encode(), mtime=0)
            return Answer(body=packed, headers={"Content-Type": "application/gzip"})
        return None

    def _urlset(self, pages: tuple[tuple[str, str | None], ...]) -> str:
        lines = [f'<urlset xmlns="{NAMESPACE}">']
        for path, written in pages:
            lastmod = self._rewritten[path][1] if path in self._rewritten else written
            date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
            lines.append(f"<url><loc>{escape(self.origin + path)}</loc>{date}</url>")
        return "\n".join([*lines, "</urlset>"])


def _xml(text: str) -> Answer:
    return Answer(body=text.encode(), headers={"Content-Type": "application/xml"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body in one packet: two would wait 40 ms for each other on some systems.
    wbufsize = -1
    website: Website

    def do_GET(self) -> None:
        answer = self.website.answer(self.path, self.headers.get("If-None-Match", ""))
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the parent's name
        """Say nothing: the demo tells the story."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed leaves a broken connection, which is the point of the demo."""


@contextmanager
def serving(port: int = PORT) -> Iterator[Website]:
    """The site, on its usual port of loopback, or on a free one if that is taken."""

    class Handler(_Handler):
        pass

    try:
        server = _Server(("127.0.0.1", port), Handler)
    except OSError:
        server = _Server(("127.0.0.1", 0), Handler)
    Handler.website = Website(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Handler.website
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
