"""Ctrl-C twice: the first lets what is under way finish, the second stops at once."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Iterator
from datetime import UTC, datetime

from markmirror.ports import Clock

log = logging.getLogger(__name__)


class Stopped(Exception):
    """A wait ended because the person asked to stop."""


async def hear(stopping: asyncio.Event) -> None:
    """Let a Ctrl-C be heard in the middle of long work; raises Stopped if there was one."""
    # The loop reads of the signal in one turn, calls its handler in the next, then comes to us.
    for _ in range(3):
        await asyncio.sleep(0)
    if stopping.is_set():
        raise Stopped


class SystemClock:
    """The real time."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class StoppableClock:
    """A clock whose sleeps end with Stopped as soon as the person asks to stop."""

    def __init__(self, clock: Clock, stopping: asyncio.Event) -> None:
        self._clock = clock
        self._stopping = stopping

    def now(self) -> datetime:
        return self._clock.now()

    def monotonic(self) -> float:
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        sleeper = asyncio.ensure_future(self._clock.sleep(seconds))
        stopper = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({sleeper, stopper}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeper.cancel()
            stopper.cancel()
        if self._stopping.is_set():
            raise Stopped


@contextlib.contextmanager
def two_stage_stop(stopping: asyncio.Event) -> Iterator[None]:
    """Within: the first SIGINT or SIGTERM sets `stopping`, the second cancels the current task."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def on_signal() -> None:
        if stopping.is_set():
            log.warning("stopping at once", extra={"phase": 2})
            task.cancel()
        else:
            log.warning(
                "graceful shutdown phase 1: finishing what is under way; "
                "press Ctrl-C again to stop at once",
                extra={"phase": 1},
            )
            stopping.set()

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in signals]
    try:
        for number in signals:
            loop.add_signal_handler(number, on_signal)
    except (ValueError, NotImplementedError, RuntimeError):
        # Not in the main thread: whoever embeds us keeps the signals.
        yield
        return
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
