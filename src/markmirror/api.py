"""The library's front door, and the only place that picks concrete parts."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from markmirror.confluence_options import ConfluenceOptions
from markmirror.convert import check_selector
from markmirror.errors import ExitCode, SourceUnavailable, UsageError
from markmirror.fetch.client import USER_AGENT, Admission, HttpClient, http_session
from markmirror.fetch.guard import AddressGuard, leads_inside
from markmirror.fetch.politeness import Politeness
from markmirror.interrupts import StoppableClock, Stopped, two_stage_stop
from markmirror.logs import logging_to_mirror
from markmirror.model import Refused
from markmirror.options import SiteOptions
from markmirror.output.paths import page_path
from markmirror.pipeline.disk import Disk
from markmirror.pipeline.mirror import Mirror
from markmirror.pipeline.opening import check_output_folder, opened_mirror
from markmirror.pipeline.run import MirrorRun
from markmirror.pipeline.space.opening import SPACES
from markmirror.report import Report
from markmirror.sources.website.discovery import Frontier, WebsiteDiscovery
from markmirror.sources.website.filters import Filters
from markmirror.sources.website.listing import Listing, SitemapsInMemory
from markmirror.sources.website.robots import RobotsTexts
from markmirror.space_report import SpaceReport
from markmirror.state.lookup import file_of, url_of
from markmirror.state.space_lookup import space_file_of, space_url_of
from markmirror.web.urls import Scope, host_of, normalise_url
from markmirror.workers import Converters, open_converters
from markmirror.world import World, the_world

# Above this many pages a second one process may not convert as fast as they arrive.
ONE_CONVERTER_PER_SECOND = 50.0
# One process can fetch and write down no more pages than this many can convert.
MOST_CONVERTERS = 4
SITE_OUTPUT: Path = SiteOptions.model_fields["output"].default
SPACE_OUTPUT: Path = ConfluenceOptions.model_fields["output"].default


def mirror_site(options: SiteOptions, *, world: World | None = None) -> Report:
    """Mirror a website; the report says what was done and carries the exit code.

    Raises a MarkmirrorError when nothing could be begun: bad options, a mirror in use, no sitemap.
    """
    return asyncio.run(mirror_site_async(options, world=world))


async def mirror_site_async(options: SiteOptions, *, world: World | None = None) -> Report:
    """The same, for programs that have an event loop of their own."""
    world = world or the_world()
    start_url = _start_url(options)
    host_dir = page_path(start_url).host_dir
    check_output_folder(options.output)
    folder = options.output / host_dir
    was_there = folder.exists()
    stopping = asyncio.Event()
    try:
        with (
            two_stage_stop(stopping),
            logging_to_mirror(folder),
            opened_mirror(options, start_url=start_url, host_dir=host_dir, clock=world.clock) as (
                mirror,
                trust_processed,
            ),
        ):
            return await _run(options, world, mirror, stopping, trust_processed)
    except SourceUnavailable:
        if not was_there:
            shutil.rmtree(folder)
            with suppress(OSError):
                options.output.rmdir()
        raise


async def _run(
    options: SiteOptions,
    world: World,
    mirror: Mirror,
    stopping: asyncio.Event,
    trust_processed: bool,
) -> Report:
    converters = _converters(options)
    try:
        async with _website(options, world, stopping, mirror.ledger.sitemaps) as site:
            site.discovery.entry_points_known = mirror.run.entry_points_known
            site.discovery.sitemap_url = mirror.run.sitemap_url
            return await MirrorRun(
                options=options,
                mirror=mirror,
                discovery=site.discovery,
                fetcher=site.pages,
                politeness=site.politeness,
                converters=converters,
                scope=site.scope,
                reason_against=site.filters.reason_against,
                filters=site.filters.fingerprint,
                world=world,
                disk=Disk(
                    home=mirror.home,
                    tree=mirror.tree,
                    database=mirror.ledger.database,
                    world=world,
                    advice="run the same command again to go on",
                ),
                stopping=stopping,
                trust_processed=trust_processed,
            ).run()
    except SourceUnavailable:
        mirror.ledger.runs.abandon(mirror.before)
        raise
    finally:
        converters.close()


async def list_site(
    options: SiteOptions, emit: Callable[[list[str]], None], *, world: World | None = None
) -> ExitCode:
    """Hand the URLs that pass the filters to `emit`, a few at a time, as they are read.

    Raises SourceUnavailable if the site names none at all, and Stopped when interrupted.
    """
    world = world or the_world()
    stopping = asyncio.Event()
    sitemaps = SitemapsInMemory()

    def emit_unless_stopped(urls: list[str]) -> None:
        if stopping.is_set():
            raise Stopped
        emit(urls)

    with two_stage_stop(stopping):
        async with _website(options, world, stopping, sitemaps) as site:
            listing = Listing(discovery=site.discovery, filters=site.filters)
            await listing.list_urls(emit_unless_stopped)
    if listing.listed == 0:
        raise SourceUnavailable(f"The sitemap of {options.url} names no URL at all.")
    is_whole = sitemaps.failures == 0
    return ExitCode.SUCCESS if is_whole or options.on_error == "skip" else ExitCode.CONTENT_FAILURE


def look_up(target: str, *, output: Path | None = None) -> str:
    """The file of a URL, or the URL of a file; raises UsageError if no mirror or export knows it.

    Without `output`, it is looked for where both commands write to unless told otherwise.
    """
    folders = [SITE_OUTPUT, SPACE_OUTPUT] if output is None else [output]
    for folder in folders:
        if found := _look_up_in(folder, target):
            return found
    where = " or ".join(map(str, folders))
    raise UsageError(f"No mirror in {where} knows {target}.")


def _look_up_in(output: Path, target: str) -> str | None:
    if "://" in target:
        url = normalise_url(target)
        mirrored = file_of(url, output) if url else None
        return mirrored or space_file_of(target, output / SPACES)
    return url_of(Path(target), output) or space_url_of(Path(target), output / SPACES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Website:
    """The parts that talk to one website."""

    discovery: WebsiteDiscovery
    pages: HttpClient
    politeness: Politeness
    scope: Scope
    filters: Filters


@asynccontextmanager
async def _website(
    options: SiteOptions, world: World, stopping: asyncio.Event, frontier: Frontier
) -> AsyncIterator[Website]:
    start_url = _start_url(options)
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
                is_mirrored=scope.allows,
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
                    politeness.slow_down(host_of(url), delay)
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

    def exempt(name: str, port: int) -> bool:
        if options.allow_private:
            return True
        shown = f"[{name}]" if ":" in name else name
        return starts_inside and scope.allows(f"http://{shown}:{port}/")

    return AddressGuard(exempt=exempt)


def _without_port(authority: str) -> str:
    host, colon, port = authority.rpartition(":")
    return host if colon and port.isdigit() else authority


def _start_url(options: SiteOptions) -> str:
    url = normalise_url(options.url)
    if url is None:
        raise UsageError(f"{options.url} is not an address that can be fetched.")
    return url


def _converters(options: SiteOptions) -> Converters:
    if options.selector and (fault := check_selector(options.selector)):
        raise UsageError(f"--selector: {fault}")
    if options.workers is not None:
        return open_converters(options.workers)
    is_slow = 0 < options.page_rate_limit <= ONE_CONVERTER_PER_SECOND
    return open_converters(1 if is_slow else min(os.cpu_count() or 1, MOST_CONVERTERS))


def export_space(options: ConfluenceOptions, *, world: World | None = None) -> SpaceReport:
    """Export a Confluence space; the report says what was done and carries the exit code.

    Raises a MarkmirrorError when nothing could be begun: bad options, an export that was
    interrupted, no such space, refused credentials.
    """
    return asyncio.run(export_space_async(options, world=world))


async def export_space_async(
    options: ConfluenceOptions, *, world: World | None = None
) -> SpaceReport:
    """The same, for programs that have an event loop of their own."""
    # Here, because mirroring a website needs nothing of it.
    from markmirror.confluence_session import run_export

    world = world or the_world()
    return await run_export(options, world)
