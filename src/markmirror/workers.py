"""Conversion in processes of its own: a page that crashes a converter costs that page only."""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Protocol

from markmirror.errors import NoConverters
from markmirror.worker import Job, Result, prepare_worker, work_on_all

# Pages take milliseconds; a batch or a page that takes this long would take forever.
PATIENCE_SECONDS = 60.0
# A process starts in half a second, or on a machine that has no time for it in some more.
START_SECONDS = 120.0


class Converters(Protocol):
    """Works on batches of pages; a page that cannot be worked on yields its exception."""

    lanes: int
    """How many batches can be under way at once to good effect."""

    async def run(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> list[Result | Exception]:
        """The result of `work` for each job; it must be a function of a module."""

    def close(self) -> None: ...


class InlineConverters:
    """Converts in this process: nothing to start, nothing to isolate."""

    lanes = 1

    async def run(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> list[Result | Exception]:
        return work_on_all(work, jobs)

    def close(self) -> None:
        return None


class ConverterProcesses:
    """Converts in worker processes, and finds the one page that kills them.

    Raises NoConverters where none can be started, at the beginning or later.
    """

    def __init__(self, processes: int, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        # One batch more than processes, so that none has to wait for its next.
        self.lanes = processes + 1
        self._processes = processes
        self._patience_seconds = patience_seconds
        self._pool = _pool(processes)

    async def run(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> list[Result | Exception]:
        pool = self._pool
        try:
            return await _run_in(pool, work, jobs, seconds=self._patience_seconds)
        except (BrokenProcessPool, TimeoutError):
            if self._pool is pool:
                self._pool = _pool(self._processes)
            _kill(pool)
        # Alone in a process of its own, each page answers for itself.
        return [await self._run_alone(work, job) for job in jobs]

    async def _run_alone(self, work: Callable[[Job], Result], job: Job) -> Result | Exception:
        pool = _pool(1)
        try:
            await _see_it_live(pool, work)
            (result,) = await _run_in(pool, work, [job], seconds=self._patience_seconds)
        except BrokenProcessPool:
            return RuntimeError("the converter crashed on this page")
        except TimeoutError:
            return RuntimeError(f"it took more than {self._patience_seconds:.0f} s")
        else:
            return result
        finally:
            _kill(pool)

    def close(self) -> None:
        _kill(self._pool)


def open_converters(processes: int) -> Converters:
    """Converters in this many processes; without any, in this one."""
    return ConverterProcesses(processes) if processes else InlineConverters()


async def _see_it_live(pool: ProcessPoolExecutor, work: Callable[[Job], Result]) -> None:
    """What ends before it was given a page, or never begins, does so for no page's fault."""
    try:
        await _run_in(pool, work, [], seconds=START_SECONDS)
    except BrokenProcessPool:
        raise _no_converters("it ends at once") from None
    except TimeoutError:
        raise _no_converters("it does not begin to work") from None


async def _run_in(
    pool: ProcessPoolExecutor, work: Callable[[Job], Result], jobs: Sequence[Job], *, seconds: float
) -> list[Result | Exception]:
    # Submitting may start a process. Ctrl-C goes to the whole terminal group, and one that
    # comes before the new process has learned to ignore it would end it with a traceback.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _starting():
            results = pool.submit(work_on_all, work, jobs)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    async with asyncio.timeout(seconds):
        return await asyncio.wrap_future(results)


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes whatever they are doing; they hold nothing that anybody needs."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    # To its end, which is near: a pool that is still closing when the program ends can make
    # Python end it with a traceback.
    pool.shutdown(cancel_futures=True)


def _pool(processes: int) -> ProcessPoolExecutor:
    with _starting():
        # Spawned, not forked: a fork would carry our event loop, sockets and SQLite handles along.
        pool = ProcessPoolExecutor(
            processes,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=prepare_worker,
        )
    # Before 3.11.5, Python waits for ever to hand a large page to a process that was killed.
    if (jobs := getattr(pool, "_call_queue", None)) is not None:
        jobs.cancel_join_thread()
    return pool


@contextmanager
def _starting() -> Iterator[None]:
    """Within: what keeps processes from being started, as in a locked container, is said."""
    try:
        yield
    except OSError as error:
        raise _no_converters(error.strerror or str(error)) from error
    except (ImportError, NotImplementedError) as error:
        raise _no_converters(str(error)) from error


def _no_converters(reason: str) -> NoConverters:
    # Not done unasked: in the main process a page may take all the time and memory there is.
    return NoConverters(
        f"No process to convert pages in can be started: {reason}.",
        hint="With --workers 0 they are converted in the main one, where nothing bounds them.",
    )
