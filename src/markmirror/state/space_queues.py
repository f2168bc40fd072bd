"""The two queues of a space: breadth first, with all that `queues.json` tells of their items."""

from collections.abc import Iterable, Iterator
from typing import Any

from markmirror.state.database import Database

_TOLD = """
'pageId', CAST(q.page AS TEXT), 'queueType', q.queue,
'discoverySource', CASE WHEN q.retries THEN 'retry' ELSE s.source END,
'discoveryTimestamp', q.discovered_at, 'retries', q.retries,
'status', CASE
    WHEN :aborted AND q.status IN ('pending', 'in-progress') THEN 'aborted' ELSE q.status END,
'lastTransitionTimestamp', q.changed_at
"""
# What a rerun needs to know the page again, should the ledger be lost.
_TOLD_OF_FILE = """
'contentHash', e.content_hash, 'outputPath', e.path,
'fingerprint', s.exported, 'recipe', e.recipe, 'headHash', s.head_hash
"""
# Put into JSON by SQLite: a long list is written often.
_ITEMS = f"""
SELECT CASE WHEN q.queue = 'processing' AND q.status = 'completed' AND e.path IS NOT NULL
    THEN json_object({_TOLD}, {_TOLD_OF_FILE}) ELSE json_object({_TOLD}) END
FROM queue_items q JOIN space_pages s ON s.page = q.page
LEFT JOIN entries e ON e.page = q.page
ORDER BY q.page, q.queue
"""


# Breadth first, and last of all what only references led to. Kept with each item when it is put
# into the queue: to sort all that wait for every few that are taken would be too much.
_TURN = """
SELECT ((source <> 'initial') << 60) + (min(depth, 65535) << 40)
    + min(max(coalesce(position, 1099511627775), 0), 1099511627775)
FROM space_pages WHERE page = ?
"""


class SpaceQueues:
    """What the export asks of its two queues beyond what every mirror asks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def lease(self, count: int) -> list[int]:
        """The next pages to fetch, breadth first, marked before anybody acts on them."""
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT page FROM downloads WHERE status = 'pending' ORDER BY turn, page LIMIT ?",
                (count,),
            ).fetchall()
            connection.executemany(
                "UPDATE downloads SET status = 'in-progress' WHERE page = ?", rows
            )
        return [int(row[0]) for row in rows]

    def enqueue(self, pages: Iterable[int]) -> None:
        """Put pages into the download queue; those that wait there already stay where they are."""
        with self._database.transaction() as connection:
            for page in pages:
                connection.execute(
                    f"INSERT INTO downloads (page, turn) VALUES (?, ({_TURN})) "
                    "ON CONFLICT (page) DO UPDATE SET "
                    "status = 'pending', attempts = 0, turn = excluded.turn "
                    "WHERE downloads.status NOT IN ('pending', 'in-progress')",
                    (page, page),
                )
                connection.execute(
                    "UPDATE pages SET status = 'pending', settled_in = 0, reason = NULL "
                    "WHERE id = ?",
                    (page,),
                )

    def wait_for_planning(self, page: int) -> None:
        """Leave a page out of the queue, which is frozen, and let planning put it there."""
        self._database.change(
            "UPDATE pages SET status = 'pending', settled_in = 0 WHERE id = ?", (page,)
        )

    def skip_download(self, page: int) -> None:
        """The page's body is there already."""
        self._database.change(
            "INSERT OR IGNORE INTO downloads (page, status) VALUES (?, 'completed')", (page,)
        )

    def begin_processing(self, page: int) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE processing SET status = 'in-progress' WHERE page = ?", (page,)
            )

    def fail_processing(self, page: int) -> None:
        """Processing failed for good: the item says so, and its body is dropped."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE processing SET status = 'failed' WHERE page = ?", (page,))
            connection.execute("DELETE FROM processing WHERE page = ?", (page,))

    def reclaim(self) -> None:
        """After a crash: what was being processed waits again."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE processing SET status = 'pending' WHERE status = 'in-progress'"
            )

    def clear(self) -> None:
        """Begin a new run: the items of the one before are history."""
        with self._database.transaction() as connection:
            for table in ("downloads", "processing", "queue_items"):
                connection.execute(f"DELETE FROM {table}")

    def items(self, *, aborted: bool) -> Iterator[str]:
        """Every item with everything that is told of it, as JSON.

        `aborted`: what still waits was given up on the second Ctrl-C.
        """
        for (item,) in self._database.read(_ITEMS, {"aborted": aborted}):
            yield item

    def metrics(self, run: int) -> dict[str, Any]:
        """How many items stand where, how many pages were found, and how long they took."""
        queues: dict[str, dict[str, int]] = {}
        for queue in ("download", "processing"):
            rows = self._database.read(
                "SELECT status, count(*) FROM queue_items WHERE queue = ? GROUP BY status", (queue,)
            )
            found = {str(status): int(number) for status, number in rows}
            queues[f"{queue}Queue"] = {
                "pending": found.get("pending", 0),
                "inProgress": found.get("in-progress", 0),
                "completed": found.get("completed", 0),
                "failed": found.get("failed", 0),
            }
        discovered = self._database.number(
            "SELECT count(*) FROM space_pages s JOIN pages p ON p.id = s.page "
            "WHERE s.discovered_in = ? AND p.listed_in = ?",
            (run, run),
        )
        queues["downloadQueue"]["discoveredThisRun"] = discovered
        newly = self._database.number(
            "SELECT count(*) FROM space_pages WHERE discovered_in = ? AND source <> 'initial'",
            (run,),
        )
        row = self._database.one(
            "SELECT avg((julianday(changed_at) - julianday(discovered_at)) * 86400.0), count(*) "
            "FROM queue_items WHERE queue = 'processing' AND status = 'completed'"
        )
        latency = None if row is None or row[0] is None else round(float(str(row[0])), 3)
        return {**queues, "avgTransitionLatency": latency, "newlyDiscovered": newly}
