"""`markmirror which` for exported spaces: pages and files by any address they have, and back."""

import json
import sqlite3
from pathlib import Path
from urllib.parse import urldefrag

from markmirror.convert.storage_format import AttachmentKey, PageKey
from markmirror.convert.storage_format.links import own_address
from markmirror.errors import UsageError
from markmirror.state.lookup import fate, gone, ledgers, path_inside, reading

Found = tuple[str | None, str, str]


def space_file_of(address: str, spaces: Path) -> str | None:
    """The file of the page or attachment at an address.

    Raises UsageError, saying what became of it, if every export that knows it has no file of it.
    """
    fates: list[str] = []
    for ledger in ledgers(spaces):
        with reading(ledger) as connection:
            found = _row(connection, address)
            if found is None:
                continue
            path, status, reason = found
            if path is not None and (spaces / path).exists():
                return str(spaces / path)
            fates.append(fate(status, reason) if path is None else gone(path))
    if fates:
        raise UsageError(f"{address} has no file: {fates[0]}.")
    return None


def space_url_of(file: Path, spaces: Path) -> str | None:
    """The address of the page or attachment that a file was made from."""
    path = path_inside(file, spaces).removeprefix(f"{spaces.name}/")
    for ledger in ledgers(spaces):
        with reading(ledger) as connection:
            row = connection.execute(
                "SELECT final_url FROM entries WHERE path = :path "
                "UNION ALL SELECT url FROM attachments WHERE path = :path",
                {"path": path},
            ).fetchone()
            if row is not None and row[0]:
                return str(row[0])
    return None


def _row(connection: sqlite3.Connection, address: str) -> Found | None:
    """(path, status, reason) of what an address leads to, as this export knows it."""
    run = json.loads(_recalled(connection, "run") or "{}")
    target, _ = own_address(address, run.get("source_url", "")) or (None, "")
    if isinstance(target, AttachmentKey):
        return _attachment(connection, target)
    page = _page_at(connection, address)
    if page is None and target is not None:
        page = _page_named(connection, target)
    row: Found | None = connection.execute(
        "SELECT e.path, p.status, coalesce(p.reason, '') FROM pages p "
        "LEFT JOIN entries e ON e.page = p.id WHERE p.id = ?",
        (page,),
    ).fetchone()
    return row


def _page_at(connection: sqlite3.Connection, address: str) -> str | None:
    return _id(connection, "SELECT page FROM space_pages WHERE web_url = ?", urldefrag(address)[0])


def _page_named(connection: sqlite3.Connection, key: PageKey) -> str | None:
    if key.content_id or key.posting_day:
        return key.content_id
    in_space = "SELECT page FROM space_pages WHERE space_key = ? COLLATE NOCASE"
    if key.title:
        sql = f"{in_space} AND title = ? COLLATE NOCASE ORDER BY title <> ?, seen_in DESC"
        return _id(connection, sql, key.space_key, key.title, key.title)
    home = _recalled(connection, "homepage")
    return _id(connection, f"{in_space} AND page = ?", key.space_key, home)


def _attachment(connection: sqlite3.Connection, key: AttachmentKey) -> Found | None:
    row: Found | None = connection.execute(
        "SELECT CASE WHEN saved_version IS NOT NULL THEN path END, status, coalesce(reason, '') "
        "FROM attachments WHERE page = ? AND name = ?",
        (key.page.content_id if key.page else "", key.name),
    ).fetchone()
    return row


def _id(connection: sqlite3.Connection, sql: str, *parameters: str) -> str | None:
    """A page's id as text: a number from outside may be larger than SQLite's."""
    row = connection.execute(sql, parameters).fetchone()
    return None if row is None else str(row[0])


def _recalled(connection: sqlite3.Connection, key: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])
