"""`--list-only`: the filtered URLs of a site, printed as they are read, nothing kept on disk."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from markmirror.model import Found, Item
from markmirror.sources.website.discovery import WebsiteDiscovery
from markmirror.sources.website.filters import Filters
from markmirror.state.sitemaps import PendingSitemap

_URL_OF = itemgetter(0)


@dataclass(slots=True)
class SitemapsInMemory:
    """The sitemaps still to be read, for a run that keeps nothing."""

    failures: int = 0
    _seen: set[str] = field(default_factory=set)
    _waiting: deque[PendingSitemap] = field(default_factory=deque)

    def add(self, urls: list[str], *, depth: int) -> None:
        for url in urls:
            if url not in self._seen:
                self._seen.add(url)
                self._waiting.append(PendingSitemap(id=len(self._seen), url=url, depth=depth))

    def count(self) -> int:
        return len(self._seen)

    def next(self) -> PendingSitemap | None:
        return self._waiting[0] if self._waiting else None

    def close(self, sitemap: int, *, failed: bool, record: dict[str, Any] | None) -> None:
        self._waiting.popleft()
        self.failures += failed


@dataclass(slots=True, kw_only=True)
class Listing:
    """What a list-only run has seen so far."""

    discovery: WebsiteDiscovery
    filters: Filters
    listed: int = 0
    # Eight bytes a URL instead of the URL: among a million, two differ and hash alike with a
    # probability of about one in thirty million.
    _seen: set[int] = field(default_factory=set)

    async def list_urls(self, emit: Callable[[list[str]], None]) -> None:
        """Hand the URLs that pass the filters to `emit`, each once, a few at a time."""

        def take(found: Found) -> None:
            # What a sitemap that is read again had named is printed, and stays so.
            if not found.items and not found.restart:
                self.discovery.added = 0
            new = self._unseen(found.items)
            self.discovery.added += len(new)
            self.listed += len(new)
            if passed := self.filters.passing(new):
                emit([item.url for item in passed])

        await self.discovery.discover(take)

    def _unseen(self, items: list[Item]) -> list[Item]:
        """Those of the items that nothing before them has named."""
        keys = list(map(hash, map(_URL_OF, items)))
        if self._seen.isdisjoint(keys):
            before = len(self._seen)
            self._seen.update(keys)
            if len(self._seen) - before == len(keys):
                return items
            # Some are among them twice, so it takes a look at each.
            self._seen.difference_update(keys)
        unseen: list[Item] = []
        for key, item in zip(keys, items, strict=True):
            if key not in self._seen:
                self._seen.add(key)
                unseen.append(item)
        return unseen
