"""Opening an export: its folder, its lock, its ledger, and the run to begin or to go on with."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from markmirror.confluence_options import ConfluenceOptions
from markmirror.convert.page import content_hash_of
from markmirror.errors import ResumeRequired, StateDamaged, UsageError
from markmirror.output.space_paths import space_directory
from markmirror.output.tree import OutputTree
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.outputs import MANIFEST_FILE, QUEUES_FILE
from markmirror.pipeline.space.recovery import is_whole_json, rebuild
from markmirror.pipeline.tallies import Tallies
from markmirror.ports import Clock
from markmirror.sources.confluence.records import SpaceRecord
from markmirror.state.database import STATE_FILE
from markmirror.state.ledger import Ledger
from markmirror.state.lock import MirrorLock
from markmirror.state.recovery import set_aside
from markmirror.state.runs import Mode, Run
from markmirror.state.space import SpaceStore

log = logging.getLogger(__name__)

SPACES = "spaces"


def check_output_folder(output: Path) -> None:
    """A clear sentence for the commonest mistake, before anything is fetched."""
    for folder in (output, output / SPACES):
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--output: {folder} is a file, not a folder.")


@contextmanager
def opened_export(
    options: ConfluenceOptions, space: SpaceRecord, *, clock: Clock
) -> Iterator[Export]:
    """The export, locked and consistent.

    Raises ResumeRequired, before anything is touched, when an earlier one was interrupted and the
    person has not said what to do about it.
    """
    tree = OutputTree(options.output / SPACES)
    try:
        home = tree.folder(space_directory(space.key))
        with MirrorLock(home.root):
            ledger, was_closed = _open_ledger(home.root)
            try:
                if ledger.runs.newest() is None:
                    rebuild(ledger, SpaceStore(ledger.database), home.root)
                before = ledger.runs.newest()
                check_resume(options, before)
                home.remove_leftovers()
                export = Export(
                    options=options,
                    space=space,
                    tree=tree,
                    home=home,
                    ledger=ledger,
                    run=_run(options, ledger, before, clock),
                    before=before,
                )
                _prepare(export, before, was_closed=was_closed)
                try:
                    yield export
                finally:
                    ledger.close_session()
            finally:
                ledger.close()
    finally:
        tree.close()


def _open_ledger(folder: Path) -> tuple[Ledger, bool]:
    path = folder / STATE_FILE
    try:
        return _open(path)
    except StateDamaged as error:
        log.warning("the ledger is damaged and will be rebuilt", extra={"error": str(error)})
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        set_aside(path)
        ledger, _ = _open(path)
        return ledger, False


def _open(path: Path) -> tuple[Ledger, bool]:
    ledger = Ledger(path, is_foreign=lambda _path, _url: False)
    try:
        was_closed = ledger.database.recall("closed", "yes") == "yes"
        damage = None if was_closed else ledger.database.damage()
    except StateDamaged as error:
        damage = str(error)
    if damage:
        ledger.close()
        raise StateDamaged(damage)
    return ledger, was_closed


def check_resume(options: ConfluenceOptions, before: Run | None) -> None:
    """An interrupted export goes on, or starts over, only when the person says which."""
    is_open = before is not None and before.phase != "finished"
    if is_open and not options.resume and not options.fresh:
        assert before is not None
        raise ResumeRequired(
            f"The export of {options.space} begun at {before.started_at} was interrupted.",
            hint="Run again with --resume to go on with it, or with --fresh to start over.",
        )


def _run(options: ConfluenceOptions, ledger: Ledger, before: Run | None, clock: Clock) -> Run:
    if before is not None and before.phase != "finished" and options.resume:
        log.info("an interrupted export is resumed", extra={"started_at": before.started_at})
        return before
    Tallies.forget(ledger.database)
    has_files = ledger.database.number("SELECT count(*) FROM entries") > 0
    mode: Mode = "fresh" if options.fresh else "update" if has_files else "mirror"
    return ledger.runs.begin(
        mode=mode, started_at=clock.now().isoformat(), source_url=options.base_url
    )


def _prepare(export: Export, before: Run | None, *, was_closed: bool) -> None:
    ledger = export.ledger
    ledger.open_session()
    ledger.database.remember("homepage", export.space.homepage_id)
    if before is None or before.number != export.run.number:
        export.queues.clear()
    ledger.downloads.reclaim()
    ledger.processing.recover()
    export.queues.reclaim()
    export.remove_stale_files()
    for name in (MANIFEST_FILE, QUEUES_FILE):
        path = export.home.root / name
        if path.is_file() and not is_whole_json(path):
            set_aside(path)
            log.warning("a damaged file was set aside; it is written anew", extra={"file": name})
    if not was_closed:
        _forget_torn_files(export)


def _forget_torn_files(export: Export) -> None:
    """After a crash: files written since the last sync must hold what the ledger says they do."""
    since = export.ledger.database.recall("synced_at")
    torn = []
    for page, entry in export.ledger.pages.entries_since(since):
        found = export.tree.stat(entry.path)
        is_intact = (
            found is not None
            and found.size == entry.size_bytes
            and content_hash_of(export.tree.read(entry.path)) == entry.content_hash
        )
        if not is_intact:
            torn.append(page)
    for page in torn:
        export.ledger.pages.reopen(page)
    if torn:
        log.warning("files that did not survive are exported again", extra={"count": len(torn)})
