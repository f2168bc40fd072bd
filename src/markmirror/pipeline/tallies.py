"""What conversion and cleanup had to do in a run, counted across all its processes."""

import json
from collections import Counter
from dataclasses import dataclass, field

from markmirror.convert.cleanup import CleanupStats
from markmirror.convert.page import RenderedPage
from markmirror.state.database import Database

KEY = "tallies"


@dataclass(slots=True, kw_only=True)
class Tallies:
    """Saved in the same commit as the pages they count, so that a crash changes no number."""

    notes: Counter[str] = field(default_factory=Counter)
    cleanup: CleanupStats = field(default_factory=CleanupStats)

    @classmethod
    def load(cls, database: Database) -> "Tallies":
        saved = json.loads(database.recall(KEY, "{}"))
        return cls(
            notes=Counter(saved.get("notes", {})),
            cleanup=CleanupStats.from_dict(saved.get("cleanup", {})),
        )

    def count(self, rendered: RenderedPage) -> None:
        self.notes.update(rendered.notes)
        if rendered.cleanup is not None:
            self.cleanup.add(rendered.cleanup)

    def save(self, database: Database) -> None:
        database.remember(KEY, json.dumps(self.as_dict()))

    @staticmethod
    def forget(database: Database) -> None:
        """A new run begins to count at zero."""
        database.remember(KEY, "{}")

    def as_dict(self) -> dict[str, object]:
        return {"notes": dict(sorted(self.notes.items())), "cleanup": self.cleanup.as_dict()}
