"""The main flow of a run: read this first.

discover → plan → download and save → settle → write down. Every step can be repeated, so a run that
was interrupted or killed goes on with the step it was in.
"""

import asyncio
import logging
from dataclasses import dataclass

from markmirror.errors import (
    DiskFull,
    ExitCode,
    HostRefuses,
    NoConverters,
    first_error,
)
from markmirror.fetch.politeness import Politeness
from markmirror.interrupts import Stopped
from markmirror.model import Status
from markmirror.options import SiteOptions
from markmirror.pipeline.budget import Budget
from markmirror.pipeline.discovering import discover
from markmirror.pipeline.disk import Disk
from markmirror.pipeline.downloading import Downloader
from markmirror.pipeline.failures import Failures
from markmirror.pipeline.mirror import Mirror
from markmirror.pipeline.outputs import (
    write_checkpoint,
    write_contents,
    write_manifest,
    write_progress,
)
from markmirror.pipeline.planning import judge_again, plan
from markmirror.pipeline.saving import Saver
from markmirror.pipeline.settling import (
    merge_copies,
    remove_gone_pages,
    settle_file_names,
    why_not_prune,
)
from markmirror.pipeline.tallies import Tallies
from markmirror.plan import Wish
from markmirror.ports import Discovery, Fetcher, ReasonAgainst, Scope
from markmirror.progress import Progress
from markmirror.report import Delta, Report, exit_code_of, skip_reasons
from markmirror.state.queues import Waiting
from markmirror.workers import Converters
from markmirror.world import World

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class MirrorRun:
    """One process's part in a run, with everything it needs handed in."""

    options: SiteOptions
    mirror: Mirror
    discovery: Discovery
    fetcher: Fetcher
    politeness: Politeness
    converters: Converters
    scope: Scope
    reason_against: ReasonAgainst
    filters: str
    world: World
    disk: Disk
    stopping: asyncio.Event
    trust_processed: bool
    _progress: Progress | None = None
    _failures: Failures | None = None
    _started: float = 0.0

    async def run(self) -> Report:
        """Bring the mirror as far as possible and say how far that was."""
        self._started = self.world.clock.monotonic()
        try:
            await self._discover()
            await self._plan()
            await self._download_and_save()
            message, code = self._settle()
        except (Stopped, asyncio.CancelledError):
            message, code = "Interrupted; nothing is lost.", ExitCode.INTERRUPTED
        except (DiskFull, HostRefuses, NoConverters) as error:
            message, code = str(error), error.exit_code
        return self._write_down(message, code)

    async def _discover(self) -> None:
        run = self.mirror.run
        if run.phase == "discovering":
            await discover(self.mirror, self.discovery, self.reason_against, stopping=self.stopping)
            listed = self.mirror.ledger.pages.in_scope(run.number)
            self.mirror.advance(phase="fetching", filters=self.filters, listed=listed)
        elif run.filters != self.filters:
            judged = await judge_again(self.mirror, self.reason_against, stopping=self.stopping)
            log.info("the filters have changed", extra={"urls_judged_again": judged})
            self.mirror.advance(filters=self.filters)

    async def _plan(self) -> None:
        mode = self.mirror.run.mode
        wish = Wish(
            recipe=self.options.recipe.fingerprint, update=mode == "update", fresh=mode == "fresh"
        )
        await plan(
            self.mirror,
            wish=wish,
            trust_processed=self.trust_processed,
            stopping=self.stopping,
        )
        counts = self.mirror.ledger.pages.reasons(Status.FILTERED, self.mirror.run.number)
        if counts:
            log.info("URLs were filtered", extra={"filtered_by": counts})

    async def _download_and_save(self) -> None:
        counts = self.mirror.ledger.pages.counts(self.mirror.run.number)
        write_checkpoint(self.mirror)
        to_do = sum(counts.values()) - counts[Status.FILTERED]
        self._progress = Progress(
            self.world.display,
            total=to_do,
            done=to_do - counts[Status.PENDING],
            monotonic=self.world.clock.monotonic,
            on_checkpoint=self._checkpoint,
        )
        self.disk.check()
        self._failures = Failures(
            mirror=self.mirror,
            clock=self.world.clock,
            on_error=self.options.on_error,
            stopping=self.stopping,
        )
        arrivals: asyncio.Queue[Waiting | None] = asyncio.Queue(
            maxsize=4 * self.options.concurrency
        )
        budget = Budget(limit=self.options.max_pages, saved=counts[Status.SAVED])
        saver = Saver(
            mirror=self.mirror,
            converters=self.converters,
            scope=self.scope,
            recipe=self.options.recipe,
            budget=budget,
            failures=self._failures,
            progress=self._progress,
            tallies=Tallies.load(self.mirror.ledger),
            arrivals=arrivals,
            check=self.disk.check,
        )
        downloader = Downloader(
            mirror=self.mirror,
            fetcher=self.fetcher,
            politeness=self.politeness,
            clock=self.world.clock,
            chance=self.world.chance,
            concurrency=self.options.concurrency,
            retries=self.options.on_error == "retry",
            budget=budget,
            failures=self._failures,
            progress=self._progress,
            stopping=self.stopping,
            arrivals=arrivals,
        )
        try:
            async with asyncio.TaskGroup() as tasks:
                syncing = tasks.create_task(self.disk.sync_when_asked())
                savers = [tasks.create_task(saver.work()) for _ in range(self.converters.lanes)]
                await self._hand_over_waiting(arrivals, budget)
                await downloader.work()
                await arrivals.put(None)
                await asyncio.gather(*savers)
                syncing.cancel()
        except ExceptionGroup as group:
            raise first_error(group) from None
        finally:
            self._failures.close()
        if self.stopping.is_set() and self._failures.first is None and self._is_anything_left():
            raise Stopped

    def _is_anything_left(self) -> bool:
        counts = self.mirror.ledger.pages.counts(self.mirror.run.number)
        return counts[Status.PENDING] > 0

    async def _hand_over_waiting(
        self, arrivals: "asyncio.Queue[Waiting | None]", budget: Budget
    ) -> None:
        """Bodies that an earlier process fetched and did not get to convert."""
        for page in self.mirror.ledger.processing.waiting():
            while not budget.room(1):
                if budget.is_spent:
                    return
                await budget.change()
            budget.begin(1)
            await arrivals.put(page)

    def _checkpoint(self, progress: Progress) -> None:
        write_progress(self.mirror, progress.numbers())
        write_checkpoint(self.mirror)
        self.disk.sync_if_due()

    def _settle(self) -> tuple[str, ExitCode]:
        """Everything was tried: close the books of the run."""
        assert self._failures is not None
        mirror, run = self.mirror, self.mirror.run
        if self._failures.first is not None:
            return f"Stopped at the first failure: {self._failures.first}", ExitCode.CONTENT_FAILURE
        if self.options.max_pages:
            mirror.ledger.verdicts.leave_the_rest(run.number)
        merge_copies(mirror)
        message = ""
        if run.mode == "fresh":
            mirror.advance(removed=run.removed + remove_gone_pages(mirror))
        elif self.options.prune:
            if brake := why_not_prune(mirror):
                message = f"Nothing was pruned: {brake}. If that is right, start over with --fresh."
            else:
                mirror.advance(removed=run.removed + remove_gone_pages(mirror))
        self._failures.tidy()
        counts = mirror.ledger.pages.counts(run.number)
        if not counts[Status.PENDING]:
            settle_file_names(mirror)
            mirror.advance(phase="finished", completed_at=self.world.clock.now().isoformat())
        code = exit_code_of(
            counts,
            on_error=self.options.on_error,
            discovery_whole=mirror.run.discovery_whole,
            present=mirror.ledger.pages.on_disk(),
        )
        if counts[Status.FILTERED] == sum(counts.values()):
            message = "Every URL was filtered out; nothing was mirrored."
        elif counts[Status.FILTERED] + counts[Status.SKIPPED] == sum(counts.values()):
            message = "Every URL was filtered out or skipped; nothing was mirrored."
        return message, code

    def _write_down(self, message: str, code: ExitCode) -> Report:
        if self._progress is not None:
            self._progress.end()
        report = self._report(message, code)
        try:
            self.disk.sync()
            if self._progress is not None:
                write_progress(self.mirror, self._progress.numbers())
            write_checkpoint(self.mirror)
            if self.mirror.run.phase != "discovering":
                tallies = Tallies.load(self.mirror.ledger)
                write_manifest(self.mirror, report, filters=self.options.filters, tallies=tallies)
                write_contents(self.mirror)
        except DiskFull as error:
            log.error("the manifest could not be written", extra={"error": str(error)})  # noqa: TRY400
        log.info("the run ended", extra={"report": report.as_dict()})
        return report

    def _report(self, message: str, code: ExitCode) -> Report:
        mirror, run = self.mirror, self.mirror.run
        pages = mirror.ledger.pages
        counts = pages.counts(run.number)
        changes = pages.reasons(Status.SAVED, run.number)
        return Report(
            folder=mirror.home.root,
            counts=counts,
            filtered_by=pages.reasons(Status.FILTERED, run.number),
            skipped_by=skip_reasons(pages.reasons(Status.SKIPPED, run.number)),
            delta=Delta.of(changes, removed=run.removed, unchanged=counts[Status.UNCHANGED]),
            gone=sum(1 for _ in pages.gone(run.number)) if run.phase == "finished" else 0,
            prune=self.options.prune,
            limit=self.options.max_pages,
            seconds=self.world.clock.monotonic() - self._started,
            discovery_whole=run.discovery_whole,
            exit_code=code,
            message=message,
        )
