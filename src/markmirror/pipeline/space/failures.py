"""What becomes of a page that failed or may not be seen: a row and a line in the log."""

import logging
from dataclasses import dataclass
from typing import Literal

from markmirror.model import Status
from markmirror.pipeline.space.export import Export

log = logging.getLogger(__name__)

INVALID = "invalid front matter: "
# Why a page is not there for us, as the manifest says it.
DENIED = "access_denied"
MISSING = "missing_or_restricted"


@dataclass(slots=True, kw_only=True)
class PageFailures:
    """Accounts for the pages that did not become files. What was on disk of them stays."""

    export: Export

    def fail(self, page: int, reason: str, *, stage: Literal["download", "processing"]) -> None:
        """The page failed for good, as far as this run is concerned."""
        ledger = self.export.ledger
        self.export.tree_changes()
        with ledger.transaction():
            if stage == "download":
                ledger.downloads.bury(page)
            else:
                self.export.queues.fail_processing(page)
            ledger.pages.settle(page, Status.FAILED, run=self.export.run.number, reason=reason)
        log.error("a page failed", extra={**self._named(page), "error": reason})

    def skip(self, page: int, reason: str) -> None:
        """The page is not there for us: restricted, or deleted since it was listed."""
        ledger = self.export.ledger
        self.export.tree_changes()
        with ledger.transaction():
            ledger.downloads.finish(page)
            ledger.pages.settle(page, Status.SKIPPED, run=self.export.run.number, reason=reason)
            self.export.store.set(page, condition=reason)
        log.warning("a page was skipped", extra={**self._named(page), "reason": reason})

    def _named(self, page: int) -> dict[str, object]:
        known = self.export.store.page(page)
        return {"page": page, "title": known.title if known else ""}
