"""Sitemaps for the test server to serve."""

import gzip
from collections.abc import Iterable
from xml.sax.saxutils import escape

from tests.web_server.server import Reply

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap_of(
    urls: Iterable[str],
    *,
    lastmod: str | None = None,
    priority: str | None = None,
    changefreq: str | None = None,
) -> Reply:
    """A plain sitemap of these URLs, all with the same metadata."""
    fields = {"lastmod": lastmod, "changefreq": changefreq, "priority": priority}
    extra = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items() if value)
    entries = "\n".join(f"<url><loc>{escape(url)}</loc>{extra}</url>" for url in urls)
    return _xml(f'<urlset xmlns="{NAMESPACE}">\n{entries}\n</urlset>')


def sitemap_index(urls: Iterable[str]) -> Reply:
    """An index of these sitemaps."""
    entries = "\n".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>" for url in urls)
    return _xml(f'<sitemapindex xmlns="{NAMESPACE}">\n{entries}\n</sitemapindex>')


def gzipped(reply: Reply) -> Reply:
    return Reply(body=gzip.compress(reply.body), headers={"Content-Type": "application/gzip"})


def _xml(text: str) -> Reply:
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
    return Reply(body=body, headers={"Content-Type": "application/xml"})
