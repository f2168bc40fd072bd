"""When the ledger of an export is lost: what the plain files beside it still tell."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from markmirror.convert.front_matter import read_front_matter
from markmirror.convert.page import content_hash_of
from markmirror.model import Entry
from markmirror.output.space_paths import Place, slug_of
from markmirror.pipeline.space.outputs import MANIFEST_FILE, QUEUES_FILE
from markmirror.state.ledger import Ledger
from markmirror.state.recovery import time_of
from markmirror.state.runs import Run
from markmirror.state.space import SpaceStore, ToldPage
from markmirror.state.space_files import SpaceFiles, ToldAttachment

# Longer numbers than any id or count, which the ledger could not hold.
MOST_DIGITS = 18
_RUN = TypeAdapter(Run)


def rebuild(ledger: Ledger, folder: Path) -> int:
    """Take over the pages that `manifest.json` and `queues.json` know and that are on disk intact.

    Lines that make no sense are passed over, so a file that was cut short gives what it has. The
    run that was under way is known again too, so that an interrupted export stays one.
    """
    found = 0
    store = SpaceStore(ledger.database)
    with ledger.transaction():
        for row in _lines(folder / MANIFEST_FILE, "pageId"):
            found += _adopt(ledger, store, folder, row, _manifest_path(folder, row))
        for row in _lines(folder / QUEUES_FILE, "outputPath"):
            if store.page(int(row["pageId"])) is None:
                found += _adopt(ledger, store, folder, row, str(row["outputPath"]))
        run = _run(folder / QUEUES_FILE)
        if run is not None:
            ledger.remember("runs", str(run.number))
            # The list of pages is read again: what of it was in the ledger is lost.
            phase = "finished" if run.phase == "finished" else "discovering"
            ledger.runs.save(run, phase=phase)
    return found


def _lines(path: Path, key: str) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                row = json.loads(line.strip().rstrip(",").removesuffix("]"))
                json.dumps(row, ensure_ascii=False).encode()
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict) and row.get(key) and _number(row.get("pageId")) is not None:
                yield row


def _run(path: Path) -> Run | None:
    if not path.is_file():
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        head = file.readline().strip().rstrip(",")
    try:
        run = _RUN.validate_json(json.dumps(json.loads(head + "}")["run"]), strict=True)
    except (ValueError, KeyError, RecursionError):
        return None
    return run if 0 < run.number < 10**MOST_DIGITS else None


def _manifest_path(folder: Path, row: dict[str, Any]) -> str:
    shown = str(row.get("path", ""))
    return shown[3:] if shown.startswith("../") else f"{folder.name}/{shown}"


def _adopt(ledger: Ledger, store: SpaceStore, folder: Path, row: dict[str, Any], path: str) -> bool:
    """Take a page over if its file is there and holds what is told of it."""
    file = _file_at(folder.parent, path)
    content_hash = str(row.get("hash") or row.get("contentHash") or "")
    if file is None:
        return False
    data = file.read_bytes()
    fields = read_front_matter(data)
    if fields is None or fields.get("pageId") != row["pageId"]:
        return False
    if content_hash_of(data) != content_hash:
        return False
    page, status = int(row["pageId"]), file.stat()
    title = fields.get("title", "")
    store.tell(_told(page, fields, row), depth=path.count("/"), run=0, url=str(page))
    stem = path.removesuffix(".md")
    parent, _, name = stem.rpartition("/")
    store.keep_places([(page, Place(folder=f"{parent}/", name=name, slug=slug_of(title)))])
    store.set(page, path=path, exported=_text(row, "fingerprint"), head_hash=_text(row, "headHash"))
    moment = time_of(str(row.get("lastExported") or fields.get("exportTimestamp", "")))
    ledger.pages.record(
        page,
        Entry(
            url=str(page),
            path=path,
            final_url=fields.get("sourceUrl", ""),
            recipe=str(row.get("recipe", "")),
            content_hash=content_hash,
            size_bytes=status.st_size,
            mtime_ns=status.st_mtime_ns,
            fetched_at=moment,
            verified_at=moment,
            title=title,
            lastmod=fields.get("lastModified"),
        ),
    )
    _adopt_attachments(SpaceFiles(ledger.database), folder, page, row)
    return True


def _file_at(spaces: Path, path: str) -> Path | None:
    """A file of ours by the path that is told of it, if it is there and leads nowhere else."""
    file = spaces / path
    try:
        is_there = file.is_file() and not file.is_symlink()
    except OSError:
        return None
    return file if is_there and not path.startswith("/") and ".." not in path.split("/") else None


def _adopt_attachments(files: SpaceFiles, folder: Path, page: int, row: dict[str, Any]) -> None:
    told = row.get("attachments")
    found: list[ToldAttachment] = []
    saved: dict[str, int] = {}
    for one in told if isinstance(told, list) else []:
        attachment_id, name = _text(one, "id"), _text(one, "name")
        if attachment_id is None or name is None or not one.get("path"):
            continue
        path, version = _manifest_path(folder, one), _number(str(one.get("savedVersion"))) or 0
        file = _file_at(folder.parent, path)
        if file is not None and (size := file.stat().st_size) == one.get("sizeBytes"):
            found.append(ToldAttachment(attachment_id, name, version, size, "", "", path))
            saved[attachment_id] = size
    files.tell(page, found)
    for known in files.of(page):
        files.settle(known, "saved", run=0, saved_bytes=saved[known.id])


def _told(page: int, fields: dict[str, str], row: dict[str, Any]) -> ToldPage:
    return ToldPage(
        page=page,
        space_key=fields.get("spaceKey", ""),
        title=fields.get("title", ""),
        ancestors=(),
        parent=_number(fields.get("parentId")),
        position=None,
        version=_number(fields.get("version")) or 0,
        modified=fields.get("lastModified", ""),
        author=fields.get("author", ""),
        labels=(),
        web_url=fields.get("sourceUrl", ""),
        fingerprint="",
        source=str(row.get("discoverySource", "initial")),
        discovered_from=_number(row.get("discovered_from")),
    )


def _text(row: object, key: str) -> str | None:
    value = row.get(key) if isinstance(row, dict) else None
    return value if isinstance(value, str) else None


def _number(value: object) -> int | None:
    """A number written as text, if it is one of those that we write."""
    is_number = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(str(value)) if is_number and len(str(value)) <= MOST_DIGITS else None
