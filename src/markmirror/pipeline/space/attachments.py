"""The files of a page: streamed to disk, each accounted for."""

import logging
from dataclasses import dataclass

from markmirror.errors import EndsRun, MarkmirrorError
from markmirror.output.files import Written
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.listing import record_of
from markmirror.sources.confluence.answers import Meaning, Verdict, too_large
from markmirror.sources.confluence.client import ConfluenceClient
from markmirror.state.space_files import KnownAttachment

log = logging.getLogger(__name__)

MOST_FAILURES = 25
WORST_SHARE = 0.2
# What becomes of a file that cannot be had; every other meaning is a failure.
_FATES = {Meaning.FORBIDDEN: "denied", Meaning.TOO_LARGE: "too-large"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentCounts:
    """How the downloads of a run went. Files we may not see were not attempted."""

    saved: int = 0
    failed: int = 0
    denied: int = 0
    too_large: int = 0

    @property
    def attempted(self) -> int:
        return self.saved + self.failed

    @property
    def breach(self) -> str | None:
        """Which threshold the failures have crossed at the end of the run, in words, or None."""
        if self.failed > MOST_FAILURES:
            return f"{self.failed} attachments failed, more than {MOST_FAILURES}"
        if self.failed > WORST_SHARE * self.attempted:
            return (
                f"{self.failed} of {self.attempted} attachments failed, more than {WORST_SHARE:.0%}"
            )
        return None


def attachment_counts(export: Export) -> AttachmentCounts:
    """What this run tried, from the ledger: a resumed run counts what went before."""
    found = export.files.tried(export.run.number)
    return AttachmentCounts(
        saved=found.get("saved", 0),
        failed=found.get("failed", 0),
        denied=found.get("denied", 0),
        too_large=found.get("too-large", 0),
    )


@dataclass(slots=True, kw_only=True)
class AttachmentDownloads:
    """Fetches the files of one page after the other."""

    export: Export
    client: ConfluenceClient
    largest: int | None

    async def fetch_for(self, page: int) -> bool:
        """Bring the page's files up to date; whether any file on disk has changed."""
        changed = False
        for attachment in self.export.files.of(page):
            if not self.export.has_saved(attachment):
                changed |= await self._fetch(attachment)
        return changed

    async def _fetch(self, attachment: KnownAttachment) -> bool:
        try:
            found = await self._download(attachment)
        except EndsRun:
            raise
        except MarkmirrorError as error:
            # Something is in its way, such as a link; its page can be written all the same.
            self._settle(attachment, "failed", str(error))
            return False
        if isinstance(found, Written):
            self.export.files.settle(
                attachment, "saved", run=self.export.run.number, saved_bytes=found.size
            )
            return True
        self._settle(attachment, _FATES.get(found.meaning, "failed"), found.reason)
        return False

    async def _download(self, attachment: KnownAttachment) -> Written | Verdict:
        size = attachment.size_bytes
        if self.largest is not None and size is not None and size > self.largest:
            return too_large(self.largest)
        return await self.client.download(
            record_of(attachment),
            lambda: self.export.tree.receiving(attachment.path),
            largest=self.largest,
        )

    def _settle(self, attachment: KnownAttachment, status: str, reason: str) -> None:
        self.export.files.settle(attachment, status, run=self.export.run.number, reason=reason)
        log.warning(
            "an attachment was not saved",
            extra={
                "page": attachment.page,
                "attachment": attachment.name,
                "status": status,
                "error": reason,
            },
        )
