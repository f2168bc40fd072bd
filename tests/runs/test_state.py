"""What a mirror keeps about itself, and what becomes of it when files are lost or damaged."""

import fcntl
import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from markmirror.errors import MirrorInUse, UsageError
from markmirror.model import Status
from tests.runs.command import manifest_of, markmirror, pages_on_disk, start_markmirror
from tests.runs.damage import scribble_over
from tests.runs.mirroring import log_of, mirrored, statuses, stopping_at
from tests.web_server import Reply, Request, WebServer, page

PATHS = [f"/docs/{n}" for n in range(12)]


def processed(folder: Path) -> list[str]:
    return (folder / "_processed.txt").read_text().splitlines()


def checkpoint(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "_checkpoint.json").read_text())
    return found


def warnings(folder: Path) -> list[str]:
    return [r["message"] for r in log_of(folder) if r["level"] == "WARNING"]


async def test_each_page_is_in_the_list_as_soon_as_it_is_saved(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Checkpoint creation. Seed 002: D2."""
    web.serve_pages(PATHS)
    folder = tmp_path / web.host_dir
    seen: list[int] = []

    def look(request: Request) -> Reply:
        seen.append(len(processed(folder)))
        return page("Last")

    web.serve(PATHS[-1], look)
    await mirrored(web, tmp_path, concurrency=1)
    assert seen[0] >= len(PATHS) - 3
    assert sorted(processed(folder)) == sorted(web.url + path for path in PATHS)


async def test_a_url_that_a_person_put_into_the_list_is_passed_over(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Resume from checkpoint. Seed 002: D2."""
    web.serve_pages(PATHS)
    folder = tmp_path / web.host_dir
    folder.mkdir()
    (folder / "_processed.txt").write_text(f"{web.url}{PATHS[3]}\n\n{web.url}{PATHS[5]}\n")
    await mirrored(web, tmp_path)
    assert web.count(PATHS[3]) == web.count(PATHS[5]) == 0
    assert statuses(tmp_path, web) == {"saved": 10, "skipped": 2}
    reasons = {row["reason"] for row in manifest_of(folder)["skipped_urls"]}
    assert reasons == {"processed"}
    await mirrored(web, tmp_path)
    assert web.count(PATHS[3]) == 0


async def test_a_url_that_a_person_took_out_of_the_list_is_fetched_again(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    folder = tmp_path / web.host_dir
    kept = [url for url in processed(folder) if not url.endswith("/7")]
    (folder / "_processed.txt").write_text("\n".join(kept) + "\n")
    web.serve("/docs/7", page("Page 7", "New text"))
    await mirrored(web, tmp_path)
    assert web.counts()["/docs/7"] == 2
    assert sum(web.count(path) for path in PATHS) == len(PATHS) + 1
    assert "New text" in (folder / "docs/7/index.md").read_text()
    assert f"{web.url}/docs/7" in processed(folder)


async def test_a_page_fetched_again_and_found_the_same_is_back_in_the_list(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    (finished / "_processed.txt").write_text(f"{web.url}/docs/1\n")
    await mirrored(web, tmp_path)
    assert page_requests(web) == 11
    await mirrored(web, tmp_path)
    assert page_requests(web) == 11
    assert len(processed(finished)) == 12


@pytest.mark.parametrize("then", [{}, {"max_pages": 1}, {"exclude_paths": "/b"}])
async def test_a_duplicate_that_had_a_file_once_is_not_taken_for_one_a_person_put_into_the_list(
    web: WebServer, tmp_path: Path, then: dict[str, Any]
) -> None:
    """Seed 002: D2."""
    web.serve_pages(["/a", "/b"])
    web.serve("/b", page("B", head='<link rel="canonical" href="/a">'))
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 1}
    web.serve("/a", page("A", "Changed"))
    web.serve("/b", Reply(status=404))
    await mirrored(web, tmp_path, update=True, concurrency=1, **then)
    web.serve("/b", page("B"))
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": 1, "saved": 1}


async def test_a_url_taken_out_during_an_interruption_is_fetched_again(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    stopping_at(web, "/docs/6")
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 3
    folder = tmp_path / web.host_dir
    kept = [url for url in processed(folder) if not url.endswith("/2")]
    (folder / "_processed.txt").write_text("\n".join(kept) + "\n")
    await mirrored(web, tmp_path)
    assert web.count("/docs/2") == 2
    assert statuses(tmp_path, web) == {"saved": 11, "unchanged": 1}


async def test_a_torn_last_line_of_the_list_is_dropped(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    folder = tmp_path / web.host_dir
    folder.mkdir()
    (folder / "_processed.txt").write_text(f"{web.url}/docs/1\n{web.url}/docs/2")
    await mirrored(web, tmp_path)
    assert (web.count("/docs/1"), web.count("/docs/2")) == (0, 1)
    assert f"{web.url}/docs/2" in processed(folder)


async def test_a_checkpoint_says_where_the_run_stands(web: WebServer, tmp_path: Path) -> None:
    """Seed 002: D2."""
    web.serve_pages(PATHS)
    stopping_at(web, "/docs/5")
    await mirrored(web, tmp_path, concurrency=1, exclude_paths="/docs/1")
    found = checkpoint(tmp_path / web.host_dir)
    assert found["started_at"] == manifest_of(tmp_path / web.host_dir)["crawl_started"]
    assert found["total_expected"] == 12
    assert found["counts"]["saved"] >= 4
    assert found["counts"]["filtered"] == 1
    assert sum(found["counts"].values()) == 12
    first = found["filter_fingerprint"]
    assert first
    await mirrored(web, tmp_path, exclude_paths="/docs/2")
    found = checkpoint(tmp_path / web.host_dir)
    assert found["filter_fingerprint"] != first
    assert found["phase"] == "finished"
    assert found["counts"]["pending"] == 0


async def test_a_checkpoint_is_written_at_least_every_hundred_pages(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Progress file updates."""
    paths = [f"/{n}" for n in range(230)]
    web.serve_pages(paths)
    folder = tmp_path / web.host_dir
    seen: list[tuple[int, int]] = []

    def look(request: Request) -> Reply:
        progress = json.loads((folder / "_progress.json").read_text())
        seen.append((checkpoint(folder)["counts"]["saved"], progress["processed"]))
        assert progress.keys() == {"processed", "total", "elapsed_sec", "eta_sec"}
        assert progress["total"] == 230
        return page("Page")

    for n in (140, 229):
        web.serve(f"/{n}", look)
    await mirrored(web, tmp_path, concurrency=1)
    assert [done for _, done in seen] == [100, 200]
    assert seen[0][0] in range(84, 101)
    assert seen[1][0] in range(184, 201)


@pytest.fixture
async def finished(web: WebServer, tmp_path: Path) -> Path:
    """A finished mirror of twelve pages; the requests for it are forgotten."""
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    web.forget()
    return tmp_path / web.host_dir


def page_requests(web: WebServer) -> int:
    return sum(web.count(path) for path in PATHS)


@pytest.mark.parametrize("garbage", [b"", b"{", b"\xff\xfe\x00", b"[]", b'{"started_at": '])
async def test_a_damaged_checkpoint_is_set_aside_and_nothing_is_fetched_again(
    web: WebServer, tmp_path: Path, finished: Path, garbage: bytes
) -> None:
    """Seed 000: Corrupt checkpoint recovery."""
    (finished / "_checkpoint.json").write_bytes(garbage)
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert (finished / "_checkpoint.json.corrupt").read_bytes() == garbage
    assert checkpoint(finished)["counts"]["unchanged"] == 12
    assert any("damaged" in message for message in warnings(finished))
    assert page_requests(web) == 0


@pytest.mark.parametrize("garbage", [b"", b"{", b"not json at all", b'{"pages": ['])
async def test_a_damaged_manifest_is_set_aside_and_written_anew(
    web: WebServer, tmp_path: Path, finished: Path, garbage: bytes
) -> None:
    (finished / "_manifest.json").write_bytes(garbage)
    await mirrored(web, tmp_path)
    assert (finished / "_manifest.json.corrupt").exists()
    assert statuses(tmp_path, web) == {"unchanged": 12}
    assert page_requests(web) == 0


@pytest.mark.parametrize("garbage", [b"\xff\xfe\xfd", b"http://x/\0\0\0\n"])
async def test_a_damaged_list_is_set_aside_and_rebuilt(
    web: WebServer, tmp_path: Path, finished: Path, garbage: bytes
) -> None:
    (finished / "_processed.txt").write_bytes(garbage)
    await mirrored(web, tmp_path)
    assert (finished / "_processed.txt.corrupt").read_bytes() == garbage
    assert len(processed(finished)) == 12
    assert page_requests(web) == 0


async def test_a_folder_in_the_place_of_the_list_is_set_aside(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    (finished / "_processed.txt").unlink()
    (finished / "_processed.txt").mkdir()
    await mirrored(web, tmp_path)
    assert (finished / "_processed.txt.corrupt").is_dir()
    assert len(processed(finished)) == 12


def _overwrite(database: Path) -> None:
    database.write_bytes(b"this was a database once" * 1000)


def _empty(database: Path) -> None:
    database.write_bytes(b"")


def _cut(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2 + 100)


def _scribble(database: Path) -> None:
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xde\xad\xbe\xef" * ((size - 4096) // 4))


def _delete(database: Path) -> None:
    database.unlink()


def _replace_by_a_folder(database: Path) -> None:
    database.unlink()
    database.mkdir()


@pytest.mark.parametrize("was_killed", [False, True])
@pytest.mark.parametrize(
    "damage",
    [_overwrite, _empty, _cut, _scribble, _delete, _replace_by_a_folder],
    ids=lambda d: d.__name__,
)
async def test_a_lost_ledger_is_rebuilt_without_fetching_a_page_again(
    web: WebServer, tmp_path: Path, finished: Path, damage: Any, was_killed: bool
) -> None:
    """Seed 000: Corrupt checkpoint recovery."""
    if was_killed:
        with sqlite3.connect(finished / "_state.db") as connection:
            connection.execute("UPDATE meta SET value = 'no' WHERE key = 'closed'")
        connection.close()
    before = pages_on_disk(finished)
    damage(finished / "_state.db")
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"unchanged": 12}
    assert page_requests(web) == 0
    assert pages_on_disk(finished) == before
    assert (finished / "_state.db.corrupt").exists() or damage in (_delete, _empty)
    assert warnings(finished)


@pytest.mark.parametrize("table", ["pages", "entries", "claims", "downloads"])
async def test_damage_found_in_the_middle_of_a_run_is_repaired_by_the_next(
    web: WebServer, tmp_path: Path, finished: Path, table: str
) -> None:
    scribble_over(finished / "_state.db", table)
    wishes = ("site", web.url, "-o", tmp_path, "--rate-limit", 0, "--workers", 0, "--quiet")
    ended = markmirror(*wishes)
    assert "Traceback" not in ended.err
    assert ended.code == 0 or (ended.code == 1 and "Run the same command again" in ended.err)
    assert markmirror(*wishes).code == 0
    assert statuses(tmp_path, web) == {"unchanged": 12}
    assert page_requests(web) == 0


@pytest.mark.parametrize("damage", [_overwrite, _delete], ids=lambda d: d.__name__)
@pytest.mark.parametrize("front_matter", [True, False], ids=["front matter", "no front matter"])
async def test_a_lost_ledger_is_rebuilt_with_every_page_at_its_path(
    web: WebServer, tmp_path: Path, damage: Any, front_matter: bool
) -> None:
    """Seed 000: Corrupt checkpoint recovery."""

    def serve(*paths: str) -> None:
        web.serve_pages([*paths, "/moved", "/left"])
        web.serve("/moved", Reply(status=301, headers={"Location": "/new/place"}))
        outside = f"http://localhost:{web.port}/outside"
        web.serve("/left", Reply(status=301, headers={"Location": outside}))
        web.serve("/new/place", page("Moved"))
        web.serve("/outside", page("Left"))
        web.forget()

    serve("/docs/")
    await mirrored(web, tmp_path, front_matter=front_matter, allow_private=True)
    serve("/Docs/", "/docs/")
    await mirrored(web, tmp_path, front_matter=front_matter, allow_private=True)
    folder = tmp_path / web.host_dir
    before = pages_on_disk(folder)
    assert [name for name in before if "__u_" in name and name.startswith("Docs/")]
    web.forget()
    damage(folder / "_state.db")
    await mirrored(web, tmp_path, front_matter=front_matter, allow_private=True)
    assert statuses(tmp_path, web) == {"unchanged": len(before)}
    assert set(web.counts()) <= {"/", "/robots.txt", "/sitemap.xml"}
    assert pages_on_disk(folder) == before


async def test_without_ledger_and_manifest_the_front_matter_tells(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    for name in ("_state.db", "_manifest.json", "_checkpoint.json", "_processed.txt"):
        (finished / name).unlink()
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": 12}
    assert page_requests(web) == 0
    assert len(processed(finished)) == 12


async def test_a_ledger_lost_during_an_interruption_costs_only_what_was_not_saved(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    stopping_at(web, "/docs/6")
    await mirrored(web, tmp_path, concurrency=1)
    folder = tmp_path / web.host_dir
    (folder / "_state.db").unlink()
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert len(pages_on_disk(folder)) == 12
    assert page_requests(web) == 12


async def test_a_file_that_did_not_survive_a_crash_is_fetched_again(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    with sqlite3.connect(finished / "_state.db") as connection:
        connection.execute("UPDATE meta SET value = 'no' WHERE key = 'closed'")
        connection.execute("UPDATE meta SET value = '' WHERE key = 'synced_at'")
    connection.close()
    (finished / "docs/3/index.md").write_bytes(b"")
    stopping_at(web, "/docs/3")
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code in (0, 3)
    assert (await mirrored(web, tmp_path)).exit_code == 0
    assert web.count("/docs/3") >= 1
    assert "Page /docs/3" in (finished / "docs/3/index.md").read_text()
    assert "skipped" not in statuses(tmp_path, web)


async def test_a_file_written_long_after_its_page_was_fetched_must_survive_too(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    file = finished / "docs/3/index.md"
    written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    with sqlite3.connect(finished / "_state.db") as connection:
        connection.execute("UPDATE meta SET value = 'no' WHERE key = 'closed'")
        synced, fetched = written - timedelta(minutes=1), written - timedelta(days=1)
        sql = "UPDATE meta SET value = ? WHERE key = 'synced_at'"
        connection.execute(sql, (synced.isoformat(),))
        connection.execute("UPDATE entries SET verified_at = ?", (fetched.isoformat(),))
    connection.close()
    file.write_bytes(b"")
    await mirrored(web, tmp_path)
    assert "Page /docs/3" in file.read_text()


async def test_a_file_that_did_not_survive_is_fetched_again_even_if_that_fails_at_first(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    with sqlite3.connect(finished / "_state.db") as connection:
        connection.execute("UPDATE meta SET value = 'no' WHERE key = 'closed'")
    connection.close()
    (finished / "docs/3/index.md").write_bytes(b"")
    web.serve("/docs/3", Reply(status=404))
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": 11, "failed": 1}
    web.serve("/docs/3", page("Page /docs/3"))
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": 11, "saved": 1}


async def test_a_page_whose_body_was_taken_away_fails_and_is_fetched_by_the_next_run(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    folder = tmp_path / web.host_dir

    def take_away(request: Request) -> Reply:
        for bodies in folder.glob("_state.db-bodies-*"):
            bodies.unlink()
        return page("Last")

    web.serve(PATHS[-1], take_away)
    report = await mirrored(web, tmp_path, concurrency=1)
    assert report.counts[Status.FAILED] >= 1
    assert "BodyLost" in (folder / "_failed.log").read_text()
    web.serve(PATHS[-1], page("Last"))
    assert (await mirrored(web, tmp_path)).exit_code == 0
    assert len(pages_on_disk(folder)) == len(PATHS)


async def test_a_second_process_is_kept_out_and_told_who_is_in(
    web: WebServer, tmp_path: Path, finished: Path
) -> None:
    """Seed 002: D2."""
    with (finished / "_lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate()
        lock.write("4711\n")
        lock.flush()
        with pytest.raises(MirrorInUse, match=r"pid 4711") as error:
            await mirrored(web, tmp_path)
    assert error.value.exit_code == 2
    assert (await mirrored(web, tmp_path)).exit_code == 0


def test_two_commands_at_once_do_not_disturb_each_other(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    web.serve("/docs/4", lambda r: Reply(hang=True) if r.number == 1 else page("Page /docs/4"))
    wishes = ("site", web.url, "-o", tmp_path, "--rate-limit", 0, "--workers", 0)
    running = start_markmirror(*wishes)
    try:
        assert running.stderr is not None
        for line in running.stderr:
            if line.rstrip().endswith(PATHS[-1]):
                break
        ended = markmirror(*wishes)
        assert ended.code == 2
        assert f"pid {running.pid}" in ended.err
        assert ended.err.count("\n") == 1
    finally:
        running.send_signal(signal.SIGKILL)
        running.communicate()
    assert markmirror(*wishes).code == 0
    assert statuses(tmp_path, web)["saved"] + statuses(tmp_path, web).get("unchanged", 0) == 12


async def test_foreign_files_are_left_alone(web: WebServer, tmp_path: Path) -> None:
    folder = tmp_path / web.host_dir
    foreign = {
        "notes.md": "my notes",
        "docs/3/index.md": "# Mine\n",
        "docs/4/index.md": '---\ntitle: "x"\nurl: "https://elsewhere.example/"\n---\n\nmine\n',
        "docs/5/index.md/keep.txt": "a folder where a file should go",
        "_failed/mine.txt": "in a folder of the program's own",
    }
    for name, text in foreign.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    web.serve_pages(PATHS)
    wishes: list[dict[str, Any]] = [{}, {"update": True, "prune": True}, {"fresh": True}]
    for wish in wishes:
        report = await mirrored(web, tmp_path, **wish)
        assert report.exit_code == 0
        assert sum(statuses(tmp_path, web).values()) == 12
        for name, text in foreign.items():
            assert (folder / name).read_text() == text
    rows = {row["url"]: row["path"] for row in manifest_of(folder)["pages"]}
    assert rows[f"{web.url}/docs/3"].startswith("docs/3/index__u_")


async def test_links_planted_at_our_own_names_are_not_followed(
    web: WebServer, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    output = tmp_path / "out"
    folder = output / web.host_dir
    names = (
        "_manifest.json",
        "_index.md",
        "_progress.json",
        "_checkpoint.json",
        "_failed.log",
        "_log.jsonl",
        "_processed.txt",
        "_state.db",
    )
    for name in names:
        folder.mkdir(parents=True, exist_ok=True)
        (outside / name).write_text("precious")
        (folder / name).symlink_to(outside / name)
    web.serve_pages(PATHS)
    web.serve("/docs/1", Reply(status=404))
    try:
        await mirrored(web, output)
    finally:
        contents = {name: (outside / name).read_text() for name in names}
        assert contents == dict.fromkeys(names, "precious")


async def test_a_folder_that_leads_outside_is_not_followed(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Symlink escape prevention."""
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "out" / web.host_dir
    folder.mkdir(parents=True)
    (folder / "docs").symlink_to(outside)
    web.serve_pages([*PATHS, "/fine"])
    report = await mirrored(web, tmp_path / "out")
    assert list(outside.iterdir()) == []
    assert report.exit_code == 0
    assert statuses(tmp_path / "out", web) == {"saved": 1, "failed": 12}


async def test_a_url_with_dots_stays_inside(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Parent directory traversal."""
    paths = ["/../../etc/passwd", "/a/%2e%2e/%2e%2e/b", "/..%2f..%2fc", "/a/..%5c..%5cd"]
    web.fallback = page("Anything")
    web.serve("/robots.txt", Reply(status=404))
    web.serve_pages(paths)
    await mirrored(web, tmp_path / "out", url=f"{web.url}/sitemap.xml")
    everything = set(tmp_path.rglob("*.md"))
    assert everything
    assert all(file.is_relative_to(tmp_path / "out" / web.host_dir) for file in everything)


async def test_output_on_a_file_is_said_in_one_sentence(web: WebServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="is a file, not a folder"):
        await mirrored(web, tmp_path / "file")
    with pytest.raises(UsageError, match="file in the way"):
        await mirrored(web, tmp_path / "file" / "below")
    (tmp_path / web.host_dir).write_text("mine too")
    with pytest.raises(UsageError, match="is a file, not a folder"):
        await mirrored(web, tmp_path)
    with pytest.raises(UsageError, match="cannot be used: File name too long"):
        await mirrored(web, tmp_path / ("x" * 300))
    with pytest.raises(UsageError, match="cannot be written"):
        await mirrored(web, Path("/proc/nowhere"))
    assert web.requests == []
    assert (tmp_path / web.host_dir).read_text() == "mine too"


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder nobody can write to, not even root."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=64k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        if os.geteuid() == 0:
            pytest.skip("mounting is not permitted here")
        folder.chmod(0o555)
        yield folder
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_an_output_that_cannot_be_written_is_said_in_one_sentence(
    web: WebServer, read_only: Path
) -> None:
    web.serve_pages(PATHS)
    ended = markmirror("site", web.url, "-o", read_only / "out")
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert str(read_only) in ended.err
    assert web.requests == []
