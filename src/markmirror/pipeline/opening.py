"""Opening a mirror: its folder, its lock, its ledger, and the run to begin or to go on with."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

from markmirror.convert.front_matter import read_front_matter
from markmirror.options import SiteOptions
from markmirror.output.tree import OutputTree
from markmirror.pipeline.mirror import Mirror
from markmirror.pipeline.tallies import Tallies
from markmirror.ports import Clock
from markmirror.state.ledger import Ledger
from markmirror.state.lock import MirrorLock
from markmirror.state.processed import ProcessedList
from markmirror.state.recovery import (
    CHECKPOINT_FILE,
    MANIFEST_FILE,
    check_plain_files,
    ends_like_json,
    forget_torn_files,
    is_json,
    open_ledger,
    rebuild_mirror,
    set_aside,
)
from markmirror.state.runs import Mode, Run

log = logging.getLogger(__name__)


@contextmanager
def opened_mirror(
    options: SiteOptions, *, start_url: str, host_dir: str, clock: Clock
) -> Iterator[tuple[Mirror, bool]]:
    """The mirror, locked and consistent, and whether its list of processed pages can be trusted.

    Raises UsageError when the folder cannot be used, MirrorInUse when somebody else has it, and
    OtherVersion when its ledger cannot be read.
    """
    with closing(OutputTree(options.output)) as tree:
        home = tree.folder(host_dir)
        with MirrorLock(home.root):
            home.remove_leftovers()
            check_plain_files(home.root, {CHECKPOINT_FILE: is_json, MANIFEST_FILE: ends_like_json})
            ledger, was_closed = open_ledger(
                home.root,
                fresh=options.fresh,
                rebuild=partial(rebuild_mirror, recipe=options.recipe.fingerprint),
                is_foreign=lambda path, url: is_foreign(tree, path, url),
            )
            with closing(ledger):
                if not was_closed:
                    forget_torn_files(ledger, tree)
                with ledger.session():
                    mirror = _mirror(options, start_url, host_dir, tree, ledger, clock)
                    ledger.downloads.reclaim()
                    ledger.processing.recover()
                    with closing(mirror.processed):
                        yield mirror, was_closed


def _mirror(
    options: SiteOptions,
    start_url: str,
    host_dir: str,
    tree: OutputTree,
    ledger: Ledger,
    clock: Clock,
) -> Mirror:
    home = tree.folder(host_dir)
    processed = ProcessedList(home, ledger.database)
    before = ledger.runs.newest()
    run = _run(options, ledger, start_url, clock)
    mirror = Mirror(
        host_dir=host_dir,
        tree=tree,
        home=home,
        ledger=ledger,
        processed=processed,
        run=run,
        before=before,
    )
    _load_processed(mirror)
    return mirror


def _run(options: SiteOptions, ledger: Ledger, start_url: str, clock: Clock) -> Run:
    """Go on with an unfinished run unless the person asked for something else."""
    newest = ledger.runs.newest()
    if newest is not None and newest.phase != "finished" and not options.fresh:
        wants_other = options.update and newest.mode == "mirror"
        if newest.source_url == start_url and not wants_other:
            log.info("an unfinished run is resumed", extra={"started_at": newest.started_at})
            return newest
    Tallies.forget(ledger)
    ledger.processing.forget()
    mode: Mode = "fresh" if options.fresh else "update" if options.update else "mirror"
    return ledger.runs.begin(mode=mode, started_at=clock.now().isoformat(), source_url=start_url)


def _load_processed(mirror: Mirror) -> None:
    """Make the list of processed pages and the ledger agree on what a person may have changed."""
    processed = mirror.processed
    is_missing = not processed.path.exists()
    if not is_missing and (processed.path.is_symlink() or not processed.load()):
        set_aside(processed.path)
        log.warning(
            "_processed.txt was damaged; it is rebuilt", extra={"file": processed.path.name}
        )
        is_missing = True
    if is_missing:
        processed.rewrite(entry.url for _, entry in mirror.ledger.pages.entries())
        processed.load()


def is_foreign(tree: OutputTree, path: str, url: str) -> bool:
    """Whether something that is not ours stands where the page of this URL should go."""
    if not tree.is_occupied(path):
        return False
    if tree.stat(path) is None:
        return True
    fields = read_front_matter(tree.read(path))
    return fields is None or fields.get("url") != url
