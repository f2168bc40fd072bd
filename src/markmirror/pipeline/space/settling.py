"""The end of a run: pages that are gone, pages nobody refers to, links that lead elsewhere now."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markmirror.model import Fetched
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.listing import META, SpaceListing, is_below, note_unresolved
from markmirror.sources.confluence.answers import Meaning
from markmirror.sources.confluence.client import ConfluenceClient
from markmirror.sources.confluence.records import read_page
from markmirror.state.queues import Downloaded
from markmirror.state.space import LISTED, KnownPage

log = logging.getLogger(__name__)

# A page that cannot be told from a restricted one is removed after so many complete runs.
MISSING_RUNS = 3


@dataclass(slots=True, kw_only=True)
class Settling:
    """Decides over the pages that this run's listing did not name."""

    export: Export
    client: ConfluenceClient
    listing: SpaceListing
    prune: bool
    brake: str | None = None

    async def look_for_missing(self) -> None:
        """Probe each page that is on disk and was not listed; nothing may be lost by a mistake."""
        export = self.export
        missing = self._missing()
        if not export.run.discovery_whole or not missing:
            return
        known = export.ledger.pages.on_disk()
        if len(missing) * 2 > known and export.run.mode != "fresh":
            self.brake = (
                f"{len(missing)} of {known} exported pages are no longer listed, so nothing was "
                "removed. If that is right, run again with --fresh."
            )
            log.error("too many pages are gone at once", extra={"gone": len(missing)})
            return
        for page in missing:
            await self._probe(page)

    def _missing(self) -> list[KnownPage]:
        """Pages on disk that this run should have been told of and was not."""
        export, run = self.export, self.export.run
        return [
            page
            for page in export.store.missing(run.number)
            if run.root_page is None
            or page.space_key != export.space.key
            or is_below(page, run.root_page)
        ]

    async def _probe(self, page: KnownPage) -> None:
        url = self.export.site.page(str(page.page), expand=META, any_status=True)
        reply = await self.client.get(url)
        match reply.verdict.meaning:
            case Meaning.GOOD:
                await self._judge(page, reply.body)
            case Meaning.MISSING | Meaning.FORBIDDEN:
                self._count_missing(page)
            case _:
                note_unresolved(
                    self.export, page.page, "whether it is still there", reply.verdict.reason
                )

    async def _judge(self, page: KnownPage, document: Mapping[str, Any]) -> None:
        record = read_page(self.export.site, document)
        status = record.status if record is not None else "trashed"
        if record is None or status in ("trashed", "deleted"):
            self.remove(page, "trashed")
        elif status == "archived":
            self.export.store.set(page.page, condition="archived")
        elif record.space_key != self.export.space.key and page.source == "initial":
            self.remove(page, f"moved to {record.space_key}")
        else:
            # It is there after all: the list had left it out.
            source = "reference" if page.source != "initial" else "initial"
            await self.listing.register([document], source=source)
            self.export.store.include([page.page], self.export.run.number)

    def _count_missing(self, page: KnownPage) -> None:
        """Deleted for good, or hidden from us: only time can tell."""
        export, run = self.export, self.export.run.number
        runs = page.missing_runs + (page.missing_in != run)
        if runs >= MISSING_RUNS or self.prune:
            self.remove(page, "missing")
            return
        export.store.set(
            page.page, condition="missing_or_restricted", missing_runs=runs, missing_in=run
        )
        log.warning(
            "a page is missing or restricted; its file is kept",
            extra={"page": page.page, "title": page.title, "missing_runs": runs},
        )

    def remove(self, page: KnownPage, reason: str) -> None:
        """Delete a page's files and everything the ledger knows of it."""
        export = self.export
        entry = export.ledger.pages.entry(page.page)
        export.tree_changes()
        with export.ledger.transaction():
            if entry is not None:
                export.files.mark_stale(entry.path)
                export.advance(removed=export.run.removed + 1)
            for file in export.files.of(page.page):
                export.files.mark_stale(file.path)
            export.store.forget(page.page)
        log.info(
            "a page was removed",
            extra={"page": page.page, "title": page.title, "reason": reason},
        )

    def remove_unreferenced(self) -> None:
        """Pages found through references stay only while something exported refers to them."""
        export = self.export
        if unread := export.store.unread():
            log.warning(
                "no page is removed for want of references until all are known",
                extra={"pages_to_read": len(unread)},
            )
            return
        links: dict[int, list[int]] = {}
        for holder, target in export.links.followed():
            links.setdefault(holder, []).append(target)
        pages = {page.page: page for page in export.store.known()}
        reached = {page.page for page in pages.values() if page.source == "initial"}
        waiting = list(reached)
        while waiting:
            for target in links.get(waiting.pop(), ()):
                if target in pages and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        for page in pages.values():
            is_ours = page.source != LISTED or page.exported is not None
            if is_ours and page.page not in reached:
                self.remove(page, "nothing refers to it any more")

    def pages_to_write_again(self) -> list[int]:
        """Pages whose links or lists no longer say what is true, or whose file must move."""
        links = self.export.links
        return sorted(
            {
                *self.export.store.out_of_place(),
                *self.export.store.showing_another_tree(self.export.read_tree()),
                *links.pages_with_stale_links(),
                *links.pages_with_stale_file_links(),
                *links.pages_that_see_more(),
            }
        )


def put_back(export: Export, page: int) -> bool:
    """Put a page's stored body into the processing queue once more."""
    body = export.store.body(page)
    entry = export.ledger.pages.entry(page)
    if body is None or entry is None:
        return False
    export.queues.skip_download(page)
    export.ledger.processing.put_again(
        Downloaded(
            page=page,
            url=entry.url,
            lastmod=None,
            hops=0,
            fetched=Fetched(url=entry.url, content_type="application/json", body=body),
            fetched_at=entry.fetched_at,
        )
    )
    return True
