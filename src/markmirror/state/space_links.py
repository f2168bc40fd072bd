"""What written pages refer to, and which of them no longer say what is true."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from markmirror.state.database import Database


class UnseenReference(NamedTuple):
    """A reference, in words and as the page meant is named, and why it cannot be followed."""

    reference: str
    reason: str
    content_id: str
    space_key: str
    title: str


class OtherFile(NamedTuple):
    """A file of another page, as a page refers to it."""

    holder: int
    name: str


class SpaceLinks:
    """The references of a space's pages, over the tables of `space_schema`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep_links(self, page: int, links: Mapping[int, str | None]) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM links WHERE page = ?", (page,))
            connection.executemany(
                "INSERT INTO links VALUES (?, ?, ?)",
                [(page, target, path) for target, path in links.items()],
            )

    def keep_unseen(self, page: int, unseen: Iterable[UnseenReference]) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM unseen WHERE page = ?", (page,))
            connection.executemany(
                "INSERT OR REPLACE INTO unseen VALUES (?, ?, ?, ?, ?, ?)",
                [(page, *reference) for reference in unseen],
            )

    def pages_that_see_more(self) -> list[int]:
        """Written pages with a reference to a page that was not there for us then, and is now."""
        rows = self._database.read(
            "SELECT DISTINCT u.page FROM unseen u JOIN entries own ON own.page = u.page "
            "JOIN bodies b ON b.page = u.page WHERE EXISTS (SELECT 1 FROM space_pages s "
            "WHERE s.page = CAST(u.content_id AS INTEGER) AND CAST(s.page AS TEXT) = u.content_id) "
            "OR EXISTS (SELECT 1 FROM space_pages s WHERE u.content_id = '' AND u.title <> '' "
            "AND s.space_key = u.space_key AND s.title = u.title COLLATE NOCASE) ORDER BY u.page"
        )
        return [int(row[0]) for row in rows]

    def pages_with_stale_links(self) -> list[int]:
        """Written pages that tell another path of a page than the one where it is now."""
        rows = self._database.read(
            "SELECT DISTINCT l.page FROM links l JOIN entries own ON own.page = l.page "
            "JOIN bodies b ON b.page = l.page LEFT JOIN entries e ON e.page = l.target "
            "WHERE e.path IS NOT l.path ORDER BY l.page"
        )
        return [int(row[0]) for row in rows]

    def keep_file_links(self, page: int, files: Mapping[OtherFile, str | None]) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM file_links WHERE page = ?", (page,))
            connection.executemany(
                "INSERT INTO file_links VALUES (?, ?, ?, ?)",
                [(page, *file, path) for file, path in files.items()],
            )

    def pages_with_stale_file_links(self) -> list[int]:
        """Written pages that tell another path of a file than the one where it is now."""
        rows = self._database.read(
            "SELECT f.page, f.holder, f.name, f.path FROM file_links f "
            "JOIN entries own ON own.page = f.page JOIN bodies b ON b.page = f.page ORDER BY f.page"
        ).fetchall()
        return [int(page) for page, holder, name, path in rows if self._file(holder, name) != path]

    def _file(self, holder: int, name: str) -> str | None:
        rows = self._database.read(
            "SELECT name, path FROM attachments WHERE page = ? AND saved_version IS NOT NULL",
            (holder,),
        )
        return next((str(path) for known, path in rows if is_same_name(known, name)), None)


def is_same_name(one: str, other: str) -> bool:
    """Names of files arrive composed in one place and decomposed in another."""
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
