"""Ctrl-C: the first lets what is under way finish, the second stops at once."""

import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.fakes import FakeClock, fake_world
from tests.runs.command import (
    COMMAND,
    ENVIRONMENT,
    manifest_of,
    markmirror,
    pages_on_disk,
    read_until,
    start_markmirror,
)
from tests.runs.mirroring import interrupt, logged, mirrored, statuses, stopping_at
from tests.web_server import Reply, Request, WebServer, page, sitemap_index, sitemap_of

PATHS = [f"/{n}" for n in range(20)]
HTML = {"Content-Type": "text/html"}


def command(web: WebServer, tmp_path: Path) -> tuple[object, ...]:
    wishes = ("--rate-limit", 0, "--workers", 0, "--concurrency", 4)
    return ("site", web.url, "-o", tmp_path, *wishes)


class ImpatientClock(FakeClock):
    """Somebody presses Ctrl-C as soon as a run looks at it."""

    has_begun = False

    def monotonic(self) -> float:
        if not self.has_begun:
            self.has_begun = True
            interrupt()
        return super().monotonic()


class Held:
    """Pages that are asked for and not answered until a test says so."""

    def __init__(self, web: WebServer, *, enough: int) -> None:
        self.let_go = threading.Event()
        self.asked_for = threading.Event()
        self._web = web
        self._enough = enough
        web.serve_pages(PATHS)
        for path in PATHS[4:]:
            web.serve(path, self._answer)

    def _answer(self, request: Request) -> Reply:
        if self._web.in_flight >= self._enough:
            self.asked_for.set()
        body = f"<h1>Page {request.target}</h1>".encode()
        return Reply(body=body, headers=HTML, release=self.let_go)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_lets_pages_under_way_finish(
    web: WebServer, tmp_path: Path, number: signal.Signals
) -> None:
    held = Held(web, enough=4)
    running = start_markmirror(*command(web, tmp_path))
    assert held.asked_for.wait(30)
    running.send_signal(number)
    read_until(running, "phase 1")
    held.let_go.set()
    _, said = running.communicate(timeout=60)
    assert running.returncode == 3
    asked = {r.target for r in web.requests if r.target in PATHS}
    manifest = manifest_of(tmp_path / web.host_dir)
    assert {row["url"].removeprefix(web.url) for row in manifest["pages"]} == asked
    assert len(asked) == 8
    assert statuses(tmp_path, web) == {"saved": 8, "pending": 12}
    assert "12 pages still to be fetched: run the same command again" in said
    assert "Interrupted; nothing is lost." in said
    web.forget()
    assert markmirror(*command(web, tmp_path)).code == 0
    assert not {r.target for r in web.requests} & asked
    assert statuses(tmp_path, web) == {"saved": 20}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_second_signal_stops_at_once(
    web: WebServer, tmp_path: Path, number: signal.Signals
) -> None:
    held = Held(web, enough=4)
    running = start_markmirror(*command(web, tmp_path))
    assert held.asked_for.wait(30)
    running.send_signal(number)
    read_until(running, "phase 1")
    running.send_signal(number)
    _, said = running.communicate(timeout=20)
    held.let_go.set()
    assert running.returncode == 3
    assert "Traceback" not in said
    assert statuses(tmp_path, web) == {"saved": 4, "pending": 16}
    assert markmirror(*command(web, tmp_path)).code == 0
    assert statuses(tmp_path, web) == {"saved": 20}
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 20


def test_a_pause_of_the_rate_limit_does_not_hold_up_the_end(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    running = start_markmirror(
        "site", f"{web.url}/sitemap.xml", "-o", tmp_path, "--content-rate-limit", 0.001
    )
    assert running.stderr is not None
    for line in running.stderr:
        if "Processing" in line and not line.endswith("/0\n"):
            break
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=20)
    assert running.returncode == 3


async def test_an_interrupted_discovery_goes_on_with_the_sitemap_it_was_at(
    web: WebServer, tmp_path: Path
) -> None:
    for n in range(3):
        web.serve(f"/map-{n}.xml", sitemap_of([f"{web.url}/{n}a", f"{web.url}/{n}b"]))
        for letter in "ab":
            web.serve(f"/{n}{letter}", page(f"Page {n}{letter}"))
    web.serve("/sitemap.xml", sitemap_index(f"{web.url}/map-{n}.xml" for n in range(3)))
    stopping_at(web, "/map-1.xml")
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 3
    assert not (tmp_path / web.host_dir / "_manifest.json").exists()
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 6}
    assert web.count("/sitemap.xml") == web.count("/map-0.xml") == 1
    assert web.count("/map-1.xml") <= 2
    records = manifest_of(tmp_path / web.host_dir)["discovery"]["sitemaps"]
    assert [record["entries"] for record in records] == [3, 2, 2, 2]
    assert [record["duplicates"] for record in records] == [0, 0, 0, 0]


async def test_an_interruption_before_any_sitemap_was_found_loses_nothing(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)

    stopping_at(web, "/robots.txt", Reply(status=404))
    assert (await mirrored(web, tmp_path, rate_limit=1, content_rate_limit=0)).exit_code == 3
    assert (await mirrored(web, tmp_path)).exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 20}


async def test_an_interruption_is_heard_before_a_long_plan_is_made(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 001: Resume after filter adjustment."""
    web.serve_pages(PATHS)
    stopping_at(web, "/5")
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 3

    report = await mirrored(
        web, tmp_path, world=fake_world(clock=ImpatientClock()), exclude_paths="/19"
    )
    assert report.exit_code == 3
    assert logged(tmp_path / web.host_dir, "the filters have changed") == []
    assert (await mirrored(web, tmp_path, exclude_paths="/19")).exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 19, "filtered": 1}


async def test_an_interruption_at_the_last_page_leaves_nothing_to_go_on_with(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/only"])
    stopping_at(web, "/only")
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 1}


def test_a_listing_can_be_interrupted(web: WebServer, tmp_path: Path) -> None:
    asked = threading.Event()

    def hang(request: Request) -> Reply:
        asked.set()
        return Reply(hang=True)

    web.serve("/", page("Home"))
    web.serve("/robots.txt", hang)
    running = start_markmirror("site", web.url, "--list-only", "--rate-limit", 0)
    assert asked.wait(30)
    for _ in range(2):
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        running.stderr.readline()
    out, said = running.communicate(timeout=20)
    assert running.returncode == 3
    assert out == ""
    assert "Traceback" not in said


def test_ctrl_c_of_a_terminal_does_not_kill_the_converters(web: WebServer, tmp_path: Path) -> None:
    """A terminal sends the signal to every process of the group, workers included."""
    held = Held(web, enough=4)
    arguments = [str(word) for word in (*command(web, tmp_path), "--workers", 1)]
    running = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=ENVIRONMENT,
    )
    assert held.asked_for.wait(30)
    os.killpg(running.pid, signal.SIGINT)
    read_until(running, "phase 1")
    held.let_go.set()
    _, said = running.communicate(timeout=60)
    assert running.returncode == 3
    assert statuses(tmp_path, web) == {"saved": 8, "pending": 12}
    assert "Traceback" not in said
