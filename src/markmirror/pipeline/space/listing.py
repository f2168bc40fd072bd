"""What a space holds, written into the ledger: complete, or marked as incomplete."""

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from markmirror.errors import SourceUnavailable, UsageError
from markmirror.interrupts import Stopped
from markmirror.output.space_paths import attachment_names, space_directory
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.failures import DENIED, MISSING, PageFailures
from markmirror.sources.confluence.answers import Meaning
from markmirror.sources.confluence.client import ConfluenceClient, ListEnd
from markmirror.sources.confluence.downloads import AttachmentRecord, read_attachment
from markmirror.sources.confluence.fields import is_content_id
from markmirror.sources.confluence.listing import attachments_of_page, pages_of_space
from markmirror.sources.confluence.records import AncestorRecord, PageRecord, read_page
from markmirror.state.space import LISTED, KnownPage, Source, ToldPage
from markmirror.state.space_files import KnownAttachment, ToldAttachment

log = logging.getLogger(__name__)

# All that is told of a page but its body: a rerun needs nothing else to see what has changed.
META = "version,space,ancestors,metadata.labels,children.attachment.version"
LIST_LIMIT = 200
FILE_LIMIT = 200
# Ids in one search: the server's own cap for answers with bodies.
BULK = 50


@dataclass(slots=True, kw_only=True)
class SpaceListing:
    """Reads the space's list of pages and what else a run must know before it can plan."""

    export: Export
    client: ConfluenceClient
    concurrency: int
    stopping: asyncio.Event

    async def read(self, root_page: str | None) -> None:
        """Tell the ledger of every page; raises Stopped or SourceUnavailable."""
        export, run = self.export, self.export.run.number
        with export.ledger.transaction():
            export.links.forget_unresolved()
            self._forget_discoveries()
        end = await self._read_pages()
        if not end.whole:
            log.error("the list of pages is incomplete", extra={"why": end.reason})
        hidden = await self._find_unlisted_ancestors()
        if not export.store.seen(run, export.space.key):
            sentence = f"The space {export.space.key} holds no page that can be seen"
            raise SourceUnavailable(f"{sentence}: {end.reason}." if end.reason else f"{sentence}.")
        self._choose(root_page)
        self._skip(hidden)
        await self._refresh_discovered()
        export.advance(
            phase="fetching",
            discovery_whole=end.whole,
            listed=export.ledger.pages.listed(run),
            root_page=self._root_id(root_page),
        )

    def _forget_discoveries(self) -> None:
        """What is to be found by other rules, or all anew, is found again by reading every page."""
        ledger, rules = self.export.ledger, self.export.discovery
        has_other_rules = ledger.recall("discovery") not in ("", rules)
        if has_other_rules:
            self.export.store.read_all_again()
        if has_other_rules or self.export.run.mode == "fresh":
            self.export.store.forget_discoveries()
        ledger.remember("discovery", rules)

    async def _read_pages(self) -> ListEnd:
        export = self.export
        listing = pages_of_space(
            export.site, export.space.key, expand=META, limit=LIST_LIMIT, scan=False
        )
        async for found in self.client.items(listing):
            if self.stopping.is_set():
                raise Stopped
            if isinstance(found, ListEnd):
                return found
            await self.register(found, source=LISTED)
        raise AssertionError("a list says how it ended")

    async def register(
        self, documents: Iterable[Mapping[str, Any]], *, source: str
    ) -> list[PageRecord]:
        """Tell the ledger of these pages, with their files; returns those that are current."""
        records = [read_page(self.export.site, document) for document in documents]
        pages = [
            record for record in records if record is not None and record.status in ("current", "")
        ]
        room = asyncio.Semaphore(self.concurrency)
        files = await asyncio.gather(*(self._files_of(record, room) for record in pages))
        with self.export.ledger.transaction():
            for record, known_files in zip(pages, files, strict=True):
                self._tell(record, known_files, source)
        return pages

    async def tell_anew(self, page: int) -> None:
        """A page was edited after it was listed: its files, labels and place may be others too."""
        reply = await self.client.get(self.export.site.page(str(page), expand=META))
        match reply.verdict.meaning:
            case Meaning.GOOD:
                await self.register([reply.body], source=LISTED)
            case Meaning.LATER | Meaning.THROTTLED:
                what = "what has changed since it was listed"
                note_unresolved(self.export, page, what, reply.verdict.reason)

    async def _files_of(
        self, record: PageRecord, room: asyncio.Semaphore
    ) -> tuple[AttachmentRecord, ...]:
        if record.attachments is not None:
            return record.attachments
        files: dict[str, AttachmentRecord] = {}
        async with room:
            listing = attachments_of_page(self.export.site, record.page_id, limit=FILE_LIMIT)
            async for found in self.client.items(listing):
                if isinstance(found, ListEnd):
                    if not found.whole:
                        self._note_incomplete_files(record, found.reason, files)
                    break
                for document in found:
                    file = read_attachment(self.export.site, record.page_id, document)
                    if file is not None:
                        files[file.attachment_id] = file
        return tuple(files.values())

    def _note_incomplete_files(
        self, record: PageRecord, reason: str, files: dict[str, AttachmentRecord]
    ) -> None:
        """Nothing is forgotten because of a list that could not be read to its end."""
        note_unresolved(self.export, int(record.page_id), "its list of attachments", reason)
        for known in self.export.files.of(int(record.page_id)):
            files.setdefault(known.id, record_of(known))

    def _tell(self, record: PageRecord, files: tuple[AttachmentRecord, ...], source: str) -> None:
        export, page = self.export, int(record.page_id)
        space_key = record.space_key or export.space.key
        told = _told(record, files, space_key, source)
        export.tree_changes()
        export.store.tell(
            told,
            depth=len(record.ancestors),
            run=export.run.number,
            url=export.address(page),
        )
        before = {file.id: file for file in export.files.of(page)}
        names = attachment_names(
            [(file.attachment_id, file.name) for file in files],
            held={
                file.attachment_id: before[file.attachment_id].path.rpartition("/")[2]
                for file in files
                if file.attachment_id in before and before[file.attachment_id].name == file.name
            },
        )
        folder = f"{space_directory(space_key)}/assets/{page}"
        export.files.tell(
            page,
            [
                ToldAttachment(
                    id=file.attachment_id,
                    name=file.name,
                    version=file.version,
                    size_bytes=file.size_bytes,
                    media_type=file.media_type,
                    url=file.url,
                    path=f"{folder}/{names[file.attachment_id]}",
                )
                for file in files
            ],
        )

    async def _find_unlisted_ancestors(self) -> dict[int, str]:
        """A parent that no list named may have slipped through; those hidden from us, and why."""
        run = self.export.run.number
        pages = self.export.store.seen(run)
        listed = {page.page for page in pages}
        absent: dict[int, PageRecord] = {}
        for page in pages:
            for above, (ancestor, _, kind) in enumerate(page.ancestors):
                if kind == "page" and ancestor not in listed and ancestor not in absent:
                    absent[ancestor] = _told_by_its_child(page, above)
        hidden: dict[int, str] = {}
        for ancestor, told in absent.items():
            url = self.export.site.page(str(ancestor), expand=META, any_status=True)
            reply = await self.client.get(url)
            why = ""
            match reply.verdict.meaning:
                case Meaning.GOOD:
                    record = read_page(self.export.site, reply.body)
                    if record is None or record.space_key != self.export.space.key:
                        continue
                    if not await self.register([reply.body], source=LISTED):
                        why = record.status
                case Meaning.FORBIDDEN:
                    why = DENIED
                case Meaning.MISSING:
                    why = MISSING
                case _:
                    what = f"the page {told.title!r} above others"
                    note_unresolved(self.export, ancestor, what, reply.verdict.reason)
            # What is on disk is looked for later, as every page that is no longer listed.
            if why and self.export.ledger.pages.entry(ancestor) is None:
                self._tell(told, (), LISTED)
                hidden[ancestor] = why
        return hidden

    def _skip(self, hidden: Mapping[int, str]) -> None:
        """Account for the chosen pages that only the pages below them told of."""
        failures = PageFailures(export=self.export)
        for page, reason in hidden.items():
            fate = self.export.ledger.pages.fate(page)
            if fate is not None and fate.listed_in == self.export.run.number:
                failures.skip(page, reason)

    def check_root(self, root_page: str | None) -> None:
        """A resumed export is about the pages it began with; raises UsageError for others."""
        if root_page is None:
            return
        root = self._root_id(root_page)
        if root is None or root != self.export.run.root_page:
            raise UsageError(
                f"The interrupted export did not begin with --root-page {root_page!r}.",
                hint="Resume it without --root-page, or start over with --fresh.",
            )

    def _root_id(self, root_page: str | None) -> int | None:
        if root_page is None:
            return None
        if is_content_id(root_page) and self.export.store.page(int(root_page)) is not None:
            return int(root_page)
        return self.export.store.titled(self.export.space.key, root_page)

    def _choose(self, root_page: str | None) -> None:
        """Which of the listed pages this run is about."""
        export, run = self.export, self.export.run.number
        root = self._root_id(root_page)
        if root_page is not None and root is None:
            raise SourceUnavailable(f"The space {export.space.key} has no page {root_page!r}.")
        chosen = [
            page.page
            for page in export.store.seen(run, export.space.key)
            if root is None or is_below(page, root)
        ]
        export.store.choose(chosen, run)

    async def _refresh_discovered(self) -> None:
        """Pages that references led to earlier: are they there, and what is told of them now?"""
        export, run = self.export, self.export.run.number
        old = export.store.discovered_before(run)
        for start in range(0, len(old), BULK):
            pages = {page.page: page for page in old[start : start + BULK]}
            found = await bulk(self.client, list(pages), expand=META) or {}
            for page in pages:
                if page in found:
                    continue
                reply = await self.client.get(export.site.page(str(page), expand=META))
                if reply.verdict.meaning is Meaning.GOOD:
                    found[page] = reply.body
            for page, document in found.items():
                source: Source = "macro" if pages[page].source == "macro" else "reference"
                for record in await self.register([document], source=source):
                    export.store.include([int(record.page_id)], run)


async def bulk(
    client: ConfluenceClient, pages: list[int], *, expand: str
) -> dict[int, Mapping[str, Any]] | None:
    """Many pages in one answer, by id; None if the server does not give any.

    Pages that the search does not know yet are simply not in it.
    """
    ids = ",".join(map(str, pages))
    reply = await client.get(
        client.site.api("content/search", cql=f"id in ({ids})", expand=expand, limit=len(pages))
    )
    if reply.verdict.meaning is not Meaning.GOOD:
        return None
    results = reply.body.get("results")
    found: dict[int, Mapping[str, Any]] = {}
    for document in results if isinstance(results, list) else []:
        page_id = str(document.get("id", "")) if isinstance(document, Mapping) else ""
        if is_content_id(page_id) and int(page_id) in pages:
            found[int(page_id)] = document
    return found


def record_of(file: KnownAttachment) -> AttachmentRecord:
    """An attachment as the server told of it before."""
    return AttachmentRecord(
        attachment_id=file.id,
        page_id=str(file.page),
        name=file.name,
        version=file.version,
        size_bytes=file.size_bytes,
        media_type=file.media_type,
        url=file.url,
    )


def _told_by_its_child(page: KnownPage, above: int) -> PageRecord:
    """What is known of a page that only the pages below it tell of."""
    *chain, own = (
        AncestorRecord(content_id=str(ancestor), title=title, type=kind)
        for ancestor, title, kind in page.ancestors[: above + 1]
    )
    return PageRecord(
        page_id=own.content_id,
        title=own.title,
        space_key=page.space_key,
        status="current",
        version=0,
        modified="",
        author="",
        position=None,
        ancestors=tuple(chain),
        labels=(),
        web_url="",
        storage=None,
        attachments=(),
    )


def is_below(page: KnownPage, root: int) -> bool:
    return page.page == root or any(ancestor == root for ancestor, _, _ in page.ancestors)


def note_unresolved(export: Export, page: int, reference: str, reason: str) -> None:
    """Something a page refers to could not be looked up: said now, and tried again next time."""
    export.links.keep_unresolved(page, reference, reason)
    log.warning(
        "a reference could not be looked up",
        extra={"page": page, "reference": reference, "error": reason},
    )


def _told(
    record: PageRecord, files: tuple[AttachmentRecord, ...], space_key: str, source: str
) -> ToldPage:
    ancestors = tuple((int(one.content_id), one.title, one.type) for one in record.ancestors)
    facts = (
        record.title,
        space_key,
        ancestors,
        record.position,
        sorted(record.labels),
        sorted((file.attachment_id, file.version, file.name) for file in files),
    )
    digest = hashlib.sha256(repr(facts).encode("utf-8", "replace")).hexdigest()[:32]
    return ToldPage(
        page=int(record.page_id),
        space_key=space_key,
        title=record.title,
        ancestors=ancestors,
        parent=ancestors[-1][0] if ancestors else None,
        position=record.position,
        version=record.version,
        modified=record.modified,
        author=record.author,
        labels=record.labels,
        web_url=record.web_url,
        fingerprint=f"{record.version}:{digest}",
        source=source,
    )
