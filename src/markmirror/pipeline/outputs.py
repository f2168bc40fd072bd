"""What a run leaves for others to read: checkpoint, progress, manifest and index."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from markmirror import __version__
from markmirror.model import Entry, Status
from markmirror.output.index import write_index
from markmirror.pipeline.mirror import Mirror
from markmirror.pipeline.tallies import Tallies
from markmirror.report import Report
from markmirror.state.recovery import CHECKPOINT_FILE, MANIFEST_FILE
from markmirror.web.urls import host_of

INDEX_FILE = "_index.md"
PROGRESS_FILE = "_progress.json"
MANIFEST_VERSION = "3.0.0"
FILTERED_SHOWN = 1_000


def write_checkpoint(mirror: Mirror) -> None:
    """The state of the run in plain JSON, for people and for when the ledger is lost."""
    run = mirror.run
    counts = mirror.ledger.pages.counts_so_far()
    _write_json(
        mirror,
        CHECKPOINT_FILE,
        {
            "run": run.number,
            "mode": run.mode,
            "phase": run.phase,
            "source_url": run.source_url,
            "started_at": run.started_at,
            "total_expected": sum(counts.values()),
            "filter_fingerprint": run.filters,
            "counts": {status.value: counts[status] for status in Status},
        },
    )


def write_progress(mirror: Mirror, numbers: dict[str, object]) -> None:
    _write_json(mirror, PROGRESS_FILE, numbers)


def _write_json(mirror: Mirror, name: str, value: object) -> None:
    mirror.home.write(name, (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode())


def write_manifest(
    mirror: Mirror, report: Report, *, filters: dict[str, object], tallies: Tallies
) -> None:
    """Everything the run accounts for, one page a line, written as it is read from the ledger."""
    with mirror.home.replacing(MANIFEST_FILE) as out:
        out.write("{\n")
        for key, value in _manifest_head(mirror, report, filters, tallies).items():
            out.write(f"{one_line(key)}: {one_line(value)},\n")
        write_list(out, "gone", _gone(mirror))
        write_list(out, "duplicates", _standing(mirror, Status.DUPLICATE, "duplicate_of"))
        write_list(out, "failures", _standing(mirror, Status.FAILED, "error"))
        write_list(out, "skipped_urls", _standing(mirror, Status.SKIPPED, "reason"))
        write_list(out, "pages", _pages(mirror), last=True)
        out.write("}\n")


def _manifest_head(
    mirror: Mirror, report: Report, filters: dict[str, object], tallies: Tallies
) -> dict[str, Any]:
    run, counts = mirror.run, report.counts
    pages = mirror.ledger.pages
    filtered = [url for url, _ in pages.standing(Status.FILTERED, run.number, limit=FILTERED_SHOWN)]
    present = counts[Status.SAVED] + counts[Status.UNCHANGED]
    return {
        "version": MANIFEST_VERSION,
        "generator": f"markmirror {__version__}",
        "source_url": run.source_url,
        "sitemap_url": run.sitemap_url,
        "crawl_started": run.started_at,
        "crawl_completed": run.completed_at,
        "total_pages": report.total,
        "successful": present,
        "failed": counts[Status.FAILED],
        "skipped": counts[Status.SKIPPED],
        "statistics": {
            "total_urls_in_sitemap": report.total,
            "processed_count": present + counts[Status.DUPLICATE],
            "filtered_count": counts[Status.FILTERED],
            "failed_count": counts[Status.FAILED],
            "skipped_count": counts[Status.SKIPPED],
            "saved_count": counts[Status.SAVED],
            "unchanged_count": counts[Status.UNCHANGED],
            "duplicate_count": counts[Status.DUPLICATE],
            "left_by_max_pages_count": counts[Status.LEFT],
            "pending_count": counts[Status.PENDING],
            "filtered_by": dict(report.filtered_by),
            "conversion_notes": dict(sorted(tallies.notes.items())),
            "cleanup": tallies.cleanup.as_dict(),
        },
        "delta": report.delta.as_dict(),
        "filters_applied": filters,
        "filtered_urls": filtered,
        "filtered_urls_truncated": counts[Status.FILTERED] > len(filtered),
        "canonical_urls_believed": run.canonicals_believed,
        "discovery": {
            "complete": report.discovery_whole,
            "sitemaps": list(mirror.ledger.sitemaps.records()),
        },
    }


def _gone(mirror: Mirror) -> Iterator[dict[str, str]]:
    for _, url, path in mirror.ledger.pages.gone(mirror.run.number):
        yield {"url": url, "path": mirror.shown_path(path)}


def _standing(mirror: Mirror, status: Status, meaning: str) -> Iterator[dict[str, str]]:
    for url, reason in mirror.ledger.pages.standing(status, mirror.run.number):
        yield {"url": url, meaning: reason}


def _pages(mirror: Mirror) -> Iterator[dict[str, object]]:
    for status, entry in mirror.ledger.pages.present(mirror.run.number):
        yield page_row(entry, status=status, path=mirror.shown_path(entry.path))


def page_row(entry: Entry, *, status: str, path: str) -> dict[str, object]:
    """A page as the manifest lists it; what says nothing new is left out."""
    row: dict[str, object | None] = {
        "url": entry.url,
        "path": path,
        "size_bytes": entry.size_bytes,
        "fetched_at": entry.fetched_at.isoformat(),
        "status": status,
        "title": entry.title,
        "content_hash": entry.content_hash,
        "recipe": entry.recipe,
        "final_url": entry.final_url if entry.final_url != entry.url else None,
        "canonical": entry.canonical if entry.canonical != entry.url else None,
        "lastmod": entry.lastmod,
        "etag": entry.validators.etag,
        "last_modified": entry.validators.last_modified,
    }
    return {key: value for key, value in row.items() if value is not None}


def write_list(out: TextIO, key: str, rows: Iterable[object], *, last: bool = False) -> None:
    """A list of a manifest, one row a line, so that it can be read back line by line."""
    write_lines(out, key, map(one_line, rows), last=last)


def write_lines(out: TextIO, key: str, lines: Iterable[str], *, last: bool) -> None:
    """The same of rows that are JSON already."""
    out.write(f"{one_line(key)}: [")
    separator = "\n"
    for line in lines:
        out.write(separator + line)
        separator = ",\n"
    out.write("]\n" if last else "],\n")


def one_line(value: object) -> str:
    """A value of a manifest as JSON without line breaks."""
    return json.dumps(value, ensure_ascii=False)


def write_contents(mirror: Mirror) -> None:
    """The table of contents of everything that is on disk."""
    titles = mirror.ledger.pages.titles()
    with mirror.home.replacing(INDEX_FILE) as out:
        write_index(
            ((mirror.shown_path(path), title, url) for path, title, url in titles),
            out,
            title=host_of(mirror.run.source_url),
        )
