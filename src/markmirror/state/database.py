"""The ledger: one SQLite file inside the mirror that knows where every URL stands."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from markmirror.errors import OtherVersion, StateDamaged, disk_is_full

STATE_FILE = "_state.db"
# What SQLite says of a file that is no ledger any more.
DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
SCHEMA_VERSION = 4

SCHEMA = """
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Every run, where it started, how many URLs it was told of, and the sitemap it has to find.
CREATE TABLE sources (
    run     INTEGER PRIMARY KEY,
    url     TEXT NOT NULL,
    listed  INTEGER NOT NULL DEFAULT 0,
    sitemap TEXT NOT NULL DEFAULT ''
);

-- Where URLs come from. The rowid is the order in which they are read.
CREATE TABLE sitemaps (
    id      INTEGER PRIMARY KEY,
    url     TEXT NOT NULL UNIQUE,
    depth   INTEGER NOT NULL,
    state   TEXT NOT NULL DEFAULT 'pending',     -- pending | read | failed
    record  TEXT                                 -- what the log says of it, as JSON
);
CREATE INDEX sitemaps_waiting ON sitemaps (id) WHERE state = 'pending';

-- Every URL a sitemap named, and where it stands in the newest run.
CREATE TABLE pages (
    id         INTEGER PRIMARY KEY,
    url        TEXT NOT NULL UNIQUE,
    lastmod    TEXT,
    priority   REAL,
    changefreq TEXT,
    sitemap    INTEGER NOT NULL,                 -- -1: a feed, which names only what is new
    listed_in  INTEGER NOT NULL,                 -- the newest run that named it; -n: n took it back
    rejected   TEXT,                             -- the filter that rejects it
    status     TEXT NOT NULL DEFAULT 'pending',
    settled_in INTEGER NOT NULL DEFAULT 0,       -- the run that made `status` final; -1: file lost
    settled_lastmod TEXT,                        -- `lastmod` at that time
    reason     TEXT                              -- why it failed; whose duplicate; which change
);
CREATE INDEX pages_by_original ON pages (reason) WHERE status = 'duplicate';

-- What is on disk. `path` is relative to the output folder.
CREATE TABLE entries (
    page          INTEGER PRIMARY KEY REFERENCES pages (id),
    path          TEXT NOT NULL,
    final_url     TEXT NOT NULL,
    canonical     TEXT,
    title         TEXT NOT NULL,
    recipe        TEXT NOT NULL,
    content_hash  TEXT NOT NULL,
    size_bytes    INTEGER NOT NULL,
    mtime_ns      INTEGER NOT NULL,
    fetched_at    TEXT NOT NULL,
    verified_at   TEXT NOT NULL,
    lastmod       TEXT,
    etag          TEXT,
    last_modified TEXT
);
CREATE INDEX entries_by_final_url ON entries (final_url);

-- Which URL owns which file name. `key` is a hash of what a case-insensitive disk would compare;
-- the name follows from the URL and the number of hash digits that tell it from its rivals.
CREATE TABLE claims (
    key     INTEGER PRIMARY KEY,
    url     TEXT NOT NULL UNIQUE,
    digits  INTEGER NOT NULL DEFAULT 0,
    settled INTEGER NOT NULL DEFAULT 0           -- 1: held since an earlier run, never moved
);

CREATE TABLE downloads (
    page       INTEGER PRIMARY KEY REFERENCES pages (id),
    status     TEXT NOT NULL DEFAULT 'pending',  -- pending | in-progress | completed | failed
    turn       INTEGER NOT NULL DEFAULT 0,       -- 0 at first, 1 second chances; exports: any
    attempts   INTEGER NOT NULL DEFAULT 0,
    throttled  INTEGER NOT NULL DEFAULT 0,
    due_at     REAL NOT NULL DEFAULT 0,          -- by the monotonic clock of the process
    conditional INTEGER NOT NULL DEFAULT 0,      -- 1: ask only whether it has changed
    target     TEXT,                             -- where a refresh stub points, instead of the URL
    hops       INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX downloads_waiting ON downloads (turn, page) WHERE status = 'pending';

-- Downloaded, not yet converted. The body lies in the spool, and is there before its row is.
CREATE TABLE processing (
    page          INTEGER PRIMARY KEY REFERENCES pages (id),
    status        TEXT NOT NULL DEFAULT 'pending',
    final_url     TEXT NOT NULL,
    content_type  TEXT NOT NULL,
    segment       INTEGER NOT NULL,
    offset        INTEGER NOT NULL,
    length        INTEGER NOT NULL,
    checksum      INTEGER NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    fetched_at    TEXT NOT NULL
);
"""


Parameters = tuple[object, ...] | dict[str, object]


class _Rows(sqlite3.Cursor):
    """The answer to a question. SQLite reads on while it is read, and may find damage then."""

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.DatabaseError as error:
            raise _as_our_error(error) from error

    def fetchone(self) -> Any:
        return next(self, None)

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        try:
            return super().fetchmany(size)
        except sqlite3.DatabaseError as error:
            raise _as_our_error(error) from error

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except sqlite3.DatabaseError as error:
            raise _as_our_error(error) from error


class Database:
    """One connection; every change is committed when its `with` block ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = sqlite3.connect(path, isolation_level=None, timeout=30.0)
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise _as_our_error(error) from error
        except OtherVersion:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        execute = self._connection.execute
        (version,) = execute("PRAGMA user_version").fetchone()
        if version not in (0, SCHEMA_VERSION):
            raise OtherVersion(
                f"{self.path.name} was written by another version of markmirror.",
                hint="Start over with --fresh.",
            )
        execute("PRAGMA journal_mode = WAL")
        # A killed process loses nothing in WAL mode; power loss costs at most the newest commits,
        # which the resume finds out by comparing files with the ledger.
        execute("PRAGMA synchronous = NORMAL")
        execute("PRAGMA temp_store = FILE")
        execute("PRAGMA cache_size = -4096")
        if version == 0:
            with self.transaction():
                for statement in SCHEMA.split(";\n"):
                    execute(statement)
                execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def damage(self) -> str | None:
        """What SQLite finds wrong with the file, or None."""
        try:
            (verdict,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            return str(error)
        return None if verdict == "ok" else str(verdict)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; nested use joins the outer transaction."""
        if self._connection.in_transaction:
            yield self._connection
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            self._undo()
            raise _as_our_error(error) from error
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def change(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        """One statement that changes something: a commit of its own, or part of the one under way.

        What `transaction` does costs as much as a statement, and most changes are of one row.
        """
        return self.read(sql, parameters)

    def read(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        try:
            return self._connection.cursor(_Rows).execute(sql, parameters)
        except sqlite3.DatabaseError as error:
            raise _as_our_error(error) from error

    def one(self, sql: str, parameters: Parameters = ()) -> tuple[object, ...] | None:
        row: tuple[object, ...] | None = self.read(sql, parameters).fetchone()
        return row

    def number(self, sql: str, parameters: Parameters = ()) -> int:
        """The single number a counting query answers with."""
        row = self.one(sql, parameters)
        return int(str(row[0])) if row is not None and row[0] is not None else 0

    def remember(self, key: str, value: str) -> None:
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def recall(self, key: str, default: str = "") -> str:
        row = self.one("SELECT value FROM meta WHERE key = ?", (key,))
        return default if row is None else str(row[0])

    def close(self) -> None:
        self._connection.close()


def _as_our_error(error: sqlite3.DatabaseError) -> Exception:
    if error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE):
        return disk_is_full()
    if error.sqlite_errorcode in DAMAGE:
        return StateDamaged(f"The ledger is damaged: {error}.", hint="Run the same command again.")
    return error
