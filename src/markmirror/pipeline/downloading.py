"""The download queue: lease, wait for the host's turn, fetch, and deal with the answer."""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from markmirror.errors import HostRefuses
from markmirror.fetch.politeness import Politeness
from markmirror.interrupts import Stopped
from markmirror.model import (
    Fetched,
    FetchOutcome,
    Gone,
    NotModified,
    Refused,
    Status,
    TryLater,
    Unsuitable,
)
from markmirror.pipeline.budget import Budget
from markmirror.pipeline.failures import Failures
from markmirror.pipeline.mirror import Mirror
from markmirror.ports import Clock, Fetcher
from markmirror.progress import Progress
from markmirror.retry import (
    LONGEST_REFUSAL_SECONDS,
    SECOND_CHANCE,
    SECOND_CHANCES,
    THROTTLE,
    THROTTLED_ATTEMPTS,
)
from markmirror.state.queues import Download, Downloaded, Waiting
from markmirror.web.urls import host_of

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Downloader:
    """Keeps `concurrency` requests under way until the queue is empty or somebody says stop."""

    mirror: Mirror
    fetcher: Fetcher
    politeness: Politeness
    clock: Clock
    chance: random.Random
    concurrency: int
    retries: bool
    budget: Budget
    failures: Failures
    progress: Progress
    stopping: asyncio.Event
    arrivals: "asyncio.Queue[Waiting | None]"
    _leased: deque[Download] = field(default_factory=deque)
    _refused_since: dict[str, float] = field(default_factory=dict)
    _arrived: list[Downloaded] = field(default_factory=list)
    _safe: dict[int, Waiting] = field(default_factory=dict)

    async def work(self) -> None:
        """Return when nothing is left to fetch, everything fetched has been handed over."""
        async with asyncio.TaskGroup() as workers:
            for _ in range(self.concurrency):
                workers.create_task(self._fetch_pages())
        self._give_back()

    async def _fetch_pages(self) -> None:
        while (item := await self._next()) is not None:
            self.progress.begins(item.url)
            try:
                outcome = await self.fetcher.fetch(item.target, item.validators)
            except Stopped:
                self.mirror.ledger.downloads.give_back([item.page])
                self.budget.end()
                return
            self._watch_for_refusal(outcome)
            await self._deal_with(item, outcome)

    async def _next(self) -> Download | None:
        """The next page that is due; waits while pages under way may still bring work back."""
        while not self.stopping.is_set():
            if self._leased:
                return self._leased.popleft()
            if self.budget.is_spent:
                return None
            room = self.budget.room(self.concurrency)
            if room:
                self._leased.extend(
                    self.mirror.ledger.downloads.lease(room, now=self.clock.monotonic())
                )
                self.budget.begin(len(self._leased))
                if self._leased:
                    continue
            due_at = self.mirror.ledger.downloads.next_due() if room else None
            if due_at is None and self.budget.under_way == 0:
                return None
            await self._wait_for_work(due_at)
        return None

    async def _wait_for_work(self, due_at: float | None) -> None:
        """Until a page has ended, a postponed one is due, or somebody says stop."""
        waits: list[Coroutine[Any, Any, object]] = [self.budget.change(), self.stopping.wait()]
        if due_at is not None:
            waits.append(self.clock.sleep(max(due_at - self.clock.monotonic(), 0.0)))
        tasks = [asyncio.ensure_future(wait) for wait in waits]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    def _give_back(self) -> None:
        self.mirror.ledger.downloads.give_back(item.page for item in self._leased)
        self._leased.clear()

    def _watch_for_refusal(self, outcome: FetchOutcome) -> None:
        """Raises HostRefuses when a host has let nothing through for too long."""
        if isinstance(outcome, TryLater) and outcome.throttled:
            host, now = host_of(outcome.url), self.clock.monotonic()
            seconds = now - self._refused_since.setdefault(host, now)
            if seconds > LONGEST_REFUSAL_SECONDS:
                raise HostRefuses(
                    f"{host} has answered every request of the last {seconds / 60:.0f} minutes "
                    "with HTTP 429, slow down.",
                    hint="Run the same command again later, or with a lower --rate-limit; if only "
                    "a part of the site refuses, leave it out with --exclude-paths.",
                )
        elif self._refused_since:
            self._refused_since.pop(host_of(outcome.url), None)

    async def _deal_with(self, item: Download, outcome: FetchOutcome) -> None:
        match outcome:
            case Fetched():
                await self._hand_over(item, outcome)
                return
            case NotModified(url=url) if item.validators and item.validators.url == url:
                self._keep(item, outcome)
            case Unsuitable():
                self.failures.skip(item.page, item.url, outcome.content_type)
            case Refused(by_robots=True):
                self.failures.skip(item.page, item.url, "robots")
            case TryLater():
                if self._postpone(item, outcome):
                    self.budget.end()
                    return
                self._fail(item, outcome.url, outcome.reason)
            case NotModified(url=url):
                self._fail(item, url, "HTTP 304 to a question nobody asked")
            case Gone(url=url, status=status):
                self._fail(item, url, f"HTTP {status}")
            case Refused(url=url, reason=reason):
                self._fail(item, url, reason)
        self.progress.settled()
        self.budget.end()

    def _fail(self, item: Download, url: str, reason: str) -> None:
        """The page failed; after a redirect it matters where."""
        where = "" if url == item.url else f" at {url}"
        self.failures.fail(item.page, item.url, f"{reason}{where}")

    async def _hand_over(self, item: Download, fetched: Fetched) -> None:
        downloaded = Downloaded(
            page=item.page,
            url=item.url,
            lastmod=item.lastmod,
            hops=item.hops,
            fetched=fetched,
            fetched_at=self.clock.now(),
        )
        self._arrived.append(downloaded)
        # What arrives in one turn of the loop is one commit, since each would cost as much as all.
        # Everybody waits for it: the next page is asked for when this one is safe.
        await asyncio.sleep(0)
        if self._arrived:
            self._commit_arrived()
        await self.arrivals.put(self._safe.pop(item.page))

    def _commit_arrived(self) -> None:
        """For all who have something to hand over; whoever comes first does it."""
        for page in self.mirror.ledger.processing.put(self._arrived):
            self._safe[page.page] = page
        self._arrived = []

    def _keep(self, item: Download, answer: NotModified) -> None:
        ledger = self.mirror.ledger
        with ledger.transaction():
            ledger.downloads.finish(item.page)
            if ledger.pages.entry(item.page) is None:
                # Meanwhile the page that bears the URL took the file, and this is its duplicate.
                return
            ledger.pages.verified(item.page, self.clock.now(), item.lastmod, answer.validators)
            ledger.pages.settle(item.page, Status.UNCHANGED, run=self.mirror.run.number)

    def _postpone(self, item: Download, outcome: TryLater) -> bool:
        """Whether the page will be tried again."""
        host = host_of(outcome.url)
        if outcome.throttled:
            wait = THROTTLE.delay(item.throttled + 1, outcome.wait_seconds, self.chance)
            self.politeness.pause(host, wait)
            said = {"host": host, "seconds": round(wait, 1)}
            log.warning("the server asked us to wait", extra=said)
            may_retry = item.throttled + 1 < THROTTLED_ATTEMPTS
        else:
            wait = SECOND_CHANCE.delay(item.attempts + 1, outcome.wait_seconds, self.chance)
            if outcome.wait_seconds is not None:
                self.politeness.pause(host, wait)
            may_retry = self.retries and item.attempts < SECOND_CHANCES
        if may_retry:
            self.mirror.ledger.downloads.postpone(
                item.page, due_at=self.clock.monotonic() + wait, throttled=outcome.throttled
            )
        return may_retry
