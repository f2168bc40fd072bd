"""From what was discovered to what has to be done: statuses, the download queue, file names.

Planning can be stopped and repeated at any time: it only decides over pages that this run has not
settled.
"""

import asyncio
import logging
from collections.abc import Callable
from itertools import islice

from markmirror.interrupts import hear
from markmirror.model import Item
from markmirror.pipeline.mirror import Mirror
from markmirror.plan import Action, Wish, action_for

log = logging.getLogger(__name__)

BATCH = 20_000
ReasonAgainst = Callable[[Item], str | None]

# Rows of this run that no process has settled yet.
_OPEN = "listed_in = :run AND settled_in <> :run"


async def plan(
    mirror: Mirror, *, wish: Wish, trust_processed: bool, stopping: asyncio.Event
) -> None:
    """Decide over every page that is still open and queue those that must be fetched.

    With `trust_processed`, a URL in the list of processed pages that we know nothing else about
    was put there by a person and is passed over. Raises Stopped.
    """
    _forget_unlisted_work(mirror)
    _reopen_failures(mirror)
    _reopen_unprocessed(mirror)
    _settle_filtered(mirror)
    _hand_files_down(mirror)
    _settle_earlier_verdicts(mirror, wish)
    await _decide_over_known_pages(mirror, wish, stopping)
    if trust_processed and not wish.fresh:
        _pass_over_processed(mirror)
    _queue_the_rest(mirror)
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
    with mirror.ledger.transaction() as connection:
        connection.execute(
            "UPDATE pages SET status = 'pending', settled_in = 0, reason = NULL "
            "WHERE listed_in = ? AND status = 'filtered' AND rejected IS NULL",
            (run,),
        )
    return judged


def _forget_unlisted_work(mirror: Mirror) -> None:
    """What an unfinished run before this one had left to do for pages that nobody names now."""
    unlisted = "page IN (SELECT id FROM pages WHERE listed_in <> ?)"
    with mirror.ledger.transaction() as connection:
        for queue in ("downloads", "processing"):
            connection.execute(
                f"DELETE FROM {queue} WHERE status = 'pending' AND {unlisted}",
                (mirror.run.number,),
            )


def _reopen_failures(mirror: Mirror) -> None:
    """A new process gives every failed page another chance."""
    with mirror.ledger.transaction() as connection:
        connection.execute(
            "UPDATE pages SET status = 'pending', settled_in = 0, reason = NULL "
            "WHERE listed_in = ? AND status IN ('failed', 'left') AND settled_in = listed_in",
            (mirror.run.number,),
        )


def _reopen_unprocessed(mirror: Mirror) -> None:
    """A page that a person took out of the list of processed ones while the run was stopped."""
    with mirror.ledger.transaction() as connection:
        connection.execute(
            "UPDATE pages SET status = 'pending', settled_in = 0, reason = NULL "
            "WHERE listed_in = :run AND settled_in = :run AND status IN ('saved', 'unchanged') "
            "AND url NOT IN (SELECT url FROM processed)",
            {"run": mirror.run.number},
        )


def _settle_filtered(mirror: Mirror) -> None:
    run = {"run": mirror.run.number}
    with mirror.ledger.transaction() as connection:
        connection.execute(
            "UPDATE pages SET status = 'filtered', reason = rejected, settled_in = :run "
            "WHERE listed_in = :run AND rejected IS NOT NULL "
            "AND NOT (status = 'filtered' AND settled_in = :run)",
            run,
        )
        connection.execute(
            "DELETE FROM downloads WHERE status = 'pending' AND page IN "
            "(SELECT id FROM pages WHERE listed_in = :run AND rejected IS NOT NULL)",
            run,
        )


def _hand_files_down(mirror: Mirror) -> None:
    """A page that is no longer named leaves its file to the smallest of its duplicates that is.

    Before anything is fetched: should the duplicate fail, the page must not be lost.
    """
    run = {"run": mirror.run.number}
    with mirror.ledger.transaction() as connection:
        heirs = connection.execute(
            "SELECT k.id, d.id, min(d.url) FROM pages d JOIN pages k ON k.url = d.reason "
            "WHERE d.listed_in = :run AND d.status = 'duplicate' AND k.listed_in <> :run "
            "AND EXISTS (SELECT 1 FROM entries e WHERE e.page = k.id) GROUP BY k.id",
            run,
        ).fetchall()
        for page, heir, _ in heirs:
            mirror.ledger.pages.hand_over(page, heir)


def _settle_earlier_verdicts(mirror: Mirror, wish: Wish) -> None:
    """Duplicates and skipped pages stay what they are until the sitemap says something new.

    The duplicate of a page that the sitemap no longer names is one no more.
    """
    if wish.fresh:
        return
    with mirror.ledger.transaction() as connection:
        connection.execute(
            f"UPDATE pages SET settled_in = :run WHERE {_OPEN} AND settled_in > 0 "
            "AND status IN ('duplicate', 'skipped') AND reason NOT IN ('robots', 'processed') "
            "AND (status = 'skipped' OR EXISTS "
            "(SELECT 1 FROM pages k WHERE k.url = pages.reason AND k.listed_in = :run)) "
            "AND (NOT :update OR lastmod = settled_lastmod) "
            "AND id NOT IN (SELECT page FROM processing)",
            {"run": mirror.run.number, "update": wish.update},
        )


async def _decide_over_known_pages(mirror: Mirror, wish: Wish, stopping: asyncio.Event) -> None:
    """Pages that are on disk: keep them, check them, or fetch them again."""
    run = mirror.run.number
    rows = mirror.ledger.database.read(
        "SELECT p.id, p.lastmod, q.url IS NOT NULL, d.status IS 'failed' OR p.status = 'duplicate' "
        "FROM pages p JOIN entries e ON e.page = p.id "
        "LEFT JOIN processed q ON q.url = p.url LEFT JOIN downloads d ON d.page = p.id "
        f"WHERE {_OPEN} AND p.rejected IS NULL".replace(":run", "?")
        + " AND p.id NOT IN (SELECT page FROM processing)"
        + " AND coalesce(d.status, '') NOT IN ('pending', 'in-progress')",
        (run, run),
    )
    while batch := rows.fetchmany(BATCH):
        kept: list[int] = []
        fetched: list[tuple[int, bool]] = []
        for page, lastmod, is_processed, is_doubtful in batch:
            entry = mirror.ledger.pages.entry(page)
            assert entry is not None
            found = mirror.tree.stat(entry.path)
            action = action_for(
                entry,
                wish=wish,
                lastmod=lastmod,
                mtime_ns=found.mtime_ns if found else None,
                is_processed=bool(is_processed),
                is_doubtful=bool(is_doubtful),
            )
            if action is Action.KEEP:
                kept.append(page)
            else:
                fetched.append((page, action is Action.CHECK))
        with mirror.ledger.transaction() as connection:
            connection.executemany(
                "UPDATE pages SET status = 'unchanged', settled_in = ?, "
                "settled_lastmod = lastmod, reason = NULL WHERE id = ?",
                [(run, page) for page in kept],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO downloads (page, conditional) VALUES (?, ?)", fetched
            )
        await hear(stopping)


def _pass_over_processed(mirror: Mirror) -> None:
    run = {"run": mirror.run.number}
    with mirror.ledger.transaction() as connection:
        passed = connection.execute(
            "UPDATE pages SET status = 'skipped', settled_in = :run, reason = 'processed' "
            f"WHERE {_OPEN} AND rejected IS NULL "
            # What we once saved ourselves and gave up again is ours to fetch, listed or not.
            "AND status <> 'duplicate' AND settled_in >= 0 "
            "AND id NOT IN (SELECT page FROM entries) AND id NOT IN (SELECT page FROM processing) "
            "AND url IN (SELECT url FROM processed)",
            run,
        ).rowcount
    if passed:
        log.warning(
            "URLs in _processed.txt are passed over although no file of theirs is known",
            extra={"count": passed},
        )


def _queue_the_rest(mirror: Mirror) -> None:
    """Whatever is open now waits for its download, unless its body has already arrived."""
    run = {"run": mirror.run.number}
    with mirror.ledger.transaction() as connection:
        connection.execute(
            "UPDATE pages SET status = 'pending', reason = NULL "
            f"WHERE {_OPEN} AND rejected IS NULL AND status <> 'pending'",
            run,
        )
        connection.execute(
            "INSERT INTO downloads (page) "
            f"SELECT id FROM pages WHERE {_OPEN} AND rejected IS NULL "
            "AND id NOT IN (SELECT page FROM processing) "
            "ON CONFLICT (page) DO UPDATE SET status = 'pending', pass = 0, attempts = 0, "
            "throttled = 0, due_at = 0, target = NULL, hops = 0, conditional = 0 "
            "WHERE downloads.status NOT IN ('pending', 'in-progress')",
            run,
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
