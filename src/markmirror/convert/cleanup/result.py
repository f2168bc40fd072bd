"""What cleaning did to a page, and to all pages of a run."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self


class Outcome(StrEnum):
    """How cleaning one page ended. Whatever it was, the text is safe to write."""

    CLEANED = "cleaned"
    UNCHANGED = "unchanged"
    OVER_BUDGET = "over_budget"
    UNREADABLE = "unreadable"


@dataclass(slots=True, kw_only=True)
class RuleCount:
    """How often a rule changed a leaf, was refused for one, or failed on one."""

    applied: int = 0
    rejected: int = 0
    failed: int = 0

    def add(self, other: "RuleCount") -> None:
        """Count what `other` counted too."""
        self.applied += other.applied
        self.rejected += other.rejected
        self.failed += other.failed

    def as_dict(self) -> dict[str, int]:
        """The three counts by name."""
        return {"applied": self.applied, "rejected": self.rejected, "failed": self.failed}


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanupResult:
    """A cleaned page: its text, what each rule did, and how long it took.

    `reverted` leaves were changed by rules and put back, because a reader would have seen
    another structure.
    """

    text: str
    outcome: Outcome
    rules: dict[str, RuleCount]
    reverted: int
    seconds: float

    def without_text(self) -> Self:
        """What was done, for somebody who has the text already."""
        return replace(self, text="")

    @property
    def success(self) -> bool:
        """Whether every step ran to its end; a page that did not is still whole."""
        return self.outcome in (Outcome.CLEANED, Outcome.UNCHANGED)


@dataclass(slots=True, kw_only=True)
class CleanupStats:
    """The sum of many results, for a run's manifest."""

    documents: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    rules: dict[str, RuleCount] = field(default_factory=dict)
    reverted: int = 0
    seconds: float = 0.0
    slowest_seconds: float = 0.0

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "CleanupStats":
        """The statistics that `as_dict` stored, to go on counting from."""
        return cls(
            documents=saved.get("documents", 0),
            outcomes=dict(saved.get("outcomes", {})),
            rules={name: RuleCount(**count) for name, count in saved.get("rules", {}).items()},
            reverted=saved.get("reverted", 0),
            seconds=saved.get("seconds", 0.0),
            slowest_seconds=saved.get("slowest_seconds", 0.0),
        )

    def add(self, result: CleanupResult) -> None:
        """Count one more page."""
        self.documents += 1
        self.outcomes[result.outcome] = self.outcomes.get(result.outcome, 0) + 1
        for name, count in result.rules.items():
            self.rules.setdefault(name, RuleCount()).add(count)
        self.reverted += result.reverted
        self.seconds += result.seconds
        self.slowest_seconds = max(self.slowest_seconds, result.seconds)

    def as_dict(self) -> dict[str, object]:
        """The statistics in the form the manifest stores."""
        return {
            "documents": self.documents,
            "outcomes": {outcome.value: self.outcomes.get(outcome, 0) for outcome in Outcome},
            "rules": {name: count.as_dict() for name, count in sorted(self.rules.items())},
            "reverted": self.reverted,
            "seconds": round(self.seconds, 6),
            "slowest_seconds": round(self.slowest_seconds, 6),
        }
