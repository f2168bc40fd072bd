"""What a run decides over many pages at once, each decision one statement over the tables."""

from collections.abc import Iterator
from typing import NamedTuple

from markmirror.state.database import Database

# Rows of a run that no process has settled yet.
_OPEN = "listed_in = :run AND settled_in <> :run"

# Pages on disk that name another page as their canonical one, with the page that would stay:
# the one that bears the URL and does not itself point elsewhere, else the smallest of the group.
_COPIES = """
WITH present AS (
    SELECT p.id, p.url, e.final_url, e.canonical, e.content_hash
    FROM entries e JOIN pages p ON p.id = e.page WHERE p.listed_in = :run
),
pointing AS (
    SELECT * FROM present
    WHERE canonical IS NOT NULL AND canonical <> url AND canonical <> final_url
),
bearers AS (
    SELECT id, url, final_url AS address, content_hash FROM present
    WHERE canonical IS NULL OR canonical IN (url, final_url)
),
orphans AS (
    SELECT canonical, min(url) AS url FROM pointing
    WHERE canonical NOT IN (SELECT final_url FROM present)
      AND canonical NOT IN (SELECT url FROM present)
    GROUP BY canonical
)
SELECT c.id, b.url AS stays, c.content_hash = b.content_hash AS same FROM pointing c
JOIN bearers b ON b.address = c.canonical
UNION ALL
SELECT c.id, o.url, c.content_hash = w.content_hash FROM pointing c
JOIN orphans o ON o.canonical = c.canonical AND o.url <> c.url
JOIN present w ON w.url = o.url
"""


class OpenPage(NamedTuple):
    """A page on disk that is to be kept, checked or fetched again.

    `is_doubtful`: its file may be another page's, or older than what was last asked for.
    """

    page: int
    lastmod: str | None
    is_processed: bool
    is_doubtful: bool


class Verdicts:
    """Over the pages of one run. Each may be pronounced again, and then changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Before a run

    def forget_unlisted_work(self, run: int) -> None:
        """What an unfinished run before this one had left to do for pages that nobody names now."""
        self._database.change(
            "DELETE FROM downloads WHERE status = 'pending' "
            "AND page IN (SELECT id FROM pages WHERE listed_in <> ?)",
            (run,),
        )

    def listed_without_file(self, run: int) -> list[str]:
        """Open pages in the list of processed ones whose files we gave up, or lost."""
        rows = self._database.read(
            f"SELECT url FROM pages WHERE {_OPEN} AND (status = 'duplicate' OR settled_in < 0) "
            "AND id NOT IN (SELECT page FROM entries) AND url IN (SELECT url FROM processed)",
            {"run": run},
        )
        return [str(url) for (url,) in rows]

    def reopen_accepted(self, run: int) -> None:
        """What other filters had rejected and these do not."""
        self._reopen("listed_in = :run AND status = 'filtered' AND rejected IS NULL", run)

    def reopen_failed(self, run: int) -> None:
        """A new process gives every failed page another chance."""
        self._reopen(
            "listed_in = :run AND status IN ('failed', 'left') AND settled_in = listed_in", run
        )

    def reopen_unprocessed(self, run: int) -> None:
        """A page that a person took out of the list of processed ones while the run was stopped."""
        self._reopen(
            "listed_in = :run AND settled_in = :run AND status IN ('saved', 'unchanged') "
            "AND url NOT IN (SELECT url FROM processed)",
            run,
        )

    def reopen_made_otherwise(self, run: int, recipe: str) -> None:
        """A page that an earlier process of the run made by another recipe."""
        self._reopen(
            "listed_in = :run AND settled_in = :run AND status IN ('saved', 'unchanged') "
            "AND id IN (SELECT page FROM entries WHERE recipe <> :recipe)",
            run,
            recipe=recipe,
        )

    def _reopen(self, condition: str, run: int, **values: str) -> None:
        self._database.change(
            f"UPDATE pages SET status = 'pending', settled_in = 0, reason = NULL WHERE {condition}",
            {"run": run, **values},
        )

    def ask_in_full(self, *, recipe: str, fresh: bool) -> None:
        """What an earlier process only wanted to ask about is now to be made again anyway."""
        self._database.change(
            "UPDATE downloads SET conditional = 0 WHERE status = 'pending' AND conditional "
            "AND (:fresh OR page IN (SELECT page FROM entries WHERE recipe <> :recipe))",
            {"recipe": recipe, "fresh": fresh},
        )

    def settle_filtered(self, run: int) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE pages SET status = 'filtered', reason = rejected, settled_in = :run "
                "WHERE listed_in = :run AND rejected IS NOT NULL "
                "AND NOT (status = 'filtered' AND settled_in = :run)",
                {"run": run},
            )
            connection.execute(
                "DELETE FROM downloads WHERE status = 'pending' AND page IN "
                "(SELECT id FROM pages WHERE listed_in = :run AND rejected IS NOT NULL)",
                {"run": run},
            )

    def heirs(self, run: int) -> list[tuple[int, int]]:
        """Pages on disk that are no longer named, each with the smallest duplicate that is."""
        rows = self._database.read(
            "SELECT k.id, d.id, min(d.url) FROM pages d JOIN pages k ON k.url = d.reason "
            "WHERE d.listed_in = :run AND d.status = 'duplicate' AND k.listed_in <> :run "
            "AND EXISTS (SELECT 1 FROM entries e WHERE e.page = k.id) GROUP BY k.id",
            {"run": run},
        )
        return [(int(page), int(heir)) for page, heir, _ in rows]

    def settle_as_before(self, run: int, *, update: bool) -> None:
        """Duplicates and skipped pages stay what they are until the sitemap says something new.

        The duplicate of a page that the sitemap no longer names is one no more.
        """
        self._database.change(
            f"UPDATE pages SET settled_in = :run WHERE {_OPEN} AND settled_in > 0 "
            "AND status IN ('duplicate', 'skipped') AND reason NOT IN ('robots', 'processed') "
            "AND (status = 'skipped' OR EXISTS "
            "(SELECT 1 FROM pages k WHERE k.url = pages.reason AND k.listed_in = :run)) "
            "AND (NOT :update OR lastmod = settled_lastmod) "
            "AND id NOT IN (SELECT page FROM processing)",
            {"run": run, "update": update},
        )

    def open_pages(self, run: int, *, batch: int) -> Iterator[list[OpenPage]]:
        """Open pages that are on disk and that nobody works on, so many at a time."""
        rows = self._database.read(
            "SELECT p.id, p.lastmod, q.url IS NOT NULL, "
            "d.status IS 'failed' OR p.status = 'duplicate' "
            "FROM pages p JOIN entries e ON e.page = p.id "
            "LEFT JOIN processed q ON q.url = p.url LEFT JOIN downloads d ON d.page = p.id "
            f"WHERE {_OPEN} AND p.rejected IS NULL "
            "AND p.id NOT IN (SELECT page FROM processing) "
            "AND coalesce(d.status, '') NOT IN ('pending', 'in-progress')",
            {"run": run},
        )
        while found := rows.fetchmany(batch):
            yield [
                OpenPage(page, lastmod, bool(is_processed), bool(is_doubtful))
                for page, lastmod, is_processed, is_doubtful in found
            ]

    def keep(self, pages: list[int], run: int) -> None:
        """These are what they were."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE pages SET status = 'unchanged', settled_in = ?, "
                "settled_lastmod = lastmod, reason = NULL WHERE id = ?",
                [(run, page) for page in pages],
            )

    def fetch(self, pages: list[tuple[int, bool]]) -> None:
        """These wait for their download; True asks only whether a page has changed."""
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO downloads (page, conditional) VALUES (?, ?)", pages
            )

    def pass_over_processed(self, run: int) -> int:
        """Skip pages that a person put into the list of processed ones; how many there were."""
        return self._database.change(
            "UPDATE pages SET status = 'skipped', settled_in = :run, reason = 'processed' "
            f"WHERE {_OPEN} AND rejected IS NULL "
            "AND id NOT IN (SELECT page FROM entries) AND id NOT IN (SELECT page FROM processing) "
            "AND url IN (SELECT url FROM processed)",
            {"run": run},
        ).rowcount

    def fetch_the_rest(self, run: int) -> None:
        """Whatever is open now waits for its download, unless its body has already arrived."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE pages SET status = 'pending', reason = NULL "
                f"WHERE {_OPEN} AND rejected IS NULL AND status <> 'pending'",
                {"run": run},
            )
            connection.execute(
                "INSERT INTO downloads (page) "
                f"SELECT id FROM pages WHERE {_OPEN} AND rejected IS NULL "
                "AND id NOT IN (SELECT page FROM processing) "
                "ON CONFLICT (page) DO UPDATE SET status = 'pending', turn = 0, attempts = 0, "
                "throttled = 0, due_at = 0, target = NULL, hops = 0, conditional = 0 "
                "WHERE downloads.status NOT IN ('pending', 'in-progress')",
                {"run": run},
            )

    # After it

    def leave_the_rest(self, run: int) -> None:
        """What still waits is left, and says so."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE pages SET status = 'left', settled_in = :run "
                "WHERE listed_in = :run AND status = 'pending' AND settled_in <> :run",
                {"run": run},
            )
            connection.execute("DELETE FROM downloads WHERE status = 'pending'")

    def leave(self, pages: list[int], run: int) -> None:
        """These wait for a later run."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE pages SET status = 'left', settled_in = ?, reason = NULL WHERE id = ?",
                [(run, page) for page in pages],
            )

    def copies(self, run: int) -> list[tuple[int, str]]:
        """Pages on disk whose canonical URL is another page's, each with the URL of that page."""
        rows = self._database.read(_COPIES, {"run": run})
        return [(int(page), str(stays)) for page, stays, _ in rows]

    def copies_that_differ(self, run: int) -> int:
        """How many of them do not say what the other page says."""
        return self._database.number(
            f"SELECT count(*) FROM ({_COPIES}) WHERE NOT same", {"run": run}
        )
