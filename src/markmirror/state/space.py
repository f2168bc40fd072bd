"""The registry of a space's pages, files and names, over the tables of `space_schema`."""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from markmirror.output.space_paths import Place
from markmirror.state.database import Database
from markmirror.state.space_schema import install_space_tables

Source = Literal["initial", "macro", "reference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldPage:
    """A page as a source tells of it."""

    page: int
    space_key: str
    title: str
    ancestors: tuple[tuple[int, str, str], ...]
    parent: int | None
    position: int | None
    version: int
    modified: str
    author: str
    labels: tuple[str, ...]
    web_url: str
    fingerprint: str
    source: str
    discovered_from: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage(ToldPage):
    """A page as the ledger knows it: what was told of it, and what became of it."""

    seen_in: int
    path: str | None
    exported: str | None
    head_hash: str | None
    tree: str | None
    condition: str | None
    missing_runs: int


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


_PAGE_COLUMNS = """page, space_key, title, ancestors, parent, position, version, modified, author,
labels, web_url, fingerprint, seen_in, source, discovered_from, path, exported, head_hash, tree,
condition, missing_runs"""
_FILE_COLUMNS = """id, page, name, version, size_bytes, media_type, url, path, status,
saved_version, saved_bytes, reason"""


class SpaceStore:
    """The registry of a space's pages, files and names."""

    def __init__(self, database: Database) -> None:
        self._database = database
        install_space_tables(database)

    # Pages

    def tell(self, page: ToldPage, *, depth: int, run: int, url: str) -> None:
        """A listing or lookup told of this page."""
        with self._database.transaction() as connection:
            connection.execute(
                """INSERT INTO space_pages (page, space_key, title, ancestors, parent, depth,
                       position, version, modified, author, labels, web_url, fingerprint, seen_in,
                       source, discovered_from, discovered_in)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (page) DO UPDATE SET space_key = excluded.space_key,
                       title = excluded.title, ancestors = excluded.ancestors,
                       parent = excluded.parent, depth = excluded.depth,
                       position = excluded.position, version = excluded.version,
                       modified = excluded.modified, author = excluded.author,
                       labels = excluded.labels, web_url = excluded.web_url,
                       fingerprint = excluded.fingerprint, seen_in = excluded.seen_in,
                       source = CASE excluded.source WHEN 'initial' THEN 'initial'
                                ELSE space_pages.source END,
                       condition = NULL, missing_runs = 0""",
                (
                    page.page,
                    page.space_key,
                    page.title,
                    json.dumps(page.ancestors, ensure_ascii=False),
                    page.parent,
                    depth,
                    page.position,
                    page.version,
                    page.modified,
                    page.author,
                    json.dumps(page.labels, ensure_ascii=False),
                    page.web_url,
                    page.fingerprint,
                    run,
                    page.source,
                    page.discovered_from,
                    run,
                ),
            )
            connection.execute(
                "INSERT INTO pages (id, url, lastmod, sitemap, listed_in) VALUES (?, ?, ?, 0, 0) "
                "ON CONFLICT (id) DO UPDATE SET lastmod = excluded.lastmod",
                (page.page, url, page.modified),
            )

    def page(self, page: int) -> KnownPage | None:
        row = self._database.one(f"SELECT {_PAGE_COLUMNS} FROM space_pages WHERE page = ?", (page,))
        return None if row is None else _page(row)

    def pages(self, condition: str = "1", parameters: tuple[object, ...] = ()) -> list[KnownPage]:
        """Pages in breadth-first order."""
        rows = self._database.read(
            f"SELECT {_PAGE_COLUMNS} FROM space_pages WHERE {condition} "
            "ORDER BY depth, position IS NULL, position, title, page",
            parameters,
        )
        return [_page(row) for row in rows]

    def titled(self, space_key: str, title: str) -> int | None:
        """The page of a title: as it is written, else whatever the case of its letters."""
        row = self._database.one(
            "SELECT page FROM space_pages WHERE space_key = ? AND title = ? COLLATE NOCASE "
            "ORDER BY title <> ?, seen_in DESC, page LIMIT 1",
            (space_key, title, title),
        )
        return None if row is None else int(str(row[0]))

    def tree_digest(self, run: int) -> str:
        """Of everything that a list of pages could show in this run."""
        digest = hashlib.sha256()
        for row in self._database.read(
            "SELECT s.page, s.parent, s.position, s.title FROM space_pages s "
            "JOIN pages p ON p.id = s.page WHERE s.page IN (SELECT page FROM entries) "
            "OR (p.listed_in = ? AND p.status IN ('pending', 'saved')) ORDER BY s.page",
            (run,),
        ):
            digest.update(repr(row).encode("utf-8", "replace"))
        return digest.hexdigest()[:32]

    def set(self, page: int, **values: object) -> None:
        """Change some columns of a page."""
        columns = ", ".join(f"{name} = ?" for name in values)
        with self._database.transaction() as connection:
            connection.execute(
                f"UPDATE space_pages SET {columns} WHERE page = ?", (*values.values(), page)
            )

    def include(self, pages: Iterable[int], run: int) -> None:
        """These pages belong to this run: it must account for each of them."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE pages SET listed_in = ? WHERE id = ? AND listed_in <> ?",
                [(run, page, run) for page in pages],
            )

    def forget(self, page: int) -> None:
        """Everything about a page; its files must be gone or marked stale."""
        with self._database.transaction() as connection:
            for table in ("attachments", "links", "file_links", "unseen", "bodies", "unresolved"):
                connection.execute(f"DELETE FROM {table} WHERE page = ?", (page,))
            for table in ("entries", "downloads", "processing", "space_pages"):
                connection.execute(f"DELETE FROM {table} WHERE page = ?", (page,))
            connection.execute("DELETE FROM queue_items WHERE page = ?", (page,))
            connection.execute("DELETE FROM pages WHERE id = ?", (page,))

    # Names

    def places(self) -> dict[int, Place]:
        rows = self._database.read("SELECT node, folder, name, slug FROM places")
        return {row[0]: Place(folder=row[1], name=row[2], slug=row[3]) for row in rows}

    def keep_places(self, places: Iterable[tuple[int, Place]]) -> None:
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)",
                [(node, place.folder, place.name, place.slug) for node, place in places],
            )

    # Attachments

    def attachments(self, page: int) -> list[KnownAttachment]:
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM attachments WHERE page = ? ORDER BY name, id", (page,)
        )
        return [_file(row) for row in rows]

    def all_attachments(self, condition: str = "1") -> Iterator[KnownAttachment]:
        rows = self._database.read(
            f"SELECT {_FILE_COLUMNS} FROM attachments WHERE {condition} ORDER BY page, name, id"
        )
        for row in rows:
            yield _file(row)

    def tell_attachments(self, page: int, files: list[ToldAttachment]) -> None:
        """These are the page's files now.

        A file that is no longer among them, or has another path now, becomes stale.
        """
        kept = {file.id: file.path for file in files}
        with self._database.transaction() as connection:
            for known in self.attachments(page):
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

    def settle_attachment(
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

    # Bodies

    def keep_body(self, page: int, body: bytes) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO bodies VALUES (?, ?)", (page, zlib.compress(body, 1))
            )

    def body(self, page: int) -> bytes | None:
        row = self._database.read("SELECT body FROM bodies WHERE page = ?", (page,)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def unread(self) -> frozenset[int]:
        """Pages on disk of which only plain files told, so that nobody knows their references."""
        rows = self._database.read(
            "SELECT page FROM entries WHERE page NOT IN (SELECT page FROM bodies)"
        )
        return frozenset(int(row[0]) for row in rows)

    # Files without an owner

    def mark_stale(self, path: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO stale_files VALUES (?)", (path,))

    def stale_files(self) -> list[str]:
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

    # People

    def person(self, key: str) -> tuple[str, str] | None:
        """(display name, user name), or None if nobody asked yet."""
        row = self._database.one("SELECT display_name, username FROM people WHERE key = ?", (key,))
        return None if row is None else (str(row[0]), str(row[1]))

    def keep_person(self, key: str, display_name: str, username: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO people VALUES (?, ?, ?)", (key, display_name, username)
            )


def _page(row: tuple[Any, ...]) -> KnownPage:
    return KnownPage(
        page=row[0],
        space_key=row[1],
        title=row[2],
        ancestors=tuple((int(one[0]), one[1], one[2]) for one in json.loads(row[3])),
        parent=row[4],
        position=row[5],
        version=row[6],
        modified=row[7],
        author=row[8],
        labels=tuple(json.loads(row[9])),
        web_url=row[10],
        fingerprint=row[11],
        seen_in=row[12],
        source=row[13],
        discovered_from=row[14],
        path=row[15],
        exported=row[16],
        head_hash=row[17],
        tree=row[18],
        condition=row[19],
        missing_runs=row[20],
    )


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
