"""What an export leaves for others to read: `manifest.json` and `queues.json`."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from markmirror import __version__
from markmirror.errors import MarkmirrorError
from markmirror.model import Status
from markmirror.pipeline.outputs import one_line, write_lines, write_list
from markmirror.pipeline.space.attachments import attachment_counts
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.tallies import Tallies
from markmirror.ports import Clock
from markmirror.space_report import SpaceReport
from markmirror.state.space import PageAccount

log = logging.getLogger(__name__)

MANIFEST_FILE = "manifest.json"
QUEUES_FILE = "queues.json"
MANIFEST_VERSION = "1.0.0"
# `queues.json` is written anew when so many pages have come out of a queue.
PAGES_TO_A_WRITING = 100
LOG_SECONDS = 5.0


@dataclass(slots=True, kw_only=True)
class QueueFile:
    """Keeps `queues.json` not far behind the ledger. A write that fails is tried again later."""

    export: Export
    clock: Clock
    _changes: int = 0

    def keep_up(self) -> None:
        """Called for each page that one of the queues has done with."""
        self._changes += 1
        if self._changes >= PAGES_TO_A_WRITING:
            self.write()

    def write(self, *, aborted: bool = False) -> None:
        """The queues as they are now, written as they are read from the ledger."""
        head = {
            "version": MANIFEST_VERSION,
            "spaceKey": self.export.space.key,
            "run": asdict(self.export.run),
            "writtenAt": self.clock.now().isoformat(),
        }
        self._changes = 0
        try:
            with self.export.home.replacing(QUEUES_FILE) as out:
                # The head is a line of its own, from which a lost run is known again.
                out.write(f"{one_line(head)[:-1]},\n")
                write_lines(out, "items", self.export.queues.items(aborted=aborted), last=True)
                out.write("}\n")
        except MarkmirrorError as error:
            log.warning(
                "queues.json could not be written; it is tried again", extra={"error": str(error)}
            )


async def log_progress(export: Export, ended: asyncio.Event) -> None:
    """Say every five seconds how many items stand where, until `ended`."""
    while not ended.is_set():
        try:
            async with asyncio.timeout(LOG_SECONDS):
                await ended.wait()
        except TimeoutError:
            log.info("progress", extra=export.queues.metrics(export.run.number))


def write_manifest(export: Export, report: SpaceReport) -> None:
    """Everything the run accounts for, one page a line, written as it is read from the ledger."""
    with export.home.replacing(MANIFEST_FILE) as out:
        out.write("{\n")
        for key, value in _head(export, report).items():
            out.write(f"{one_line(key)}: {one_line(value)},\n")
        write_list(out, "unresolvedReferences", _unresolved(export))
        write_list(out, "pages", _pages(export), last=True)
        out.write("}\n")


def _head(export: Export, report: SpaceReport) -> dict[str, Any]:
    run, counts = export.run, report.counts
    files = attachment_counts(export)
    tallies = Tallies.load(export.ledger).as_dict()
    return {
        "version": MANIFEST_VERSION,
        "generator": f"markmirror {__version__}",
        "space": {
            "key": export.space.key,
            "name": export.space.name,
            "baseUrl": export.site.web_url,
        },
        "job": {
            "mode": "incremental" if run.mode == "update" else "full",
            "phase": run.phase,
            "startedAt": run.started_at,
            "completedAt": run.completed_at,
            "pagesTotal": report.total,
            "pagesSucceeded": counts[Status.SAVED] + counts[Status.UNCHANGED],
            "pagesFailed": counts[Status.FAILED],
            "pagesSkipped": counts[Status.SKIPPED],
            "pagesLeftByLimit": counts[Status.LEFT],
            "pagesPending": counts[Status.PENDING],
            "listingComplete": run.discovery_whole,
            "exitCode": int(report.exit_code),
            "message": report.message,
        },
        "delta": report.delta.as_dict(),
        "attachments": {
            "attempted": files.attempted,
            "saved": files.saved,
            "failed": files.failed,
            "denied": files.denied,
            "tooLarge": files.too_large,
            "threshold": files.breach,
        },
        "metrics": dict(report.metrics),
        "cleanup": tallies["cleanup"],
        "unknownMacros": tallies["unknown_macros"],
        "conversionNotes": tallies["notes"],
    }


def _pages(export: Export) -> Iterator[dict[str, Any]]:
    for account in export.store.accounts(export.run.number):
        page, path, status = account.page, account.path, account.status
        is_failed = status in ("failed", "skipped")
        source = account.discovered_from
        shown: dict[str, Any] = {
            "pageId": str(page),
            "title": account.title,
            "spaceKey": account.space_key,
            "parentId": None if account.parent is None else str(account.parent),
            "version": account.version,
            "lastModified": account.modified,
            "sourceUrl": account.web_url or export.address(page),
            "path": None if path is None else export.shown_path(path),
            "status": _status(account),
            "change": account.reason if status == "saved" else None,
            "error": account.reason if is_failed else None,
            "hash": account.content_hash,
            "sizeBytes": account.size_bytes,
            "lastExported": account.written_at,
            "recipe": account.recipe,
            "headHash": account.head_hash,
            "fingerprint": account.exported,
            "discoverySource": account.source,
            "discovered_from": None if source is None else str(source),
            "missingRuns": account.missing_runs or None,
            "attachments": _attachments(export, page) or None,
        }
        yield {key: value for key, value in shown.items() if value is not None}


def _status(account: PageAccount) -> str:
    if not account.is_listed:
        return account.condition or "kept"
    if account.status == "skipped":
        return account.reason or "skipped"
    return {"saved": "exported"}.get(account.status, account.status)


def _attachments(export: Export, page: int) -> list[dict[str, Any]]:
    rows = []
    for file in export.files.of(page):
        row: dict[str, Any] = {
            "id": file.id,
            "name": file.name,
            "version": file.version,
            "status": file.status,
        }
        if file.saved_version is not None:
            row |= {
                "path": export.shown_path(file.path),
                "savedVersion": file.saved_version,
                "sizeBytes": file.saved_bytes,
            }
        if file.reason:
            row["error"] = file.reason
        rows.append(row)
    return rows


def _unresolved(export: Export) -> Iterator[dict[str, str]]:
    for page, reference, reason in sorted(export.links.unresolved() + export.links.unseen()):
        yield {"pageId": str(page), "reference": reference, "error": reason}
