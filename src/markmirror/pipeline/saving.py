"""The processing queue: bodies become files. The file comes first, then its row and its finish."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from markmirror.convert.page import RenderedPage
from markmirror.errors import EndsRun, MarkmirrorError
from markmirror.model import Entry, Recipe, Status
from markmirror.pipeline.budget import Budget
from markmirror.pipeline.failures import Failures
from markmirror.pipeline.mirror import Mirror
from markmirror.pipeline.tallies import Tallies
from markmirror.ports import Scope
from markmirror.progress import Progress
from markmirror.state.queues import Waiting
from markmirror.state.recovery import is_intact
from markmirror.worker import WaitingPage, render_waiting_page
from markmirror.workers import Converters

BATCH_PAGES = 32
BATCH_BYTES = 1024 * 1024
# A page that refreshes to a page that refreshes … is followed this far.
MAX_REFRESHES = 5


@dataclass(slots=True, kw_only=True)
class Saver:
    """Takes downloaded pages, has them converted, and puts them in their place."""

    mirror: Mirror
    converters: Converters
    scope: Scope
    recipe: Recipe
    budget: Budget
    failures: Failures
    progress: Progress
    tallies: Tallies
    arrivals: "asyncio.Queue[Waiting | None]"
    check: Callable[[], None]

    async def work(self) -> None:
        """Convert and save until a None arrives."""
        while batch := await self._next_batch():
            jobs = [self._job(page) for page in batch]
            conversions = await self.converters.run(render_waiting_page, jobs)
            self.check()
            self._save_all(batch, conversions)

    async def _next_batch(self) -> list[Waiting]:
        batch: list[Waiting] = []
        size = 0
        while len(batch) < BATCH_PAGES and size < BATCH_BYTES:
            if batch and self.arrivals.empty():
                break
            page = await self.arrivals.get()
            if page is None:
                # Others wait for the same sign.
                self.arrivals.put_nowait(None)
                break
            batch.append(page)
            size += page.body.length
        return batch

    def _job(self, page: Waiting) -> WaitingPage:
        return WaitingPage(
            url=page.url,
            final_url=page.final_url,
            content_type=page.content_type,
            lastmod=page.lastmod,
            fetched_at=page.fetched_at.isoformat(),
            recipe=self.recipe,
            file=self.mirror.ledger.processing.file_of(page),
            body=page.body,
        )

    def _save_all(self, batch: list[Waiting], conversions: list[RenderedPage | Exception]) -> None:
        pages = list(zip(batch, conversions, strict=True))
        # Names first, in a commit of their own: a file must never be there before its claim.
        with self.mirror.ledger.transaction():
            paths = {
                page.page: self.mirror.claim(self._identity(page))
                for page, conversion in pages
                if isinstance(conversion, RenderedPage)
            }
        fates: dict[str, Status] = {}
        with self.mirror.ledger.transaction():
            for page, conversion in pages:
                if isinstance(conversion, Exception):
                    reason = f"the page could not be converted: {conversion}"
                    self.failures.fail(page.page, page.url, reason)
                elif self._is_stub(page, conversion):
                    self.mirror.ledger.downloads.follow(page.page, str(conversion.refresh))
                    continue
                else:
                    fates[page.url] = self._save(page, conversion, paths[page.page])
                self.mirror.ledger.processing.finish(page.page)
                self.progress.settled()
            on_disk = (Status.SAVED, Status.UNCHANGED)
            self.mirror.processed.append(url for url, fate in fates.items() if fate in on_disk)
            self.tallies.save(self.mirror.ledger)
        for page, _ in pages:
            self.budget.end(saved=fates.get(page.url) is Status.SAVED)

    def _identity(self, page: Waiting) -> str:
        """The URL that names the page: where it ended, if that belongs to the mirror."""
        final_url = page.final_url
        return final_url if self.scope.allows(final_url) else page.url

    def _is_stub(self, page: Waiting, rendered: RenderedPage) -> bool:
        """Whether the page only points elsewhere, so that what it points at is to be fetched."""
        target = rendered.refresh
        return (
            target is not None
            and target not in (page.url, page.final_url)
            and page.hops < MAX_REFRESHES
            and self.scope.allows(target)
        )

    def _save(self, page: Waiting, rendered: RenderedPage, path: str) -> Status:
        """Write the page unless it is a duplicate or unchanged; say what became of it."""
        try:
            return self._put_in_place(page, rendered, path)
        except EndsRun:
            raise
        except MarkmirrorError as error:
            # Something stands in this page's way, such as a link; the others may have theirs free.
            self.failures.fail(page.page, page.url, str(error))
            return Status.FAILED

    def _put_in_place(self, page: Waiting, rendered: RenderedPage, path: str) -> Status:
        ledger = self.mirror.ledger
        run = self.mirror.run.number
        self._reopen_duplicates(page)
        if rival := self._settle_rivals(page):
            self._drop_own_file(page)
            ledger.pages.settle(page.page, Status.DUPLICATE, run=run, reason=rival)
            return Status.DUPLICATE
        known = ledger.pages.entry(page.page)
        if known and self._is_same(known, rendered, path):
            ledger.pages.verified(page.page, page.fetched_at, page.lastmod, page.validators)
            ledger.pages.settle(page.page, Status.UNCHANGED, run=run)
            return Status.UNCHANGED
        written = self.mirror.tree.write(path, rendered.file)
        change = "added" if known is None else "updated" if known.path == path else "moved"
        if known is not None and known.path != path:
            self.mirror.tree.remove(known.path)
        ledger.pages.record(
            page.page,
            Entry(
                url=page.url,
                path=path,
                final_url=self._identity(page),
                recipe=self.recipe.fingerprint,
                content_hash=rendered.content_hash,
                size_bytes=written.size,
                mtime_ns=written.mtime_ns,
                fetched_at=page.fetched_at,
                verified_at=page.fetched_at,
                title=rendered.title,
                canonical=rendered.canonical,
                lastmod=page.lastmod,
                validators=page.validators,
            ),
        )
        ledger.pages.settle(page.page, Status.SAVED, run=run, reason=change)
        self.tallies.count(notes=rendered.notes, cleanup=rendered.cleanup)
        return Status.SAVED

    def _is_same(self, known: Entry, rendered: RenderedPage, path: str) -> bool:
        return (
            known.content_hash == rendered.content_hash
            and known.path == path
            and known.recipe == self.recipe.fingerprint
            and is_intact(self.mirror.tree, known)
        )

    def _settle_rivals(self, page: Waiting) -> str | None:
        """Of pages that ended at one URL, the one that bears it stays, else the smallest.

        Returns the URL of the page that stays, if it is not this one. A page that the site no
        longer names is no rival, and its file passes to this one.
        """
        ledger, run = self.mirror.ledger, self.mirror.run.number
        identity = self._identity(page)
        rivals, unlisted = ledger.pages.with_final_url(identity, but=page.page, run=run)
        for former in unlisted:
            ledger.pages.hand_over(former, page.page)
        if not rivals:
            return None
        urls = [page.url, *(url for _, url in rivals)]
        winner = identity if identity in urls else min(urls)
        if winner != page.url:
            return winner
        for rival, _ in rivals:
            ledger.pages.forget_entry(rival)
            fate = ledger.pages.fate(rival)
            assert fate is not None
            ledger.pages.settle(rival, Status.DUPLICATE, run=run, reason=page.url, was=fate.status)
            if fate.status is Status.SAVED:
                self.budget.unsave()
        return None

    def _reopen_duplicates(self, page: Waiting) -> None:
        """A page that leads elsewhere now no longer stands for those that led where it did."""
        known = self.mirror.ledger.pages.entry(page.page)
        if known is None or known.final_url == self._identity(page):
            return
        reopened = self.mirror.ledger.pages.reopen_duplicates(page.url, self.mirror.run.number)
        self.mirror.ledger.verdicts.fetch([(duplicate, False) for duplicate in reopened])
        self.progress.total += len(reopened)

    def _drop_own_file(self, page: Waiting) -> None:
        """A page that had a file of its own and now leads to another's gives it up."""
        known = self.mirror.ledger.pages.entry(page.page)
        if known is None:
            return
        self.mirror.ledger.pages.forget_entry(page.page)
        if self.mirror.ledger.claims.of(self._identity(page)) != known.path:
            self.mirror.tree.remove(known.path)
