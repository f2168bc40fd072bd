"""How often a server is asked, and what happens when it asks for a pause."""

import asyncio
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from markmirror.fetch.politeness import Politeness
from tests.fakes import START, FakeClock, fake_world
from tests.runs.command import manifest_of, markmirror
from tests.runs.mirroring import logged, mirrored, statuses
from tests.web_server import Reply, Request, WebServer, page, serving

TEXT = {"Content-Type": "text/plain"}
Visit = tuple[str, float]


def timed(
    web: WebServer,
    clock: FakeClock,
    paths: list[str],
    answer: Callable[[Request], Reply] | None = None,
) -> list[Visit]:
    """Serve the pages and keep what was asked when, by the run's own clock.

    Exact as long as one request is under way at a time.
    """
    visits: list[Visit] = []

    def note(request: Request) -> Reply:
        visits.append((request.target, clock.monotonic()))
        return answer(request) if answer else page(f"Page {request.target}")

    web.serve_pages(paths)
    for path in paths:
        web.serve(path, note)
    return visits


def gaps(times: list[float]) -> list[float]:
    return [later - earlier for earlier, later in itertools.pairwise(times)]


@pytest.mark.parametrize(
    ("wishes", "apart"),
    [
        ({}, 1.0),
        ({"content_rate_limit": 0.5}, 2.0),
        ({"rate_limit": 4}, 0.25),
        ({"rate_limit": 4, "content_rate_limit": 0.5}, 2.0),
    ],
)
async def test_pages_are_asked_for_no_faster_than_the_limit(
    web: WebServer, tmp_path: Path, wishes: dict[str, Any], apart: float
) -> None:
    """Seed 000: Default rate limiting. Seed 000: Custom rate limit. Seed 002: D4."""
    clock = FakeClock()
    visits = timed(web, clock, [f"/{n}" for n in range(6)])
    await mirrored(
        web, tmp_path, concurrency=1, world=fake_world(clock), **{"rate_limit": 1.0, **wishes}
    )
    between = gaps([at for _, at in visits])
    assert len(between) == 5
    assert min(between) >= apart
    assert max(between) <= apart * 1.05


async def test_sitemaps_have_a_limit_of_their_own(web: WebServer, tmp_path: Path) -> None:
    """Seed 002: D4."""
    clock = FakeClock()
    times: list[float] = []

    def missing(request: Request) -> Reply:
        times.append(clock.monotonic())
        return Reply(status=404)

    web.fallback = missing
    web.serve_pages(["/a"])
    web.serve("/wp-sitemap.xml", web.answers.pop("/sitemap.xml"))
    await mirrored(web, tmp_path, rate_limit=0.5, content_rate_limit=0, world=fake_world(clock))
    assert len(times) == 7
    assert min(gaps(times)) >= 2.0


async def test_starts_are_apart_whatever_the_concurrency() -> None:
    clock = FakeClock()
    politeness = Politeness(clock, per_second=10)
    times: list[float] = []

    async def ask() -> None:
        for _ in range(5):
            await politeness.turn("host")
            times.append(clock.monotonic())

    await asyncio.gather(*(ask() for _ in range(20)))
    assert len(times) == 100
    assert min(gaps(sorted(times))) >= 0.1 - 1e-9


async def test_each_host_has_turns_of_its_own() -> None:
    clock = FakeClock()
    politeness = Politeness(clock, per_second=1)
    for _ in range(3):
        await politeness.turn("one")
    at = clock.monotonic()
    await politeness.turn("two")
    assert clock.monotonic() == at


async def test_no_more_requests_are_under_way_than_asked_for(
    web: WebServer, tmp_path: Path
) -> None:
    go_on = threading.Event()

    def answer(request: Request) -> Reply:
        if web.in_flight >= 3:
            go_on.set()
        return Reply(body=b"<h1>Page</h1>", headers={"Content-Type": "text/html"}, release=go_on)

    web.serve_pages([f"/{n}" for n in range(12)])
    for n in range(12):
        web.serve(f"/{n}", answer)
    await mirrored(web, tmp_path, concurrency=3, timeout=20)
    assert web.most_in_flight == 3


async def test_a_pause_in_seconds_holds_for_the_whole_host(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: 429 response handling."""
    clock = FakeClock()

    def throttle(request: Request) -> Reply:
        if request.target == "/1" and request.number == 1:
            return Reply(status=429, headers={"Retry-After": "37"})
        return page(f"Page {request.target}")

    visits = timed(web, clock, ["/0", "/1", "/2", "/3"], throttle)
    report = await mirrored(web, tmp_path, concurrency=1, world=fake_world(clock))
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 4}
    assert [path for path, _ in visits][:2] == ["/0", "/1"]
    asked_at = visits[1][1]
    assert all(at >= asked_at + 37 for _, at in visits[2:])
    assert visits[2][1] <= asked_at + 38
    assert not (tmp_path / web.host_dir / "_failed.log").exists()
    assert logged(tmp_path / web.host_dir, "the server asked us to wait")[0]["seconds"] == 37


@pytest.mark.parametrize("status", [429, 503])
async def test_a_pause_until_a_date_is_kept(web: WebServer, tmp_path: Path, status: int) -> None:
    """Seed 000: 429 response handling."""
    clock = FakeClock()
    until = format_datetime(START + timedelta(seconds=90), usegmt=True)

    def throttle(request: Request) -> Reply:
        if request.number == 1 and request.target == "/0":
            return Reply(status=status, headers={"Retry-After": until})
        return page(f"Page {request.target}")

    visits = timed(web, clock, ["/0", "/1"], throttle)
    await mirrored(web, tmp_path, concurrency=1, on_error="retry", world=fake_world(clock))
    assert statuses(tmp_path, web) == {"saved": 2}
    assert all(at >= 89 for _, at in visits[1:])


async def test_without_a_wish_of_the_server_pauses_double_with_jitter(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: 429 response handling."""
    clock = FakeClock()
    visits = timed(web, clock, ["/0"], lambda request: Reply(status=429))
    report = await mirrored(web, tmp_path, concurrency=1, world=fake_world(clock))
    pauses = gaps([at for _, at in visits])
    assert len(pauses) == 7
    for number, pause in enumerate(pauses):
        assert 2**number <= pause <= 1.5 * 2**number
    assert len({pause / 2**number for number, pause in enumerate(pauses)}) == 7
    assert report.exit_code == 1
    assert statuses(tmp_path, web) == {"failed": 1}


async def test_a_throttled_sitemap_is_waited_for(web: WebServer, tmp_path: Path) -> None:
    clock = FakeClock()
    web.serve_pages(["/a"])
    good = web.answers["/sitemap.xml"]
    assert isinstance(good, Reply)
    times: list[float] = []

    def throttle(request: Request) -> Reply:
        times.append(clock.monotonic())
        return Reply(status=429, headers={"Retry-After": "11"}) if request.number == 1 else good

    web.serve("/sitemap.xml", throttle)
    await mirrored(web, tmp_path, world=fake_world(clock))
    assert gaps(times) == [11.0]
    assert statuses(tmp_path, web) == {"saved": 1}


def rules(text: str) -> Reply:
    return Reply(body=text.encode(), headers=TEXT)


ROBOTS = "User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 5\n"


async def test_robots_txt_is_obeyed_when_asked(web: WebServer, tmp_path: Path) -> None:
    clock = FakeClock()
    visits = timed(web, clock, ["/a", "/private/x", "/private/open", "/b"])
    web.serve("/robots.txt", rules(ROBOTS))
    await mirrored(
        web, tmp_path, respect_robots=True, concurrency=1, rate_limit=1, world=fake_world(clock)
    )
    assert [path for path, _ in visits] == ["/a", "/private/open", "/b"]
    assert min(gaps([at for _, at in visits])) >= 5
    assert statuses(tmp_path, web) == {"saved": 3, "skipped": 1}
    assert manifest_of(tmp_path / web.host_dir)["skipped_urls"] == [
        {"url": f"{web.url}/private/x", "reason": "robots"}
    ]


async def test_a_robots_txt_that_forbids_every_page_is_named(
    web: WebServer, tmp_path: Path
) -> None:
    """That is what was asked for, as with filters, and no failure."""
    web.serve_pages(["/a", "/b"])
    web.serve("/robots.txt", rules("User-agent: *\nDisallow: /\n"))
    report = await mirrored(web, tmp_path, respect_robots=True)
    assert "Skipped by 2 robots.txt." in report.sentences()
    assert report.message == "Every URL was filtered out or skipped; nothing was mirrored."
    assert report.exit_code == 0


async def test_robots_txt_is_not_obeyed_unless_asked(web: WebServer, tmp_path: Path) -> None:
    clock = FakeClock()
    visits = timed(web, clock, ["/a", "/private/x"])
    web.serve("/robots.txt", rules(ROBOTS))
    await mirrored(web, tmp_path, concurrency=1, rate_limit=1, world=fake_world(clock))
    assert [path for path, _ in visits] == ["/a", "/private/x"]
    assert max(gaps([at for _, at in visits])) < 2


async def test_a_group_for_us_is_obeyed_rather_than_the_one_for_all(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve(
        "/robots.txt", rules("User-agent: *\nDisallow: /\n\nUser-agent: MarkMirror\nDisallow: /b\n")
    )
    await mirrored(web, tmp_path, respect_robots=True)
    assert statuses(tmp_path, web) == {"saved": 1, "skipped": 1}


async def test_robots_txt_is_asked_for_once_however_many_pages_wait_for_it(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages([f"/{n}" for n in range(20)])
    web.serve("/robots.txt", rules("User-agent: *\nAllow: /\n"))
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml", respect_robots=True, concurrency=8)
    assert web.count("/robots.txt") == 1
    assert statuses(tmp_path, web) == {"saved": 20}


async def test_a_robots_txt_that_cannot_be_reached_forbids_everything(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve("/robots.txt", Reply(status=503))
    report = await mirrored(web, tmp_path, respect_robots=True)
    assert web.count("/a") == 0
    assert web.count("/robots.txt") == 4
    assert statuses(tmp_path, web) == {"failed": 2}
    assert report.exit_code == 1
    web.serve("/robots.txt", Reply(status=404))
    report = await mirrored(web, tmp_path, respect_robots=True)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 2}


async def test_a_robots_txt_behind_any_server_error_forbids_everything(
    web: WebServer, tmp_path: Path
) -> None:
    """RFC 9309, 2.3.1.4: also behind one that will not pass by itself."""
    web.serve_pages(["/a"])
    web.serve("/robots.txt", Reply(status=501))
    await mirrored(web, tmp_path, respect_robots=True)
    assert web.count("/a") == 0
    assert statuses(tmp_path, web) == {"failed": 1}


async def test_a_pause_before_robots_txt_is_kept(web: WebServer, tmp_path: Path) -> None:
    clock = FakeClock()
    times: list[float] = []

    def throttle(request: Request) -> Reply:
        times.append(clock.monotonic())
        asked = {1: "40", 2: "0"}.get(request.number)
        return Reply(status=429, headers={"Retry-After": asked}) if asked else rules(ROBOTS)

    web.serve_pages(["/a"])
    web.serve("/robots.txt", throttle)
    await mirrored(web, tmp_path, respect_robots=True, rate_limit=0, world=fake_world(clock))
    assert gaps(times) == [40.0, 2.0]
    assert statuses(tmp_path, web) == {"saved": 1}


async def test_a_crawl_delay_without_end_is_kept_to_five_minutes(
    web: WebServer, tmp_path: Path
) -> None:
    clock = FakeClock()
    visits = timed(web, clock, ["/a", "/b"])
    web.serve("/robots.txt", rules("User-agent: *\nCrawl-delay: 1e9\n"))
    await mirrored(web, tmp_path, respect_robots=True, concurrency=1, world=fake_world(clock))
    assert gaps([at for _, at in visits]) == [pytest.approx(300, rel=0.01)]


async def test_a_redirect_into_a_forbidden_place_is_not_followed(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    web.serve("/a", Reply(status=302, headers={"Location": "/private/x"}))
    web.serve("/robots.txt", rules(ROBOTS))
    await mirrored(web, tmp_path, respect_robots=True)
    assert web.count("/private/x") == 0
    assert statuses(tmp_path, web) == {"skipped": 1}


@pytest.fixture
def clock_resolution() -> Iterator[float]:
    """How exact the server's clock is: exact where other programs can be told to wait.

    Where they cannot, its thread notices one request some milliseconds later than another.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except OSError:
        yield 0.005
        return
    try:
        yield time.get_clock_info("monotonic").resolution
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@pytest.mark.large
def test_two_hundred_requests_at_twenty_a_second_by_the_servers_clock(
    tmp_path: Path, clock_resolution: float
) -> None:
    """Seed 002: D4."""
    with serving() as web:
        web.serve_pages([f"/{n}" for n in range(200)])
        markmirror("site", web.url, "-o", tmp_path, "--rate-limit", 20, "--quiet")
        times = [request.at for request in web.requests if request.target[1:].isdigit()]
    assert len(times) == 200
    for span in range(1, 200):
        shortest = min(later - earlier for earlier, later in zip(times, times[span:], strict=False))
        assert shortest >= span / 20 - clock_resolution
    assert 199 / (times[-1] - times[0]) >= 0.95 * 20


class AdjustableClock(FakeClock):
    """A clock that somebody puts back while it runs."""

    put_back = timedelta()

    def now(self) -> datetime:
        return super().now() - self.put_back


async def test_a_pause_is_no_longer_when_the_clock_is_put_back(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: 429 response handling."""
    web.serve_pages(["/a", "/b"])
    clock = AdjustableClock()

    def put_back(request: Request) -> Reply:
        clock.put_back = timedelta(days=1)
        return page("B")

    busy = Reply(status=429, headers={"Retry-After": "37"})
    web.serve("/a", lambda request: busy if request.number == 1 else page("A"))
    web.serve("/b", put_back)
    report = await mirrored(web, tmp_path, concurrency=1, world=fake_world(clock))
    assert (report.exit_code, statuses(tmp_path, web)) == (0, {"saved": 2})
    assert clock.monotonic() < 60
