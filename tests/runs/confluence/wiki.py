"""A Confluence on loopback and the export of it, through the real command or the Python API."""

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from markmirror.api import export_space_async
from markmirror.confluence_options import ConfluenceOptions
from markmirror.progress import Silence
from markmirror.space_report import SpaceReport
from markmirror.world import World
from tests.confluence_server import ConfluenceServer, Content, Site, serving_in_a_thread
from tests.confluence_server.faults import Endpoint
from tests.runs.command import Ended, markmirror

KEY = "DOCS"


class ImpatientClock:
    """A clock whose sleeps take no time, and remembers how long they would have been."""

    def __init__(self) -> None:
        # A date knows microseconds only; waiting for less than one would never end.
        self._elapsed = 0.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._elapsed += seconds


@dataclass(slots=True)
class Wiki:
    """A server with a space DOCS, and the folder it is exported to."""

    server: ConfluenceServer
    output: Path
    clock: ImpatientClock = field(default_factory=ImpatientClock)

    @property
    def content(self) -> Content:
        return self.server.site.content

    @property
    def folder(self) -> Path:
        return self.output / "spaces" / KEY

    @property
    def environment(self) -> dict[str, str]:
        return {
            "CONFLUENCE_URL": self.server.url,
            "CONFLUENCE_USERNAME": self.server.site.username,
            "CONFLUENCE_PASSWORD": self.server.site.password,
        }

    def export(self, *arguments: object, space: str = KEY) -> Ended:
        """The command, run to its end."""
        return markmirror(
            "confluence",
            space,
            "-o",
            self.output,
            "--workers",
            0,
            *arguments,
            cwd=None,
            **self.environment,
        )

    async def export_here(self, **options: Any) -> SpaceReport:
        """The Python API within the test, waiting for nothing."""
        given = {
            "space": KEY,
            "base_url": self.server.url,
            "username": self.server.site.username,
            "password": self.server.site.password,
            "output": self.output,
            "workers": 0,
            **options,
        }
        world = World(
            clock=self.clock, chance=random.Random(1), display=Silence(), min_free_bytes=0
        )
        return await export_space_async(ConfluenceOptions.model_validate(given), world=world)

    def take_back_the_end(self) -> None:
        """The export as if it had been killed when all of its pages were written."""
        with closing(sqlite3.connect(self.folder / "_state.db")) as connection, connection:
            connection.execute("UPDATE meta SET value = 'no' WHERE key = 'closed'")
            connection.execute(
                "UPDATE meta SET value = json_set(value, '$.phase', 'fetching') WHERE key = 'run'"
            )

    def requests(self, *endpoints: Endpoint) -> int:
        return sum(self.server.requests[endpoint] for endpoint in endpoints)

    def forget_requests(self) -> None:
        self.server.requests.clear()
        self.server.paths.clear()

    @property
    def manifest(self) -> dict[str, Any]:
        manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text())
        return manifest

    def row(self, page: Any) -> dict[str, Any]:
        """A page's row in the manifest."""
        rows = [row for row in self.manifest["pages"] if row["pageId"] == str(page.id)]
        assert len(rows) == 1
        found: dict[str, Any] = rows[0]
        return found

    @property
    def queues(self) -> dict[str, Any]:
        queues: dict[str, Any] = json.loads((self.folder / "queues.json").read_text())
        return queues

    def file(self, page: Any) -> Path:
        """Where a page was written, as the manifest says."""
        path: str = self.row(page)["path"]
        return (self.folder / path).resolve()

    def text(self, page: Any) -> str:
        """A page's Markdown without its front matter."""
        return self.file(page).read_text().partition("\n---\n\n")[2]

    def files(self) -> list[str]:
        """Every page of every space, by path."""
        spaces = self.output / "spaces"
        return sorted(str(path.relative_to(spaces)) for path in spaces.rglob("*.md"))

    def tree(self) -> dict[str, bytes]:
        """Every exported file, without the times of the export."""
        spaces = self.output / "spaces"
        return {
            str(path.relative_to(spaces)): _without_export_time(path.read_bytes())
            for path in sorted(spaces.rglob("*"))
            if path.is_file() and (path.suffix == ".md" or "assets" in path.parts)
        }

    def dead_links(self) -> list[str]:
        """Relative links and pictures in exported pages that lead nowhere."""
        dead = []
        for path in (self.output / "spaces").rglob("*.md"):
            targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text())
            dead += [
                f"{path.name}: {target}"
                for target in targets
                if not (path.parent / _unescaped(target)).exists()
            ]
        return dead


def _unescaped(target: str) -> str:
    return re.sub(r"%([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), target)


def _without_export_time(data: bytes) -> bytes:
    return re.sub(rb'exportTimestamp: "[^"]*"', b"exportTimestamp", data)


@contextmanager
def wiki_at(output: Path, **site: Any) -> Iterator[Wiki]:
    """A running wiki with an empty space DOCS, for commands in other processes."""
    server = ConfluenceServer(Site(**site))
    server.site.content.add_space(KEY, "Documentation")
    with serving_in_a_thread(server):
        yield Wiki(server=server, output=output)
