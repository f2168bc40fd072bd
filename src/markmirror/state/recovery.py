"""When the ledger is lost or damaged: set it aside and rebuild what it knew from the rest."""

import json
import logging
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from markmirror.convert.front_matter import HEAD_BYTES, read_front_matter
from markmirror.convert.page import content_hash_of
from markmirror.errors import OtherVersion, StateDamaged
from markmirror.model import Entry, Validators
from markmirror.output.paths import is_own_name
from markmirror.output.tree import OutputTree
from markmirror.state.database import STATE_FILE
from markmirror.state.ledger import Ledger
from markmirror.web.urls import normalise_url

log = logging.getLogger(__name__)

MANIFEST_FILE = "_manifest.json"
CHECKPOINT_FILE = "_checkpoint.json"

# What lies beside the ledger while it is in use, and is worth nothing without it.
JOURNALS = ("-wal", "-shm", "-journal")

IsForeign = Callable[[str, str], bool]
# Takes over what else is known of the pages in a folder, and says how many those are.
Rebuild = Callable[[Ledger, Path], int]


def open_ledger(
    folder: Path,
    *,
    fresh: bool,
    rebuild: Rebuild,
    is_foreign: IsForeign = lambda _path, _url: False,
) -> tuple[Ledger, bool]:
    """The ledger of a folder, and whether it was closed properly by the process before.

    A damaged one is renamed `.corrupt`; one that knows of no run is rebuilt. Raises OtherVersion,
    unless the person wants to begin afresh.
    """
    path = folder / STATE_FILE
    try:
        ledger, was_closed = _open(path, is_foreign)
    except (StateDamaged, OtherVersion) as error:
        if isinstance(error, OtherVersion) and not fresh:
            raise
        log.warning("the ledger cannot be used and is rebuilt", extra={"error": str(error)})
        for journal in _journals(path):
            journal.unlink(missing_ok=True)
        set_aside(path)
        ledger, was_closed = Ledger(path, is_foreign=is_foreign), False
        ledger.leave_open()
    if ledger.runs.newest() is None and (rebuilt := rebuild(ledger, folder)):
        log.warning("pages found on disk were taken over", extra={"pages": rebuilt})
    return ledger, was_closed


def _open(path: Path, is_foreign: IsForeign) -> tuple[Ledger, bool]:
    if path.is_symlink() or path.is_dir():
        raise StateDamaged("It is no file of ours.")
    for journal in _journals(path):
        if journal.is_symlink():
            journal.unlink()
    ledger = Ledger(path, is_foreign=is_foreign)
    try:
        was_closed = ledger.is_closed
        # Looking at every page of the file takes time; a file that was closed well is spared.
        damage = None if was_closed else ledger.database.damage()
    except StateDamaged as error:
        damage = str(error)
    if damage:
        ledger.close()
        raise StateDamaged(damage)
    return ledger, was_closed


def _journals(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in JOURNALS]


def forget_torn_files(ledger: Ledger, tree: OutputTree) -> None:
    """After a crash: files written since the last sync must hold what the ledger says they do."""
    since = ledger.database.recall("synced_at")
    torn = [page for page, entry in ledger.pages.entries_since(since) if not is_intact(tree, entry)]
    for page in torn:
        ledger.pages.reopen(page)
    if torn:
        log.warning("files that did not survive are made again", extra={"count": len(torn)})


def is_intact(tree: OutputTree, entry: Entry) -> bool:
    """Whether a page's file holds what was written there."""
    found = tree.stat(entry.path)
    if found is None or found.size != entry.size_bytes:
        return False
    return content_hash_of(tree.read(entry.path)) == entry.content_hash


def set_aside(path: Path) -> Path:
    """Rename a damaged file, keeping whatever it still holds for a person to look at."""
    aside = path.with_name(f"{path.name}.corrupt")
    path.replace(aside)
    return aside


def check_plain_files(folder: Path, checks: Mapping[str, Callable[[Path], bool]]) -> None:
    """Set aside the files that are not whole by their check; each is written anew."""
    for name, is_whole in checks.items():
        path = folder / name
        if path.is_file() and not is_whole(path):
            set_aside(path)
            log.warning(
                "a damaged file was set aside; its content is rebuilt",
                extra={"file": name, "renamed": f"{name}.corrupt"},
            )


def is_json(path: Path) -> bool:
    """Whether a short file we wrote can be read."""
    try:
        return isinstance(json.loads(path.read_bytes()), dict)
    except (ValueError, RecursionError):
        return False


def ends_like_json(path: Path) -> bool:
    """The same of a file that may be too long to read whole just to see whether it is whole."""
    with path.open("rb") as file:
        head = file.read(1)
        file.seek(max(path.stat().st_size - 16, 0))
        return head == b"{" and file.read().rstrip().endswith(b"}")


def rebuild_mirror(ledger: Ledger, folder: Path, recipe: str) -> int:
    """Take over the pages of a website that the manifest or their front matter tells of.

    They are taken to be made by `recipe` where nothing says otherwise.
    """
    found = 0
    with ledger.transaction():
        for entry in chain(_from_manifest(folder), _from_pages(folder, recipe)):
            found += _adopt(ledger, folder, entry)
    return found


def _adopt(ledger: Ledger, folder: Path, entry: Entry) -> bool:
    """Take a page over if its file is whole and nobody has claimed it yet."""
    file = folder.parent / entry.path
    if ledger.claims.holder(entry.path) is not None or file.is_symlink():
        return False
    if content_hash_of(file.read_bytes()) != entry.content_hash:
        return False
    # A page that was sent elsewhere has the name of that place, unless it lies outside the scope.
    if not any(ledger.claims.restore(url, entry.path) for url in (entry.final_url, entry.url)):
        return False
    ledger.pages.adopt(entry)
    return True


def _from_manifest(folder: Path) -> Iterator[Entry]:
    """Pages that the manifest lists, one to a line; lines that make no sense are passed over."""
    path = folder / MANIFEST_FILE
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                row = json.loads(line.strip().rstrip(",]"))
            except (ValueError, RecursionError):
                continue
            is_page = isinstance(row, dict) and "content_hash" in row and "path" in row
            if is_page and (entry := _entry_of(folder, row)):
                yield entry


def _from_pages(folder: Path, recipe: str) -> Iterator[Entry]:
    """Pages whose front matter says where they came from."""
    for directory, names, files in os.walk(folder):
        if Path(directory) == folder:
            names[:] = [name for name in names if not is_own_name(name)]
        for name in files:
            file = Path(directory, name)
            if not name.endswith(".md") or file.is_symlink():
                continue
            with file.open("rb") as stream:
                fields = read_front_matter(stream.read(HEAD_BYTES))
            if fields and "url" in fields and "content_hash" in fields:
                row = {**fields, "path": str(file.relative_to(folder)), "recipe": recipe}
                if entry := _entry_of(folder, row):
                    yield entry


def _entry_of(folder: Path, row: dict[str, Any]) -> Entry | None:
    fields = {name: value for name, value in row.items() if _is_text(value)}
    url = normalise_url(fields.get("url", ""))
    relative = fields.get("path", "")
    path = relative[3:] if relative.startswith("../") else f"{folder.name}/{relative}"
    status = None if path.startswith("/") else _status(folder.parent / path)
    if url is None or ".." in path.split("/") or status is None:
        return None
    fetched_at = time_of(fields.get("fetched_at", ""))
    return Entry(
        url=url,
        path=path,
        final_url=normalise_url(fields.get("final_url", "")) or url,
        canonical=fields.get("canonical"),
        title=fields.get("title", ""),
        recipe=fields.get("recipe", ""),
        content_hash=fields.get("content_hash", ""),
        size_bytes=status.st_size,
        mtime_ns=status.st_mtime_ns,
        fetched_at=fetched_at,
        verified_at=fetched_at,
        lastmod=fields.get("lastmod"),
        validators=Validators(etag=fields.get("etag"), last_modified=fields.get("last_modified")),
    )


def _is_text(value: object) -> bool:
    """Whether the ledger can hold it: lone surrogates have no UTF-8 form."""
    return isinstance(value, str) and value == value.encode("utf-8", "replace").decode()


def _status(file: Path) -> os.stat_result | None:
    """What the disk says about a regular file; None for anything else, impossible names too."""
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def time_of(text: str) -> datetime:
    """A moment as we write it; the beginning of all time if it is none."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
