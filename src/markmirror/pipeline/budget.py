"""How many pages are under way, and how many more may be begun under `--max-pages`."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Literal


class Budget:
    """Counts pages from their lease to their end, so that a limit is met exactly."""

    def __init__(self, *, limit: int, saved: int) -> None:
        self._limit = limit
        self._saved = saved
        self.under_way = 0
        self._changed = asyncio.Event()

    @property
    def is_spent(self) -> bool:
        """Whether the limit has been reached for good."""
        return self._limit > 0 and self._saved >= self._limit

    def room(self, wanted: int) -> int:
        """How many of the wanted pages may be begun now without risk of saving too many."""
        if self._limit == 0:
            return wanted
        return max(0, min(wanted, self._limit - self._saved - self.under_way))

    def begin(self, pages: int) -> None:
        self.under_way += pages

    def end(self, *, saved: bool = False) -> None:
        """A page is settled, or went back to the queue."""
        self.under_way -= 1
        self._saved += saved
        self._announce()

    def unsave(self) -> None:
        """A page saved earlier turned out to be a duplicate."""
        self._saved -= 1
        self._announce()

    def change(self) -> Coroutine[Any, Any, Literal[True]]:
        """Wait for this to learn that some page has ended since the call."""
        return self._changed.wait()

    def _announce(self) -> None:
        # A new event each time, so that nobody can clear one that another still waits for.
        self._changed.set()
        self._changed = asyncio.Event()
