"""Whatever one page's server does, that page is accounted for and the others are saved."""

import gzip
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.fakes import START, FakeClock, fake_world
from tests.runs.command import manifest_of, pages_on_disk
from tests.runs.mirroring import mirrored, statuses
from tests.web_server import Reply, Request, page, sitemap_index
from tests.web_server.misdeeds import (
    CHUNKED,
    OK,
    MisbehavingServer,
    Misdeed,
    dripping,
    endless,
    endless_chunks,
    gzip_bomb,
    sent,
)

TIMEOUT = 5.0
# For answers that keep us waiting; ten times that is the longest a body may drip.
SHORT_TIMEOUT = 0.5
# Most of it is for a slow machine.
BOUND_SECONDS = 20.0
HTML = {"Content-Type": "text/html"}
TOO_LATE = "did not answer in time"
OTHERS = [f"/page-{n}" for n in range(6)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A fault and the reason that a reader of the manifest is given for it."""

    name: str
    fault: Reply
    reason: str

    @property
    def timeout(self) -> float:
        return SHORT_TIMEOUT if self.reason == TOO_LATE else TIMEOUT


def html(body: bytes, **headers: str) -> Reply:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(body=body, headers={**HTML, **names})


def lengths(*values: object, body: bytes = b"<h1>Hi</h1>") -> Misdeed:
    said = b"".join(b"Content-Length: %s\r\n" % str(value).encode() for value in values)
    return sent(OK + said, b"\r\n", body)


PACKED = gzip.compress(b"<h1>Packed</h1>" + bytes(range(256)) * 20)
GZIP = OK + b"Content-Encoding: gzip\r\n"

FAULTS = [
    Case(name="closed at once", fault=sent(), reason="the connection failed"),
    Case(name="reset at once", fault=sent(then="reset"), reason="the connection failed"),
    Case(name="reset in the head", fault=sent(OK, then="reset"), reason="the connection failed"),
    Case(
        name="reset in the body",
        fault=sent(OK, b"Content-Length: 900\r\n\r\n", b"<h1>Cut", then="reset"),
        reason="the body ended before it was whole",
    ),
    Case(name="stalls at once", fault=sent(then="stall"), reason=TOO_LATE),
    Case(name="stalls in the head", fault=sent(OK, then="stall"), reason=TOO_LATE),
    Case(
        name="stalls in the body",
        fault=sent(OK, b"Content-Length: 900\r\n\r\n", b"<h1>Cut", then="stall"),
        reason=TOO_LATE,
    ),
    Case(
        name="drips its head",
        fault=dripping(OK + b"X-Slow: ", seconds_between=0.03),
        reason=TOO_LATE,
    ),
    Case(
        name="drips its body",
        fault=dripping(OK + b"Content-Length: 9000000\r\n\r\n", seconds_between=0.03),
        reason=TOO_LATE,
    ),
    Case(name="body shorter than said", fault=lengths(500), reason="the body ended before"),
    Case(name="length below zero", fault=lengths(-5), reason="not valid HTTP"),
    Case(name="length that is none", fault=lengths("many"), reason="not valid HTTP"),
    Case(name="length of 30 digits", fault=lengths("9" * 30), reason="not valid HTTP"),
    Case(name="two lengths that differ", fault=lengths(11, 5), reason="not valid HTTP"),
    Case(
        name="both length and chunks",
        fault=sent(OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        reason="not valid HTTP",
    ),
    Case(
        name="chunk cut short",
        fault=sent(CHUNKED, b"ff\r\n<h1>Cut"),
        reason="the body ended before it was whole",
    ),
    Case(
        name="last chunk missing",
        fault=sent(CHUNKED, b"4\r\n<h1>\r\n"),
        reason="the body ended before it was whole",
    ),
    Case(name="chunk size that is none", fault=sent(CHUNKED + b"zz\r\n<h1>"), reason="not valid"),
    Case(
        name="chunk size that is none, some time after the head",
        fault=sent(CHUNKED, b"4\r\n<h1>\r\n", b"zz\r\n<h1>", seconds_between=0.05),
        reason="the answer is not valid HTTP: Invalid character in chunk size",
    ),
    Case(
        name="gzip cut short",
        fault=html(PACKED[:-20], Content_Encoding="gzip"),
        reason="the gzip body ended early",
    ),
    Case(
        name="gzip with a wrong checksum",
        fault=html(PACKED[:-8] + bytes(8), Content_Encoding="gzip"),
        reason="the gzip body is damaged",
    ),
    Case(
        name="gzip that is none",
        fault=html(b"<h1>Plain</h1>", Content_Encoding="gzip"),
        reason="the gzip body is damaged",
    ),
    Case(
        name="deflate that is none",
        fault=html(b"<h1>Plain</h1>", Content_Encoding="deflate"),
        reason="the deflate body is damaged",
    ),
    Case(
        name="a coding nobody asked for",
        fault=html(b"xx", Content_Encoding="br"),
        reason="unknown content coding br",
    ),
    Case(
        name="a stack of codings",
        fault=html(b"xx", Content_Encoding="gzip, gzip, gzip"),
        reason="unknown content coding",
    ),
    Case(
        name="a gzip bomb",
        fault=html(gzip_bomb(60), Content_Encoding="gzip"),
        reason="larger than 20 MiB",
    ),
    Case(name="an endless body", fault=endless_chunks(), reason="larger than 20 MiB"),
    Case(
        name="an endless body of empty lines",
        fault=endless(OK + b"\r\n", b"\n" * 65_536),
        reason="larger than 20 MiB",
    ),
    Case(
        name="an endless head",
        fault=endless(OK, b"X-More: of the same\r\n" * 1000),
        reason="not valid HTTP",
    ),
    Case(
        name="a header of 1 MB",
        fault=html(b"<h1>Hi</h1>", X_Long="x" * 1_000_000),
        reason="not valid HTTP",
    ),
    Case(
        name="headers of 1 MB together",
        fault=sent(OK, b"".join(b"X-%d: %s\r\n" % (n, b"x" * 90) for n in range(10_000)), b"\r\n"),
        reason="not valid HTTP",
    ),
    Case(
        name="a header line without end",
        fault=endless(OK + b"X-Long: ", b"x" * 65_536),
        reason="not valid HTTP",
    ),
    Case(name="garbage", fault=sent(b"\x00\xff\x16garbage\r\n\r\n"), reason="not valid HTTP"),
    Case(name="another protocol", fault=sent(b"SSH-2.0-OpenSSH_9.2\r\n"), reason="not valid HTTP"),
    Case(name="a status of words", fault=sent(b"HTTP/1.1 OK\r\n\r\n"), reason="not valid HTTP"),
    Case(name="a status of 0", fault=sent(b"HTTP/1.1 000 No\r\n\r\n"), reason="HTTP 0"),
    Case(name="a status of 99999", fault=sent(b"HTTP/1.1 99999 No\r\n\r\n"), reason="not valid"),
    Case(name="a status of 999", fault=sent(b"HTTP/1.1 999 No\r\n\r\n"), reason="HTTP 999"),
    Case(
        name="a NUL in a header",
        fault=sent(OK + b"X-Nul: a\0b\r\nContent-Length: 3\r\n\r\n<p>"),
        reason="not valid HTTP",
    ),
    Case(
        name="continues that never end",
        fault=endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        reason=TOO_LATE,
    ),
    Case(
        name="a 304 with a body",
        fault=sent(b"HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n<h1>x"),
        reason="not valid HTTP",
    ),
    Case(
        name="a 204 with a body",
        fault=sent(b"HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n<h1>x"),
        reason="not valid HTTP",
    ),
    Case(name="a 206 nobody asked for", fault=Reply(status=206, body=b"<h1>"), reason="HTTP 206"),
    Case(
        name="a redirect in a circle",
        fault=Reply(status=302, headers={"Location": "/bad"}),
        reason="in a circle",
    ),
    Case(
        name="a redirect that does not say where",
        fault=Reply(status=302),
        reason="no usable address",
    ),
    Case(
        name="a redirect to an empty address",
        fault=Reply(status=302, headers={"Location": ""}),
        reason="no usable address",
    ),
    Case(
        name="a redirect to nowhere",
        fault=Reply(status=301, headers={"Location": "javascript:alert(1)"}),
        reason="no usable address",
    ),
    Case(
        name="a redirect to a file",
        fault=Reply(status=301, headers={"Location": "file:///etc/passwd"}),
        reason="no usable address",
    ),
    *(
        Case(
            name=f"a redirect to {address}",
            fault=Reply(status=301, headers={"Location": f"http://{address}/latest/meta-data/"}),
            reason="which is not a public address",
        )
        for address in (
            "169.254.169.254",
            "10.0.0.1",
            "192.168.0.1",
            "127.0.0.1:9",
            "localhost:9",
            "0.0.0.0:9",
            "[::1]",
            "[::ffff:10.0.0.1]",
            "[fd00:ec2::254]",
        )
    ),
    Case(
        name="a redirect to an address in disguise",
        fault=Reply(status=301, headers={"Location": "http://0x7f.1/"}),
        reason="no usable address",
    ),
]


async def mirrored_with(
    web: MisbehavingServer, output: Path, fault: Reply, *, timeout: float = TIMEOUT
) -> dict[str, int]:
    """Mirror a site of which one page is at fault: the others are saved, in bounded time."""
    web.serve_pages([*OTHERS, "/bad"])
    web.serve("/bad", fault)
    began = time.monotonic()
    report = await mirrored(web, output, timeout=timeout)
    assert time.monotonic() - began < BOUND_SECONDS
    assert report.exit_code == 0
    found = statuses(output, web)
    folder = output / web.host_dir
    saved = pages_on_disk(folder)
    for path in OTHERS:
        assert f"Text of Page {path}" in saved[f"{path[1:]}/index.md"]
    if "failed" in found:
        assert len(saved) == len(OTHERS), "nothing of a failed page is left among the pages"
        assert len(list((folder / "_failed").iterdir())) == 1
        assert f"{web.url}/bad" not in (folder / "_processed.txt").read_text()
    return found


def failure(output: Path, web: MisbehavingServer) -> Mapping[str, str]:
    (row,) = manifest_of(output / web.host_dir)["failures"]
    assert row["url"] == f"{web.url}/bad"
    return dict(row)


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
async def test_a_fault_costs_its_page_only_and_its_reason_is_named(
    web: MisbehavingServer, tmp_path: Path, case: Case
) -> None:
    found = await mirrored_with(web, tmp_path, case.fault, timeout=case.timeout)
    assert found == {"saved": len(OTHERS), "failed": 1}
    assert case.reason in failure(tmp_path, web)["error"]


FORGED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<h1>Forged</h1>"


@pytest.mark.parametrize("rest", [b" and more</h1>", FORGED], ids=["text", "an answer"])
async def test_what_follows_a_body_that_is_longer_than_said_reaches_no_page(
    web: MisbehavingServer, tmp_path: Path, rest: bytes
) -> None:
    fault = sent(OK + b"Content-Length: 8\r\n\r\n<h1>Said", rest, then="stall")
    found = await mirrored_with(web, tmp_path, fault)
    # How much of it has arrived with the body decides whether the fault is seen in time.
    assert found in ({"saved": len(OTHERS) + 1}, {"saved": len(OTHERS), "failed": 1})
    assert not any("Forged" in text for text in pages_on_disk(tmp_path / web.host_dir).values())


DEEP = b"<div>" * 10_000 + b"<p>At the bottom</p>"
LATIN = "<h1>Übergrößenträger</h1><p>café à la crème, déjà vu, naïveté, où ça</p>"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (html(b""), ""),
        (html(b"   \n"), ""),
        (html(b"<h1>Nu\0ls</h1>\0<p>and\0 text</p>"), "text"),
        (html(b"\0" * 5000 + b"<p>after</p>"), "after"),
        (html(DEEP), "At the bottom"),
        (html(b"<ul><li>" * 10_000 + b"end"), "end"),
        (html(b"<table><tr><td>" * 10_000 + b"end"), "end"),
        (html(b"<b><i><span>" * 10_000 + b"end"), "end"),
        (html(b"<blockquote>" * 10_000 + b"end"), "end"),
        (html(b"<pre>" + b"\n" * 60_000 + b"end"), "end"),
        (html(b"<h1>Ten</h1>" + b"<p>megabytes of text</p>\n" * 420_000), "# Ten"),
        (html(LATIN.encode("latin-1"), Content_Type="text/html; charset=utf-8"), "Übergröße"),
        (html(LATIN.encode("utf-8"), Content_Type="text/html; charset=latin-1"), "Übergröße"),
        (html(LATIN.encode("utf-16"), Content_Type="text/html; charset=utf-8"), "Übergröße"),
        (html(LATIN.encode(), Content_Type="text/html; charset=x-no-such-thing"), "Übergröße"),
        (html(LATIN.encode(), Content_Type="text/html; charset=base64"), "Übergröße"),
        (html(LATIN.encode(), Content_Type="text/html; charset=unicode_escape"), "Übergröße"),
        (html(LATIN.encode(), Content_Type='text/html; charset="utf-8'), "Übergröße"),
        (html(b"<meta charset='\0'>" + LATIN.encode()), "Übergröße"),
        (html(b"\xff\xfe\x00\xd8" * 100), ""),
        (html(bytes(range(256)) * 100), ""),
        (sent(OK + b'ETag: "\xff\xfe"\r\nLast-Modified: \xe9\r\n\r\n<h1>Hi</h1>'), "# Hi"),
        (sent(OK + b'ETag: "1"\r\nETag: "2"\r\n\r\n<h1>Hi</h1>'), "# Hi"),
        (sent(OK + b"Content-Type: image/png\r\n\r\n<h1>Hi</h1>"), "# Hi"),
        (sent(OK + b"Content-Encoding: gzip\r\n\r\n", PACKED + b"trailing rubbish"), "Packed"),
        (sent(OK + b"\r\n<h1>Hi</h1>"), "# Hi"),
        (sent(b"HTTP/1.0 200\r\nContent-Type: text/html\r\n\r\n<h1>Hi</h1>"), "# Hi"),
        (sent(b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"\r\n<h1>Hi</h1>"), "# Hi"),
    ],
    ids=[
        *("empty", "blank", "NUL bytes", "only NUL bytes at first"),
        *(
            "deep divs",
            "deep lists",
            "deep tables",
            "deep inline",
            "deep quotes",
            "empty lines",
            "10 MB",
        ),
        *("latin-1 as utf-8", "utf-8 as latin-1", "utf-16 as utf-8", "unknown charset"),
        *("base64 charset", "escape charset", "open quote charset", "meta of garbage"),
        *("lone surrogates", "every byte", "validators of garbage", "two validators"),
        *("two types", "rubbish after gzip", "no length", "HTTP 1.0", "a continue"),
    ],
)
async def test_what_is_merely_odd_is_saved(
    web: MisbehavingServer, tmp_path: Path, answer: Reply, text: str
) -> None:
    found = await mirrored_with(web, tmp_path, answer)
    assert found == {"saved": len(OTHERS) + 1}
    assert text in pages_on_disk(tmp_path / web.host_dir)["bad/index.md"]


@pytest.mark.parametrize(
    "kind", [b"application/\xff\xfe", b"text/\xe9\x1b[31m", b"x" * 30_000, b"a/b\tc"], ids=repr
)
async def test_a_type_of_garbage_is_skipped_and_cannot_break_out(
    web: MisbehavingServer, tmp_path: Path, kind: bytes
) -> None:
    fault = sent(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n%PDF")
    found = await mirrored_with(web, tmp_path, fault)
    assert found == {"saved": len(OTHERS), "skipped": 1} or "failed" in found
    for file in (tmp_path / web.host_dir).glob("_*/*.md"):
        assert b"\x1b" not in file.read_bytes()
        file.read_text(encoding="utf-8")


async def test_redirects_that_never_end_are_followed_ten_times(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    def onward(request: Request) -> Reply:
        count = int(request.target.partition("?")[2] or 0)
        return Reply(status=302, headers={"Location": f"/on?{count + 1}"})

    web.serve_pages([*OTHERS, "/bad"])
    web.serve("/bad", Reply(status=302, headers={"Location": "/on?0"}))
    web.fallback = onward
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml")
    assert statuses(tmp_path, web) == {"saved": len(OTHERS), "failed": 1}
    assert "redirects more than 10 times" in failure(tmp_path, web)["error"]
    assert sum(request.target.startswith("/on") for request in web.requests) == 10


IN_A_MINUTE = format_datetime(START + timedelta(seconds=60), usegmt=True)
YESTERDAY = format_datetime(START - timedelta(days=1), usegmt=True)


def calm_after_three(path: str, storm: Reply) -> Callable[[Request], Reply]:
    return lambda request: page(f"Page {path}") if request.number > 3 else storm


@pytest.mark.parametrize("wish", ["", "60", IN_A_MINUTE, YESTERDAY])
async def test_a_storm_of_429_is_waited_out(
    web: MisbehavingServer, tmp_path: Path, wish: str
) -> None:
    """Seed 000: 429 response handling."""
    clock = FakeClock()
    web.serve_pages(OTHERS)
    for path in OTHERS:
        web.serve(path, calm_after_three(path, Reply(status=429, headers={"Retry-After": wish})))
    report = await mirrored(web, tmp_path, world=fake_world(clock))
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"saved": len(OTHERS)}
    assert all(web.count(path) == 4 for path in OTHERS)
    if wish in ("60", IN_A_MINUTE):
        assert clock.monotonic() >= 60


@pytest.mark.parametrize("wish", ["", "0", "60", IN_A_MINUTE, "soon", "-5", "9" * 400])
async def test_a_429_that_never_ends_fails_its_page_after_eight_attempts(
    web: MisbehavingServer, tmp_path: Path, wish: str
) -> None:
    found = await mirrored_with(web, tmp_path, Reply(status=429, headers={"Retry-After": wish}))
    assert found == {"saved": len(OTHERS), "failed": 1}
    assert failure(tmp_path, web)["error"] == "HTTP 429"
    assert web.count("/bad") == 8


async def test_a_host_that_answers_429_to_everything_is_left_alone_after_an_hour(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    """Seed 000: 429 response handling."""
    paths = [f"/{number}" for number in range(200)]
    web.serve_pages(paths)
    pages = dict(web.answers)
    for path in paths:
        web.serve(path, Reply(status=429, headers={"Retry-After": "300"}))
    clock = FakeClock()
    report = await mirrored(web, tmp_path, world=fake_world(clock))
    assert report.exit_code == 1
    assert "429" in report.message
    assert "again later" in report.message
    assert clock.monotonic() < 2 * 3600
    found = statuses(tmp_path, web)
    assert found["pending"] + found.get("failed", 0) == len(paths)
    assert found["pending"] > 100

    web.answers.update(pages)
    assert (await mirrored(web, tmp_path)).exit_code == 0
    assert statuses(tmp_path, web) == {"saved": len(paths)}


async def test_a_503_that_passes_is_forgiven_and_one_that_stays_is_not(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    web.serve_pages([*OTHERS, "/passes", "/stays"])
    down = Reply(status=503, headers={"Retry-After": "30"})
    web.serve("/passes", lambda r: down if r.number < 3 else page("Page /passes"))
    web.serve("/stays", down)
    report = await mirrored(web, tmp_path, on_error="retry")
    assert report.exit_code == 1
    assert statuses(tmp_path, web) == {"saved": len(OTHERS) + 1, "failed": 1}
    assert web.count("/stays") == 4


# These take ten times the timeout, at each of four attempts.
SLOW = ("drips its head", "drips its body", "continues that never end")
FAULTS_SHORT = [case for case in FAULTS if case.name not in SLOW]


@pytest.mark.parametrize("case", FAULTS_SHORT, ids=lambda case: case.name)
async def test_a_faulty_sitemap_costs_its_own_pages_only(
    web: MisbehavingServer, tmp_path: Path, case: Case
) -> None:
    web.serve_pages(OTHERS)
    web.serve("/good.xml", web.answers["/sitemap.xml"])
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/bad", f"{web.url}/good.xml"]))
    web.serve("/bad", case.fault)
    began = time.monotonic()
    report = await mirrored(web, tmp_path, timeout=case.timeout)
    assert time.monotonic() - began < BOUND_SECONDS
    assert report.exit_code == 0
    assert not report.discovery_whole
    assert statuses(tmp_path, web) == {"saved": len(OTHERS)}


@pytest.mark.parametrize("case", FAULTS_SHORT, ids=lambda case: case.name)
async def test_a_faulty_robots_txt_ends_the_run_or_is_done_without(
    web: MisbehavingServer, tmp_path: Path, case: Case
) -> None:
    web.serve_pages(OTHERS)
    web.serve("/robots.txt", case.fault)
    began = time.monotonic()
    report = await mirrored(web, tmp_path, timeout=case.timeout, respect_robots=True)
    assert time.monotonic() - began < BOUND_SECONDS
    found = statuses(tmp_path, web)
    assert found in ({"saved": len(OTHERS)}, {"failed": len(OTHERS)})
    assert report.exit_code == (1 if "failed" in found else 0)
