"""The seams: what the pipeline asks of the world, so that tests can be the world."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from markmirror.model import FetchOutcome, Found, Item, Validators

# The filter that rejects what a sitemap names, or None where all of them let it pass.
ReasonAgainst = Callable[[Item], str | None]


class Clock(Protocol):
    """Time comes in as an argument, so that no test has to wait for it."""

    def now(self) -> datetime:
        """The time of day, with its zone."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""

    async def sleep(self, seconds: float) -> None: ...


class Fetcher(Protocol):
    """One page over the network; what the server does wrong comes back as a value."""

    async def fetch(self, url: str, validators: Validators | None = None) -> FetchOutcome: ...


class Scope(Protocol):
    """Which URLs belong to the mirror."""

    def allows(self, url: str) -> bool: ...


class Discovery(Protocol):
    """Says what exists, in the order in which it should be mirrored.

    The caller counts in `added` how many items of the sitemap at hand nobody had named before.
    `entry_points_known` turns True once it is settled where to look, so that a resume need not
    look for that again.
    """

    added: int
    sitemap_url: str
    entry_points_known: bool

    async def discover(self, take: Callable[[Found], None]) -> None: ...
