"""The download queue of a space: lease breadth first, fetch many bodies at once, hand over."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from markmirror.interrupts import Stopped
from markmirror.model import Fetched
from markmirror.pipeline.budget import Budget
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.failures import DENIED, MISSING, PageFailures
from markmirror.pipeline.space.listing import BULK, bulk
from markmirror.ports import Clock
from markmirror.progress import Progress
from markmirror.sources.confluence.answers import Meaning
from markmirror.sources.confluence.client import ConfluenceClient
from markmirror.sources.confluence.records import PageRecord, read_page
from markmirror.state.queues import Downloaded

log = logging.getLogger(__name__)

BODY = "body.storage,version,space"
# Answers with many bodies under way at once: more would only fill the memory.
BULK_WORKERS = 2


@dataclass(slots=True, kw_only=True)
class BodyDownloader:
    """Fetches bodies until the queue is empty and nothing under way can fill it again."""

    export: Export
    client: ConfluenceClient
    clock: Clock
    concurrency: int
    budget: Budget
    failures: PageFailures
    progress: Progress
    stopping: asyncio.Event
    arrivals: "asyncio.Queue[int | None]"
    room: asyncio.Semaphore
    after_page: Callable[[], None]
    asks_for_many: bool = True

    async def work(self) -> None:
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(BULK_WORKERS, self.concurrency)):
                workers.create_task(self._fetch_pages())

    async def _fetch_pages(self) -> None:
        while pages := await self._next():
            open_pages = set(pages)
            try:
                await self._fetch(pages, open_pages)
            except* Stopped:
                self.export.ledger.downloads.give_back(open_pages)
                for _ in open_pages:
                    self.budget.end()

    async def _next(self) -> list[int]:
        """The next pages; waits while pages under way may still refer to others."""
        while not self.stopping.is_set():
            pages = self.export.queues.lease(BULK)
            if pages:
                self.budget.begin(len(pages))
                return pages
            if self.budget.under_way == 0:
                return []
            stop = asyncio.ensure_future(self.stopping.wait())
            change = asyncio.ensure_future(self.budget.change())
            try:
                await asyncio.wait({stop, change}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stop.cancel()
                change.cancel()
        return []

    async def _fetch(self, pages: list[int], open_pages: set[int]) -> None:
        found = await self._fetch_many(pages)
        missing: list[int] = []
        for page in pages:
            self.progress.begins(self.export.address(page))
            record = self._record(page, found.pop(page, None))
            if record is None:
                missing.append(page)
            else:
                open_pages.discard(page)
                await self._hand_over(page, record)
        async with asyncio.TaskGroup() as singles:
            for page in missing:
                singles.create_task(self._fetch_single(page, open_pages))

    async def _fetch_many(self, pages: list[int]) -> dict[int, Mapping[str, Any]]:
        if len(pages) == 1 or not self.asks_for_many:
            return {}
        found = await bulk(self.client, pages, expand=BODY)
        if found is None:
            log.warning("many pages at once are not to be had; they are fetched one by one")
            self.asks_for_many = False
        return found or {}

    async def _fetch_single(self, page: int, open_pages: set[int]) -> None:
        async with self.room:
            record = await self._fetch_one(page)
        open_pages.discard(page)
        if record is not None:
            await self._hand_over(page, record)

    def _record(self, page: int, document: Mapping[str, Any] | None) -> PageRecord | None:
        """The page of a search's answer, unless the index lags behind what the listing said."""
        record = None if document is None else read_page(self.export.site, document)
        if record is None or record.storage is None:
            return None
        known = self.export.store.page(page)
        is_behind = known is not None and record.version < known.version
        return None if is_behind else record

    async def _fetch_one(self, page: int) -> PageRecord | None:
        reply = await self.client.get(self.export.site.page(str(page), expand=BODY))
        verdict = reply.verdict
        match verdict.meaning:
            case Meaning.GOOD:
                record = read_page(self.export.site, reply.body)
                if record is not None and record.storage is not None:
                    return record
                self._fail(page, "the server sent no body")
            case Meaning.FORBIDDEN:
                self._skip(page, DENIED)
            case Meaning.MISSING:
                self._skip(page, MISSING)
            case _:
                self._fail(page, verdict.reason)
        return None

    def _fail(self, page: int, reason: str) -> None:
        self.failures.fail(page, reason, stage="download")
        self.progress.settled()
        self.budget.end()

    def _skip(self, page: int, reason: str) -> None:
        self.failures.skip(page, reason)
        self.progress.settled()
        self.budget.end()

    async def _hand_over(self, page: int, record: PageRecord) -> None:
        body = {
            "version": record.version,
            "modified": record.modified,
            "author": record.author,
            "storage": record.storage,
        }
        downloaded = Downloaded(
            page=page,
            url=self.export.address(page),
            lastmod=record.modified,
            hops=0,
            fetched=Fetched(
                url=self.export.address(page),
                content_type="application/json",
                body=json.dumps(body).encode(),
            ),
            fetched_at=self.clock.now(),
        )
        self.export.ledger.processing.put([downloaded])
        self.after_page()
        await self.arrivals.put(page)
