"""The processing queue of a space: files fetched, references found, Markdown written."""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from markmirror.convert.page import content_hash_of
from markmirror.convert.space_page import (
    RenderedSpacePage,
    SpacePageJob,
    explore_space_page,
    faults_of,
    render_space_page,
)
from markmirror.convert.storage_format import References, StorageContext
from markmirror.errors import EndsRun, MarkmirrorError
from markmirror.interrupts import Stopped
from markmirror.model import Entry, Status
from markmirror.pipeline.budget import Budget
from markmirror.pipeline.space.attachments import AttachmentDownloads
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.failures import INVALID, PageFailures
from markmirror.pipeline.space.places import Places
from markmirror.pipeline.space.references import Resolved, Resolver
from markmirror.pipeline.tallies import Tallies
from markmirror.ports import Clock
from markmirror.progress import Progress
from markmirror.state.space import KnownPage
from markmirror.workers import Converters

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A page's body as it was fetched, with what the answer said about that version."""

    version: int
    modified: str
    author: str
    storage: str
    raw: bytes
    fetched_at: datetime


@dataclass(slots=True, kw_only=True)
class PageProcessor:
    """Puts fetched pages in their place: the file first, then its row and its finish together."""

    export: Export
    converters: Converters
    attachments: AttachmentDownloads
    resolver: Resolver
    budget: Budget
    failures: PageFailures
    tallies: Tallies
    progress: Progress
    clock: Clock
    arrivals: "asyncio.Queue[int | None]"
    after_page: Callable[[], None]
    _places: Places = field(init=False)

    def __post_init__(self) -> None:
        self._places = Places(export=self.export)

    async def work(self) -> None:
        """Process pages until a None arrives."""
        while (page := await self.arrivals.get()) is not None:
            try:
                await self.process(page)
            except Stopped:
                # Its body is safe; the next process begins with it.
                log.info("a page waits for the next run", extra={"page": page})
            except EndsRun:
                raise
            except MarkmirrorError as error:
                # Something is in this page's way, such as a link; the others may have theirs free.
                self.failures.fail(page, str(error), stage="processing")
            self.progress.settled()
            self.budget.end()
        self.arrivals.put_nowait(None)

    async def process(self, page: int) -> None:
        """One page, from its body to its file."""
        known, body = self.export.store.page(page), self._body(page)
        if known is None or body is None:
            return
        self.export.queues.begin_processing(page)
        if body.version > known.version:
            await self.resolver.finder.listing.tell_anew(page)
            known = self.export.store.page(page) or known
        files_changed = await self.attachments.fetch_for(page)
        references = await self._references(known, body)
        if isinstance(references, Exception):
            reason = f"the page could not be read: {references}"
            self.failures.fail(page, reason, stage="processing")
            return
        resolved = await self.resolver.resolve(known, references)
        fields = self._fields(known, body)
        if faults := faults_of(fields):
            self.failures.fail(page, INVALID + "; ".join(faults), stage="processing")
            return
        job = SpacePageJob(
            storage=body.storage,
            context=resolved.context,
            fields=fields,
            cleanup=self.export.options.cleanup,
            acronyms=frozenset(self.export.options.acronyms),
        )
        (rendered,) = await self.converters.run(render_space_page, [job])
        if isinstance(rendered, Exception):
            reason = f"the page could not be converted: {rendered}"
            self.failures.fail(page, reason, stage="processing")
            return
        rendered = self._with_places(known, resolved, rendered)
        self._save(known, body, resolved, rendered, files_changed=files_changed)
        self.after_page()

    def _body(self, page: int) -> Body | None:
        waiting = self.export.ledger.processing.get(page)
        if waiting is None:
            return None
        raw = self.export.ledger.processing.body(waiting)
        fields: dict[str, Any] = json.loads(raw)
        return Body(**fields, raw=raw, fetched_at=waiting.fetched_at)

    async def _references(self, page: KnownPage, body: Body) -> References | Exception:
        if "ri:" not in body.storage and "<a" not in body.storage and "ac:" not in body.storage:
            return References()
        job = SpacePageJob(
            storage=body.storage,
            context=StorageContext(
                base_url=self.export.site.web_url,
                space_key=page.space_key,
                page_id=str(page.page),
                page_title=page.title,
                parent_id=str(page.parent or ""),
            ),
            fields={},
            cleanup="off",
        )
        (references,) = await self.converters.run(explore_space_page, [job])
        return references

    def _fields(self, page: KnownPage, body: Body) -> dict[str, str]:
        return {
            "title": page.title,
            "pageId": str(page.page),
            "spaceKey": page.space_key,
            "sourceUrl": page.web_url or self.export.address(page.page),
            "lastModified": body.modified,
            "exportTimestamp": self.clock.now().isoformat(),
            "version": str(body.version),
            "author": body.author,
            "labels": ", ".join(page.labels),
            "parentId": str(page.parent) if page.parent is not None else "",
        }

    def _with_places(
        self, page: KnownPage, resolved: Resolved, rendered: RenderedSpacePage
    ) -> RenderedSpacePage:
        """Headings it links to that are on disk, called as they are now: else it looks changed."""
        if not rendered.links_to_places or page.path is None:
            return rendered
        file = self._places.resolve(
            rendered.file, path=page.path, title=page.title, targets=resolved.links
        )
        return replace(rendered, file=file, content_hash=content_hash_of(file))

    def _save(
        self,
        page: KnownPage,
        body: Body,
        resolved: Resolved,
        rendered: RenderedSpacePage,
        *,
        files_changed: bool,
    ) -> None:
        export, path = self.export, page.path
        assert path is not None
        entry = export.ledger.pages.entry(page.page)
        found = export.tree.stat(path) if entry is not None and entry.path == path else None
        is_same = (
            entry is not None
            and found is not None
            and found.size == entry.size_bytes
            and (entry.content_hash, page.head_hash, entry.recipe)
            == (rendered.content_hash, rendered.head_hash, export.recipe)
        )
        # The file comes first; its row must never tell of one that is not there.
        written = found if is_same and found else export.tree.write(path, rendered.file)
        now = self.clock.now()
        with export.ledger.transaction():
            export.ledger.pages.record(
                page.page,
                Entry(
                    url=export.address(page.page),
                    path=path,
                    final_url=page.web_url or export.address(page.page),
                    recipe=export.recipe,
                    content_hash=rendered.content_hash,
                    size_bytes=written.size,
                    mtime_ns=written.mtime_ns,
                    fetched_at=entry.fetched_at if is_same and entry else body.fetched_at,
                    verified_at=now,
                    title=page.title,
                    lastmod=body.modified,
                ),
            )
            self._remember(page, body, resolved, rendered)
            self._settle(page.page, entry, path, changed=not is_same or files_changed)
            if entry is not None and entry.path != path:
                export.files.mark_stale(entry.path)
            export.ledger.processing.finish(page.page)
            self.tallies.count(
                notes=rendered.notes,
                cleanup=rendered.cleanup,
                unknown_macros=rendered.unknown_macros,
            )
            self.tallies.save(export.ledger)

    def _remember(
        self, page: KnownPage, body: Body, resolved: Resolved, rendered: RenderedSpacePage
    ) -> None:
        digest = page.fingerprint.partition(":")[2]
        store, links = self.export.store, self.export.links
        store.set(
            page.page,
            # A page with a reference that could not be looked up is made again next time.
            exported=f"{body.version}:{digest}" if resolved.is_whole else "",
            head_hash=rendered.head_hash,
            tree=resolved.tree,
            has_places=rendered.links_to_places,
        )
        links.keep_links(page.page, resolved.links)
        links.keep_file_links(page.page, resolved.files)
        links.keep_unseen(page.page, resolved.unseen)
        store.keep_body(page.page, body.raw)

    def _settle(self, page: int, entry: Entry | None, path: str, *, changed: bool) -> None:
        pages, run = self.export.ledger.pages, self.export.run.number
        fate = pages.fate(page)
        # An old body may be written again for its links; that makes good no failure of this run.
        if fate is not None and fate.settled_in == run and fate.status is not Status.UNCHANGED:
            return
        if entry is None:
            pages.settle(page, Status.SAVED, run=run, reason="added")
        elif entry.path != path:
            pages.settle(page, Status.SAVED, run=run, reason="moved")
        elif changed:
            pages.settle(page, Status.SAVED, run=run, reason="updated")
        else:
            pages.settle(page, Status.UNCHANGED, run=run)
