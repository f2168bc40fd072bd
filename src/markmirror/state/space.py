"""The registry of a space's pages, files and names, over the tables of `space_schema`."""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from markmirror.model import Status
from markmirror.output.space_paths import Place
from markmirror.state.database import Database
from markmirror.state.space_schema import install_space_tables

Source = Literal["initial", "macro", "reference"]
# The source of a page that was told of and is no part of the export, unless something leads to it.
LISTED = "listed"


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
    missing_in: int


class PageAccount(NamedTuple):
    """What a manifest tells of a page; from `path` on None where nothing of it is on disk."""

    page: int
    title: str
    space_key: str
    parent: int | None
    version: int
    modified: str
    web_url: str
    source: str
    discovered_from: int | None
    condition: str | None
    missing_runs: int
    exported: str | None
    head_hash: str | None
    status: str
    is_listed: int
    reason: str | None
    path: str | None
    content_hash: str | None
    size_bytes: int | None
    written_at: str | None
    recipe: str | None


_PAGE_COLUMNS = """page, space_key, title, ancestors, parent, position, version, modified, author,
labels, web_url, fingerprint, seen_in, source, discovered_from, path, exported, head_hash, tree,
condition, missing_runs, missing_in"""


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

    def known(self) -> list[KnownPage]:
        """Every page that was ever told of, in breadth-first order, as in all these lists."""
        return self._pages("1")

    def seen(self, run: int, space_key: str | None = None) -> list[KnownPage]:
        """Pages that a run was told of; of one space, if that is given."""
        return self._pages("seen_in = ? AND space_key = coalesce(?, space_key)", run, space_key)

    def of_run(self, run: int) -> list[KnownPage]:
        """Pages that a run has to account for."""
        return self._pages("page IN (SELECT id FROM pages WHERE listed_in = ?)", run)

    def with_files(self, run: int) -> list[KnownPage]:
        """Pages that have a file, or may get one in this run."""
        return self._pages("seen_in = ? OR exported IS NOT NULL", run)

    def missing(self, run: int) -> list[KnownPage]:
        """Pages of the export that are on disk, and that the run was not told of."""
        return self._pages(
            "seen_in <> ? AND source <> ? AND page IN (SELECT page FROM entries)", run, LISTED
        )

    def restricted(self) -> list[KnownPage]:
        """Pages on disk that are gone or hidden from us."""
        return self._pages(
            "condition = 'missing_or_restricted' AND page IN (SELECT page FROM entries)"
        )

    def discovered_before(self, run: int) -> list[KnownPage]:
        """Pages that a reference led to earlier, and that this run was not told of."""
        return self._pages("source IN ('macro', 'reference') AND seen_in <> ?", run)

    def below(self, parent: int) -> list[KnownPage]:
        return self._pages("parent = ?", parent)

    def _pages(self, condition: str, *parameters: object) -> list[KnownPage]:
        rows = self._database.read(
            f"SELECT {_PAGE_COLUMNS} FROM space_pages WHERE {condition} "
            "ORDER BY depth, position IS NULL, position, title COLLATE NOCASE, title, page",
            parameters,
        )
        return [_page(row) for row in rows]

    def discovered(self, run: int) -> int:
        """How many of a run's pages only references led to."""
        return self._database.number(
            "SELECT count(*) FROM space_pages s JOIN pages p ON p.id = s.page "
            "WHERE s.source <> 'initial' AND p.listed_in = ?",
            (run,),
        )

    def path(self, page: int, run: int) -> str | None:
        """Where the page is or will be, or None if it is not part of the export."""
        row = self._database.one(
            "SELECT s.path, e.path, p.listed_in = ? AND p.status IN "
            "('pending', 'saved', 'unchanged') FROM space_pages s JOIN pages p ON p.id = s.page "
            "LEFT JOIN entries e ON e.page = s.page AND s.source <> ? WHERE s.page = ?",
            (run, LISTED, page),
        )
        if row is None:
            return None
        path = row[0] if row[2] else row[1]
        return None if path is None else str(path)

    def titles(self, status: Status, run: int) -> list[tuple[int, str, str]]:
        """(id, title, reason) of every page with this fate in this run."""
        rows = self._database.read(
            "SELECT p.id, s.title, coalesce(p.reason, '') FROM pages p "
            "JOIN space_pages s ON s.page = p.id "
            "WHERE p.listed_in = ? AND p.status = ? ORDER BY p.id",
            (run, status),
        )
        return [(int(page), str(title), str(reason)) for page, title, reason in rows]

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

    def showing_another_tree(self, digest: str) -> list[int]:
        """Written pages with a list of pages that was made when the tree was another."""
        rows = self._database.read(
            "SELECT s.page FROM space_pages s JOIN entries e ON e.page = s.page "
            "JOIN bodies b ON b.page = s.page WHERE s.tree IS NOT NULL AND s.tree <> ?",
            (digest,),
        )
        return [int(row[0]) for row in rows]

    def out_of_place(self) -> list[int]:
        """Written pages that are not where they belong; another page may stand there by now."""
        rows = self._database.read(
            "SELECT s.page FROM space_pages s JOIN entries e ON e.page = s.page "
            "JOIN bodies b ON b.page = s.page WHERE s.path <> e.path"
        )
        return [int(row[0]) for row in rows]

    def accounts(self, run: int) -> Iterator[PageAccount]:
        """Every page that a run accounts for, or that is on disk."""
        rows = self._database.read(
            "SELECT s.page, s.title, s.space_key, s.parent, s.version, s.modified, s.web_url, "
            "s.source, s.discovered_from, s.condition, s.missing_runs, s.exported, s.head_hash, "
            "p.status, p.listed_in = :run, p.reason, "
            "e.path, e.content_hash, e.size_bytes, e.verified_at, e.recipe "
            "FROM space_pages s JOIN pages p ON p.id = s.page "
            "LEFT JOIN entries e ON e.page = s.page "
            "WHERE p.listed_in = :run OR e.page IS NOT NULL ORDER BY s.page",
            {"run": run},
        )
        for row in rows:
            yield PageAccount(*row)

    def set(self, page: int, **values: object) -> None:
        """Change some columns of a page."""
        columns = ", ".join(f"{name} = ?" for name in values)
        with self._database.transaction() as connection:
            connection.execute(
                f"UPDATE space_pages SET {columns} WHERE page = ?", (*values.values(), page)
            )

    def choose(self, pages: Iterable[int], run: int) -> None:
        """These pages are what the export is about.

        So are those that a reference led to earlier, if the run was told of them.
        """
        chosen = list(pages)
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE space_pages SET source = 'initial' WHERE page = ?",
                [(page,) for page in chosen],
            )
            self.include(chosen, run)
            connection.execute(
                "UPDATE pages SET listed_in = :run WHERE id IN (SELECT page FROM space_pages "
                "WHERE seen_in = :run AND source IN ('macro', 'reference'))",
                {"run": run},
            )

    def read_all_again(self) -> None:
        """Nobody knows any more what the exported pages refer to."""
        self._database.change("UPDATE space_pages SET exported = '' WHERE exported IS NOT NULL")

    def forget_discoveries(self) -> None:
        """Pages that a reference led to are part of the export only when one does so again."""
        self._database.change(
            "UPDATE space_pages SET source = ? WHERE source IN ('macro', 'reference')", (LISTED,)
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

    # People

    def person(self, key: str) -> tuple[str, str] | None:
        """(display name, user name), or None if nobody asked yet in this run."""
        row = self._database.one("SELECT display_name, username FROM people WHERE key = ?", (key,))
        return None if row is None else (str(row[0]), str(row[1]))

    def forget_people(self) -> None:
        """People change their names, and may be seen by now."""
        self._database.change("DELETE FROM people")

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
        ancestors=_ancestors(row[3]),
        parent=row[4],
        position=row[5],
        version=row[6],
        modified=row[7],
        author=row[8],
        labels=_labels(row[9]),
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
        missing_in=row[21],
    )


# Pages stand beside each other under the same ones, and mostly have the same labels or none.
@lru_cache(maxsize=1024)
def _ancestors(told: str) -> tuple[tuple[int, str, str], ...]:
    return tuple((int(page), title, kind) for page, title, kind in json.loads(told))


@lru_cache(maxsize=1024)
def _labels(told: str) -> tuple[str, ...]:
    return tuple(json.loads(told))
