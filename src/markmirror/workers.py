"""Conversion in processes of its own: a page that crashes a converter costs that page only."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from markmirror.convert.page import PageJob, RenderedPage, render_page

# Pages take milliseconds; one that takes this long would take forever.
PATIENCE_SECONDS = 60.0

Conversion = RenderedPage | Exception


class Converters(Protocol):
    """Turns batches of bodies into files; a body that cannot be converted yields its exception."""

    lanes: int
    """How many batches can be under way at once to good effect."""

    async def convert(self, jobs: Sequence[PageJob]) -> list[Conversion]: ...

    def close(self) -> None: ...


class InlineConverters:
    """Converts in this process: nothing to start, nothing to isolate."""

    lanes = 1

    async def convert(self, jobs: Sequence[PageJob]) -> list[Conversion]:
        return convert_all(jobs)

    def close(self) -> None:
        return None


class ConverterProcesses:
    """Converts in worker processes, and finds the one page that kills them."""

    def __init__(self, processes: int) -> None:
        # One batch more than processes, so that none has to wait for its next.
        self.lanes = processes + 1
        self._processes = processes
        self._pool = _pool(processes)

    async def convert(self, jobs: Sequence[PageJob]) -> list[Conversion]:
        pool = self._pool
        try:
            return await _convert_in(pool, jobs)
        except (BrokenProcessPool, TimeoutError):
            if self._pool is pool:
                self._pool = _pool(self._processes)
            _kill(pool)
        # Alone in a process of its own, each page answers for itself.
        return [await self._convert_alone(job) for job in jobs]

    async def _convert_alone(self, job: PageJob) -> Conversion:
        pool = _pool(1)
        try:
            (conversion,) = await _convert_in(pool, [job])
        except BrokenProcessPool:
            return RuntimeError("the converter crashed on this page")
        except TimeoutError:
            return RuntimeError(f"it took more than {PATIENCE_SECONDS:.0f} s")
        else:
            return conversion
        finally:
            _kill(pool)

    def close(self) -> None:
        _kill(self._pool)


async def _convert_in(pool: ProcessPoolExecutor, jobs: Sequence[PageJob]) -> list[Conversion]:
    # Submitting may start a process. Ctrl-C goes to the whole terminal group, and one that comes
    # before the new process has learned to ignore it would end it with a traceback.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        conversions = pool.submit(convert_all, jobs)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    async with asyncio.timeout(PATIENCE_SECONDS * len(jobs)):
        return await asyncio.wrap_future(conversions)


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes whatever they are doing; they hold nothing that anybody needs."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def convert_all(jobs: Sequence[PageJob]) -> list[Conversion]:
    """Convert each; what goes wrong with one page is that page's result."""
    conversions: list[Conversion] = []
    for job in jobs:
        try:
            conversions.append(render_page(job))
        except Exception as error:
            conversions.append(RuntimeError(f"{type(error).__name__}: {error}"))
    return conversions


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
