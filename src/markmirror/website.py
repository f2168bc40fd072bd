"""Everything that talks to one website, put together; and `--list-only`, which needs no more."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from markmirror.errors import ExitCode, SourceUnavailable, only_other_hosts
from markmirror.fetch.client import USER_AGENT, Admission, HttpClient, http_session
from markmirror.fetch.guard import AddressGuard, IPAddress, leads_inside
from markmirror.fetch.politeness import Politeness
from markmirror.interrupts import StoppableClock, Stopped, two_stage_stop
from markmirror.model import Refused
from markmirror.options import SiteOptions
from markmirror.retry import LONGEST_WAIT_SECONDS
from markmirror.sources.website.discovery import Frontier, WebsiteDiscovery
from markmirror.sources.website.filters import Filters
from markmirror.sources.website.listing import Listing, SitemapsInMemory
from markmirror.sources.website.robots import RobotsTexts
from markmirror.web.urls import Scope, host_of, normalise_url
from markmirror.world import World, the_world

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Website:
    """The parts that talk to one website."""

    discovery: WebsiteDiscovery
    pages: HttpClient
    politeness: Politeness
    scope: Scope
    filters: Filters


@asynccontextmanager
async def open_website(
    options: SiteOptions, world: World, stopping: asyncio.Event, frontier: Frontier
) -> AsyncIterator[Website]:
    """The parts for one run, connected to each other, until the block ends."""
    start_url = start_url_of(options)
    scope = Scope.of(start_url, options.allow_host)
    guard = await _address_guard(options, start_url, scope)
    clock = StoppableClock(world.clock, stopping)
    user_agent = options.user_agent or USER_AGENT
    politeness = Politeness(clock, per_second=options.page_rate_limit)
    sitemap_politeness = Politeness(clock, per_second=options.rate_limit)
    async with http_session(
        guard,
        timeout_seconds=options.timeout,
        user_agent=USER_AGENT,
        concurrency=options.concurrency,
        tells_when_sent=bool(
            options.rate_limit or options.page_rate_limit or options.respect_robots
        ),
    ) as session:

        def client(admit: Admission, politeness: Politeness) -> HttpClient:
            return HttpClient(
                session,
                guard,
                world.clock,
                admit=admit,
                headers=options.headers,
                is_trusted=scope.is_trusted,
                on_sent=lambda url: politeness.started(host_of(url)),
            )

        async def admit_sitemap(url: str) -> Refused | None:
            await sitemap_politeness.turn(host_of(url))
            return None

        sitemaps = client(admit_sitemap, sitemap_politeness)
        robots = RobotsTexts(client=sitemaps, clock=clock)

        async def admit_page(url: str) -> Refused | None:
            if options.respect_robots:
                rules = await robots.of(url)
                if rules.refuses_all:
                    return Refused(url=url, reason="robots.txt cannot be reached")
                if not rules.allows(url, user_agent):
                    return Refused(url=url, reason="robots.txt forbids it", by_robots=True)
                if delay := rules.crawl_delay(user_agent):
                    politeness.slow_down(host_of(url), min(delay, LONGEST_WAIT_SECONDS))
            await politeness.turn(host_of(url))
            return None

        yield Website(
            discovery=WebsiteDiscovery(
                client=sitemaps,
                clock=clock,
                chance=world.chance,
                robots=robots,
                start_url=start_url,
                frontier=frontier,
            ),
            pages=client(admit_page, politeness),
            politeness=politeness,
            scope=scope,
            filters=Filters(options, scope),
        )


async def _address_guard(options: SiteOptions, start_url: str, scope: Scope) -> AddressGuard:
    """Private addresses are off limits, unless the person started at one."""
    starts_inside = await leads_inside(_without_port(host_of(start_url)))

    def exempt(name: str, port: int, _address: IPAddress) -> bool:
        if options.allow_private:
            return True
        shown = f"[{name}]" if ":" in name else name
        return starts_inside and scope.allows(f"http://{shown}:{port}/")

    return AddressGuard(exempt=exempt)


def _without_port(authority: str) -> str:
    host, colon, port = authority.rpartition(":")
    return host if colon and port.isdigit() else authority


def start_url_of(options: SiteOptions) -> str:
    """The address a run starts at, in its normal spelling."""
    url = normalise_url(options.url)
    assert url is not None, "the options let no other address pass"
    return url


async def list_site(
    options: SiteOptions, emit: Callable[[list[str]], None], *, world: World | None = None
) -> ExitCode:
    """Hand the URLs that pass the filters to `emit`, a few at a time, as they are read.

    Raises SourceUnavailable if the site names none of its own, and Stopped when interrupted.
    """
    world = world or the_world()
    stopping = asyncio.Event()
    sitemaps = SitemapsInMemory()

    def emit_unless_stopped(urls: list[str]) -> None:
        if stopping.is_set():
            raise Stopped
        emit(urls)

    with two_stage_stop(stopping):
        async with open_website(options, world, stopping, sitemaps) as site:
            listing = Listing(discovery=site.discovery, filters=site.filters)
            await listing.list_urls(emit_unless_stopped)
    if listing.listed == 0:
        raise SourceUnavailable(f"The sitemap of {options.url} names no URL at all.")
    if not listing.has_passed:
        if not listing.is_in_scope:
            raise only_other_hosts(site.discovery.start_url)
        log.warning("every URL was filtered out", extra={"urls": listing.listed})
    is_whole = sitemaps.failures == 0
    return ExitCode.SUCCESS if is_whole or options.on_error == "skip" else ExitCode.CONTENT_FAILURE
