"""What a run leaves behind and what it says while it goes on."""

import asyncio
import io
import json
import os
import pty
import re
import subprocess
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

import pytest

from markmirror import __version__
from markmirror.api import mirror_site
from markmirror.model import Status
from markmirror.options import SiteOptions
from markmirror.progress import Lines, display_for
from tests.fakes import Lines as ShownPages
from tests.fakes import fake_world
from tests.runs.command import COMMAND, ENVIRONMENT, manifest_of, markmirror, pages_on_disk
from tests.runs.mirroring import log_of, mirrored, statuses
from tests.web_server import Reply, WebServer, page, sitemap_of

PATHS = ["/", "/docs", "/docs/api/users", "/docs/guide.html", "/blog/post?id=1"]


async def test_a_manifest_holds_what_it_promises(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Manifest creation. Seed 002: D6. Seed 001: Include only documentation URLs."""
    web.serve_pages(PATHS, lastmod="2026-01-02")
    web.serve("/docs", page("Docs", ETag='"1"', Last_Modified="Thu, 01 Jan 2026 00:00:00 GMT"))
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml", exclude_paths="/blog")
    folder = tmp_path / web.host_dir
    manifest = manifest_of(folder)
    assert manifest["version"] == "3.0.0"
    assert manifest["generator"] == f"markmirror {__version__}"
    assert manifest["source_url"] == manifest["sitemap_url"] == f"{web.url}/sitemap.xml"
    assert datetime.fromisoformat(manifest["crawl_started"]).tzinfo
    assert manifest["crawl_completed"] >= manifest["crawl_started"]
    assert (manifest["total_pages"], manifest["successful"]) == (5, 4)
    assert (manifest["failed"], manifest["skipped"]) == (0, 0)
    numbers = manifest["statistics"]
    assert numbers["total_urls_in_sitemap"] == 5
    assert numbers["filtered_count"] == 1
    assert numbers["processed_count"] == 4
    assert numbers["failed_count"] == numbers["skipped_count"] == 0
    assert manifest["filters_applied"] == {"exclude_paths": ["/blog"]}
    assert manifest["filtered_urls"] == [f"{web.url}/blog/post?id=1"]
    rows = {row["url"].removeprefix(web.url): row for row in manifest["pages"]}
    assert {path: row["path"] for path, row in rows.items()} == {
        "/": "index.md",
        "/docs": "docs/index.md",
        "/docs/api/users": "docs/api/users/index.md",
        "/docs/guide.html": "docs/guide.md",
    }
    for row in rows.values():
        assert row["size_bytes"] == (folder / row["path"]).stat().st_size
        assert datetime.fromisoformat(row["fetched_at"]).tzinfo
        assert row["lastmod"] == "2026-01-02"
        assert re.fullmatch("[0-9a-f]{64}", row["content_hash"])
    assert rows["/docs"]["etag"] == '"1"'
    assert rows["/docs"]["title"] == "Docs"


async def test_a_manifest_of_an_unfinished_run_says_so(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    web.serve("/docs", Reply(status=404))
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml", on_error="abort", concurrency=1)
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["crawl_completed"] is None
    assert manifest["statistics"]["pending_count"] > 0


async def test_the_index_leads_to_every_page(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Index creation. Seed 002: D6."""
    web.serve_pages([*PATHS, "/with%20space/(x)"])
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml")
    folder = tmp_path / web.host_dir
    text = (folder / "_index.md").read_text()
    targets = re.findall(r"\]\(<?([^>\n]+?)>?\)$", text, re.MULTILINE)
    assert {unquote(target) for target in targets} == set(pages_on_disk(folder))
    assert "Page /docs/api/users" in text
    assert text.index("Page /docs]") < text.index("Page /docs/api/users]")


async def test_every_record_of_the_log_has_its_four_fields(web: WebServer, tmp_path: Path) -> None:
    """NFR-004."""
    web.serve_pages(PATHS)
    web.serve("/docs", Reply(status=404))
    await mirrored(web, tmp_path)
    records = log_of(tmp_path / web.host_dir)
    assert {record["level"] for record in records} == {"INFO", "ERROR"}
    for record in records:
        assert record.keys() == {"level", "timestamp", "message", "context"}
        assert datetime.fromisoformat(record["timestamp"]).tzinfo
        assert isinstance(record["context"], dict)
    assert records[-1]["message"] == "the run ended"
    assert records[-1]["context"]["report"]["counts"]["failed"] == 1


async def test_each_page_is_announced_with_its_number(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Stderr progress output."""
    paths = [f"/{n}" for n in range(5)]
    web.serve_pages([*paths, "/no"])
    stream = io.StringIO()
    await mirrored(
        web, tmp_path, concurrency=1, exclude_paths="/no", world=fake_world(display=Lines(stream))
    )
    assert stream.getvalue().splitlines() == [
        f"[{n + 1}/5] Processing: {web.url}{path}" for n, path in enumerate(paths)
    ]


async def test_a_resume_goes_on_counting_where_it_stopped(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Stderr progress output."""
    paths = [f"/{n}" for n in range(6)]
    web.serve_pages(paths)
    web.serve("/2", Reply(status=404))
    await mirrored(web, tmp_path, concurrency=1, on_error="abort")
    done = 6 - statuses(tmp_path, web)["pending"] - 1
    web.serve("/2", page("Page /2"))
    shown = ShownPages()
    await mirrored(web, tmp_path, concurrency=1, world=fake_world(display=shown))
    numbers = [number for number, _, _ in shown.pages]
    assert numbers == list(range(done + 1, 7))
    assert {total for _, total, _ in shown.pages} == {6}


async def test_the_progress_file_is_there_at_the_end(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Progress file updates. Seed 002: D6."""
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    progress = json.loads((tmp_path / web.host_dir / "_progress.json").read_text())
    assert (progress["processed"], progress["total"], progress["eta_sec"]) == (5, 5, 0)
    assert progress["elapsed_sec"] >= 0


def command(web: WebServer, output: Path) -> tuple[object, ...]:
    return ("site", f"{web.url}/sitemap.xml", "-o", output, "--rate-limit", 0, "--workers", 0)


def test_a_mirror_says_nothing_on_stdout(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Stderr progress output."""
    web.serve_pages(PATHS)
    said = markmirror(*command(web, tmp_path))
    assert said.out == ""
    lines = said.err.splitlines()
    pattern = rf"\[\d/5\] Processing: {re.escape(web.url)}/.*"
    assert sum(bool(re.fullmatch(pattern, line)) for line in lines) == 5
    assert any("5 saved, 0 unchanged of 5 URLs in the sitemap." in line for line in lines)


def test_quiet_says_only_what_went_wrong(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    said = markmirror(*command(web, tmp_path), "--quiet")
    assert (said.code, said.out, said.err) == (0, "", "")
    web.serve("/docs", Reply(status=500))
    said = markmirror(*command(web, tmp_path), "--quiet", "--fresh")
    assert said.err.splitlines() == [f"error: a page failed (url={web.url}/docs error=HTTP 500)"]


def test_json_says_everything_in_records(web: WebServer, tmp_path: Path) -> None:
    """NFR-004."""
    web.serve_pages(PATHS)
    said = markmirror(*command(web, tmp_path), "--log-format", "json")
    records = [json.loads(line) for line in said.err.splitlines()]
    assert [record["message"] for record in records] == ["a sitemap was read", "the run ended"]
    assert all(r.keys() == {"level", "timestamp", "message", "context"} for r in records)
    assert said.out == ""


def test_a_terminal_sees_a_bar(web: WebServer, tmp_path: Path) -> None:
    web.fallback = page("Bold")
    web.serve_pages([*PATHS, "/q?a=[bold]x"])
    master, slave = pty.openpty()
    running = subprocess.Popen(
        [*COMMAND, *map(str, command(web, tmp_path))],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**ENVIRONMENT, "TERM": "xterm"},
    )
    os.close(slave)
    seen = b""
    # Linux says EIO where others say "end of file" when the other side hangs up.
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(master)
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    assert out == b""
    text = seen.decode()
    assert "6/6" in text
    assert "━" in text
    assert "Processing" not in text
    assert "6 saved" in text


def test_the_display_suits_its_place() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    kinds = {
        type(display_for(quiet=quiet, log_format=log_format, stream=stream)).__name__
        for quiet, log_format, stream in (
            (False, "text", Terminal()),
            (False, "text", io.StringIO()),
            (True, "text", Terminal()),
        )
    }
    assert kinds == {"Bar", "Lines", "Silence"}


ESCAPES = "\x1b]0;owned\x07\x1b[31m\u202e\u2028"


def test_escape_sequences_do_not_reach_terminal_or_files(web: WebServer, tmp_path: Path) -> None:
    reply = page(f"Evil {ESCAPES} title", head=f'<meta name="description" content="{ESCAPES}">')
    path = "/docs/\u202e%1b%5b31m"
    web.fallback = reply
    web.serve("/robots.txt", Reply(status=404))
    locs = f"<loc>{web.url}{path}</loc></url><url><loc>{web.url}/x\x1b[31m</loc>"
    body = f"<urlset><url>{locs}</url></urlset>".encode()
    web.serve("/sitemap.xml", Reply(body=body, headers={"Content-Type": "application/xml"}))
    said = markmirror(*command(web, tmp_path))
    assert said.code == 0
    assert not set("\x1b\x07\u202e\u2028") & set(said.err)
    folder = tmp_path / web.host_dir
    for name in ("_index.md", "_log.jsonl", "_processed.txt"):
        assert not set("\x1b\x07\u202e\u2028") & set((folder / name).read_text())
    (text,) = pages_on_disk(folder).values()
    front_matter = text.split("\n---\n")[0]
    assert not set("\x1b\x07\u202e\u2028") & set(front_matter)
    for file in folder.rglob("*"):
        assert file.name.isprintable()


def test_a_listing_prints_the_filtered_urls_and_writes_nothing(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    said = markmirror(
        "site",
        f"{web.url}/sitemap.xml",
        "--list-only",
        "--rate-limit",
        0,
        "--include-paths",
        "/docs,/blog",
        "--exclude-pattern",
        ".*guide",
        cwd=tmp_path,
    )
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        f"{web.url}{path}" for path in ("/docs", "/docs/api/users", "/blog/post?id=1")
    ]
    assert list(tmp_path.iterdir()) == []
    assert {r.target for r in web.requests} == {"/sitemap.xml"}


def test_a_listing_of_nothing_is_no_success(web: WebServer, tmp_path: Path) -> None:
    web.serve("/sitemap.xml", sitemap_of([]))
    said = markmirror("site", web.url, "--list-only", "--rate-limit", 0, cwd=tmp_path)
    assert (said.code, said.out) == (7, "")
    assert said.err.count("\n") == 1
    said = markmirror("site", f"{web.url}/nope.xml", "--list-only", "--rate-limit", 0, cwd=tmp_path)
    assert (said.code, said.out) == (7, "")


def test_a_listing_of_other_hosts_only_is_no_success(web: WebServer, tmp_path: Path) -> None:
    web.serve("/sitemap.xml", sitemap_of(["https://elsewhere.example/a"]))
    said = markmirror("site", web.url, "--list-only", "--rate-limit", 0, cwd=tmp_path)
    assert (said.code, said.out) == (7, "")
    assert "only pages of other hosts" in said.err
    assert "--allow-host" in said.err


def test_a_listing_from_which_every_url_was_filtered_says_so(
    web: WebServer, tmp_path: Path
) -> None:
    urls = [*(web.url + path for path in PATHS), "https://elsewhere.example/a"]
    web.serve("/sitemap.xml", sitemap_of(urls))
    said = markmirror(
        *("site", web.url, "--list-only", "--rate-limit", 0, "--include-paths", "/nowhere"),
        cwd=tmp_path,
    )
    assert (said.code, said.out) == (0, "")
    assert said.err == f"warning: every URL was filtered out (urls={len(urls)})\n"


def test_a_listing_whose_reader_has_had_enough_ends_in_peace(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve("/sitemap.xml", sitemap_of(f"{web.url}/{n}" for n in range(20_000)))
    running = subprocess.Popen(
        [*COMMAND, "site", f"{web.url}/sitemap.xml", "--list-only", "--rate-limit", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.readline() == f"{web.url}/0\n"
    running.stdout.close()
    said = running.stderr.read()
    running.stderr.close()
    assert running.wait(timeout=60) == 0
    assert said == ""


def test_a_listing_that_does_not_fit_says_so(web: WebServer, tmp_path: Path) -> None:
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/a"]))
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*COMMAND, "site", web.url, "--list-only", "--rate-limit", "0"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=ENVIRONMENT,
            check=False,
        )
    assert ended.stderr == "markmirror: stdout: No space left on device.\n"
    assert ended.returncode == 6


@pytest.mark.parametrize("stderr", ["2>&1 | true", "2>/dev/full", ">&- 2>&-"])
def test_a_mirror_goes_on_when_nobody_listens(web: WebServer, tmp_path: Path, stderr: str) -> None:
    web.serve_pages(PATHS)
    script = f'("$@"; echo $? > code) {stderr}'
    wishes = ("site", web.url, "-o", "out", "--rate-limit", "0", "--workers", "0")
    subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, *wishes], cwd=tmp_path, env=ENVIRONMENT, check=True
    )
    assert (tmp_path / "code").read_text() == "0\n"
    assert manifest_of(tmp_path / "out" / web.host_dir)["successful"] == len(PATHS)


async def test_a_thread_of_another_program_can_mirror_too(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    wishes = {"url": f"{web.url}/sitemap.xml", "output": tmp_path, "rate_limit": 0, "workers": 0}
    report = await asyncio.to_thread(mirror_site, SiteOptions.model_validate(wishes))
    assert report.exit_code == 0
    assert report.counts[Status.SAVED] == len(PATHS)
    assert report.folder == tmp_path / web.host_dir


def test_a_poor_terminal_is_no_reason_to_fail(web: WebServer, tmp_path: Path) -> None:
    web.serve("/caf%C3%A9", page("Café"))
    web.serve("/sitemap.xml", sitemap_of([f"{web.url}/café"]))
    said = markmirror(*command(web, tmp_path), PYTHONIOENCODING="ascii")
    assert said.code == 0
    said = markmirror("which", f"{web.url}/café", "-o", tmp_path, PYTHONIOENCODING="ascii")
    assert (said.code, said.err) == (0, "")
    assert Path(said.out.rstrip("\n")).is_file()


async def test_a_page_is_written_as_the_seed_shows_it(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Successful HTML conversion. Seed 000: Relative URL absolutification.

    Seed 000: Script and style removal. Seed 002: D5.
    """
    html = (
        "<html><head><title>T</title><style>p{}</style></head><body><nav>menu</nav><main>"
        "<h1>Title</h1><h2>Part</h2><p>Text <img src='/images/logo.png'> <a href='x'>link</a></p>"
        "<script>evil()</script></main><footer>foot</footer><aside>side</aside></body></html>"
    )
    web.serve_pages(["/docs/page"])
    web.serve("/docs/page", Reply(body=html.encode(), headers={"Content-Type": "text/html"}))
    await mirrored(web, tmp_path)
    (text,) = pages_on_disk(tmp_path / web.host_dir).values()
    assert "\n# Title\n" in text
    assert "\n## Part\n" in text
    assert f"![]({web.url}/images/logo.png)" in text
    assert f"[link]({web.url}/docs/x)" in text
    for word in ("evil", "p{}", "menu", "foot", "side"):
        assert word not in text


async def test_paths_follow_the_rules_of_the_seed(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Standard URL path mapping. Seed 000: Query string handling.

    Seed 000: Fragment stripping. Seed 000: Filename length enforcement. Seed 002: D1.
    """
    long = "/" + "x" * 300
    web.serve_pages(["/api/users/create", "/search?q=test&page=2", "/docs#installation", long])
    web.serve("/docs", page("Docs"))
    await mirrored(web, tmp_path)
    names = sorted(pages_on_disk(tmp_path / web.host_dir))
    # The first eight digits of the MD5 of "q=test&page=2".
    assert names[:3] == ["api/users/create/index.md", "docs/index.md", "search__q_93b5eb01.md"]
    assert re.fullmatch(r"x+_[0-9a-f]{8}/index\.md", names[3])
    assert len(names[3].split("/")[0]) <= 200
