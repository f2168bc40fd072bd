"""Where a run may go, and what it takes along."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runs.command import manifest_of, markmirror
from tests.runs.mirroring import mirrored, statuses
from tests.web_server import Reply, WebServer, page, serving, sitemap_of


@pytest.fixture
def inner() -> Iterator[WebServer]:
    """Another service on the same machine, not meant for strangers."""
    with serving() as server:
        server.fallback = page("Secret")
        yield server


def leading_to(target: str) -> Reply:
    return Reply(status=302, headers={"Location": target})


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:{port}/x",
        "http://localhost:{port}/x",
        "http://127.0.0.2:{port}/x",
        "http://127.1:{port}/x",
        "http://2130706433:{port}/x",
        "http://0x7f000001:{port}/x",
        "http://[::1]:{port}/x",
        "http://[::ffff:127.0.0.1]:{port}/x",
        "http://[64:ff9b::7f00:1]:{port}/x",
        "http://0.0.0.0:{port}/x",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/x",
        "http://192.168.0.1/x",
        "http://[fe80::1]/x",
        "http://[fd00::1]/x",
        "http://100.64.0.1/x",
    ],
)
async def test_a_redirect_into_a_private_network_is_refused(
    web: WebServer, inner: WebServer, tmp_path: Path, address: str
) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve("/a", leading_to(address.format(port=inner.port)))
    report = await mirrored(web, tmp_path, on_error="retry")
    assert inner.requests == []
    assert statuses(tmp_path, web) == {"saved": 1, "failed": 1}
    assert report.exit_code == 1
    (failure,) = manifest_of(tmp_path / web.host_dir)["failures"]
    reasons = ("not a public address", "no usable address")
    assert any(reason in failure["error"] for reason in reasons)


async def test_a_sitemap_in_a_private_network_is_refused(
    web: WebServer, inner: WebServer, tmp_path: Path
) -> None:
    inner.serve("/map.xml", sitemap_of([f"{web.url}/b"]))
    web.serve_pages(["/a", "/b"])
    lines = f"Sitemap: {inner.url}/map.xml\nSitemap: http://localhost:{inner.port}/map.xml\n"
    web.serve("/robots.txt", Reply(body=lines.encode(), headers={"Content-Type": "text/plain"}))
    await mirrored(web, tmp_path)
    assert inner.requests == []
    assert statuses(tmp_path, web) == {"saved": 2}


async def test_a_meta_refresh_into_a_private_network_is_not_followed(
    web: WebServer, inner: WebServer, tmp_path: Path
) -> None:
    body = f'<meta http-equiv="refresh" content="0; url={inner.url}/x"><h1>Stub</h1>'
    web.serve_pages(["/a"])
    web.serve("/a", Reply(body=body.encode(), headers={"Content-Type": "text/html"}))
    await mirrored(web, tmp_path)
    assert inner.requests == []
    assert statuses(tmp_path, web) == {"saved": 1}


async def test_pages_of_a_private_host_allowed_by_name_are_still_refused(
    web: WebServer, inner: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/a", f"{inner.url}/x", "http://10.0.0.1/y"]))
    await mirrored(web, tmp_path)
    assert inner.requests == []
    assert statuses(tmp_path, web) == {"saved": 1, "filtered": 2}


async def test_private_addresses_can_be_allowed(
    web: WebServer, inner: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    web.serve("/a", leading_to(f"http://localhost:{inner.port}/x"))
    await mirrored(web, tmp_path, allow_private=True)
    assert inner.count("/x") == 1
    assert statuses(tmp_path, web) == {"saved": 1}


async def test_the_start_host_may_be_private_by_name(web: WebServer, tmp_path: Path) -> None:
    web.serve("/a", page("Page /a"))
    web.serve("/sitemap.xml", sitemap_of([f"http://localhost:{web.port}/a"]))
    await mirrored(web, tmp_path, url=f"http://localhost:{web.port}/")
    assert (tmp_path / f"localhost_{web.port}" / "a" / "index.md").exists()


WISHES = ("X-Token: secret", "Authorization: Bearer secret")


async def test_headers_go_to_the_mirrored_host_with_every_request(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    web.serve("/old", leading_to("/a"))
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/a", f"{web.url}/old"]))
    await mirrored(web, tmp_path, header=WISHES, user_agent="Mine/1.0")
    assert {r.target for r in web.requests} >= {"/robots.txt", "/sitemap.xml", "/a", "/old"}
    for request in web.requests:
        assert request.headers["x-token"] == "secret"
        assert request.headers["authorization"] == "Bearer secret"
        assert request.headers["user-agent"] == "Mine/1.0"
        assert "cookie" not in request.headers


@pytest.mark.parametrize("is_allowed", [False, True])
async def test_headers_do_not_follow_a_redirect_to_another_host(
    web: WebServer, inner: WebServer, tmp_path: Path, is_allowed: bool
) -> None:
    web.serve_pages(["/a"])
    web.serve("/a", leading_to(f"{inner.url}/x"))
    hosts = (f"127.0.0.1:{inner.port}",) if is_allowed else ()
    await mirrored(
        web,
        tmp_path,
        header=WISHES,
        user_agent="Mine/1.0",
        allow_private=True,
        allow_host=hosts,
    )
    (request,) = inner.requests
    assert "x-token" not in request.headers
    assert "authorization" not in request.headers
    assert "Mine" not in request.headers["user-agent"]
    assert request.headers["user-agent"].startswith("markmirror/")


async def test_headers_go_to_a_host_that_is_mirrored_too(
    web: WebServer, inner: WebServer, tmp_path: Path
) -> None:
    web.serve("/sitemap.xml", sitemap_of([f"{inner.url}/x"]))
    hosts = (f"127.0.0.1:{inner.port}",)
    await mirrored(web, tmp_path, header=WISHES, allow_private=True, allow_host=hosts)
    assert inner.requests[-1].headers["x-token"] == "secret"


async def test_headers_do_not_go_to_a_sitemap_elsewhere(
    web: WebServer, inner: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    inner.serve("/map.xml", sitemap_of([f"{web.url}/a"]))
    lines = f"Sitemap: {inner.url}/map.xml\n"
    web.serve("/robots.txt", Reply(body=lines.encode(), headers={"Content-Type": "text/plain"}))
    await mirrored(web, tmp_path, header=WISHES, allow_private=True)
    (request,) = inner.requests
    assert "x-token" not in request.headers


async def test_cookies_are_not_kept(web: WebServer, tmp_path: Path) -> None:
    web.fallback = Reply(status=404, headers={"Set-Cookie": "id=1"})
    web.serve_pages(["/a"])
    await mirrored(web, tmp_path)
    assert not any("cookie" in request.headers for request in web.requests)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_no_secret_reaches_a_file_or_the_terminal(
    web: WebServer, tmp_path: Path, log_format: str
) -> None:
    """Neither one of a header, nor one in an address that a sitemap or a redirect gives."""
    hidden = f"http://user:hunter2@127.0.0.1:{web.port}"
    web.serve_pages(["/a", "/b", "/c", "/d"])
    web.serve("/b", Reply(status=401))
    web.serve("/c", Reply(status=302, headers={"Location": f"{hidden}/d"}))
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/{n}" for n in "abcd"] + [f"{hidden}/e"]))
    said = markmirror(
        *("site", web.url, "-o", tmp_path, "--rate-limit", 0, "--log-format", log_format),
        *("--header", "Authorization: Bearer hunter2"),
    )
    assert said.code == 0
    assert any("hunter2" in request.headers["authorization"] for request in web.requests)
    assert "hunter2" not in said.out + said.err
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"hunter2" not in file.read_bytes()


@pytest.mark.parametrize("question", ["https://user:hunter2@x.org/", "user:hunter2@x.org"])
def test_which_does_not_repeat_a_password(tmp_path: Path, question: str) -> None:
    said = markmirror("which", question, "-o", tmp_path)
    assert said.code == 2
    assert "hunter2" not in said.err
