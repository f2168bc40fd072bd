"""What conversion and cleanup had to do in a run, counted across all its processes."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from markmirror.convert.cleanup import CleanupResult, CleanupStats
from markmirror.state.ledger import Ledger

KEY = "tallies"


@dataclass(slots=True, kw_only=True)
class Tallies:
    """Saved in the same commit as the pages they count, so that a crash changes no number."""

    notes: Counter[str] = field(default_factory=Counter)
    cleanup: CleanupStats = field(default_factory=CleanupStats)
    unknown_macros: Counter[str] = field(default_factory=Counter)

    @classmethod
    def load(cls, ledger: Ledger) -> "Tallies":
        saved = json.loads(ledger.recall(KEY, "{}"))
        return cls(
            notes=Counter(saved.get("notes", {})),
            cleanup=CleanupStats.from_dict(saved.get("cleanup", {})),
            unknown_macros=Counter(saved.get("unknown_macros", {})),
        )

    def count(
        self,
        *,
        notes: Iterable[str],
        cleanup: CleanupResult | None,
        unknown_macros: Iterable[str] = (),
    ) -> None:
        """Count one more page."""
        self.notes.update(notes)
        self.unknown_macros.update(unknown_macros)
        if cleanup is not None:
            self.cleanup.add(cleanup)

    def save(self, ledger: Ledger) -> None:
        ledger.remember(KEY, json.dumps(self.as_dict()))

    @staticmethod
    def forget(ledger: Ledger) -> None:
        """A new run begins to count at zero."""
        ledger.remember(KEY, "{}")

    def as_dict(self) -> dict[str, object]:
        return {
            "notes": dict(sorted(self.notes.items())),
            "cleanup": self.cleanup.as_dict(),
            "unknown_macros": dict(sorted(self.unknown_macros.items())),
        }
