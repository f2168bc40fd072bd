"""Every URL a sitemap named: what it is, where it stands, and what of it is on disk."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from markmirror.model import Entry, Item, Status, Validators
from markmirror.state.database import Database

_LIST = """
INSERT INTO pages (url, lastmod, priority, changefreq, sitemap, listed_in, rejected)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (url) DO UPDATE SET
    lastmod = excluded.lastmod, priority = excluded.priority, changefreq = excluded.changefreq,
    sitemap = excluded.sitemap, listed_in = excluded.listed_in, rejected = excluded.rejected
WHERE pages.listed_in <> excluded.listed_in
"""

# Where a page is named twice, the younger date counts.
_LIST_AGAIN = """
UPDATE pages SET lastmod = :lastmod
WHERE url = :url AND listed_in = :run AND coalesce(lastmod, '') < :lastmod
"""

# Pages that the run should have named and did not. What was last named by a run that started
# elsewhere is none of its business, and what was last named by a feed is merely no longer new.
_UNLISTED = """
listed_in <> :run AND sitemap >= 0 AND abs(listed_in) NOT IN (
    SELECT other.run FROM sources own JOIN sources other ON other.url <> own.url
    WHERE own.run = :run
)
"""

# How far the times that a disk keeps may be behind the clock.
DISK_SECONDS = 2.0

_ENTRY_COLUMNS = """
p.url, e.path, e.final_url, e.canonical, e.title, e.recipe, e.content_hash, e.size_bytes,
e.mtime_ns, e.fetched_at, e.verified_at, e.lastmod, e.etag, e.last_modified
"""


class Fate(NamedTuple):
    """Where a page stands, the run that last listed it, and the run that settled it."""

    status: Status
    listed_in: int
    settled_in: int

    def is_pending_in(self, run: int) -> bool:
        """Whether a run still has to do with the page."""
        return self.status is Status.PENDING and self.listed_in == run


class Pages:
    """The registry of URLs. Each method that changes something is one commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted: Counter[Status] = Counter()

    # Listing

    def list_items(
        self, items: Iterable[tuple[Item, str | None]], *, sitemap: int, run: int
    ) -> int:
        """Record what a sitemap names, each with the filter that rejects it; how many were new."""
        rows = [(*item, sitemap, run, rejected) for item, rejected in items]
        with self._database.transaction() as connection:
            new = connection.executemany(_LIST, rows).rowcount
            if new < len(rows):
                connection.executemany(
                    _LIST_AGAIN, [{"url": row[0], "lastmod": row[1], "run": run} for row in rows]
                )
        return new

    def unlist(self, run: int, sitemap: int | None = None) -> None:
        """Forget what a half-read sitemap, or all of them, named: reading again counts the same."""
        self._database.change(
            "UPDATE pages SET listed_in = -listed_in "
            "WHERE listed_in = :run AND sitemap = coalesce(:sitemap, sitemap)",
            {"run": run, "sitemap": sitemap},
        )

    def tell_what_feeds_named(self, run: int) -> None:
        """Mark what was named by a feed: it is not gone when that names it no more."""
        self._database.change(
            "UPDATE pages SET sitemap = -1 WHERE listed_in = ? AND sitemap IN "
            "(SELECT id FROM sitemaps WHERE json_extract(record, '$.kind') IN ('rss', 'atom'))",
            (run,),
        )

    def listed(self, run: int) -> int:
        return self._database.number("SELECT count(*) FROM pages WHERE listed_in = ?", (run,))

    def in_scope(self, run: int) -> int:
        """How many of them are on the mirrored hosts."""
        return self._database.number(
            "SELECT count(*) FROM pages WHERE listed_in = ? AND coalesce(rejected, '') <> 'host'",
            (run,),
        )

    def items(self, run: int) -> Iterator[tuple[int, Item]]:
        """Every listed item, for filters to judge anew."""
        rows = self._database.read(
            "SELECT id, url, lastmod, priority, changefreq FROM pages WHERE listed_in = ?", (run,)
        )
        for page, url, lastmod, priority, changefreq in rows:
            yield page, Item(url=url, lastmod=lastmod, priority=priority, changefreq=changefreq)

    def reject(self, verdicts: Iterable[tuple[str | None, int]]) -> None:
        """Replace the filters' verdicts: (reason or None, page)."""
        with self._database.transaction() as connection:
            connection.executemany("UPDATE pages SET rejected = ? WHERE id = ?", verdicts)

    # Outcomes

    def settle(
        self,
        page: int,
        status: Status,
        *,
        run: int,
        reason: str | None = None,
        was: Status = Status.PENDING,
    ) -> None:
        """Where the page stands from now on in this run."""
        self._counted[was] -= 1
        self._counted[status] += 1
        self._database.change(
            "UPDATE pages SET status = ?, settled_in = ?, settled_lastmod = lastmod, "
            "reason = ? WHERE id = ?",
            (status, run, reason, page),
        )

    def reopen_duplicates(self, url: str, run: int) -> list[int]:
        """The pages that this one was to stand for are to be fetched again; which they are."""
        rows = self._database.read(
            "UPDATE pages SET status = 'pending', settled_in = 0, reason = NULL "
            "WHERE status = 'duplicate' AND reason = ? AND listed_in = ? RETURNING id",
            (url, run),
        ).fetchall()
        self._counted[Status.DUPLICATE] -= len(rows)
        self._counted[Status.PENDING] += len(rows)
        return [int(page) for (page,) in rows]

    def counts(self, run: int) -> dict[Status, int]:
        """How many listed URLs stand where, counted; the numbers add up to all of them."""
        rows = self._database.read(
            "SELECT status, count(*) FROM pages WHERE listed_in = ? GROUP BY status", (run,)
        )
        self._counted = Counter({Status(status): int(number) for status, number in rows})
        return self.counts_so_far()

    def counts_so_far(self) -> dict[Status, int]:
        """The same from the last count and what was settled since: for often and in between."""
        return {status: self._counted[status] for status in Status}

    def reasons(self, status: Status, run: int) -> dict[str, int]:
        """The same for one status, by reason."""
        rows = self._database.read(
            "SELECT coalesce(reason, ''), count(*) FROM pages "
            "WHERE listed_in = ? AND status = ? GROUP BY 1 ORDER BY 1",
            (run, status),
        )
        return {str(reason): int(number) for reason, number in rows}

    def standing(self, status: Status, run: int, *, limit: int = -1) -> Iterator[tuple[str, str]]:
        """URLs with this status and the reason for it, in the order of the sitemap."""
        rows = self._database.read(
            "SELECT url, coalesce(reason, '') FROM pages WHERE listed_in = ? AND status = ? "
            "ORDER BY id LIMIT ?",
            (run, status, limit),
        )
        for url, reason in rows:
            yield str(url), str(reason)

    def fate(self, page: int) -> Fate | None:
        row = self._database.one(
            "SELECT status, listed_in, settled_in FROM pages WHERE id = ?", (page,)
        )
        return None if row is None else _fate(*row)

    def fates(self, run: int) -> dict[int, Fate]:
        """Where each page stands that a run has listed."""
        rows = self._database.read(
            "SELECT id, status, listed_in, settled_in FROM pages WHERE listed_in = ?", (run,)
        )
        return {page: _fate(*fate) for page, *fate in rows}

    # What is on disk

    def record(self, page: int, entry: Entry) -> None:
        """The file is in place: remember it."""
        self._database.change(
            "INSERT OR REPLACE INTO entries VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (page, *_entry_row(entry)),
        )

    def adopt(self, entry: Entry) -> None:
        """Remember a file of which no listing has told, unless its URL is known already."""
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT OR IGNORE INTO pages (url, sitemap, listed_in, status) "
                "VALUES (?, 0, 0, 'saved')",
                (entry.url,),
            )
            if cursor.rowcount and cursor.lastrowid is not None:
                self.record(cursor.lastrowid, entry)

    def verified(
        self, page: int, at: datetime, lastmod: str | None, validators: Validators
    ) -> None:
        """The file was found to be current at this time."""
        self._database.change(
            "UPDATE entries SET verified_at = ?, lastmod = ?, etag = coalesce(?, etag), "
            "last_modified = coalesce(?, last_modified) WHERE page = ?",
            (at.isoformat(), lastmod, validators.etag, validators.last_modified, page),
        )

    def entry(self, page: int) -> Entry | None:
        row = self._database.one(
            f"SELECT {_ENTRY_COLUMNS} FROM entries e JOIN pages p ON p.id = e.page "
            "WHERE e.page = ?",
            (page,),
        )
        return None if row is None else _entry(row)

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """Everything on disk that some listing still names or once named."""
        rows = self._database.read(
            f"SELECT {_ENTRY_COLUMNS}, e.page FROM entries e JOIN pages p ON p.id = e.page "
            "ORDER BY p.id"
        )
        for row in rows:
            yield row[14], _entry(row)

    def titles(self) -> Iterator[tuple[str, str, str]]:
        """The same as a table of contents shows it: (path, title, url).

        A folder's own page comes before what is in the folder.
        """
        rows = self._database.read(
            "SELECT e.path, e.title, p.url FROM entries e JOIN pages p ON p.id = e.page "
            "ORDER BY CASE WHEN e.path LIKE '%/index.md' "
            "THEN substr(e.path, 1, length(e.path) - 8) ELSE e.path END"
        )
        for path, title, url in rows:
            yield str(path), str(title), str(url)

    def entries_since(self, moment: str) -> Iterator[tuple[int, Entry]]:
        """What was written or checked since this time; all, if that is empty.

        A page may be written long after it was fetched, which is when it was current.
        """
        began = datetime.fromisoformat(moment).timestamp() - DISK_SECONDS if moment else 0.0
        rows = self._database.read(
            f"SELECT {_ENTRY_COLUMNS}, e.page FROM entries e JOIN pages p ON p.id = e.page "
            "WHERE e.verified_at >= ? OR e.mtime_ns >= ?",
            (moment, int(began * 1e9)),
        )
        for row in rows:
            yield row[14], _entry(row)

    def on_disk(self, run: int | None = None) -> int:
        """How many pages are on disk; of those that a run listed, if one is given."""
        if run is None:
            return self._database.number("SELECT count(*) FROM entries")
        return self._database.number(
            "SELECT count(*) FROM entries e JOIN pages p ON p.id = e.page WHERE p.listed_in = ?",
            (run,),
        )

    def present(self, run: int) -> Iterator[tuple[str, Entry]]:
        """Pages on disk that are not gone, with where each stands, in the order of the sitemap."""
        rows = self._database.read(
            f"SELECT {_ENTRY_COLUMNS}, p.status FROM entries e JOIN pages p ON p.id = e.page "
            f"WHERE NOT ({_UNLISTED}) ORDER BY p.id",
            {"run": run},
        )
        for row in rows:
            yield str(row[14]), _entry(row)

    def reopen(self, page: int) -> None:
        """The file is not what it should be: the page is to be fetched again."""
        with self._database.transaction() as connection:
            self.forget_entry(page)
            connection.execute(
                "UPDATE pages SET status = 'pending', settled_in = -1, reason = NULL WHERE id = ?",
                (page,),
            )

    def forget_entry(self, page: int) -> None:
        self._database.change("DELETE FROM entries WHERE page = ?", (page,))

    def hand_over(self, page: int, heir: int) -> None:
        """A page that is no longer named leaves its file to one that leads to the same place.

        What the server gave to ask about one URL with says nothing about the other.
        """
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE OR IGNORE entries SET page = ?, etag = NULL, last_modified = NULL "
                "WHERE page = ?",
                (heir, page),
            )
            self.reopen(page)

    def with_final_url(
        self, final_url: str, *, but: int, run: int
    ) -> tuple[list[tuple[int, str]], list[int]]:
        """Other pages on disk that ended at this URL: those listed, with their URLs, and others."""
        rows = self._database.read(
            "SELECT e.page, p.url, p.listed_in = ? FROM entries e JOIN pages p ON p.id = e.page "
            "WHERE e.final_url = ? AND e.page <> ?",
            (run, final_url, but),
        ).fetchall()
        listed = [(int(page), str(url)) for page, url, is_listed in rows if is_listed]
        return listed, [int(page) for page, _, is_listed in rows if not is_listed]

    def is_owned(self, path: str) -> bool:
        """Whether a file is ours."""
        return self._database.one("SELECT 1 FROM entries WHERE path = ?", (path,)) is not None

    def rewritten(self, page: int, *, content_hash: str, size: int, mtime_ns: int) -> None:
        """A page's file was changed after it had been recorded."""
        self._database.change(
            "UPDATE entries SET content_hash = ?, size_bytes = ?, mtime_ns = ? WHERE page = ?",
            (content_hash, size, mtime_ns, page),
        )

    def moved(self, url: str, old_path: str, new_path: str) -> None:
        """A file got another name."""
        self._database.change(
            "UPDATE entries SET path = ? WHERE path = ? AND "
            "(final_url = ? OR page = (SELECT id FROM pages WHERE url = ?))",
            (new_path, old_path, url, url),
        )

    def gone(self, run: int) -> Iterator[tuple[int, str, str]]:
        """Pages on disk that this run's sitemaps no longer name: (page, url, path)."""
        rows = self._database.read(
            "SELECT e.page, p.url, e.path FROM entries e JOIN pages p ON p.id = e.page "
            f"WHERE {_UNLISTED} ORDER BY p.url",
            {"run": run},
        )
        for page, url, path in rows:
            yield int(page), str(url), str(path)

    def of_unknown_source(self) -> int:
        """How many pages on disk outlived the ledger that knew where they came from."""
        return self._database.number(
            "SELECT count(*) FROM entries e JOIN pages p ON p.id = e.page WHERE p.listed_in = 0"
        )

    def given_up(self, run: int) -> Iterator[str]:
        """URLs no longer named that may once have had a file, and have none now."""
        rows = self._database.read(
            f"SELECT url FROM pages WHERE {_UNLISTED} "
            "AND (status = 'duplicate' OR settled_in < 0) AND id NOT IN (SELECT page FROM entries)",
            {"run": run},
        )
        for (url,) in rows:
            yield str(url)

    def forget_unlisted(self, run: int) -> None:
        """Forget every URL that this run's sitemaps no longer name; no file of theirs is left."""
        self._database.change(f"DELETE FROM pages WHERE {_UNLISTED}", {"run": run})

    def delete(self, page: int) -> None:
        """Forget a page altogether; its file is already gone."""
        with self._database.transaction() as connection:
            for table in ("entries", "downloads", "processing"):
                connection.execute(f"DELETE FROM {table} WHERE page = ?", (page,))
            connection.execute("DELETE FROM pages WHERE id = ?", (page,))


def _fate(status: object, listed_in: object, settled_in: object) -> Fate:
    return Fate(Status(str(status)), int(str(listed_in)), int(str(settled_in)))


def _entry_row(entry: Entry) -> tuple[object, ...]:
    return (
        entry.path,
        entry.final_url,
        entry.canonical,
        entry.title,
        entry.recipe,
        entry.content_hash,
        entry.size_bytes,
        entry.mtime_ns,
        entry.fetched_at.isoformat(),
        entry.verified_at.isoformat(),
        entry.lastmod,
        entry.validators.etag,
        entry.validators.last_modified,
    )


def _entry(row: tuple[object, ...]) -> Entry:
    (url, path, final_url, canonical, title, recipe, content_hash, size, mtime) = row[:9]
    (fetched_at, verified_at, lastmod, etag, last_modified) = row[9:14]
    return Entry(
        url=str(url),
        path=str(path),
        final_url=str(final_url),
        canonical=_text(canonical),
        title=str(title),
        recipe=str(recipe),
        content_hash=str(content_hash),
        size_bytes=int(str(size)),
        mtime_ns=int(str(mtime)),
        fetched_at=datetime.fromisoformat(str(fetched_at)),
        verified_at=datetime.fromisoformat(str(verified_at)),
        lastmod=_text(lastmod),
        validators=Validators(etag=_text(etag), last_modified=_text(last_modified)),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)
