"""`--list-only`: the filtered URLs of a site, printed as they are read, nothing kept on disk."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markmirror.model import Found
from markmirror.sources.website.discovery import WebsiteDiscovery
from markmirror.sources.website.filters import Filters
from markmirror.state.sitemaps import PendingSitemap


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
            if not found.items:
                self.discovery.added = 0
            passed: list[str] = []
            for item in found.items:
                key = hash(item.url)
                if key in self._seen:
                    continue
                self._seen.add(key)
                self.discovery.added += 1
                self.listed += 1
                if self.filters.reason_against(item) is None:
                    passed.append(item.url)
            if passed:
                emit(passed)

        await self.discovery.discover(take)
