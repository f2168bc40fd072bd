"""The sitemaps of a run: which were read, which are still to be read, what each held."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from markmirror.state.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingSitemap:
    """A sitemap that was named somewhere and not read yet."""

    id: int
    url: str
    depth: int


class Sitemaps:
    """Read in the order in which they were found; each is read once, whoever names it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def forget(self) -> None:
        """Begin a new discovery."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM sitemaps")

    def add(self, urls: Iterable[str], *, depth: int) -> None:
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO sitemaps (url, depth) VALUES (?, ?)",
                [(url, depth) for url in urls],
            )

    def count(self) -> int:
        return self._database.number("SELECT count(*) FROM sitemaps")

    def next(self) -> PendingSitemap | None:
        row = self._database.read(
            "SELECT id, url, depth FROM sitemaps WHERE state = 'pending' ORDER BY id LIMIT 1"
        ).fetchone()
        return None if row is None else PendingSitemap(id=row[0], url=row[1], depth=row[2])

    def close(self, sitemap: int, *, failed: bool, record: dict[str, Any] | None) -> None:
        """This one is done with, for better or worse."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE sitemaps SET state = ?, record = ? WHERE id = ?",
                ("failed" if failed else "read", record and json.dumps(record), sitemap),
            )

    def records(self) -> Iterator[dict[str, Any]]:
        """What each sitemap held, in the order of reading."""
        rows = self._database.read(
            "SELECT record FROM sitemaps WHERE record IS NOT NULL ORDER BY id"
        )
        for (record,) in rows:
            yield json.loads(record)

    def has_read(self, url: str) -> bool:
        return bool(
            self._database.number(
                "SELECT count(*) FROM sitemaps WHERE url = ? AND record IS NOT NULL", (url,)
            )
        )

    def failures(self) -> int:
        return self._database.number("SELECT count(*) FROM sitemaps WHERE state = 'failed'")
