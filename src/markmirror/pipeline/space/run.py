"""The main flow of an export: read this first.

list → plan → download and process → settle → write down. Every step can be repeated, so an export
that was interrupted or killed goes on with the step it was in.
"""

import asyncio
import logging
from dataclasses import dataclass, field

from markmirror.errors import DiskFull, ExitCode, NoConverters, first_error
from markmirror.interrupts import Stopped
from markmirror.model import Status
from markmirror.pipeline.budget import Budget
from markmirror.pipeline.disk import Disk
from markmirror.pipeline.space.attachments import AttachmentDownloads, attachment_counts
from markmirror.pipeline.space.downloading import BodyDownloader
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.failures import INVALID, PageFailures
from markmirror.pipeline.space.finding import Finder
from markmirror.pipeline.space.listing import SpaceListing
from markmirror.pipeline.space.outputs import QueueFile, log_progress, write_manifest
from markmirror.pipeline.space.places import resolve_places
from markmirror.pipeline.space.planning import plan, put_into_queue
from markmirror.pipeline.space.processing import PageProcessor
from markmirror.pipeline.space.references import Resolver
from markmirror.pipeline.space.settling import Settling, put_back
from markmirror.pipeline.tallies import Tallies
from markmirror.progress import Progress
from markmirror.report import Delta
from markmirror.sources.confluence.client import ConfluenceClient, LoginRefused
from markmirror.space_report import SpaceReport, export_exit_code
from markmirror.workers import Converters
from markmirror.world import World

log = logging.getLogger(__name__)

# Pages in the making for each request that may be under way: while some of them wait for an answer,
# others are converted. The session sees to it that no more requests than that are under way.
PAGES_PER_REQUEST = 4
# Rewriting links may change what other pages show; more rounds than this change nothing any more.
MOST_ROUNDS = 6


@dataclass(slots=True, kw_only=True)
class SpaceRun:
    """One process's part in an export, with everything it needs handed in.

    `impatient` stops waiting as soon as the person asks to stop; `patient` lets pages that have
    been fetched come to their end.
    """

    export: Export
    impatient: ConfluenceClient
    patient: ConfluenceClient
    converters: Converters
    world: World
    disk: Disk
    stopping: asyncio.Event
    _progress: Progress | None = None
    _finder: Finder | None = None
    _settling: Settling | None = None
    _queues: QueueFile | None = None
    _started: float = 0.0
    _aborted: bool = False
    _listing: SpaceListing = field(init=False)

    async def run(self) -> SpaceReport:
        """Bring the export as far as possible and say how far that was."""
        self._started = self.world.clock.monotonic()
        self._queues = QueueFile(export=self.export, clock=self.world.clock)
        self._listing = SpaceListing(
            export=self.export,
            client=self.impatient,
            concurrency=self.export.options.concurrency,
            stopping=self.stopping,
        )
        try:
            if self.export.run.phase == "discovering":
                await self._listing.read(self.export.options.root_page)
            else:
                self._listing.check_root(self.export.options.root_page)
            await self._export_pages()
            message, code = self._finish()
        except Stopped:
            message, code = "Interrupted; run again with --resume to go on.", ExitCode.INTERRUPTED
        except asyncio.CancelledError:
            self._aborted = True
            message, code = "Stopped at once; run again with --resume.", ExitCode.INTERRUPTED
        except LoginRefused as error:
            if self.export.run.phase == "discovering":
                raise
            message, code = str(error), error.exit_code
        except (DiskFull, NoConverters) as error:
            message, code = str(error), error.exit_code
        return self._write_down(message, code)

    async def _export_pages(self) -> None:
        assert self._queues is not None
        self.disk.check()
        decided = plan(self.export, limit=self.export.options.limit)
        put_into_queue(self.export, decided)
        self.export.read_tree()
        self._queues.write()
        log.info(
            "the export is planned",
            extra={"due": len(decided.due), "unchanged": len(decided.unchanged)},
        )
        total, done = self._pages_to_do()
        self._progress = Progress(
            self.world.display,
            total=total,
            done=done,
            monotonic=self.world.clock.monotonic,
            on_checkpoint=self._checkpoint,
        )
        self._settling = Settling(
            export=self.export,
            client=self.impatient,
            listing=self._listing,
            prune=self.export.options.prune,
        )
        await self._download_and_process()
        await self._settling.look_for_missing()
        for _ in range(MOST_ROUNDS):
            put_into_queue(self.export, plan(self.export, limit=None, again=True))
            again = self._settling.pages_to_write_again()
            for page in again:
                put_back(self.export, page)
            total, done = self._pages_to_do()
            self._progress.recount(total=total, done=done - len(again))
            if not again and self.export.ledger.downloads.next_due() is None:
                break
            await self._download_and_process()
        self._settling.remove_unreferenced()

    def _pages_to_do(self) -> tuple[int, int]:
        """How many pages this run is about, and how many of them have reached their end."""
        counts = self.export.ledger.pages.counts(self.export.run.number)
        total = sum(counts.values()) - counts[Status.LEFT]
        return total, total - counts[Status.PENDING]

    async def _download_and_process(self) -> None:
        export, options = self.export, self.export.options
        assert self._progress is not None
        assert self._queues is not None
        budget = Budget(limit=0, saved=0)
        arrivals: asyncio.Queue[int | None] = asyncio.Queue()
        failures = PageFailures(export=export)
        processor = PageProcessor(
            export=export,
            converters=self.converters,
            attachments=AttachmentDownloads(
                export=export, client=self.patient, largest=options.max_attachment_size
            ),
            resolver=Resolver(
                export=export, finder=self._finder or self._new_finder(self._progress)
            ),
            budget=budget,
            failures=failures,
            tallies=Tallies.load(export.ledger),
            progress=self._progress,
            clock=self.world.clock,
            arrivals=arrivals,
            after_page=self._after_page,
        )
        downloader = BodyDownloader(
            export=export,
            client=self.impatient,
            clock=self.world.clock,
            concurrency=options.concurrency,
            budget=budget,
            failures=failures,
            progress=self._progress,
            stopping=self.stopping,
            arrivals=arrivals,
            room=asyncio.Semaphore(options.concurrency),
            after_page=self._after_page,
        )
        ended = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as tasks:
                syncing = tasks.create_task(self.disk.sync_when_asked())
                tasks.create_task(log_progress(export, ended))
                workers = [
                    tasks.create_task(processor.work())
                    for _ in range(PAGES_PER_REQUEST * options.concurrency)
                ]
                for waiting in export.ledger.processing.waiting():
                    budget.begin(1)
                    arrivals.put_nowait(waiting.page)
                await downloader.work()
                while budget.under_way:
                    await budget.change()
                arrivals.put_nowait(None)
                await asyncio.gather(*workers)
                ended.set()
                syncing.cancel()
        except ExceptionGroup as group:
            raise first_error(group) from None
        if self.stopping.is_set():
            raise Stopped

    def _new_finder(self, progress: Progress) -> Finder:
        run = self.export.run.number
        self._finder = Finder(
            export=self.export,
            client=self.patient,
            listing=SpaceListing(
                export=self.export,
                client=self.patient,
                concurrency=1,
                stopping=self.stopping,
            ),
            progress=progress,
            discover=self.export.options.discover,
            max_discovered=self.export.options.max_discovered,
            stopping=self.stopping,
            discovered=self.export.store.discovered(run),
        )
        return self._finder

    def _after_page(self) -> None:
        assert self._queues is not None
        self._queues.keep_up()
        self.disk.check()

    def _checkpoint(self, progress: Progress) -> None:
        del progress
        self.disk.sync_if_due()

    def _finish(self) -> tuple[str, ExitCode]:
        """Everything was tried: close the books of the run."""
        assert self._settling is not None
        export = self.export
        resolve_places(export)
        export.remove_stale_files()
        counts = export.ledger.pages.counts(export.run.number)
        export.advance(phase="finished", completed_at=self.world.clock.now().isoformat())
        failed = export.store.titles(Status.FAILED, export.run.number)
        breach = attachment_counts(export).breach
        code = export_exit_code(
            counts,
            allow_failures=self.export.options.allow_failures,
            invalid=sum(reason.startswith(INVALID) for _, _, reason in failed),
            listing_whole=export.run.discovery_whole,
            unresolved=len(export.links.unresolved()),
            breach=breach,
            brake=self._settling.brake,
        )
        sentences = [sentence for sentence in (breach, self._settling.brake) if sentence]
        return " ".join(f"{sentence.rstrip('.')}." for sentence in sentences), code

    def _write_down(self, message: str, code: ExitCode) -> SpaceReport:
        if self._progress is not None:
            self._progress.end()
        report = self._report(message, code)
        try:
            self.disk.sync()
            if self._queues is not None:
                self._queues.write(aborted=self._aborted)
            write_manifest(self.export, report)
        except DiskFull as error:
            log.error("the manifest could not be written", extra={"error": str(error)})  # noqa: TRY400
        log.info("the export ended", extra={"report": report.as_dict()})
        return report

    def _report(self, message: str, code: ExitCode) -> SpaceReport:
        export, run = self.export, self.export.run
        pages = export.ledger.pages
        counts = pages.counts(run.number)
        changes = pages.reasons(Status.SAVED, run.number)
        files = list(export.files.not_had())
        return SpaceReport(
            folder=export.home.root,
            counts=counts,
            delta=Delta.of(changes, removed=run.removed, unchanged=counts[Status.UNCHANGED]),
            limit=self.export.options.limit or 0,
            seconds=self.world.clock.monotonic() - self._started,
            discovery_whole=run.discovery_whole,
            exit_code=code,
            message=message,
            failures=tuple(_told(*one) for one in export.store.titles(Status.FAILED, run.number)),
            skipped=tuple(_told(*one) for one in export.store.titles(Status.SKIPPED, run.number)),
            attachment_failures=tuple(
                f"{file.name} of {self._title(file.page)}: {file.reason}"
                for file in files
                if file.status == "failed"
            ),
            attachments_denied=tuple(
                f"{file.name} of {self._title(file.page)}"
                for file in files
                if file.status == "denied"
            ),
            unresolved=self._told(export.links.unresolved()),
            unseen=self._told(export.links.unseen()),
            missing=tuple(page.title for page in export.store.restricted()),
            left_out=self._finder.left_out if self._finder is not None else 0,
            metrics=self._metrics(counts),
        )

    def _told(self, references: list[tuple[int, str, str]]) -> tuple[str, ...]:
        return tuple(
            f"{reference} on {self._title(page)}: {why}" for page, reference, why in references
        )

    def _title(self, page: int) -> str:
        known = self.export.store.page(page)
        return str(page) if known is None else known.title

    def _metrics(self, counts: dict[Status, int]) -> dict[str, object]:
        metrics = self.export.queues.metrics(self.export.run.number)
        seconds = self.world.clock.monotonic() - self._started
        completed = metrics["processingQueue"]["completed"]
        return {
            **metrics,
            "transitionThroughput": round(completed / seconds, 3) if seconds > 0 else 0.0,
            "pagesProcessed": counts[Status.SAVED] + counts[Status.UNCHANGED],
            "pagesRemaining": counts[Status.PENDING],
        }


def _told(page: int, title: str, reason: str) -> str:
    return f"{title} ({page}): {reason}"
