"""A page that crashes, hangs or exhausts its converter costs that page only."""

import asyncio
import multiprocessing
import os
import resource
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from markmirror.convert.page import PageJob, RenderedPage
from markmirror.errors import ExitCode, NoConverters
from markmirror.model import Recipe
from markmirror.workers import ConverterProcesses
from tests.faults.conversions import CRASH, HANG, crash_or_convert, loaded_modules
from tests.faults.memory import children_of
from tests.runs.command import manifest_of, pages_on_disk, start_markmirror
from tests.runs.confluence.wiki import wiki_at
from tests.runs.mirroring import mirrored
from tests.web_server import Reply, Request, page
from tests.web_server.misdeeds import MisbehavingServer

RECIPE = Recipe(
    content="main", selector=None, front_matter=True, cleanup="off", acronyms=frozenset()
)
# Long enough for a busy machine to convert a page in a process that has been started.
PATIENCE_SECONDS = 6.0


def job(body: bytes) -> PageJob:
    return PageJob(
        url="https://x.org/",
        final_url="https://x.org/",
        content_type="text/html",
        body=body,
        lastmod=None,
        fetched_at="2026-03-01T12:00:00+00:00",
        recipe=RECIPE,
    )


GOOD = job(b"<h1>Good</h1>")


@asynccontextmanager
async def converting(*, patience: float = 60.0) -> AsyncIterator[ConverterProcesses]:
    converters = ConverterProcesses(1, patience_seconds=patience)
    try:
        yield converters
    finally:
        converters.close()


def outcomes(conversions: list[RenderedPage | Exception]) -> list[str]:
    return ["good" if isinstance(c, RenderedPage) else str(c) for c in conversions]


async def test_a_converters_process_loads_no_more_than_it_needs() -> None:
    converters = ConverterProcesses(1)
    try:
        (loaded,) = await converters.run(loaded_modules, [GOOD])
    finally:
        converters.close()
    assert isinstance(loaded, frozenset)
    assert "markmirror.convert" in loaded
    assert loaded.isdisjoint(
        {"markmirror.cli", "typer", "pydantic", "aiohttp", "asyncio", "sqlite3"}
    )


async def test_a_page_that_crashes_its_converter_is_told_from_those_beside_it() -> None:
    async with converting() as converters:
        found = outcomes(await converters.run(crash_or_convert, [GOOD, job(CRASH), GOOD]))
        assert found == ["good", "the converter crashed on this page", "good"]
        assert outcomes(await converters.run(crash_or_convert, [GOOD])) == ["good"]


async def test_a_page_that_hangs_is_given_up_and_the_others_are_converted() -> None:
    async with converting(patience=PATIENCE_SECONDS) as converters:
        found = outcomes(await converters.run(crash_or_convert, [GOOD, job(HANG)]))
        assert found == ["good", "it took more than 6 s"]
        assert outcomes(await converters.run(crash_or_convert, [GOOD])) == ["good"]


async def test_a_large_page_that_waits_behind_one_that_hangs_is_converted() -> None:
    # Larger than what fits into a pipe, so that it is half written when the reader is killed.
    large = job(b"<h1>Good</h1>" + b"<p>x" * 50_000)
    async with converting(patience=PATIENCE_SECONDS) as converters:
        hanging, waiting = await asyncio.gather(
            *(converters.run(crash_or_convert, [page]) for page in (job(HANG), large))
        )
        assert outcomes(hanging) == ["it took more than 6 s"]
        assert outcomes(waiting) == ["good"]


async def test_a_crash_in_one_batch_does_not_harm_the_batches_beside_it() -> None:
    async with converting() as converters:
        batches = ([GOOD], [job(CRASH)], [GOOD, GOOD])
        found = await asyncio.gather(
            *(converters.run(crash_or_convert, batch) for batch in batches)
        )
        assert [outcomes(conversions) for conversions in found] == [
            ["good"],
            ["the converter crashed on this page"],
            ["good", "good"],
        ]


async def test_a_page_that_takes_too_much_memory_is_given_up() -> None:
    async with converting() as converters:
        found = outcomes(await converters.run(crash_or_convert, [job(b"<p>x" * 3_500_000), GOOD]))
        assert found == ["it takes too much memory", "good"]


async def test_a_converter_that_is_killed_from_outside_costs_no_page() -> None:
    async with converting() as converters:
        assert outcomes(await converters.run(crash_or_convert, [GOOD])) == ["good"]
        (worker,) = children_of(os.getpid(), "spawn_main")
        os.kill(worker, signal.SIGKILL)
        assert outcomes(await converters.run(crash_or_convert, [GOOD, GOOD])) == ["good", "good"]


def test_a_run_whose_converter_is_killed_saves_every_page(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    paths = [f"/page-{n}" for n in range(30)]
    web.serve_pages(paths)
    killed: list[int] = []

    def kill_and_answer(request: Request) -> Reply:
        killed.extend(children_of(running.pid, "spawn_main"))
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        return page(f"Page {request.target}")

    web.serve(paths[15], kill_and_answer)
    running = start_markmirror(
        *("site", web.url, "-o", tmp_path, "--rate-limit", 0, "--workers", 1, "--concurrency", 2)
    )
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert killed
    assert len(pages_on_disk(tmp_path / web.host_dir)) == len(paths)
    assert manifest_of(tmp_path / web.host_dir)["failures"] == []


@contextmanager
def no_more_files() -> Iterator[None]:
    """Within: this process may open nothing, which a new process needs several of."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)


@contextmanager
def children_that_end_at_once() -> Iterator[None]:
    """Within: what is started as a process of ours is a program that does nothing."""
    multiprocessing.set_executable("/bin/false")
    try:
        yield
    finally:
        multiprocessing.set_executable(sys.executable)


def test_where_no_process_can_be_prepared_the_way_out_is_named() -> None:
    with no_more_files(), pytest.raises(NoConverters, match="Too many open files"):
        ConverterProcesses(1)


async def test_where_no_process_can_be_started_the_way_out_is_named() -> None:
    async with converting() as converters:
        with no_more_files(), pytest.raises(NoConverters, match="With --workers 0"):
            await converters.run(crash_or_convert, [GOOD])


async def test_processes_that_end_at_once_are_not_blamed_on_a_page() -> None:
    async with converting() as converters:
        with children_that_end_at_once(), pytest.raises(NoConverters, match="ends at once"):
            await converters.run(crash_or_convert, [GOOD])


async def test_a_run_without_converters_says_so_and_can_go_on(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b"])
    # What watches over processes is one itself, and has to be there already.
    async with converting():
        with children_that_end_at_once():
            report = await mirrored(web, tmp_path, workers=1)
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "--workers 0" in report.message
    report = await mirrored(web, tmp_path, workers=0)
    assert (report.exit_code, web.count("/a")) == (ExitCode.SUCCESS, 1)


async def left_waiting(web: MisbehavingServer, output: Path, paths: list[str]) -> None:
    """A run that has fetched these pages and could convert none of them."""
    web.serve_pages(paths)
    async with converting():
        with children_that_end_at_once():
            report = await mirrored(web, output, workers=1)
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert all(web.count(path) == 1 for path in paths)


@pytest.mark.parametrize("wish", [{"update": True}, {"fresh": True}], ids=str)
async def test_a_new_run_asks_anew_for_what_was_fetched_for_an_older_one(
    web: MisbehavingServer, tmp_path: Path, wish: dict[str, Any]
) -> None:
    """Seed 000: Selective re-fetching."""
    await left_waiting(web, tmp_path, ["/a"])
    web.serve("/a", page("Page /a", "New text"))
    report = await mirrored(web, tmp_path, **wish)
    assert report.exit_code is ExitCode.SUCCESS
    assert "New text" in (tmp_path / web.host_dir / "a" / "index.md").read_text()


async def test_the_page_limit_holds_for_pages_that_wait_to_be_converted(
    web: MisbehavingServer, tmp_path: Path
) -> None:
    """Seed 000: Max pages limit."""
    paths = [f"/{n}" for n in range(6)]
    await left_waiting(web, tmp_path, paths)
    for saved in (2, 4, 6):
        assert (await mirrored(web, tmp_path, max_pages=2)).exit_code is ExitCode.SUCCESS
        assert len(pages_on_disk(tmp_path / web.host_dir)) == saved


async def test_nothing_of_the_converters_keeps_the_program_from_ending() -> None:
    before = set(threading.enumerate())
    async with converting() as converters:
        await converters.run(crash_or_convert, [GOOD, job(CRASH)])
    assert all(thread.daemon for thread in set(threading.enumerate()) - before)


async def test_an_export_without_converters_says_so_and_can_go_on(tmp_path: Path) -> None:
    with wiki_at(tmp_path) as wiki:
        page = wiki.content.add_page("DOCS", "Page", "<p>x</p>")
        async with converting():
            with children_that_end_at_once():
                report = await wiki.export_here(workers=1)
        assert report.exit_code is ExitCode.CONTENT_FAILURE
        assert "--workers 0" in report.message
        assert wiki.manifest["pages"]
        await wiki.export_here(workers=0, resume=True)
        assert wiki.file(page).exists()
