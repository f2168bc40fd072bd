"""What a run did: in numbers, in words, and as an exit code."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from markmirror.errors import ExitCode
from markmirror.model import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """How the mirror differs from what it was before."""

    added: int = 0
    updated: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0

    @classmethod
    def of(cls, changes: Mapping[str, int], *, removed: int, unchanged: int) -> "Delta":
        """`changes` counts the pages that were saved by what that was: added, updated or moved."""
        return cls(
            added=changes.get("added", 0),
            updated=changes.get("updated", 0),
            moved=changes.get("moved", 0),
            removed=removed,
            unchanged=unchanged,
        )

    def as_dict(self) -> dict[str, int]:
        return asdict(self)

    def sentence(self) -> str:
        return f"Changes: {_listing(list(self.as_dict().items()))}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The outcome of a run. The counts add up to every URL the sitemaps named."""

    folder: Path
    counts: Mapping[Status, int]
    filtered_by: Mapping[str, int] = field(default_factory=dict)
    skipped_by: Mapping[str, int] = field(default_factory=dict)
    delta: Delta = field(default_factory=Delta)
    gone: int = 0
    prune: bool = False
    limit: int = 0
    seconds: float = 0.0
    discovery_whole: bool = True
    exit_code: ExitCode = ExitCode.SUCCESS
    message: str = ""

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def as_dict(self) -> dict[str, object]:
        """The report as a JSON log carries it."""
        return {
            "folder": str(self.folder),
            "total": self.total,
            "counts": {status.value: self.counts[status] for status in Status},
            "filtered_by": dict(self.filtered_by),
            "skipped_by": dict(self.skipped_by),
            "delta": self.delta.as_dict(),
            "gone": self.gone,
            "discovery_complete": self.discovery_whole,
            "seconds": round(self.seconds, 3),
            "exit_code": int(self.exit_code),
            "message": self.message,
        }

    def sentences(self) -> list[str]:
        """The summary for a person, one sentence a line."""
        lines = [f"{self.folder}: {_listing(self._parts())} of {self.total} URLs in the sitemap."]
        lines.append(self.delta.sentence())
        if self.filtered_by:
            lines.append(f"Filtered by {_listing(list(self.filtered_by.items()))}.")
        if self.skipped_by:
            lines.append(f"Skipped by {_listing(list(self.skipped_by.items()))}.")
        if left := self.counts[Status.LEFT]:
            lines.append(
                f"Stopped by --max-pages {self.limit}: {pages_in_words(left)} left. "
                "Run the same command again for more, or lift the limit with --max-pages 0."
            )
        if self.gone:
            # Who has asked for that already hears in the message why it was not done.
            advice = "" if self.prune else "; --update --prune deletes them"
            lines.append(f"{pages_in_words(self.gone)} on disk no longer in the sitemap{advice}.")
        if not self.discovery_whole:
            lines.append(
                "Not every sitemap could be read, so pages may be missing; "
                "_manifest.json says which."
            )
        if self.counts[Status.FAILED]:
            lines.append(
                f"{pages_in_words(self.counts[Status.FAILED])} failed; _failed.log says why, "
                "and the next run tries again."
            )
        if self.counts[Status.PENDING]:
            lines.append(
                f"{pages_in_words(self.counts[Status.PENDING])} still to be fetched: "
                "run the same command again to go on."
            )
        if self.message:
            lines.append(self.message)
        return lines

    def _parts(self) -> list[tuple[str, int]]:
        names = {
            Status.SAVED: "saved",
            Status.UNCHANGED: "unchanged",
            Status.DUPLICATE: "duplicate" if self.counts[Status.DUPLICATE] == 1 else "duplicates",
            Status.FILTERED: "filtered",
            Status.SKIPPED: "skipped",
            Status.FAILED: "failed",
            Status.LEFT: "left by --max-pages",
            Status.PENDING: "pending",
        }
        always = (Status.SAVED, Status.UNCHANGED)
        return [
            (name, self.counts[status])
            for status, name in names.items()
            if self.counts[status] or status in always
        ]


def skip_reasons(reasons: Mapping[str, int]) -> dict[str, int]:
    """Why pages were skipped; answers that are no pages are one reason, whatever they are."""
    known = {"robots": "robots.txt", "processed": "_processed.txt"}
    counts: Counter[str] = Counter()
    for reason, number in reasons.items():
        counts[known.get(reason, "content type")] += number
    return dict(counts)


def pages_in_words(number: int) -> str:
    return "1 page" if number == 1 else f"{number} pages"


def _listing(parts: list[tuple[str, int]]) -> str:
    return ", ".join(f"{number} {name}" for name, number in parts)


def exit_code_of(
    counts: Mapping[Status, int], *, on_error: str, discovery_whole: bool, present: int
) -> ExitCode:
    """The verdict over a run that was neither interrupted nor stopped by an error.

    `present` is how many pages are on disk. Nothing pending may ever pass for success.
    """
    if counts[Status.PENDING]:
        return ExitCode.CONTENT_FAILURE
    failed = counts[Status.FAILED]
    if on_error != "skip" and (failed or not discovery_whole):
        return ExitCode.CONTENT_FAILURE
    if failed and not present:
        return ExitCode.CONTENT_FAILURE
    return ExitCode.SUCCESS
