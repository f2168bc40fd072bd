"""What the Confluence export was asked for: each requirement, where it lives, and who proves it.

The titles of scenarios and edge cases are those of the document, word for word; requirements bear
their number and what they ask for in short. Exit codes are proved through the requirements that
set them.
"""

_ACCEPTANCE = {
    "Acceptance scenario 1: the folders match the hierarchy": "output/space_paths.py "
    "pipeline/space/planning.py",
    "Acceptance scenario 2: rich text keeps its structure": "convert/storage_format/document.py "
    "convert/storage_format/elements.py convert/storage_format/macros.py",
    "Acceptance scenario 3: internal links lead to local files": "convert/storage_format/links.py "
    "pipeline/space/references.py",
    "Acceptance scenario 4: a rerun fetches only what has changed": "pipeline/space/planning.py "
    "pipeline/space/settling.py",
    "Acceptance scenario 5: after an interruption the user chooses": "pipeline/space/opening.py "
    "pipeline/space/run.py",
    "Acceptance scenario 6: attachments are downloaded": "pipeline/space/attachments.py",
    "Acceptance scenario 7: referenced pages are discovered": "pipeline/space/finding.py "
    "state/space_queues.py",
}

_EDGE_CASES = {
    "Space contains extremely deep hierarchy (>7 levels)": "output/space_paths.py",
    "Circular-like link references": "pipeline/space/finding.py state/space.py",
    "Large pages exceeding size limits": "convert/storage_format/reader.py "
    "sources/confluence/client.py",
    "Pages with restricted permissions": "pipeline/space/downloading.py pipeline/space/failures.py",
    "Deleted pages encountered in index vs API delivering stale references": (
        "pipeline/space/downloading.py pipeline/space/settling.py"
    ),
    "Non-ASCII characters in titles → filesystem-safe slug collisions": "output/space_paths.py",
    "Attachment filename collisions": "output/space_paths.py pipeline/space/attachments.py",
    "Rate limiting / API throttling": "sources/confluence/answers.py sources/confluence/client.py",
    "Download queue grows exponentially due to deeply interconnected page references": (
        "pipeline/space/finding.py"
    ),
    "Queue persistence corruption during write operations": "pipeline/space/recovery.py "
    "state/database.py",
}

_EXPORT = {
    "FR-001: all pages into spaces/<space_key>/": "pipeline/space/listing.py "
    "sources/confluence/listing.py",
    "FR-002: one file a page, directories only for nesting": "output/space_paths.py",
    "FR-003: storage format to CommonMark": "convert/storage_format/document.py "
    "convert/storage_format/translation.py convert/html.py",
    "FR-004: internal links become relative": "convert/storage_format/links.py "
    "pipeline/space/settling.py",
    "FR-005: metadata as front matter": "convert/space_page.py convert/front_matter.py",
    "FR-006: all attachments, with a failure threshold": "pipeline/space/attachments.py",
    "FR-007: a manifest of all pages": "pipeline/space/outputs.py",
    "FR-008: deterministic names, collisions by page id": "output/space_paths.py",
    "FR-009: progress is logged": "progress.py pipeline/space/run.py",
    "FR-010: non-zero exit if a page failed, --allow-failures": "space_report.py "
    "pipeline/space/failures.py",
    "FR-011: incremental export with deltas": "pipeline/space/planning.py "
    "pipeline/space/settling.py",
    "FR-012: no page is fetched twice in a run": "pipeline/space/downloading.py state/queues.py",
    "FR-013: backoff with jitter and Retry-After": "sources/confluence/client.py "
    "sources/confluence/answers.py",
    "FR-014: dry run": "pipeline/space/dry_run.py",
    "FR-015: validation of the Markdown": "convert/space_page.py space_report.py",
    "FR-016: space by key or name": "confluence_session.py",
    "FR-017: a root page limits the scope": "pipeline/space/listing.py",
    "FR-018: a hash of the exported content": "pipeline/space/outputs.py convert/space_page.py",
    "FR-019: deterministic exit codes": "errors.py space_report.py cli.py",
    "FR-020: stable output paths": "output/space_paths.py state/space.py",
    "FR-021: --resume or --fresh after an interruption": "pipeline/space/opening.py",
}

_CLEANUP = {
    "FR-022: typography": "convert/cleanup/rules/quotes.py convert/cleanup/rules/apostrophes.py "
    "convert/cleanup/rules/ellipses.py convert/cleanup/rules/dashes.py",
    "FR-023: headings in title case": "convert/cleanup/rules/title_case.py",
    "FR-024: wrapping at sentences and 92 characters": "convert/cleanup/rules/wrap.py",
    "FR-025: export artifacts": "convert/cleanup/rules/artifacts.py "
    "convert/cleanup/rules/escapes.py",
    "FR-026: bold punctuation": "convert/cleanup/rules/bold.py",
    "FR-027: footnotes follow punctuation": "convert/cleanup/rules/footnotes.py",
    "FR-028: special content is preserved": "convert/cleanup/page.py convert/cleanup/protected.py",
    "FR-029: light, standard, heavy": "convert/cleanup/config.py confluence_options.py",
    "FR-030: structure and meaning are kept": "convert/cleanup/fingerprint.py "
    "convert/cleanup/splice.py",
    "FR-031: rules fail independently": "convert/cleanup/engine.py",
    "FR-032: cleanup can be disabled": "confluence_options.py convert/cleanup/config.py",
}

_QUEUES = {
    "FR-033: two persistent queues": "state/queues.py state/space_queues.py",
    "FR-034: both queues are persisted atomically": "state/database.py state/space.py "
    "pipeline/space/outputs.py",
    "FR-035: discovered pages enter the download queue": "pipeline/space/finding.py",
    "FR-036: breadth first, then the processing queue": "pipeline/space/downloading.py "
    "state/space_queues.py",
    "FR-037: no infinite loops": "state/space.py pipeline/space/finding.py",
    "FR-038: queue state as JSON": "pipeline/space/outputs.py state/space_queues.py",
    "FR-039: failed writes and corruption are survived": "pipeline/space/outputs.py "
    "pipeline/space/recovery.py",
    "FR-040: metrics of both queues": "state/space_queues.py pipeline/space/outputs.py",
    "FR-041: --limit caps only the first wave": "pipeline/space/planning.py",
    "FR-042: Ctrl-C in two stages": "interrupts.py pipeline/space/run.py",
}

_QUALITY = {
    "NFR-001: a medium space within 10 minutes": "pipeline/space/downloading.py workers.py",
    "NFR-002: memory below 300 MB": "sources/confluence/client.py pipeline/space/run.py",
    "NFR-003: atomic writes": "output/files.py",
    "NFR-004: logs as lines of JSON": "logs.py",
    "NFR-005: credentials without prompts, as Basic Auth": "confluence_options.py options.py",
    "NFR-006: cleanup within 1 second a file": "convert/cleanup/engine.py",
}

ASKED = {
    "Acceptance Scenarios": _ACCEPTANCE,
    "Edge Cases": _EDGE_CASES,
    "Functional Requirements": _EXPORT,
    "Markdown Cleanup Requirements": _CLEANUP,
    "Queue Requirements": _QUEUES,
    "Quality Constraints": _QUALITY,
}

# Each code with the module that decides on it, and the requirements whose tests see it.
EXIT_CODES = {
    "0 SUCCESS": ("space_report.py", ("Acceptance scenario 1", "Acceptance scenario 4")),
    "1 CONTENT_FAILURE": ("space_report.py", ("FR-010",)),
    "2 INVALID_USAGE": ("options.py cli.py", ("INVALID_USAGE",)),
    "3 INTERRUPTED": ("pipeline/space/run.py", ("FR-042",)),
    "4 RESUME_REQUIRED": ("pipeline/space/opening.py", ("FR-021",)),
    "5 VALIDATION_ERROR": ("space_report.py", ("FR-015",)),
}
