"""An export that is killed at any moment and resumed ends as if it never had been."""

import random
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.confluence_server import ConfluenceServer, Endpoint, Site, SpacePlan, generate_space
from tests.confluence_server.server import serving_in_a_thread
from tests.runs.command import start_markmirror
from tests.runs.confluence.wiki import Wiki

BULK_IN_FLIGHT = 2 * 50


class Moments(Counter[Endpoint]):
    """Counts requests and acts at the moments a test has chosen."""

    def __init__(self, moments: list[int], act: Callable[[], None]) -> None:
        super().__init__()
        self._moments = moments
        self._act = act
        self._seen = 0

    def __setitem__(self, endpoint: Endpoint, count: int) -> None:
        super().__setitem__(endpoint, count)
        self._seen += 1
        if self._moments and self._seen >= self._moments[0]:
            self._moments.pop(0)
            self._act()


def _bodies_asked_for(server: ConfluenceServer) -> int:
    asked = 0
    for path in server.paths:
        if "body.storage" not in path:
            continue
        found = re.search(r"id\+in\+%28([^&]*)%29|id\+in\+\(([^&]*)\)", path)
        asked += len(re.split(r"%2C|,", found[1] or found[2])) if found else 1
    return asked


def _start(wiki: Wiki, *arguments: str) -> "subprocess.Popen[str]":
    return start_markmirror(
        "confluence",
        "DOCS",
        "-o",
        wiki.output,
        "--quiet",
        "--workers",
        1,
        *arguments,
        environment=wiki.environment,
    )


def _interrupted_export(
    tmp_path: Path, *, pages: int, stops: int, number: signal.Signals, codes: set[int]
) -> None:
    chance = random.Random(f"{pages} {stops} {number}")
    server = ConfluenceServer(Site())
    generate_space(server.site.content, SpacePlan(pages=pages))
    with serving_in_a_thread(server):
        calm = Wiki(server=server, output=tmp_path / "calm")
        rough = Wiki(server=server, output=tmp_path / "rough")
        running = _start(calm)
        running.communicate(timeout=300)
        assert running.returncode == 0
        total = len(server.paths)
        server.paths.clear()

        current: list[subprocess.Popen[str]] = []
        moments = sorted(chance.sample(range(3, total - 2), stops))
        server.requests = Moments(moments, lambda: current[0].send_signal(number))
        ended: list[int] = []
        for attempt in range(stops + 1):
            current[:] = [_start(rough, *(["--resume"] if attempt else []))]
            current[0].communicate(timeout=300)
            ended.append(current[0].returncode)
            if ended[-1] == 0:
                break
        assert ended[-1] == 0
        assert set(ended[:-1]) <= codes
        assert len(ended) > stops // 2

        assert rough.tree() == calm.tree()
        assert len(rough.manifest["pages"]) == pages
        assert not list(rough.output.rglob("*.tmp"))
        assert rough.dead_links() == []
        assert _bodies_asked_for(server) - pages <= len(ended) * BULK_IN_FLIGHT
        server.requests = Counter()
        server.paths.clear()
        rerun = _start(rough)
        rerun.communicate(timeout=300)
        assert rerun.returncode == 0
        assert rough.manifest["delta"]["unchanged"] == pages


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_export_stopped_at_any_moment_ends_as_if_it_never_had_been(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Seed 003: Acceptance scenario 5. FR-021. FR-034. FR-042."""
    codes = {-signal.SIGKILL} if number is signal.SIGKILL else {3}
    _interrupted_export(tmp_path, pages=60, stops=4, number=number, codes=codes)


@pytest.mark.large
def test_six_hundred_pages_survive_twenty_five_kills(tmp_path: Path) -> None:
    _interrupted_export(
        tmp_path, pages=600, stops=25, number=signal.SIGKILL, codes={-signal.SIGKILL}
    )
