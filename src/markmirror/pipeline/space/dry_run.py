"""What an export would do, worked out on a copy of its ledger: nothing of it is written."""

import asyncio
import logging
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import ExitCode, StateDamaged
from markmirror.model import Status
from markmirror.output.files import MirrorFolder
from markmirror.output.space_paths import space_directory
from markmirror.output.tree import OutputTree
from markmirror.pipeline.space.export import Export, site_of
from markmirror.pipeline.space.listing import SpaceListing
from markmirror.pipeline.space.opening import SPACES, check_site
from markmirror.pipeline.space.planning import is_current, plan
from markmirror.pipeline.space.recovery import rebuild
from markmirror.ports import Clock
from markmirror.report import Delta
from markmirror.sources.confluence.client import ConfluenceClient
from markmirror.sources.confluence.records import SpaceRecord
from markmirror.space_report import SpaceReport
from markmirror.state.database import STATE_FILE
from markmirror.state.ledger import Ledger
from markmirror.state.recovery import forget_torn_files, open_ledger
from markmirror.state.snapshot import copy_ledger

log = logging.getLogger(__name__)


async def planned_export(
    options: ConfluenceOptions,
    space: SpaceRecord,
    client: ConfluenceClient,
    clock: Clock,
    stopping: asyncio.Event,
) -> SpaceReport:
    """A report whose `planned` says, one page a line, what an export would do now."""
    folder = options.output / SPACES / space_directory(space.key)
    with tempfile.TemporaryDirectory(prefix="markmirror-") as temporary:
        ledger, was_closed = _open_copy(folder, Path(temporary), fresh=options.fresh)
        with (
            closing(ledger),
            closing(OutputTree(options.output / SPACES)) as tree,
            MirrorFolder(Path(temporary)) as home,
        ):
            check_site(options, space, ledger.runs.newest())
            if not was_closed:
                forget_torn_files(ledger, tree)
            export = Export(
                options=options,
                space=space,
                tree=tree,
                home=home,
                ledger=ledger,
                run=ledger.runs.begin(
                    mode="fresh" if options.fresh else "update",
                    started_at=clock.now().isoformat(),
                    source_url=site_of(options, space).web_url,
                ),
                before=None,
            )
            export.queues.clear()
            return await _plan(options, export, client, folder, stopping)


def _open_copy(folder: Path, temporary: Path, *, fresh: bool) -> tuple[Ledger, bool]:
    """A ledger that knows what the export's own would know once it is opened."""
    state = folder / STATE_FILE
    if state.is_file() and not state.is_symlink():
        try:
            copy_ledger(state, temporary / STATE_FILE)
        except StateDamaged as error:
            log.warning("the ledger would be rebuilt", extra={"error": str(error)})
            (temporary / STATE_FILE).unlink(missing_ok=True)
    return open_ledger(temporary, fresh=fresh, rebuild=lambda ledger, _: rebuild(ledger, folder))


async def _plan(
    options: ConfluenceOptions,
    export: Export,
    client: ConfluenceClient,
    folder: Path,
    stopping: asyncio.Event,
) -> SpaceReport:
    listing = SpaceListing(
        export=export, client=client, concurrency=options.concurrency, stopping=stopping
    )
    await listing.read(options.root_page)
    decided = plan(export, limit=options.limit)
    lines: list[str] = []
    for action, pages in (
        ("", decided.due),
        ("unchanged", decided.unchanged),
        ("left", decided.left),
    ):
        lines += [_line(export, page, action) for page in pages]
    lines += [f"missing\t{page.path}" for page in export.store.missing(export.run.number)]
    whole = export.run.discovery_whole
    actions = Counter(line.partition("\t")[0] for line in lines)
    counts = dict.fromkeys(Status, 0)
    counts[Status.PENDING] = len(decided.due)
    counts[Status.UNCHANGED] = len(decided.unchanged)
    counts[Status.LEFT] = len(decided.left)
    return SpaceReport(
        folder=folder,
        counts=counts,
        delta=Delta(
            added=actions["add"],
            updated=actions["update"],
            moved=actions["move"],
            unchanged=actions["unchanged"],
        ),
        limit=options.limit or 0,
        discovery_whole=whole,
        exit_code=ExitCode.SUCCESS if whole else ExitCode.CONTENT_FAILURE,
        planned=tuple(lines),
    )


def _line(export: Export, page: int, action: str) -> str:
    known, entry = export.store.page(page), export.ledger.pages.entry(page)
    assert known is not None
    if action:
        return f"{action}\t{known.path}"
    if entry is None:
        return f"add\t{known.path}"
    if entry.path != known.path:
        return f"move\t{known.path}\t(from {entry.path})"
    # After the loss of a ledger its pages are read again for their references alone.
    is_only_read = export.run.mode != "fresh" and is_current(export, known)
    return f"unchanged\t{known.path}" if is_only_read else f"update\t{known.path}"
