"""The two queues. Items are leased, finished, postponed or buried; nothing is ever popped."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from markmirror.model import Fetched, Validators
from markmirror.output.spool import BodyPlace, Spool
from markmirror.state.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A page whose turn it is. `target` is what to request: the URL, or where a stub points."""

    page: int
    url: str
    target: str
    lastmod: str | None
    attempts: int
    throttled: int
    hops: int
    validators: Validators | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Downloaded:
    """A page whose body has just arrived."""

    page: int
    url: str
    lastmod: str | None
    hops: int
    fetched: Fetched
    fetched_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A page whose body lies in the spool and waits to be converted."""

    page: int
    url: str
    lastmod: str | None
    hops: int
    final_url: str
    content_type: str
    validators: Validators
    fetched_at: datetime
    body: BodyPlace


_LEASE = """
SELECT d.page, p.url, coalesce(d.target, p.url), p.lastmod, d.attempts, d.throttled, d.hops,
       d.conditional, e.final_url, e.etag, e.last_modified
FROM downloads d JOIN pages p ON p.id = d.page LEFT JOIN entries e ON e.page = d.page
WHERE d.status = 'pending' AND d.due_at <= ?
ORDER BY d.turn, d.page LIMIT ?
"""


class DownloadQueue:
    """Pages to be fetched, in the order of the sitemap, second chances last."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def lease(self, count: int, *, now: float) -> list[Download]:
        """The next pages that are due, marked as in progress before anybody acts on them."""
        with self._database.transaction() as connection:
            rows = connection.execute(_LEASE, (now, count)).fetchall()
            connection.executemany(
                "UPDATE downloads SET status = 'in-progress' WHERE page = ?",
                [(row[0],) for row in rows],
            )
        return [
            Download(
                page=row[0],
                url=row[1],
                target=row[2],
                lastmod=row[3],
                attempts=row[4],
                throttled=row[5],
                hops=row[6],
                validators=Validators(url=row[8], etag=row[9], last_modified=row[10])
                if row[7]
                else None,
            )
            for row in rows
        ]

    def give_back(self, pages: Iterable[int]) -> None:
        """Leased but not begun: as if never leased."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE downloads SET status = 'pending' WHERE page = ?",
                [(page,) for page in pages],
            )

    def postpone(self, page: int, *, due_at: float, throttled: bool) -> None:
        """Not now: again when it is due, in the same pass if the host asked for a pause."""
        self._database.change(
            "UPDATE downloads SET status = 'pending', due_at = ?, "
            "throttled = throttled + ?, attempts = attempts + ?, turn = max(turn, ?) "
            "WHERE page = ?",
            (due_at, throttled, not throttled, not throttled, page),
        )

    def follow(self, page: int, target: str) -> None:
        """Fetch this instead: the page was a stub that points elsewhere."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM processing WHERE page = ?", (page,))
            connection.execute(
                "UPDATE downloads SET status = 'pending', target = ?, hops = hops + 1, "
                "conditional = 0 WHERE page = ?",
                (target, page),
            )

    def finish(self, page: int) -> None:
        self._database.change("UPDATE downloads SET status = 'completed' WHERE page = ?", (page,))

    def bury(self, page: int) -> None:
        self._database.change(
            "UPDATE downloads SET status = 'failed', attempts = attempts + 1 WHERE page = ?",
            (page,),
        )

    def reclaim(self) -> None:
        """After a crash: what was in progress waits again, and by the clock of a new process."""
        self._database.change(
            "UPDATE downloads SET status = 'pending' WHERE status = 'in-progress'"
        )
        self._database.change("UPDATE downloads SET due_at = 0 WHERE due_at > 0")

    def next_due(self) -> float | None:
        """When the earliest waiting item is due, or None if none waits."""
        row = self._database.one("SELECT min(due_at) FROM downloads WHERE status = 'pending'")
        return None if row is None or row[0] is None else float(str(row[0]))


_WAITING = """
SELECT x.page, p.url, p.lastmod, d.hops, x.final_url, x.content_type, x.etag, x.last_modified,
       x.fetched_at, x.segment, x.offset, x.length, x.checksum
FROM processing x JOIN pages p ON p.id = x.page JOIN downloads d ON d.page = x.page
"""
_INTO = "INTO processing VALUES (?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class ProcessingQueue:
    """Pages whose bodies have arrived. A body is in the spool before its item is committed."""

    def __init__(self, database: Database, ledger: Path) -> None:
        self._database = database
        self._spool = Spool(ledger, in_use=self._segments)

    def put(self, arrived: Sequence[Downloaded]) -> list[Waiting]:
        """One commit: the downloads are finished, their bodies safe, and they wait their turn.

        Not inside of another transaction.
        """
        waiting = self._spooled(arrived)
        with self._database.transaction() as connection:
            connection.executemany(f"INSERT OR REPLACE {_INTO}", map(_row, waiting))
            connection.executemany(
                "UPDATE downloads SET status = 'completed' WHERE page = ?",
                [(page.page,) for page in waiting],
            )
        return waiting

    def put_again(self, page: Downloaded) -> None:
        """A body that was here before waits once more, unless a newer one does; as `put`."""
        waiting = self._spooled([page])
        with self._database.transaction() as connection:
            connection.executemany(f"INSERT OR IGNORE {_INTO}", map(_row, waiting))

    def _spooled(self, arrived: Sequence[Downloaded]) -> list[Waiting]:
        places = self._spool.append(page.fetched.body for page in arrived)
        return [_waiting(page, place) for page, place in zip(arrived, places, strict=True)]

    def finish(self, page: int) -> None:
        self._database.change("DELETE FROM processing WHERE page = ?", (page,))

    def forget(self) -> None:
        """A new run asks anew: a body that waited for an older one may be out of date."""
        self._database.change("DELETE FROM processing")

    def recover(self) -> None:
        """After a crash: a page whose body did not survive it is downloaded again."""
        lost = [page.page for page in self.waiting() if not self._spool.holds(page.body)]
        with self._database.transaction() as connection:
            for page in lost:
                connection.execute("DELETE FROM processing WHERE page = ?", (page,))
                connection.execute(
                    "UPDATE downloads SET status = 'pending' WHERE page = ?", (page,)
                )
        if lost:
            log.warning("bodies that did not survive are fetched again", extra={"count": len(lost)})
        self.tidy()

    def tidy(self) -> None:
        """Leave nothing on the disk but the bodies that still wait."""
        self._spool.remove_unused()

    def waiting(self) -> list[Waiting]:
        """Every page whose body is here, for a resume to begin with."""
        rows = self._database.read(f"{_WAITING} ORDER BY x.page")
        return [_from_row(row) for row in rows]

    def get(self, page: int) -> Waiting | None:
        row = self._database.one(f"{_WAITING} WHERE x.page = ?", (page,))
        return None if row is None else _from_row(row)

    def body(self, page: Waiting) -> bytes:
        """Raises BodyLost if somebody has taken it away."""
        return self._spool.read(page.body)

    def file_of(self, page: Waiting) -> str:
        """The file its body lies in, for another process to read it there."""
        return self._spool.file(page.body.segment)

    def close(self) -> None:
        self._spool.close()

    def _segments(self) -> set[int]:
        return {int(row[0]) for row in self._database.read("SELECT segment FROM processing")}


def _waiting(page: Downloaded, body: BodyPlace) -> Waiting:
    return Waiting(
        page=page.page,
        url=page.url,
        lastmod=page.lastmod,
        hops=page.hops,
        final_url=page.fetched.url,
        content_type=page.fetched.content_type,
        validators=page.fetched.validators,
        fetched_at=page.fetched_at,
        body=body,
    )


def _row(page: Waiting) -> tuple[object, ...]:
    return (
        page.page,
        page.final_url,
        page.content_type,
        *page.body,
        page.validators.etag,
        page.validators.last_modified,
        page.fetched_at.isoformat(),
    )


def _from_row(row: tuple[Any, ...]) -> Waiting:
    return Waiting(
        page=row[0],
        url=row[1],
        lastmod=row[2],
        hops=row[3],
        final_url=row[4],
        content_type=row[5],
        validators=Validators(etag=row[6], last_modified=row[7]),
        fetched_at=datetime.fromisoformat(row[8]),
        body=BodyPlace(*row[9:]),
    )
