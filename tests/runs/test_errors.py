"""What a page that fails does to itself, and does not do to the others."""

import json
import re
from pathlib import Path

import pytest

from tests.fakes import FakeClock, fake_world
from tests.runs.command import manifest_of, markmirror, pages_on_disk
from tests.runs.mirroring import listed, log_of, mirrored, statuses
from tests.web_server import Reply, WebServer, page, sitemap_of

HTML = {"Content-Type": "text/html"}


def only(folder: Path, name: str) -> str:
    (file,) = (folder / name).iterdir()
    return file.read_text()


async def test_a_failed_page_leaves_a_line_and_a_placeholder_and_the_rest_goes_on(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Skip mode (default). Seed 002: D3. Seed 002: D6."""
    web.serve_pages(["/a", "/bad\u00e9", "/c"])
    bad = f"{web.url}/bad%C3%A9"
    web.serve("/bad%C3%A9", Reply(status=500))
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 2, "failed": 1}
    folder = tmp_path / web.host_dir
    line = (folder / "_failed.log").read_text()
    time, url, error = line.rstrip("\n").split("\t")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", time)
    assert (url, error) == (bad, "HTTP 500")
    placeholder = only(folder, "_failed")
    assert bad in placeholder
    assert "HTTP 500" in placeholder
    assert manifest_of(folder)["failures"] == [{"url": bad, "error": "HTTP 500"}]
    (record,) = [r for r in log_of(folder) if r["level"] == "ERROR"]
    assert record["context"] == {"url": bad, "error": "HTTP 500"}


async def test_the_traces_of_a_failure_go_when_a_later_run_succeeds(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b", "/c"])
    for path in ("/b", "/c"):
        web.serve(path, Reply(status=404))
    await mirrored(web, tmp_path)
    folder = tmp_path / web.host_dir
    assert len((folder / "_failed.log").read_text().splitlines()) == 2
    assert len(list((folder / "_failed").iterdir())) == 2
    web.serve("/b", page("Page /b"))
    await mirrored(web, tmp_path)
    (line,) = (folder / "_failed.log").read_text().splitlines()
    assert f"{web.url}/c" in line
    assert f"{web.url}/c" in only(folder, "_failed")
    web.serve("/c", page("Page /c"))
    await mirrored(web, tmp_path)
    assert not (folder / "_failed.log").exists()
    assert not (folder / "_failed").exists()
    assert statuses(tmp_path, web) == {"saved": 1, "unchanged": 2}


async def test_a_run_in_which_every_page_failed_is_no_success(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/a", f"{web.url}/b"]))
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 1
    assert statuses(tmp_path, web) == {"failed": 2}


async def test_pages_that_are_already_there_make_a_run_with_failures_a_success(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    await mirrored(web, tmp_path)
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/a", f"{web.url}/missing"]))
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"unchanged": 1, "failed": 1}


async def test_a_transient_failure_is_tried_three_more_times_after_the_others(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Transient error retry. Seed 002: D3."""
    web.serve_pages(["/a", "/bad", "/c"])
    web.serve("/bad", Reply(status=503))
    report = await mirrored(web, tmp_path, on_error="retry", concurrency=1)
    asked = [r.target for r in web.requests if r.target in ("/a", "/bad", "/c")]
    assert asked == ["/a", "/bad", "/c", "/bad", "/bad", "/bad"]
    assert report.exit_code == 1
    assert statuses(tmp_path, web) == {"saved": 2, "failed": 1}


async def test_a_transient_failure_that_passes_leaves_no_trace(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Transient error retry."""
    web.serve_pages(["/a", "/bad"])
    web.serve("/bad", lambda r: Reply(status=502) if r.number < 4 else page("Page /bad"))
    report = await mirrored(web, tmp_path, on_error="retry")
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 2}
    assert not (tmp_path / web.host_dir / "_failed.log").exists()


CUT = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n<h1>Cut</h1>"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<h1>x"
)
GZIP_CUT = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
    b"Content-Length: 12\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xb3\xc9"
)


@pytest.mark.parametrize(
    "fault",
    [
        Reply(status=500),
        Reply(status=502),
        Reply(status=503),
        Reply(status=504),
        Reply(raw=b""),
        Reply(raw=CUT),
        Reply(raw=CHUNKED),
        Reply(raw=GZIP_CUT),
        Reply(raw=b"garbage\r\n\r\n"),
        Reply(headers={**HTML, "X-Long": "x" * 100_000}, body=b"<p>"),
        Reply(hang=True),
    ],
    ids=[
        *("500", "502", "503", "504", "dropped", "short", "chunked", "gzip", "garbage"),
        *("huge header", "timeout"),
    ],
)
async def test_a_fault_that_may_pass_is_tried_again(
    web: WebServer, tmp_path: Path, fault: Reply
) -> None:
    """Seed 002: D3."""
    web.serve_pages(["/a"])
    web.serve("/a", lambda r: fault if r.number < 3 else page("Page /a"))
    report = await mirrored(web, tmp_path, on_error="retry", timeout=0.2)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 1}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Reply(status=401), "HTTP 401"),
        (Reply(status=403), "HTTP 403"),
        (Reply(status=404), "HTTP 404"),
        (Reply(status=410), "HTTP 410"),
        (Reply(status=304), "HTTP 304 to a question nobody asked"),
        (Reply(status=302), "it redirects"),
        (Reply(status=302, headers={"Location": "ftp://x/"}), "it redirects to no usable address"),
        (Reply(status=302, headers={"Location": "/a"}), "in a circle"),
        (Reply(headers={**HTML, "Content-Encoding": "br"}, body=b"xxx"), "unknown content coding"),
        (Reply(headers=HTML, body=b"<p>" + b"x" * (20 * 1024 * 1024)), "larger than 20 MiB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_fault_that_will_not_pass_is_not_tried_again(
    web: WebServer, tmp_path: Path, fault: Reply, reason: str
) -> None:
    """Seed 002: D3."""
    web.serve_pages(["/a", "/b"])
    web.serve("/a", fault)
    report = await mirrored(web, tmp_path, on_error="retry")
    assert web.count("/a") == 1
    assert report.exit_code == 1
    assert statuses(tmp_path, web) == {"saved": 1, "failed": 1}
    (failure,) = manifest_of(tmp_path / web.host_dir)["failures"]
    assert reason in failure["error"]


async def test_a_page_may_redirect_ten_times_but_not_eleven(web: WebServer, tmp_path: Path) -> None:
    for n in range(11):
        web.serve(f"/hop-{n}", Reply(status=307, headers={"Location": f"/hop-{n + 1}"}))
    web.serve("/hop-11", page("The end"))
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/hop-1"]))
    await mirrored(web, tmp_path / "ten")
    assert statuses(tmp_path / "ten", web) == {"saved": 1}
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/hop-0"]))
    await mirrored(web, tmp_path / "eleven")
    assert statuses(tmp_path / "eleven", web) == {"failed": 1}


async def test_abort_stops_at_the_first_failure_and_can_be_resumed(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Abort mode. Seed 002: D3."""
    paths = [f"/{n}" for n in range(10)]
    web.serve_pages(paths)
    web.serve("/3", Reply(status=404))
    report = await mirrored(web, tmp_path, on_error="abort", concurrency=1)
    assert report.exit_code == 1
    assert report.message == f"Stopped at the first failure: {web.url}/3: HTTP 404"
    found = statuses(tmp_path, web)
    assert found["failed"] == 1
    assert found["pending"] >= 5
    checkpoint = json.loads((tmp_path / web.host_dir / "_checkpoint.json").read_text())
    assert checkpoint["counts"]["failed"] == 1
    web.serve("/3", page("Page /3"))
    before = web.counts()
    report = await mirrored(web, tmp_path, on_error="abort")
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 10}
    assert all(web.count(path) == 1 for path in paths if before[path] and path != "/3")


@pytest.mark.parametrize("mode", ["skip", "retry", "abort"])
async def test_a_pdf_leaves_a_placeholder_and_is_no_failure(
    web: WebServer, tmp_path: Path, mode: str
) -> None:
    """Seed 000: Non-HTML content handling. Seed 002: D6."""
    web.serve_pages(["/a", "/paper"])
    web.serve("/paper", Reply(body=b"%PDF", headers={"Content-Type": "application/pdf"}))
    report = await mirrored(web, tmp_path, on_error=mode)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 1, "skipped": 1}
    folder = tmp_path / web.host_dir
    placeholder = only(folder, "_skipped")
    assert f"{web.url}/paper" in placeholder
    assert "application/pdf" in placeholder
    assert manifest_of(folder)["skipped_urls"] == [
        {"url": f"{web.url}/paper", "reason": "application/pdf"}
    ]
    await mirrored(web, tmp_path)
    assert web.count("/paper") == 1


async def test_the_placeholder_of_a_pdf_goes_when_a_page_takes_its_place(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/paper"])
    web.serve("/paper", Reply(body=b"%PDF", headers={"Content-Type": "application/pdf"}))
    await mirrored(web, tmp_path)
    web.serve("/paper", page("Page /paper"))
    await mirrored(web, tmp_path, update=True)
    assert statuses(tmp_path, web) == {"unchanged": 1, "saved": 1}
    assert not (tmp_path / web.host_dir / "_skipped").exists()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "TEXT/HTML;charset=utf-8"},
        {"Content-Type": "application/xhtml+xml"},
    ],
    ids=str,
)
async def test_a_page_is_known_by_its_type_or_its_looks(
    web: WebServer, tmp_path: Path, headers: dict[str, str]
) -> None:
    web.serve_pages(["/a"])
    web.serve("/a", Reply(body=b"<h1>Hello</h1>", headers=headers))
    await mirrored(web, tmp_path)
    (text,) = pages_on_disk(tmp_path / web.host_dir).values()
    assert "# Hello" in text


async def test_the_page_limit_is_met_exactly_and_said_plainly(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Max pages limit."""
    paths = [f"/{n}" for n in range(20)]
    web.serve_pages(paths)
    web.serve("/1", Reply(status=404))
    report = await mirrored(web, tmp_path, max_pages=7)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 7, "failed": 1, "left_by_max_pages": 12}
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 7
    assert any("--max-pages 7: 12 pages left" in line for line in report.sentences())
    web.serve("/1", page("Page /1"))
    await mirrored(web, tmp_path, max_pages=0)
    assert statuses(tmp_path, web) == {"unchanged": 7, "saved": 13}


async def test_the_page_limit_holds_for_each_run(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Max pages limit."""
    paths = [f"/{n}" for n in range(20)]
    web.serve_pages(paths)
    for run, saved in enumerate((8, 8, 4)):
        await mirrored(web, tmp_path, max_pages=8)
        assert statuses(tmp_path, web)["saved"] == saved
        assert len(pages_on_disk(tmp_path / web.host_dir)) == min(8 * (run + 1), 20)
    assert {web.count(path) for path in paths} == {1}


async def test_a_body_that_drips_in_forever_is_given_up(web: WebServer, tmp_path: Path) -> None:
    """Seed 002: D3."""
    web.serve_pages(["/a", "/b"])
    web.serve("/a", Reply(body=b"<p>" + b"x" * 100_000, headers=HTML, drip_seconds=0.02))
    await mirrored(web, tmp_path, timeout=0.05)
    (failure,) = manifest_of(tmp_path / web.host_dir)["failures"]
    assert "did not answer in time" in failure["error"]


async def test_an_error_text_cannot_break_out_of_its_line(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve("/a", Reply(raw=b"HTTP/1.1 200 OK\r\nBad\x1b[31m\tHeader\r\n\r\n"))
    await mirrored(web, tmp_path)
    (line,) = (tmp_path / web.host_dir / "_failed.log").read_text().splitlines()
    assert len(line.split("\t")) == 3
    assert "\x1b" not in line


async def test_a_page_that_cannot_be_converted_fails_alone(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(["/a", "/deep", "/c"])
    web.serve("/deep", Reply(body=b"<div>" * 200_000, headers=HTML))
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert {"/a", "/c"} <= set(listed(tmp_path, web))


def test_exit_codes_reach_the_shell(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve("/b", Reply(status=404))
    wishes = ("site", web.url, "-o", tmp_path, "--rate-limit", 0, "--workers", 0)
    assert markmirror(*wishes).code == 0
    assert markmirror(*wishes, "--on-error", "retry").code == 1
    assert markmirror(*wishes, "--on-error", "abort").code == 1
    assert markmirror("site", f"{web.url}/b", "-o", tmp_path / "x", "--rate-limit", 0).code == 0
    web.serve("/sitemap.xml", Reply(status=404))
    ended = markmirror("site", web.url, "-o", tmp_path / "y", "--rate-limit", 0)
    assert ended.code == 7
    assert ended.err.count("\n") == 1
    assert ended.err.startswith("markmirror: No sitemap was found at")


async def test_a_wish_for_a_pause_longer_than_any_patience_is_cut(
    web: WebServer, tmp_path: Path
) -> None:
    clock = FakeClock()
    web.serve_pages(["/a"])
    far = Reply(status=429, headers={"Retry-After": "999999999"})
    web.serve("/a", lambda r: far if r.number == 1 else page("Page /a"))
    await mirrored(web, tmp_path, world=fake_world(clock))
    assert statuses(tmp_path, web) == {"saved": 1}
    assert clock.monotonic() <= 301
