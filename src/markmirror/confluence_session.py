"""One export from its options to its report: the network, the space, the folder, the run."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import SourceUnavailable, UsageError
from markmirror.fetch.client import PATIENCE, USER_AGENT, HttpClient, http_session
from markmirror.fetch.guard import AddressGuard, IPAddress, is_link_local, leads_inside
from markmirror.fetch.politeness import Politeness
from markmirror.interrupts import StoppableClock, two_stage_stop
from markmirror.logs import logging_to_mirror
from markmirror.model import Refused
from markmirror.output.space_paths import space_directory
from markmirror.output.tree import check_output_folder
from markmirror.pipeline.disk import Disk
from markmirror.pipeline.space.dry_run import planned_export
from markmirror.pipeline.space.opening import SPACES, opened_export
from markmirror.pipeline.space.run import SpaceRun
from markmirror.ports import Clock
from markmirror.sources.confluence.answers import Meaning
from markmirror.sources.confluence.client import ConfluenceClient, ListEnd
from markmirror.sources.confluence.downloads import is_own
from markmirror.sources.confluence.listing import all_spaces
from markmirror.sources.confluence.records import SpaceRecord, read_space
from markmirror.space_report import SpaceReport
from markmirror.web.urls import host_of
from markmirror.workers import open_converters
from markmirror.world import World

SPACE_LIMIT = 200


async def run_export(options: ConfluenceOptions, world: World) -> SpaceReport:
    """Export a space; raises a MarkmirrorError when nothing could be begun."""
    check_output_folder(options.output, options.output / SPACES)
    stopping = asyncio.Event()
    with two_stage_stop(stopping):
        async with _clients(options, world, stopping) as (impatient, patient):
            space = await resolve_space(impatient, options.space)
            check_output_folder(options.output / SPACES / space_directory(space.key))
            if options.dry_run:
                return await planned_export(options, space, impatient, world.clock, stopping)
            return await _export(options, world, space, impatient, patient, stopping)


async def _export(
    options: ConfluenceOptions,
    world: World,
    space: SpaceRecord,
    impatient: ConfluenceClient,
    patient: ConfluenceClient,
    stopping: asyncio.Event,
) -> SpaceReport:
    folder = options.output / SPACES / space_directory(space.key)
    was_there = folder.exists()
    converters = open_converters(options.workers)
    try:
        with opened_export(options, space, clock=world.clock) as export, logging_to_mirror(folder):
            try:
                return await SpaceRun(
                    export=export,
                    impatient=impatient,
                    patient=patient,
                    converters=converters,
                    world=world,
                    disk=Disk(
                        home=export.home,
                        tree=export.tree,
                        ledger=export.ledger,
                        world=world,
                        advice="run again with --resume",
                    ),
                    stopping=stopping,
                ).run()
            except SourceUnavailable:
                export.ledger.runs.abandon(export.before)
                raise
    except SourceUnavailable:
        if not was_there:
            _take_back(options.output, folder)
        raise
    finally:
        converters.close()


def _take_back(output: Path, folder: Path) -> None:
    shutil.rmtree(folder)
    for empty in (output / SPACES, output):
        with suppress(OSError):
            empty.rmdir()


async def resolve_space(client: ConfluenceClient, wanted: str) -> SpaceRecord:
    """The space of a key or a name; raises SourceUnavailable if there is none, or no single one."""
    reply = await client.get(client.site.space(wanted))
    match reply.verdict.meaning:
        case Meaning.GOOD:
            space = read_space(reply.body)
            if space is not None:
                return space
        case Meaning.MISSING | Meaning.REFUSED:
            pass
        case _:
            raise _unreadable(client, f"the space {wanted!r}", reply.verdict.reason)
    found: dict[str, SpaceRecord] = {}
    async for part in client.items(all_spaces(client.site, limit=SPACE_LIMIT)):
        if isinstance(part, ListEnd):
            if not part.whole:
                raise _unreadable(client, "the list of spaces", part.reason)
            break
        spaces = (read_space(document) for document in part)
        found |= {
            space.key: space
            for space in spaces
            if space is not None and wanted in (space.name, space.key)
        }
    if len(found) > 1:
        keys = ", ".join(sorted(found))
        raise UsageError(f"Several spaces are named {wanted!r}.", hint=f"Give a key: {keys}.")
    for key in found:
        return await resolve_space(client, key) if key != wanted else found[key]
    raise SourceUnavailable(
        f"{client.site.base_url} has no space {wanted!r} that can be seen with these credentials."
    )


def _unreadable(client: ConfluenceClient, what: str, reason: str) -> SourceUnavailable:
    return SourceUnavailable(
        f"{client.site.base_url} does not give us {what}: {reason}.",
        hint="Check --base-url, which ends in a context path such as /wiki, and the credentials.",
    )


@asynccontextmanager
async def _clients(
    options: ConfluenceOptions, world: World, stopping: asyncio.Event
) -> AsyncIterator[tuple[ConfluenceClient, ConfluenceClient]]:
    """Two ways to ask one site: one that stops waiting on Ctrl-C, and one that does not."""
    site = options.site
    guard = await _address_guard(site.base_url)
    hasty = StoppableClock(world.clock, stopping)
    politeness = Politeness(world.clock, per_second=options.rate_limit)

    async def admit(url: str) -> Refused | None:
        await politeness.turn(host_of(url))
        return None

    async with http_session(
        guard,
        timeout_seconds=options.timeout,
        user_agent=USER_AGENT,
        concurrency=options.concurrency,
        tells_when_sent=True,
        patience=None,
    ) as session:
        http = HttpClient(
            session,
            guard,
            world.clock,
            admit=admit,
            headers=options.headers,
            is_trusted=lambda url: is_own(site, url),
            on_sent=lambda url: politeness.started(host_of(url)),
        )

        def client(clock: Clock) -> ConfluenceClient:
            return ConfluenceClient(
                site=site,
                http=http,
                politeness=politeness,
                clock=clock,
                chance=world.chance,
                answer_seconds=options.timeout * PATIENCE,
            )

        yield client(hasty), client(world.clock)


async def _address_guard(base_url: str) -> AddressGuard:
    """A site inside a private network may send us to its neighbours, one outside may not.

    Addresses of a machine's own link, where clouds keep their secrets, are never exempt.
    """
    host = urlsplit(base_url).hostname or ""
    starts_inside = await leads_inside(host)

    def exempt(name: str, _port: int, address: IPAddress) -> bool:
        return starts_inside and (name == host or not is_link_local(address))

    return AddressGuard(exempt=exempt)
