"""The two queues. Items are leased, finished, postponed or buried; nothing is ever popped."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from markmirror.model import Fetched, Validators
from markmirror.state.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A page whose turn it is. `target` is what to request: the URL, or where a stub points."""

    page: int
    url: str
    target: str
    lastmod: str | None
    attempts: int
    throttled: int
    second_chance: bool
    hops: int
    validators: Validators | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Downloaded:
    """A page whose body has arrived and waits to be converted."""

    page: int
    url: str
    lastmod: str | None
    hops: int
    fetched: Fetched
    fetched_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueCounts:
    """How many items stand where."""

    pending: int = 0
    in_progress: int = 0
    completed: int = 0
    failed: int = 0


_LEASE = """
SELECT d.page, p.url, coalesce(d.target, p.url), p.lastmod, d.attempts, d.throttled, d.pass, d.hops,
       d.conditional, e.etag, e.last_modified
FROM downloads d JOIN pages p ON p.id = d.page LEFT JOIN entries e ON e.page = d.page
WHERE d.status = 'pending' AND d.due_at <= ?
ORDER BY d.pass, d.page LIMIT ?
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
                second_chance=row[6] > 0,
                hops=row[7],
                validators=Validators(etag=row[9], last_modified=row[10]) if row[8] else None,
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
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE downloads SET status = 'pending', due_at = ?, "
                "throttled = throttled + ?, attempts = attempts + ?, pass = max(pass, ?) "
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
        with self._database.transaction() as connection:
            connection.execute("UPDATE downloads SET status = 'completed' WHERE page = ?", (page,))

    def bury(self, page: int) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE downloads SET status = 'failed', attempts = attempts + 1 WHERE page = ?",
                (page,),
            )

    def reclaim(self) -> None:
        """After a crash: what was in progress waits again."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE downloads SET status = 'pending' WHERE status = 'in-progress'"
            )

    def next_due(self) -> float | None:
        """When the earliest waiting item is due, or None if none waits."""
        row = self._database.one("SELECT min(due_at) FROM downloads WHERE status = 'pending'")
        return None if row is None or row[0] is None else float(str(row[0]))

    def counts(self) -> QueueCounts:
        return _counts(self._database, "downloads")


class ProcessingQueue:
    """Pages whose bodies have arrived. The body is committed together with its item."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, downloaded: Downloaded) -> None:
        """One commit: the download is finished, its body is safe, and it waits for conversion."""
        fetched = downloaded.fetched
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO processing VALUES (?, 'pending', ?, ?, ?, ?, ?, ?)",
                (
                    downloaded.page,
                    fetched.url,
                    fetched.content_type,
                    fetched.body,
                    fetched.validators.etag,
                    fetched.validators.last_modified,
                    downloaded.fetched_at.isoformat(),
                ),
            )
            connection.execute(
                "UPDATE downloads SET status = 'completed' WHERE page = ?", (downloaded.page,)
            )

    def finish(self, page: int) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM processing WHERE page = ?", (page,))

    def waiting(self) -> list[int]:
        """Every page whose body is here, for a resume to begin with."""
        rows = self._database.read("SELECT page FROM processing ORDER BY page")
        return [int(row[0]) for row in rows]

    def get(self, page: int) -> Downloaded | None:
        row = self._database.read(
            "SELECT p.url, p.lastmod, d.hops, x.final_url, x.content_type, x.body, x.etag, "
            "x.last_modified, x.fetched_at FROM processing x JOIN pages p ON p.id = x.page "
            "JOIN downloads d ON d.page = x.page WHERE x.page = ?",
            (page,),
        ).fetchone()
        if row is None:
            return None
        return Downloaded(
            page=page,
            url=row[0],
            lastmod=row[1],
            hops=row[2],
            fetched=Fetched(
                url=row[3],
                content_type=row[4],
                body=row[5],
                validators=Validators(etag=row[6], last_modified=row[7]),
            ),
            fetched_at=datetime.fromisoformat(row[8]),
        )


def _counts(database: Database, table: str) -> QueueCounts:
    rows = database.read(f"SELECT status, count(*) FROM {table} GROUP BY status")
    numbers = {str(status).replace("-", "_"): int(number) for status, number in rows}
    return QueueCounts(**numbers)
