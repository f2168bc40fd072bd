"""What written pages refer to, and which of them no longer say what is true."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from markmirror.state.database import Database
from markmirror.state.space import LISTED


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

    def targets(self, page: int) -> list[int]:
        """The pages that a page links to."""
        rows = self._database.read("SELECT target FROM links WHERE page = ?", (page,))
        return [int(row[0]) for row in rows]

    def followed(self) -> Iterator[tuple[int, int]]:
        """Every link by which a page holds another one in the export: (page, target)."""
        rows = self._database.read(
            "SELECT l.page, l.target FROM links l JOIN space_pages s ON s.page = l.target "
            "WHERE l.path IS NOT NULL OR s.source <> ?",
            (LISTED,),
        )
        for page, target in rows:
            yield int(page), int(target)

    def pages_with_places(self, run: int) -> list[int]:
        """Written pages with links to headings, if they or what they link to are new in a run."""
        rows = self._database.read(
            "SELECT s.page FROM space_pages s JOIN entries e ON e.page = s.page WHERE s.has_places "
            "AND EXISTS (SELECT 1 FROM pages p WHERE p.settled_in = :run AND p.status = 'saved' "
            "AND (p.id = s.page OR p.id IN (SELECT target FROM links WHERE page = s.page)))",
            {"run": run},
        )
        return [int(row[0]) for row in rows]

    # What could not be followed

    def keep_unresolved(self, page: int, reference: str, reason: str) -> None:
        """Something a page refers to could not be looked up."""
        self._database.change(
            "INSERT OR REPLACE INTO unresolved VALUES (?, ?, ?)", (page, reference, reason)
        )

    def forget_unresolved(self) -> None:
        self._database.change("DELETE FROM unresolved")

    def unresolved(self) -> list[tuple[int, str, str]]:
        """What could not be looked up: (page, reference, reason)."""
        return self._not_followed("unresolved")

    def unseen(self) -> list[tuple[int, str, str]]:
        """What is not there, or not for us: (page, reference, reason)."""
        return self._not_followed("unseen")

    def _not_followed(self, table: str) -> list[tuple[int, str, str]]:
        rows = self._database.read(
            f"SELECT page, reference, reason FROM {table} ORDER BY page, reference"
        )
        return [(int(page), str(reference), str(reason)) for page, reference, reason in rows]

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
