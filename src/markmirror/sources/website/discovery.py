"""Which URLs a website says it has: from its address or its sitemap's, to every page named."""

import logging
import random
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from markmirror.errors import SourceUnavailable
from markmirror.fetch.client import BODY_FAULTS, MAX_SITEMAP_REDIRECTS, Answer, HttpClient, fault_of
from markmirror.model import Found, Item, NotModified, TryLater
from markmirror.ports import Clock
from markmirror.retry import SITEMAP_RETRIES, SITEMAP_RETRY_SECONDS, THROTTLE
from markmirror.sources.website.robots import RobotsTexts
from markmirror.state.sitemaps import PendingSitemap
from markmirror.web.sitemap import (
    InflateFault,
    Inflater,
    SitemapFacts,
    SitemapKind,
    SitemapParser,
)
from markmirror.web.urls import normalise_url, origin_of

log = logging.getLogger(__name__)

USUAL_PLACES = (
    "sitemap.xml",
    "sitemap_index.xml",
    "sitemap-index.xml",
    "sitemap.xml.gz",
    "sitemap.txt",
    "wp-sitemap.xml",
)
MAX_DEPTH = 5
# Twice as many as the protocol lets one index name. A site that makes up sitemaps as they are asked
# for could go on for ever.
MAX_SITEMAPS = 100_000
WANTS_CREDENTIALS = ("HTTP 401", "HTTP 403")
_SITEMAP_NAME = re.compile(r"sitemap|\.(?:xml|gz|txt|rss|atom)$", re.IGNORECASE)

Take = Callable[[Found], None]


class Frontier(Protocol):
    """The sitemaps of a run: each is read once, in the order in which they were named."""

    def add(self, urls: list[str], *, depth: int) -> None: ...

    def count(self) -> int: ...

    def next(self) -> PendingSitemap | None: ...

    def close(self, sitemap: int, *, failed: bool, record: dict[str, Any] | None) -> None: ...


@dataclass(slots=True, kw_only=True)
class _Reading:
    """How far one sitemap has been read, how many new URLs it named, and what went wrong."""

    facts: SitemapFacts | None = None
    new: int = 0
    error: str | None = None
    again: TryLater | None = None
    is_dropped: bool = False

    @property
    def kind(self) -> SitemapKind:
        return SitemapKind.PENDING if self.facts is None else self.facts.kind

    @property
    def is_sitemap(self) -> bool:
        return self.facts is not None and self.facts.kind.is_sitemap

    @property
    def fault(self) -> str | None:
        """Why not everything the sitemap names is known, or None if it is."""
        if self.error:
            return self.error
        if not self.is_sitemap:
            return (self.facts.error if self.facts else None) or "this is not a sitemap"
        if self.facts is not None and self.facts.truncated:
            return "the file ends too early"
        return None


@dataclass(slots=True, kw_only=True)
class WebsiteDiscovery:
    """Reads sitemaps one after another."""

    client: HttpClient
    clock: Clock
    chance: random.Random
    robots: RobotsTexts
    start_url: str
    frontier: Frontier
    entry_points_known: bool = False
    sitemap_url: str = ""
    added: int = 0

    async def discover(self, take: Take) -> None:
        """Hand every entry of every sitemap to `take`, a few at a time, in order."""
        is_resumed = self.entry_points_known
        if not is_resumed:
            await self._find_sitemaps(take)
            self.entry_points_known = True
        while (sitemap := self.frontier.next()) is not None:
            # The first sitemap of a resumed discovery may have been read in part before.
            await self._read(sitemap, _Reading(), take, is_again=is_resumed)
            is_resumed = False

    async def _find_sitemaps(self, take: Take) -> None:
        """Try the given address, then what robots.txt names, then the usual places."""
        start = await self._try(self.start_url, take)
        if self.sitemap_url:
            return
        robots = await self.robots.of(self.start_url)
        if robots.refuses_all:
            self._note_unread(f"{origin_of(self.start_url)}/robots.txt")
        for url in robots.sitemaps:
            # The site itself names this one: should it fail, pages are missing.
            await self._try(url, take, is_guess=False)
        if self.sitemap_url:
            return
        for url in self._usual_places():
            await self._try(url, take)
            if self.sitemap_url:
                return
        raise SourceUnavailable(
            f"No sitemap was found at {self.start_url} ({start.fault}), nor at the usual places.",
            hint=_hint(start),
        )

    def _usual_places(self) -> list[str]:
        """Next to the given path first, since that is what was asked for, then at the root."""
        places: dict[str, None] = {}
        given = self.start_url.partition("?")[0]
        folder, _, name = given.rpartition("/")
        # `/docs` may be a folder whose slash was left out.
        inside = folder if "." in name or not name else given
        for base in (f"{inside}/", f"{folder}/", origin_of(self.start_url) + "/"):
            for name in USUAL_PLACES:
                if url := normalise_url(name, base):
                    places[url] = None
        return list(places)

    async def _try(self, url: str, take: Take, *, is_guess: bool = True) -> _Reading:
        """Read a file that may be a sitemap; if it is one, remember the first of them."""
        self.frontier.add([url], depth=0)
        sitemap = self.frontier.next()
        reading = _Reading()
        if sitemap is None or sitemap.url != url:
            return reading
        await self._read(sitemap, reading, take, is_guess=is_guess)
        if reading.is_sitemap:
            self.sitemap_url = self.sitemap_url or url
        elif url == self.start_url and reading.again and reading.again.status is None:
            raise SourceUnavailable(
                f"{url} cannot be reached: {reading.again.reason}.",
                hint="Check the address and the network.",
            )
        return reading

    async def _read(
        self,
        sitemap: PendingSitemap,
        reading: _Reading,
        take: Take,
        *,
        is_guess: bool = False,
        is_again: bool = False,
    ) -> None:
        """Read one sitemap, again if the network fails, and say what it held."""
        started = self.clock.monotonic()
        attempt = 0
        while True:
            children: list[str] = []

            def sort(items: list[Item], children: list[str] = children) -> None:
                if reading.kind is SitemapKind.INDEX:
                    children.extend(item.url for item in items)
                elif items:
                    take(Found(sitemap=sitemap.id, items=items))

            take(Found(sitemap=sitemap.id, items=[], restart=is_again))
            await self._read_once(sitemap.url, reading, sort)
            if reading.again is None or attempt == SITEMAP_RETRIES:
                break
            attempt += 1
            is_again = True
            await self._pause(reading.again, attempt)
        reading.new = self.added + len(children)
        if reading.is_dropped:
            children.clear()
            take(Found(sitemap=sitemap.id, items=[], restart=True))
        self._close(sitemap, reading, children, is_guess, self.clock.monotonic() - started)

    async def _pause(self, fault: TryLater, attempt: int) -> None:
        log.warning("a sitemap is asked for again", extra={"url": fault.url, "error": fault.reason})
        seconds = SITEMAP_RETRY_SECONDS
        if fault.throttled or fault.wait_seconds is not None:
            seconds = THROTTLE.delay(attempt, fault.wait_seconds, self.chance)
        await self.clock.sleep(seconds)

    async def _read_once(
        self, url: str, reading: _Reading, sort: Callable[[list[Item]], None]
    ) -> None:
        reading.facts, reading.error, reading.again = None, None, None
        reading.is_dropped = False
        async with self.client.open(url, redirects=MAX_SITEMAP_REDIRECTS) as answer:
            if not isinstance(answer, Answer):
                reading.again = answer if isinstance(answer, TryLater) else None
                reading.error = _reason(answer)
                return
            parser, inflater = SitemapParser(answer.url), Inflater()
            pieces = answer.pieces()
            while (piece := await _next_piece(pieces, url, reading)) is not None:
                for step in inflater.feed(piece):
                    for items in parser.read(step):
                        reading.facts = parser.facts
                        sort(items)
                if inflater.fault or reading.kind in (SitemapKind.HTML, SitemapKind.UNKNOWN):
                    break
            for step in inflater.finish():
                parser.feed(step)
            is_complete = reading.error is None and inflater.fault is None
            last = parser.finish(complete=is_complete)
            reading.facts = parser.facts
            sort(last)
            if inflater.fault in (InflateFault.TOO_LARGE, InflateFault.BOMB):
                reading.error = str(inflater.fault)
                reading.is_dropped = True
            elif inflater.fault:
                reading.error = reading.error or str(inflater.fault)

    def _close(
        self,
        sitemap: PendingSitemap,
        reading: _Reading,
        children: list[str],
        is_guess: bool,
        seconds: float,
    ) -> None:
        """Say what the sitemap held, once, and put its children in line."""
        # A server in trouble has not said that there is nothing here, and a person who names a
        # sitemap knows that there is one.
        is_likely = reading.again is not None or sitemap.url == self.start_url
        is_unsure = is_likely and _SITEMAP_NAME.search(sitemap.url) is not None
        if not reading.is_sitemap and is_guess and not is_unsure:
            log.info("no sitemap here", extra={"url": sitemap.url, "reason": reading.error})
            self.frontier.close(sitemap.id, failed=False, record=None)
            return
        error = reading.fault
        if children and sitemap.depth >= MAX_DEPTH:
            error = f"sitemap indexes are nested more than {MAX_DEPTH} deep"
            children = []
        elif children and (room := MAX_SITEMAPS - self.frontier.count()) < len(children):
            error = f"the site names more than {MAX_SITEMAPS:,} sitemaps"
            children = children[: max(room, 0)]
        record = _record(sitemap, reading, seconds)
        facts = reading.facts
        if error:
            record["error"] = error
            log.error("a sitemap could not be read whole", extra=record)
        elif facts and (facts.fell_back or facts.invalid or facts.relative):
            log.warning("a sitemap was read, with faults", extra=record)
        else:
            log.info("a sitemap was read", extra=record)
        self.frontier.add(children, depth=sitemap.depth + 1)
        self.frontier.close(sitemap.id, failed=error is not None, record=record)

    def _note_unread(self, url: str) -> None:
        """What this file would have named is not known, so discovery is not whole."""
        self.frontier.add([url], depth=0)
        waiting = self.frontier.next()
        if waiting is not None and waiting.url == url:
            record = {"url": url, "kind": str(SitemapKind.UNKNOWN), "error": "it cannot be reached"}
            self.frontier.close(waiting.id, failed=True, record=record)


def _record(sitemap: PendingSitemap, reading: _Reading, seconds: float) -> dict[str, Any]:
    facts = reading.facts
    entries = facts.entries if facts else 0
    return {
        "url": sitemap.url,
        "kind": str(reading.kind if facts else SitemapKind.UNKNOWN),
        "entries": entries,
        "duplicates": max(entries - reading.new, 0),
        "invalid": facts.invalid if facts else 0,
        "relative": facts.relative if facts else 0,
        "seconds": round(seconds, 3),
    }


async def _next_piece(pieces: AsyncIterator[bytes], url: str, reading: _Reading) -> bytes | None:
    """More of the body; None at its end, or with the reason in `reading` if it broke off."""
    try:
        return await anext(pieces, None)
    except BODY_FAULTS as error:
        fault = fault_of(error, url)
        reading.again = fault if isinstance(fault, TryLater) else None
        reading.error = fault.reason
        return None


def _hint(start: _Reading) -> str:
    """What the person can do about an address that was read in vain."""
    if start.error in WANTS_CREDENTIALS:
        return "If it asks for credentials, send them with --header."
    if start.error:
        return "Check the address, or give that of another sitemap."
    return "Give the address of a sitemap instead of the site's."


def _reason(answer: object) -> str:
    if isinstance(answer, NotModified):
        return "HTTP 304"
    return str(getattr(answer, "reason", None) or f"HTTP {getattr(answer, 'status', '?')}")
