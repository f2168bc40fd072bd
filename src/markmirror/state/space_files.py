"""The files of a space: its pages' attachments, and what has lost its owner."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from markmirror.state.database import Database


class ToldAttachment(NamedTuple):
    """A file as a source tells of it, and the path where it belongs."""

    id: str
    name: str
    version: int
    size_bytes: int | None
    media_type: str
    url: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAttachment:
    """A file as the ledger knows it."""

    id: str
    page: int
    name: str
    version: int
    size_bytes: int | None
    media_type: str
    url: str
    path: str
    status: str
    saved_version: int | None
    saved_bytes: int | None
    reason: str | None


_COLUMNS = """id, page, name, version, size_bytes, media_type, url, path, status,
saved_version, saved_bytes, reason"""


class SpaceFiles:
    """The registry of attachments, over the tables of `space_schema`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, page: int) -> list[KnownAttachment]:
        rows = self._database.read(
            f"SELECT {_COLUMNS} FROM attachments WHERE page = ? ORDER BY name, id", (page,)
        )
        return [_file(row) for row in rows]

    def known(self) -> Iterator[KnownAttachment]:
        """Every file of every page."""
        return self._found("1")

    def not_had(self) -> Iterator[KnownAttachment]:
        """Files that could not be had, or were denied, when they were last tried."""
        return self._found("status IN ('failed', 'denied')")

    def saved(self, run: int) -> Iterator[KnownAttachment]:
        """Files that a run has saved."""
        return self._found("status = 'saved' AND tried_in = ?", run)

    def _found(self, condition: str, *parameters: object) -> Iterator[KnownAttachment]:
        rows = self._database.read(
            f"SELECT {_COLUMNS} FROM attachments WHERE {condition} ORDER BY page, name, id",
            parameters,
        )
        return map(_file, rows)

    def tried(self, run: int) -> dict[str, int]:
        """How many files ended how in a run."""
        rows = self._database.read(
            "SELECT status, count(*) FROM attachments WHERE tried_in = ? GROUP BY status", (run,)
        )
        return {str(status): int(number) for status, number in rows}

    def tell(self, page: int, files: list[ToldAttachment]) -> None:
        """These are the page's files now.

        A file that is no longer among them, or has another path now, becomes stale; so does what
        a file has left behind that was another page's.
        """
        kept = {file.id: file.path for file in files}
        arrived = [(file.id, page) for file in files]
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO stale_files "
                "SELECT path FROM attachments WHERE id = ? AND page <> ?",
                arrived,
            )
            connection.executemany("DELETE FROM attachments WHERE id = ? AND page <> ?", arrived)
            for known in self.of(page):
                if kept.get(known.id) != known.path:
                    connection.execute(
                        "INSERT OR IGNORE INTO stale_files VALUES (?)", (known.path,)
                    )
                    connection.execute("DELETE FROM attachments WHERE id = ?", (known.id,))
            connection.executemany(
                "INSERT INTO attachments (page, id, name, version, size_bytes, media_type, url, "
                "path) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "page = excluded.page, name = excluded.name, version = excluded.version, "
                "size_bytes = excluded.size_bytes, media_type = excluded.media_type, "
                "url = excluded.url, path = excluded.path",
                [(page, *file) for file in files],
            )

    def settle(
        self,
        attachment: KnownAttachment,
        status: str,
        *,
        run: int,
        saved_bytes: int | None = None,
        reason: str | None = None,
    ) -> None:
        saved = attachment.version if status == "saved" else attachment.saved_version
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE attachments SET status = ?, saved_version = ?, "
                "saved_bytes = coalesce(?, saved_bytes), tried_in = ?, reason = ? WHERE id = ?",
                (status, saved, saved_bytes, run, reason, attachment.id),
            )

    # Without an owner

    def mark_stale(self, path: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO stale_files VALUES (?)", (path,))

    def stale(self) -> list[str]:
        """Marked files that nobody owns; those that found an owner again are unmarked."""
        with self._database.transaction() as connection:
            connection.execute(
                "DELETE FROM stale_files WHERE path IN (SELECT path FROM entries) "
                "OR path IN (SELECT path FROM attachments WHERE saved_version IS NOT NULL)"
            )
        return [row[0] for row in self._database.read("SELECT path FROM stale_files")]

    def unmark_stale(self, path: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM stale_files WHERE path = ?", (path,))


def _file(row: tuple[Any, ...]) -> KnownAttachment:
    return KnownAttachment(
        id=row[0],
        page=row[1],
        name=row[2],
        version=row[3],
        size_bytes=row[4],
        media_type=row[5],
        url=row[6],
        path=row[7],
        status=row[8],
        saved_version=row[9],
        saved_bytes=row[10],
        reason=row[11],
    )
