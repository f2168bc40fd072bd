"""The fast way through a sitemap: entries with nothing unusual in them, by one pattern."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat

from markmirror.web.sitemap.entries import SitemapEntry, Tally
from markmirror.web.sitemap.references import LONE_AMPERSAND, UNDEFINED, with_references_resolved
from markmirror.web.urls import MAX_URL_CHARACTERS, almost_normal_url, normalise_url

_SPACE = r"[ \t\r\n]"
_GAP = _SPACE + "*+"
_GROUPS = 5
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

CHARACTERS_PER_WORK = 64
"""How much odd text costs as much as an odd entry by itself."""

Columns = list[list[str | None]]
"""URLs that are almost normal, or else the text in their place; lastmod, changefreq, priority."""


@lru_cache(maxsize=64)
def plain_entry(name: str, prefix: str, origin: str) -> re.Pattern[str]:
    """The pattern of an entry with its fields in the usual order and nothing odd about them.

    Elements of other prefixes after the fields are stepped over: images, videos, news, other
    languages. The pattern takes the white space that follows, too.
    """
    own = f"{prefix}:" if prefix else ""
    # In XML an ampersand begins a reference, so here it makes a URL an unusual one.
    url = almost_normal_url(origin).replace("&", "")
    foreign = rf"(?!{re.escape(own)})" if own else ""
    extension = rf"</?{foreign}[A-Za-z][\w.-]{{0,63}}:[^<>]*+>[^<]*+"
    end = rf"</{own}{name}>"

    def optional(child: str, content: str, end: str = _GAP) -> str:
        return rf"(?:<{own}{child}>{_GAP}({content}*+){end}</{own}{child}>{_GAP})?"

    return re.compile(
        rf"<{own}{name}>{_GAP}<{own}loc>{_GAP}(?:({url})|([^< \t\r\n]++)){_GAP}</{own}loc>{_GAP}"
        # What is only not `<` is stepped over several times as fast as any other set.
        + optional("lastmod", "[^<]", rf"(?<!{_SPACE})")
        + optional("changefreq", r"[a-z]")
        + optional("priority", r"[0-9.]")
        + rf"(?:{end}|(?:{extension})+{end}){_GAP}",
        re.ASCII,
    )


def plain_columns(region: str, pattern: re.Pattern[str]) -> Columns | None:
    """The fields of a stretch that is plain entries from end to end; None if it is not."""
    # One pass that gives what lies between the entries as well as what is in them.
    parts = pattern.split(region)
    if "".join(parts[:: _GROUPS + 1]).strip(" \t\r\n"):
        return None
    columns = [parts[group :: _GROUPS + 1] for group in range(1, _GROUPS + 1)]
    # A reference in a field makes an entry an unusual one; in a URL it is met later.
    return None if "&" in region and "&" in "".join(filter(None, columns[2])) else columns


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

    def plain(self, columns: Columns, into: list[SitemapEntry]) -> int:
        """Add the entries of plain columns; says what the normalising of URLs among them cost."""
        urls, _, lastmods, changefreqs, priorities = columns
        if not _are_normal(urls):
            return self._row_by_row(columns, into)
        ranks = {text: priority_of(text) if text else None for text in set(priorities)}
        fields = zip(
            urls, _filled(lastmods), map(ranks.get, priorities), _filled(changefreqs), strict=True
        )
        # There may be a million: a tuple is made directly, at a third of the cost.
        into.extend(map(tuple.__new__, repeat(SitemapEntry), fields))
        self._tally.entries += len(urls)
        return 0

    def _row_by_row(self, columns: Columns, into: list[SitemapEntry]) -> int:
        work = 0
        for url, other, lastmod, changefreq, priority in zip(*columns, strict=True):
            if url and "/." not in url and len(url) <= MAX_URL_CHARACTERS:
                rank = priority_of(priority) if priority else None
                into.append(SitemapEntry(url, lastmod or None, rank, changefreq or None))
                self._tally.entries += 1
            else:
                written = url or other or ""
                work += 1 + len(written) // CHARACTERS_PER_WORK
                text, clean = with_references_resolved(written)
                if not clean:
                    self._tally.broken(LONE_AMPERSAND)
                self.make(text, lastmod or "", changefreq or "", priority or "", into)
        return work

    def make(
        self, loc: str, lastmod: str, changefreq: str, priority: str, into: list[SitemapEntry]
    ) -> None:
        """Add one entry, if its URL is one."""
        written = loc.strip()
        url = None
        if written and UNDEFINED not in written:
            url = normalise_url(written)
            if url is None and not _SCHEME.match(written):
                url = normalise_url(written, self._base)
                # A reference to nothing is one to the sitemap itself, which is no page.
                url = None if url == self._base else url
                self._tally.relative += url is not None
        if url is None:
            self._tally.invalid += 1
            return
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


def _are_normal(urls: list[str | None]) -> bool:
    """Whether every one of these almost normal URLs is there, and normal."""
    there = [url for url in urls if url]
    if len(there) < len(urls):
        return False
    return "/." not in "".join(there) and max(map(len, there), default=0) <= MAX_URL_CHARACTERS


def _filled(texts: list[str | None]) -> Iterable[str | None]:
    """The same with None for an empty text."""
    return [text or None for text in texts] if "" in texts else texts
