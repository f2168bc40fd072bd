"""The run a mirror is in the middle of, or has finished last."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

from markmirror.state.database import Database

Mode = Literal["mirror", "update", "fresh"]
Phase = Literal["discovering", "fetching", "finished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One logical run: it may take several processes until it is finished.

    `root_page`: of a space, only this page and those below it are exported. `expected_sitemap`: the
    one that named the pages of this source before; without it nobody knows which are gone.
    """

    number: int
    mode: Mode
    phase: Phase
    started_at: str
    completed_at: str | None = None
    source_url: str = ""
    sitemap_url: str = ""
    expected_sitemap: str = ""
    filters: str = ""
    root_page: int | None = None
    discovery_whole: bool = True
    listed: int = 0
    previously_listed: int = 0
    entry_points_known: bool = False
    canonicals_believed: bool = True
    removed: int = 0


class Runs:
    """Remembers the newest run."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self) -> Run | None:
        text = self._database.recall("run")
        return Run(**json.loads(text)) if text else None

    def begin(self, *, mode: Mode, started_at: str, source_url: str) -> Run:
        """A new run, with a number no run had before."""
        number = int(self._database.recall("runs", "0")) + 1
        listed, sitemap = self._database.read(
            "SELECT listed, sitemap FROM sources WHERE url = ? AND listed > 0 "
            "ORDER BY run DESC LIMIT 1",
            (source_url,),
        ).fetchone() or (0, "")
        run = Run(
            number=number,
            mode=mode,
            phase="discovering",
            started_at=started_at,
            source_url=source_url,
            # Whoever starts over takes the site as it is now.
            expected_sitemap="" if mode == "fresh" else sitemap,
            previously_listed=listed,
        )
        self._database.remember("runs", str(number))
        return self.save(run)

    def abandon(self, before: Run | None) -> None:
        """The newest run came to nothing: go back to the one before."""
        newest = self.newest()
        if before and newest and newest.number != before.number and before.phase != "finished":
            # The newest has taken pages over that the one before had listed: it lists them again.
            before = replace(before, phase="discovering", entry_points_known=False, sitemap_url="")
        self._database.remember("run", json.dumps(asdict(before)) if before else "")

    def save(self, run: Run, **changes: object) -> Run:
        """The run with these changes, committed."""
        changed = replace(run, **changes)  # type: ignore[arg-type]
        with self._database.transaction() as connection:
            self._database.remember("run", json.dumps(asdict(changed)))
            connection.execute(
                "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)",
                (
                    changed.number,
                    changed.source_url,
                    changed.listed,
                    changed.expected_sitemap or changed.sitemap_url,
                ),
            )
        return changed
