"""A disk that runs full stops a run and costs nothing."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from markmirror.errors import DiskFull, ExitCode
from tests.fakes import fake_world
from tests.runs.command import assert_accounts_for_all, manifest_of, markmirror, pages_on_disk
from tests.runs.mirroring import mirrored, statuses
from tests.web_server import WebServer, page

PAGES = 150
PATHS = [f"/docs/{n}" for n in range(PAGES)]
CONCURRENCY = 4
Resize = Callable[[str], None]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, Resize]]:
    """A disk of its own and a way to change its size."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*options: str) -> int:
        command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
        return subprocess.run(command, capture_output=True, check=False).returncode

    if mount("size=64m") != 0:
        pytest.skip("mounting a small disk is not permitted here")

    def resize(size: str) -> None:
        assert mount("remount", f"size={size}") == 0

    try:
        yield folder, resize
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def serve_long_pages(web: WebServer) -> None:
    web.serve_pages(PATHS)
    for path in PATHS:
        web.serve(path, page(f"Page {path}", "Some words of a long page. " * 200))


async def _exit_code(web: WebServer, output: Path) -> int:
    try:
        report = await mirrored(
            web, output, concurrency=CONCURRENCY, world=fake_world(min_free_bytes=0)
        )
    except DiskFull as error:
        return int(error.exit_code)
    return int(report.exit_code)


@pytest.mark.parametrize("size", ["64k", "200k", "400k", "600k", "800k", "1000k", "1200k"])
async def test_a_full_disk_stops_the_run_and_a_larger_one_lets_it_go_on(
    web: WebServer,
    small_disk: tuple[Path, Resize],
    size: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Seed 000: Disk space check."""
    output, resize = small_disk
    resize(size)
    serve_long_pages(web)
    assert await _exit_code(web, output) == ExitCode.DISK_GUARD
    assert await _exit_code(web, output) == ExitCode.DISK_GUARD
    resize("64m")
    assert await _exit_code(web, output) == 0
    folder = output / web.host_dir
    assert len(pages_on_disk(folder)) == PAGES
    assert all(text.endswith("page. .\n") for text in pages_on_disk(folder).values())
    found = statuses(output, web)
    assert found.get("saved", 0) + found.get("unchanged", 0) == PAGES
    assert not (folder / "_tmp").exists()
    assert not (folder / "_failed.log").exists()
    assert len((folder / "_processed.txt").read_text().split()) == PAGES
    # What was in flight or had not been committed is asked for again; nothing else is.
    again = sum(web.count(path) for path in PATHS) - PAGES
    assert again <= 2 * (16 + 4 * CONCURRENCY)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("size", "words"), [("200k", "The disk is full."), ("800k", "Less than 100 MB are free")]
)
def test_a_full_disk_is_said_in_words(
    web: WebServer, small_disk: tuple[Path, Resize], size: str, words: str
) -> None:
    """Seed 000: Disk space check."""
    output, resize = small_disk
    resize(size)
    serve_long_pages(web)
    said = markmirror("site", web.url, "-o", output, "--rate-limit", 0, "--workers", 0, "--quiet")
    assert said.code == 6
    assert "Traceback" not in said.err
    assert words in said.err
    assert all(web.count(path) == 0 for path in PATHS)


async def test_too_little_space_stops_the_run_with_a_checkpoint(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Disk space check."""
    serve_long_pages(web)
    report = await mirrored(web, tmp_path, world=fake_world(min_free_bytes=10**18))
    assert report.exit_code == ExitCode.DISK_GUARD
    assert "are free on the disk" in report.message
    assert "run the same command again" in report.message
    folder = tmp_path / web.host_dir
    assert json.loads((folder / "_checkpoint.json").read_text())["counts"]["pending"] == PAGES
    assert_accounts_for_all(manifest_of(folder))
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert {web.count(path) for path in PATHS} == {1}
    assert web.count("/sitemap.xml") == 1
