"""The run a mirror is in the middle of, or has finished last."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

from markmirror.state.database import Database

Mode = Literal["mirror", "update", "fresh"]
Phase = Literal["discovering", "fetching", "finished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One logical run: it may take several processes until it is finished."""

    number: int
    mode: Mode
    phase: Phase
    started_at: str
    completed_at: str | None = None
    source_url: str = ""
    sitemap_url: str = ""
    filters: str = ""
    discovery_whole: bool = True
    previously_listed: int = 0
    limit_reached: bool = False
    canonicals_believed: bool = True
    removed: int = 0


class Runs:
    """Remembers the newest run."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self) -> Run | None:
        text = self._database.recall("run")
        return Run(**json.loads(text)) if text else None

    def save(self, run: Run, **changes: object) -> Run:
        """The run with these changes, committed."""
        changed = replace(run, **changes)  # type: ignore[arg-type]
        self._database.remember("run", json.dumps(asdict(changed)))
        return changed
