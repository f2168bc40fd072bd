"""The library's front door, and the place that picks the concrete parts of a mirror."""

import asyncio
import os
import shutil
from contextlib import closing, suppress
from pathlib import Path

from markmirror.confluence_options import ConfluenceOptions
from markmirror.convert import check_selector
from markmirror.errors import SourceUnavailable, UsageError
from markmirror.interrupts import two_stage_stop
from markmirror.logs import logging_to_mirror
from markmirror.options import SiteOptions
from markmirror.output.paths import page_path
from markmirror.output.tree import check_output_folder
from markmirror.pipeline.disk import Disk
from markmirror.pipeline.mirror import Mirror
from markmirror.pipeline.opening import opened_mirror
from markmirror.pipeline.run import MirrorRun
from markmirror.report import Report
from markmirror.space_report import SpaceReport
from markmirror.state.lookup import file_of, url_of
from markmirror.web.urls import normalise_url
from markmirror.website import list_site, open_website, start_url_of
from markmirror.workers import Converters, open_converters
from markmirror.world import World, the_world

__all__ = [
    "export_space",
    "export_space_async",
    "list_site",
    "look_up",
    "mirror_site",
    "mirror_site_async",
]

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
    start_url = start_url_of(options)
    host_dir = page_path(start_url).host_dir
    folder = options.output / host_dir
    check_output_folder(options.output, folder)
    made = [place for place in (folder, options.output) if not place.exists()]
    stopping = asyncio.Event()
    try:
        with (
            closing(_converters(options)) as converters,
            two_stage_stop(stopping),
            logging_to_mirror(folder),
            opened_mirror(options, start_url=start_url, host_dir=host_dir, clock=world.clock) as (
                mirror,
                trust_processed,
            ),
        ):
            return await _run(options, world, mirror, converters, stopping, trust_processed)
    except SourceUnavailable:
        if folder in made:
            shutil.rmtree(folder)
        if options.output in made:
            with suppress(OSError):
                options.output.rmdir()
        raise


async def _run(
    options: SiteOptions,
    world: World,
    mirror: Mirror,
    converters: Converters,
    stopping: asyncio.Event,
    trust_processed: bool,
) -> Report:
    try:
        async with open_website(options, world, stopping, mirror.ledger.sitemaps) as site:
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
                    ledger=mirror.ledger,
                    world=world,
                    advice="run the same command again to go on",
                ),
                stopping=stopping,
                trust_processed=trust_processed,
            ).run()
    except SourceUnavailable:
        mirror.ledger.runs.abandon(mirror.before)
        raise


def look_up(target: str, *, output: Path | None = None) -> str:
    """The file of a URL, or the URL of a file; raises UsageError if no mirror or export knows it.

    Without `output`, it is looked for where both commands write to unless told otherwise.
    """
    folders = [SITE_OUTPUT, SPACE_OUTPUT] if output is None else [output]
    for folder in folders:
        # What has no form in UTF-8, such as a name in Latin-1, is in no ledger.
        with suppress(UnicodeEncodeError):
            if found := _look_up_in(folder, target):
                return found
    where = " or ".join(map(str, folders))
    # Before an @ of an address a password may stand.
    shown = target if "@" not in target else "what you asked for"
    hint = "Say with -o where else mirrors and exports are." if output is None else ""
    raise UsageError(f"No mirror in {where} knows {shown}.", hint=hint)


def _look_up_in(output: Path, target: str) -> str | None:
    # Here, because mirroring a website needs nothing of it.
    from markmirror.pipeline.space.opening import SPACES
    from markmirror.state.space_lookup import space_file_of, space_url_of

    if "://" in target:
        url = normalise_url(target)
        mirrored = file_of(url, output) if url else None
        return mirrored or space_file_of(target, output / SPACES)
    return url_of(Path(target), output) or space_url_of(Path(target), output / SPACES)


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
