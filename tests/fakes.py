"""The world a run takes its time, its luck and its audience from, as tests want it."""

import asyncio
import heapq
import random
from datetime import UTC, datetime, timedelta

from markmirror.progress import Silence
from markmirror.world import World

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
# Turns of the event loop that others get before time goes on, so that all who want to sleep
# have said so.
TURNS = 3


class FakeClock:
    """A clock that goes on only while somebody sleeps, and then at once.

    Of several sleepers the one with the earliest end wakes first. `sleeps` keeps what was asked.
    """

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._elapsed = 0.0
        self._ends: list[float] = []
        self.sleeps: list[float] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        self._elapsed += seconds

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        end = self._elapsed + max(seconds, 0.0)
        heapq.heappush(self._ends, end)
        try:
            for _ in range(TURNS):
                await asyncio.sleep(0)
            while self._ends[0] < end:
                await asyncio.sleep(0)
            self._elapsed = max(self._elapsed, end)
        finally:
            self._ends.remove(end)
            heapq.heapify(self._ends)


class Lines(Silence):
    """A display that keeps what it was told to show."""

    def __init__(self) -> None:
        self.pages: list[tuple[int, int, str]] = []

    def page(self, done: int, total: int, url: str) -> None:
        self.pages.append((done, total, url))


def fake_world(
    clock: FakeClock | None = None, *, display: Silence | None = None, min_free_bytes: int = 0
) -> World:
    """A world in which no time passes by itself and chance always falls alike."""
    return World(
        clock=clock or FakeClock(),
        chance=random.Random(7),
        display=display or Silence(),
        min_free_bytes=min_free_bytes,
    )
