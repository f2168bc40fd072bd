"""A run that is killed, interrupted or runs out of disk at any moment loses nothing."""

import random
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runs.command import (
    assert_accounts_for_all,
    manifest_of,
    markmirror,
    pages_on_disk,
    start_markmirror,
)
from tests.web_server import Reply, Request, WebServer, page, serving, sitemap_of

CONCURRENCY = 8


class KillingSite:
    """A site of many pages that calls `on_request` at the moments a test has chosen."""

    def __init__(self, web: WebServer, pages: int) -> None:
        self.paths = [f"/docs/section-{n % 7}/page-{n}" for n in range(pages)]
        self.moments: list[int] = []
        self.act: Callable[[], None] = lambda: None
        self.in_flight_at_kills = 0
        self._web = web
        self._served = 0
        for path in self.paths:
            web.serve(path, self._answer)
        web.serve("/sitemap.xml", sitemap_of([web.url + path for path in self.paths]))

    def _answer(self, request: Request) -> Reply:
        self._served += 1
        if self.moments and self._served >= self.moments[0]:
            self.moments.pop(0)
            self.in_flight_at_kills += CONCURRENCY
            self.act()
        return page(f"Page {request.target}", "Some text. " * 40)

    @property
    def page_requests(self) -> int:
        return sum(request.target in set(self.paths) for request in self._web.requests)


def _without_times(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+\+00:00", "TIME", text)


def _tree(folder: Path, web: WebServer) -> dict[str, str]:
    """The mirror as a reader sees it, without times and without the server's port."""
    pages = pages_on_disk(folder)
    pages["_index.md"] = (folder / "_index.md").read_text()
    pages["_processed.txt"] = "\n".join(
        sorted((folder / "_processed.txt").read_text().splitlines())
    )
    return {
        path: _without_times(text).replace(str(web.port), "PORT") for path, text in pages.items()
    }


def _manifest(folder: Path, web: WebServer) -> dict[str, object]:
    manifest = manifest_of(folder)
    for key in ("crawl_started", "crawl_completed", "discovery"):
        manifest.pop(key)
    text = _without_times(repr(manifest)).replace(str(web.port), "PORT")
    return {"manifest": text}


def _interrupted_run(
    tmp_path: Path, *, pages: int, stops: int, number: signal.Signals, codes: set[int]
) -> None:
    """Stop the command again and again, resume it each time, and compare with a calm run."""
    chance = random.Random(f"{pages} {stops} {number}")
    with serving() as web:
        site = KillingSite(web, pages)
        arguments = ("site", web.url, "--rate-limit", 0, "--quiet", "--concurrency", CONCURRENCY)
        calm, rough = tmp_path / "calm", tmp_path / "rough"
        assert markmirror(*arguments, "-o", calm).code == 0
        assert site.page_requests == pages
        web.forget()
        site._served = 0

        site.moments = sorted(chance.sample(range(1, pages), stops))
        ended: list[int] = []
        running: list[subprocess.Popen[str]] = []
        site.act = lambda: running[0].send_signal(number)
        for _ in range(stops + 1):
            running[:] = [start_markmirror(*arguments, "-o", rough)]
            running[0].communicate(timeout=120)
            ended.append(running[0].returncode)
            if ended[-1] == 0:
                break
        assert ended[-1] == 0
        assert set(ended[:-1]) <= codes
        assert len(ended) > stops // 2

        folder = rough / web.host_dir
        manifest = manifest_of(folder)
        assert len(pages_on_disk(folder)) == pages
        assert len(manifest["pages"]) == len({row["url"] for row in manifest["pages"]}) == pages
        assert_accounts_for_all(manifest)
        assert not list(folder.rglob("*.tmp"))
        assert not (folder / "_tmp").exists()
        assert _tree(folder, web) == _tree(calm / web.host_dir, web)
        assert _manifest(folder, web) == _manifest(calm / web.host_dir, web)
        assert site.page_requests - pages <= site.in_flight_at_kills


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_stopped_at_any_moment_ends_as_if_it_never_had_been(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Seed 000: Resume from checkpoint. Seed 002: D2."""
    codes = {-signal.SIGKILL} if number is signal.SIGKILL else {3}
    _interrupted_run(tmp_path, pages=60, stops=4, number=number, codes=codes)


@pytest.mark.large
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_six_hundred_pages_survive_twenty_five_stops(
    tmp_path: Path, number: signal.Signals
) -> None:
    codes = {-signal.SIGKILL} if number is signal.SIGKILL else {3}
    _interrupted_run(tmp_path, pages=600, stops=25, number=number, codes=codes)
