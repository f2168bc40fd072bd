"""Sitemaps of every kind, read as a stream in small steps that another process can continue."""

from markmirror.web.sitemap.entries import (
    STEP_BYTES,
    SitemapCursor,
    SitemapEntry,
    SitemapFacts,
    SitemapKind,
)
from markmirror.web.sitemap.inflate import MAX_SITEMAP_BYTES, InflateFault, Inflater
from markmirror.web.sitemap.parser import SitemapParser, steps

__all__ = [
    "MAX_SITEMAP_BYTES",
    "STEP_BYTES",
    "InflateFault",
    "Inflater",
    "SitemapCursor",
    "SitemapEntry",
    "SitemapFacts",
    "SitemapKind",
    "SitemapParser",
    "steps",
]
