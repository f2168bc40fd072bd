"""What an export of a space did: in numbers, in words, and as an exit code."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from markmirror.errors import ExitCode
from markmirror.escaping import escape
from markmirror.model import Status
from markmirror.report import Report, pages_in_words

# More than this many names in one sentence help nobody; the manifest has them all.
NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceReport(Report):
    """The outcome of an export. Lists hold one text per page or attachment concerned."""

    failures: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    attachment_failures: tuple[str, ...] = ()
    attachments_denied: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: int = 0
    metrics: Mapping[str, object] = field(default_factory=dict)
    planned: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        shown = {
            "failures": list(self.failures),
            "skipped": list(self.skipped),
            "attachment_failures": list(self.attachment_failures),
            "attachments_denied": list(self.attachments_denied),
            "unresolved": list(self.unresolved),
            "unseen": list(self.unseen),
            "missing": list(self.missing),
            "metrics": dict(self.metrics),
        }
        # The base class is named because a dataclass with slots breaks the bare super().
        return {**Report.as_dict(self), **shown}

    def sentences(self) -> list[str]:
        """The summary for a person, one sentence a line."""
        failed = self.counts[Status.FAILED]
        lines = [
            f"{self.folder}: {pages_in_words(self.total)}, {failed} failed, "
            f"{self.counts[Status.SKIPPED]} skipped.",
            self.delta.sentence(),
        ]
        if not self.discovery_whole:
            lines.append("The list of pages could not be read to its end: pages may be missing.")
        if left := self.counts[Status.LEFT]:
            were = "was" if left == 1 else "were"
            lines.append(f"{pages_in_words(left)} {were} left by --limit {self.limit}.")
        if self.left_out:
            references = "reference was" if self.left_out == 1 else "references were"
            lines.append(
                f"{self.left_out} further {references} not followed because of --max-discovered."
            )
        lines += _named("Failed", self.failures)
        lines += _named("Skipped", self.skipped)
        lines += _named("Attachments that failed", self.attachment_failures)
        lines += _named("Attachments we may not see", self.attachments_denied)
        lines += _named("References that could not be looked up", self.unresolved)
        lines += _named("Links left as they were, to pages hidden from us or gone", self.unseen)
        lines += _named("Missing or restricted, file kept", self.missing)
        if self.planned:
            lines.append("Nothing was written, since this was a dry run.")
        elif pending := self.counts[Status.PENDING]:
            lines.append(
                f"{pages_in_words(pending)} still to be exported: "
                "run the same command with --resume to go on."
            )
        if self.message:
            lines.append(self.message)
        return lines


def _named(what: str, names: tuple[str, ...]) -> list[str]:
    if not names:
        return []
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return [f"{what}: {'; '.join(escape(name) for name in names[:NAMES_SHOWN])}{more}."]


def export_exit_code(
    counts: Mapping[Status, int],
    *,
    allow_failures: bool,
    invalid: int,
    listing_whole: bool,
    unresolved: int,
    breach: str | None,
    brake: str | None,
) -> ExitCode:
    """The verdict over an export that ran to its end. Nothing pending may pass for success.

    Failures that are allowed are those of pages; a listing that is incomplete, too many failed
    attachments and pages gone in masses are never.
    """
    if counts[Status.PENDING] or not listing_whole or breach or brake:
        return ExitCode.CONTENT_FAILURE
    if allow_failures:
        return ExitCode.SUCCESS
    if invalid:
        return ExitCode.VALIDATION_ERROR
    if counts[Status.FAILED] or unresolved:
        return ExitCode.CONTENT_FAILURE
    return ExitCode.SUCCESS
