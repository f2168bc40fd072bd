"""Opening an export: its folder, its lock, its ledger, and the run to begin or to go on with."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager

from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import ResumeRequired, UsageError
from markmirror.output.space_paths import space_directory
from markmirror.output.tree import OutputTree
from markmirror.pipeline.space.export import Export, site_of
from markmirror.pipeline.space.outputs import MANIFEST_FILE, QUEUES_FILE
from markmirror.pipeline.space.recovery import rebuild
from markmirror.pipeline.tallies import Tallies
from markmirror.ports import Clock
from markmirror.sources.confluence.records import SpaceRecord
from markmirror.state.ledger import Ledger
from markmirror.state.lock import MirrorLock
from markmirror.state.recovery import (
    check_plain_files,
    ends_like_json,
    forget_torn_files,
    open_ledger,
)
from markmirror.state.runs import Mode, Run

log = logging.getLogger(__name__)

SPACES = "spaces"


@contextmanager
def opened_export(
    options: ConfluenceOptions, space: SpaceRecord, *, clock: Clock
) -> Iterator[Export]:
    """The export, locked and consistent.

    Raises ResumeRequired, before a file is touched, when an earlier one was interrupted and the
    person has not said what to do about it.
    """
    with closing(OutputTree(options.output / SPACES)) as tree:
        home = tree.folder(space_directory(space.key))
        with MirrorLock(home.root):
            ledger, was_closed = open_ledger(home.root, fresh=options.fresh, rebuild=rebuild)
            with closing(ledger):
                if not was_closed:
                    forget_torn_files(ledger, tree)
                with ledger.session():
                    yield _export(options, space, tree, ledger, clock)


def _export(
    options: ConfluenceOptions, space: SpaceRecord, tree: OutputTree, ledger: Ledger, clock: Clock
) -> Export:
    before = ledger.runs.newest()
    check_site(options, space, before)
    check_resume(options, before)
    export = Export(
        options=options,
        space=space,
        tree=tree,
        home=tree.folder(space_directory(space.key)),
        ledger=ledger,
        run=_run(options, space, ledger, before, clock),
        before=before,
    )
    _prepare(export)
    return export


def check_site(options: ConfluenceOptions, space: SpaceRecord, before: Run | None) -> None:
    """Another site may have a space of the same key, whose pages say nothing about those here."""
    site = site_of(options, space).web_url
    earlier = before.source_url if before is not None else ""
    if earlier not in ("", site) and not options.fresh:
        raise UsageError(
            f"{options.output / SPACES / space_directory(space.key)} holds the export of "
            f"{earlier}, not of {site}.",
            hint="Give another --output, or --fresh if the site has moved.",
        )


def check_resume(options: ConfluenceOptions, before: Run | None) -> None:
    """An interrupted export goes on, or starts over, only when the person says which."""
    is_open = before is not None and before.phase != "finished"
    if is_open and not options.resume and not options.fresh:
        assert before is not None
        raise ResumeRequired(
            f"The export of {options.space} begun at {before.started_at} was interrupted.",
            hint="Run again with --resume to go on with it, or with --fresh to start over.",
        )


def _run(
    options: ConfluenceOptions,
    space: SpaceRecord,
    ledger: Ledger,
    before: Run | None,
    clock: Clock,
) -> Run:
    if before is not None and before.phase != "finished" and options.resume:
        log.info("an interrupted export is resumed", extra={"started_at": before.started_at})
        return before
    Tallies.forget(ledger)
    has_files = ledger.pages.on_disk() > 0
    mode: Mode = "fresh" if options.fresh else "update" if has_files else "mirror"
    return ledger.runs.begin(
        mode=mode,
        started_at=clock.now().isoformat(),
        source_url=site_of(options, space).web_url,
    )


def _prepare(export: Export) -> None:
    ledger, before = export.ledger, export.before
    export.home.remove_leftovers()
    ledger.remember("homepage", export.space.homepage_id)
    if before is None or before.number != export.run.number:
        export.queues.clear()
        export.store.forget_people()
    else:
        ledger.verdicts.reopen_made_otherwise(export.run.number, export.recipe)
        _reopen_pages_that_lost_files(export)
    ledger.downloads.reclaim()
    ledger.processing.recover()
    export.queues.reclaim()
    export.remove_stale_files()
    check_plain_files(
        export.home.root, {MANIFEST_FILE: ends_like_json, QUEUES_FILE: ends_like_json}
    )


def _reopen_pages_that_lost_files(export: Export) -> None:
    """Attachments saved before the run was interrupted must have survived that."""
    lost = {
        file.page for file in export.files.saved(export.run.number) if not export.has_saved(file)
    }
    for page in lost:
        export.queues.wait_for_planning(page)
    if lost:
        log.warning(
            "attachments that did not survive are fetched again", extra={"pages": len(lost)}
        )
