"""From what was discovered to what has to be done: statuses, the download queue, file names.

Planning can be stopped and repeated at any time: it only decides over pages that this run has not
settled.
"""

import asyncio
import logging
from itertools import islice

from markmirror.interrupts import hear
from markmirror.pipeline.mirror import Mirror
from markmirror.plan import Action, Wish, action_for
from markmirror.ports import ReasonAgainst

log = logging.getLogger(__name__)

BATCH = 20_000


async def plan(
    mirror: Mirror, *, wish: Wish, trust_processed: bool, stopping: asyncio.Event
) -> None:
    """Decide over every page that is still open and queue those that must be fetched.

    With `trust_processed`, a URL in the list of processed pages that we know nothing else about
    was put there by a person and is passed over. Raises Stopped.
    """
    verdicts, run = mirror.ledger.verdicts, mirror.run.number
    _correct_list_of_processed(mirror)
    verdicts.forget_unlisted_work(run)
    verdicts.reopen_failed(run)
    verdicts.reopen_unprocessed(run)
    verdicts.reopen_made_otherwise(run, wish.recipe)
    verdicts.ask_in_full(recipe=wish.recipe, fresh=wish.fresh)
    verdicts.settle_filtered(run)
    _hand_files_down(mirror)
    if not wish.fresh:
        verdicts.settle_as_before(run, update=wish.update)
    await _decide_over_known_pages(mirror, wish, stopping)
    if trust_processed and not wish.fresh:
        _pass_over_processed(mirror)
    verdicts.fetch_the_rest(run)
    await _claim_file_names(mirror, stopping)


async def judge_again(
    mirror: Mirror, reason_against: ReasonAgainst, *, stopping: asyncio.Event
) -> int:
    """Ask other filters than at discovery about every listed URL; returns how many were asked.

    Raises Stopped.
    """
    run = mirror.run.number
    judged = 0
    items = mirror.ledger.pages.items(run)
    while batch := list(islice(items, BATCH)):
        mirror.ledger.pages.reject((reason_against(item), page) for page, item in batch)
        judged += len(batch)
        await hear(stopping)
    mirror.ledger.verdicts.reopen_accepted(run)
    return judged


def _correct_list_of_processed(mirror: Mirror) -> None:
    """Pages whose files we gave up, or lost, are ours to fetch, whatever becomes of them now.

    Left in the list, they would be taken for pages that a person wants passed over.
    """
    if urls := mirror.ledger.verdicts.listed_without_file(mirror.run.number):
        mirror.processed.forget(urls)


def _hand_files_down(mirror: Mirror) -> None:
    """A page that is no longer named leaves its file to the smallest of its duplicates that is.

    Before anything is fetched: should the duplicate fail, the page must not be lost.
    """
    with mirror.ledger.transaction():
        for page, heir in mirror.ledger.verdicts.heirs(mirror.run.number):
            mirror.ledger.pages.hand_over(page, heir)


async def _decide_over_known_pages(mirror: Mirror, wish: Wish, stopping: asyncio.Event) -> None:
    """Pages that are on disk: keep them, check them, or fetch them again."""
    verdicts, run = mirror.ledger.verdicts, mirror.run.number
    for batch in verdicts.open_pages(run, batch=BATCH):
        kept: list[int] = []
        fetched: list[tuple[int, bool]] = []
        for known in batch:
            entry = mirror.ledger.pages.entry(known.page)
            assert entry is not None
            found = mirror.tree.stat(entry.path)
            action = action_for(
                entry,
                wish=wish,
                lastmod=known.lastmod,
                mtime_ns=found.mtime_ns if found else None,
                is_processed=known.is_processed,
                is_doubtful=known.is_doubtful,
            )
            if action is Action.KEEP:
                kept.append(known.page)
            else:
                fetched.append((known.page, action is Action.CHECK))
        with mirror.ledger.transaction():
            verdicts.keep(kept, run)
            verdicts.fetch(fetched)
        await hear(stopping)


def _pass_over_processed(mirror: Mirror) -> None:
    if passed := mirror.ledger.verdicts.pass_over_processed(mirror.run.number):
        log.warning(
            "URLs in _processed.txt are passed over although no file of theirs is known",
            extra={"count": passed},
        )


async def _claim_file_names(mirror: Mirror, stopping: asyncio.Event) -> None:
    """Names are given out smallest URL first, so that they do not depend on who arrives when."""
    claims = mirror.ledger.claims
    last = ""
    while urls := claims.unclaimed(mirror.run.number, after=last, limit=BATCH):
        for contested in claims.take_uncontested(urls):
            mirror.claim(contested)
        last = urls[-1]
        await hear(stopping)
