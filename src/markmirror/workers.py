"""Conversion in processes of its own: a page that crashes a converter costs that page only."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar

from markmirror.convert.page import PageJob, RenderedPage, render_page

Conversion = RenderedPage | Exception
Job = TypeVar("Job")
Result = TypeVar("Result")


class Converters(Protocol):
    """Turns batches of bodies into files; a body that cannot be converted yields its exception."""

    async def convert(self, jobs: Sequence[PageJob]) -> list[Conversion]: ...

    async def run(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> list[Result | Exception]:
        """Any work on any jobs, in the same way; `work` must be a function of a module."""

    def close(self) -> None: ...


class InlineConverters:
    """Converts in this process: nothing to start, nothing to isolate."""

    async def convert(self, jobs: Sequence[PageJob]) -> list[Conversion]:
        return await self.run(render_page, jobs)

    async def run(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> list[Result | Exception]:
        return work_on_all(work, jobs)

    def close(self) -> None:
        return None


class ConverterProcesses:
    """Converts in worker processes, and finds the one page that kills them."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool = _pool(processes)

    async def convert(self, jobs: Sequence[PageJob]) -> list[Conversion]:
        return await self.run(render_page, jobs)

    async def run(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> list[Result | Exception]:
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.submit(work_on_all, work, jobs))
        except BrokenProcessPool:
            self._replace(pool)
        # Alone in a process of its own, each page answers for itself.
        return [await self._work_alone(work, job) for job in jobs]

    async def _work_alone(self, work: Callable[[Job], Result], job: Job) -> Result | Exception:
        pool = _pool(1)
        try:
            (conversion,) = await asyncio.wrap_future(pool.submit(work_on_all, work, [job]))
        except BrokenProcessPool:
            return RuntimeError("the converter crashed on this page")
        else:
            return conversion
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken:
            broken.shutdown(wait=False, cancel_futures=True)
            self._pool = _pool(self._processes)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def work_on_all(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result | Exception]:
    """Work on each; what goes wrong with one page is that page's result."""
    results: list[Result | Exception] = []
    for job in jobs:
        try:
            results.append(work(job))
        except Exception as error:
            results.append(RuntimeError(f"{type(error).__name__}: {error}"))
    return results


def _pool(processes: int) -> ProcessPoolExecutor:
    # Spawned, not forked: a fork would carry our event loop, sockets and SQLite handles along.
    return ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare_worker,
    )


def _prepare_worker() -> None:
    # Ctrl-C goes to the whole terminal group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """A killed parent cannot tell its workers; they would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
