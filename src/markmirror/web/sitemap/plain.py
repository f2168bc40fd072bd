"""The fast way through a sitemap: entries with nothing unusual in them, by one pattern."""

import re
from collections.abc import Iterable
from functools import lru_cache

from markmirror.web.sitemap.entries import SitemapEntry, Tally
from markmirror.web.sitemap.references import UNDEFINED, with_references_resolved
from markmirror.web.urls import ALMOST_NORMAL_URL, MAX_URL_CHARACTERS, normalise_url

# Bounded, so that what this pattern takes never exceeds the limit of an entry.
_GAP = r"[ \t\r\n]{0,256}"

PlainRow = tuple[str, str, str, str, str]
"""A URL that is almost normal, or else the text in its place; lastmod, changefreq, priority."""


@lru_cache(maxsize=4)
def plain_entry(name: str) -> re.Pattern[str]:
    """The pattern of an entry without prefixes, attributes, extensions, comments or CDATA."""
    # In XML an ampersand begins a reference, so here it makes a URL an unusual one.
    url = ALMOST_NORMAL_URL.replace("&", "")

    def optional(child: str, content: str) -> str:
        return rf"(?:<{child}>{_GAP}({content}){_GAP}</{child}>{_GAP})?"

    return re.compile(
        rf"<{name}>{_GAP}<loc>{_GAP}(?:({url})|([^< \t\r\n]+)){_GAP}</loc>{_GAP}"
        + optional("lastmod", r"[^<& \t\r\n]{0,64}")
        + optional("changefreq", r"[a-z]{0,16}")
        + optional("priority", r"[0-9.]{0,16}")
        + rf"</{name}>",
        re.ASCII,
    )


@lru_cache(maxsize=1024)
def priority_of(text: str) -> float | None:
    """A priority between 0 and 1; None if it is none."""
    try:
        priority = float(text)
    except ValueError:
        return None
    return priority if 0.0 <= priority <= 1.0 else None


class EntryMaker:
    """Turns what was written into entries with normal URLs, and counts."""

    def __init__(self, base: str, tally: Tally) -> None:
        self._base = base
        self._tally = tally

    def plain(self, rows: Iterable[PlainRow], into: list[SitemapEntry]) -> None:
        """Add the entries of rows that `plain_entry` found."""
        # Called for a million rows: a tuple is made directly, at a third of the cost.
        new = tuple.__new__
        append = into.append
        before = len(into)
        odd = 0
        for url, other, lastmod, changefreq, priority in rows:
            if url and "/." not in url and len(url) <= MAX_URL_CHARACTERS:
                append(
                    new(
                        SitemapEntry,
                        (
                            url,
                            lastmod or None,
                            priority_of(priority) if priority else None,
                            changefreq or None,
                        ),
                    )
                )
            else:
                text, clean = with_references_resolved(url or other)
                if not clean:
                    self._tally.broken("an ampersand is not escaped")
                odd += self.make(text, lastmod, changefreq, priority, into)
        self._tally.entries += len(into) - before - odd

    def make(
        self, loc: str, lastmod: str, changefreq: str, priority: str, into: list[SitemapEntry]
    ) -> bool:
        """Add one entry, if its URL is one; says whether it was."""
        written = loc.strip()
        url = normalise_url(written) if written and UNDEFINED not in written else None
        if url is None and written and UNDEFINED not in written:
            url = normalise_url(written, self._base)
            # A reference to nothing is one to the sitemap itself, which is no page.
            url = None if url == self._base else url
            self._tally.relative += url is not None
        if url is None:
            self._tally.invalid += 1
            return False
        self._tally.entries += 1
        priority = priority.strip()
        into.append(
            SitemapEntry(
                url,
                lastmod.strip() or None,
                priority_of(priority) if priority else None,
                changefreq.strip().lower() or None,
            )
        )
        return True
