"""A website on loopback that behaves as told, well or badly."""

from tests.web_server.server import Reply, Request, WebServer, page, serving
from tests.web_server.sites import gzipped, sitemap_index, sitemap_of

__all__ = [
    "Reply",
    "Request",
    "WebServer",
    "gzipped",
    "page",
    "serving",
    "sitemap_index",
    "sitemap_of",
]
