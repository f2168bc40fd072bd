"""What was made to fill the memory does not fill it."""

import subprocess
from pathlib import Path

from tests.faults.memory import Peaks, peaks_of
from tests.runs.command import COMMAND, ENVIRONMENT, manifest_of
from tests.web_server import Reply, sitemap_index, sitemap_of
from tests.web_server.misdeeds import (
    OK,
    MisbehavingServer,
    endless,
    endless_chunks,
    gzip_bomb,
)

MAX_MEGABYTES = 150
PACKED = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
BOMB = gzip_bomb(300)


def peaks(web: MisbehavingServer, output: Path, *more: object) -> Peaks:
    running = subprocess.Popen(
        [
            *COMMAND,
            *map(str, ("site", web.url, "-o", output, "--rate-limit", 0, "--timeout", 2, *more)),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        env=ENVIRONMENT,
    )
    found = peaks_of(running, seconds=60)
    assert running.returncode == 0
    return found


PAGES = {
    "gzip bombs": Reply(body=BOMB, headers=PACKED),
    "endless bodies": endless_chunks(),
    "endless heads": endless(OK, b"X-More: of the same\r\n" * 1000),
    "header lines without end": endless(OK + b"X-Long: ", b"x" * 65_536),
}


def test_a_site_of_bombs_does_not_fill_the_memory(web: MisbehavingServer, tmp_path: Path) -> None:
    bombs = {f"/{name.replace(' ', '-')}-{n}": PAGES[name] for name in PAGES for n in range(10)}
    web.serve_pages([*bombs, "/good"])
    for path, bomb in bombs.items():
        web.serve(path, bomb)
    found = peaks(web, tmp_path)
    assert found.own < MAX_MEGABYTES
    assert found.child < MAX_MEGABYTES
    manifest = manifest_of(tmp_path / web.host_dir)
    assert len(manifest["failures"]) == len(bombs)
    assert manifest["statistics"]["saved_count"] == 1


SITEMAPS = {
    "a gzip bomb": Reply(body=BOMB),
    "a gzip bomb in gzip": Reply(body=gzip_bomb(300, layers=2)),
    "a packed transfer of a gzip bomb": Reply(body=BOMB, headers=PACKED),
    "an endless sitemap": endless(OK + b"\r\n<urlset>", b"<url><x>" + b"y" * 65_536),
    "an endless location": endless(OK + b"\r\n<urlset><url><loc>http://x/", b"y" * 65_536),
    "endless nesting": endless(OK + b"\r\n<urlset>", b"<a>" * 20_000),
    "an endless text": endless(OK + b"\r\nhttp://x.org/\n", b"y" * 65_536),
    "endless entities": endless(OK + b"\r\n<urlset><url><loc>", b"&amp;" * 10_000),
}


def test_sitemaps_and_a_robots_txt_made_to_do_harm_do_not_fill_the_memory(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    web.serve("/good.xml", sitemap_of([f"{web.url}/a"]))
    for number, bad in enumerate(SITEMAPS.values()):
        web.serve(f"/bad-{number}.xml", bad)
    names = [*(f"bad-{number}.xml" for number in range(len(SITEMAPS))), "good.xml"]
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/{name}" for name in names]))
    web.serve("/robots.txt", endless(OK + b"\r\n", b"User-agent: x\nDisallow: /y\n" * 2000))
    found = peaks(web, tmp_path, "--workers", 0, "--respect-robots")
    assert found.own < MAX_MEGABYTES
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["statistics"]["saved_count"] == 1
    failed = [record for record in manifest["discovery"]["sitemaps"] if "error" in record]
    assert len(failed) == len(SITEMAPS)
