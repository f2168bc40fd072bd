"""What a website says it has, written into the ledger as it is read."""

import asyncio

from markmirror.errors import SourceUnavailable, only_other_hosts
from markmirror.interrupts import Stopped
from markmirror.model import Found
from markmirror.pipeline.mirror import Mirror
from markmirror.ports import Discovery, ReasonAgainst


async def discover(
    mirror: Mirror,
    discovery: Discovery,
    reason_against: ReasonAgainst,
    *,
    stopping: asyncio.Event,
) -> None:
    """Record every listed URL with the filters' verdict; raises Stopped or SourceUnavailable."""
    pages, run = mirror.ledger.pages, mirror.run.number
    if not mirror.run.entry_points_known:
        mirror.ledger.sitemaps.forget()
        pages.unlist(run)

    def take(found: Found) -> None:
        if stopping.is_set():
            raise Stopped
        if discovery.entry_points_known and not mirror.run.entry_points_known:
            mirror.advance(entry_points_known=True, sitemap_url=discovery.sitemap_url)
        if found.restart:
            pages.unlist(run, found.sitemap)
        if not found.items:
            discovery.added = 0
        discovery.added += pages.list_items(
            ((item, reason_against(item)) for item in found.items), sitemap=found.sitemap, run=run
        )

    await discovery.discover(take)
    pages.tell_what_feeds_named(run)
    is_whole = mirror.ledger.sitemaps.failures() == 0
    mirror.advance(discovery_whole=is_whole, sitemap_url=discovery.sitemap_url)
    _check_that_something_was_listed(mirror)


def _check_that_something_was_listed(mirror: Mirror) -> None:
    run = mirror.run
    if mirror.ledger.pages.listed(run.number) == 0:
        raise SourceUnavailable(
            f"The sitemap of {run.source_url} names no URL at all; nothing was changed."
        )
    if mirror.ledger.pages.in_scope(run.number) == 0:
        raise only_other_hosts(run.source_url)
