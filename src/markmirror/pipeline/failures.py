"""What becomes of a page that failed or cannot be mirrored: a row, a log line, a placeholder."""

import asyncio
import logging
import re
from dataclasses import dataclass, field

from markmirror.model import Status
from markmirror.options import OnError
from markmirror.output.appended import AppendedLines
from markmirror.output.paths import placeholder_name
from markmirror.output.placeholders import (
    failed_log_line,
    failed_placeholder,
    parse_failed_log_line,
    skipped_placeholder,
)
from markmirror.pipeline.mirror import Mirror
from markmirror.ports import Clock

log = logging.getLogger(__name__)

FAILED_LOG = "_failed.log"
FAILED_FOLDER = "_failed"
SKIPPED_FOLDER = "_skipped"
_PLACEHOLDER = re.compile(r"[0-9a-f]{16}\.md")


@dataclass(slots=True, kw_only=True)
class Failures:
    """Accounts for the pages that did not become files. `first` is why an aborted run stopped."""

    mirror: Mirror
    clock: Clock
    on_error: OnError
    stopping: asyncio.Event
    first: str | None = None
    _log: AppendedLines = field(init=False)

    def __post_init__(self) -> None:
        self._log = AppendedLines(self.mirror.home.root / FAILED_LOG)

    def fail(self, page: int, url: str, reason: str) -> None:
        """The page failed for good, as far as this process is concerned."""
        now = self.clock.now()
        self._log.append(failed_log_line(now, url, reason))
        self.mirror.home.write(
            f"{FAILED_FOLDER}/{placeholder_name(url)}", failed_placeholder(url, reason, now)
        )
        with self.mirror.ledger.transaction():
            self.mirror.ledger.downloads.bury(page)
            self.mirror.ledger.pages.settle(
                page, Status.FAILED, run=self.mirror.run.number, reason=reason
            )
        log.error("a page failed", extra={"url": url, "error": reason})
        if self.on_error == "abort" and self.first is None:
            self.first = f"{url}: {reason}"
            self.stopping.set()

    def skip(self, page: int, url: str, reason: str) -> None:
        """The page is nothing that can be mirrored, such as a PDF."""
        if reason != "robots":
            self.mirror.home.write(
                f"{SKIPPED_FOLDER}/{placeholder_name(url)}",
                skipped_placeholder(url, reason, self.clock.now()),
            )
        with self.mirror.ledger.transaction():
            self.mirror.ledger.downloads.finish(page)
            self.mirror.ledger.pages.settle(
                page, Status.SKIPPED, run=self.mirror.run.number, reason=reason
            )
        log.info("a page was skipped", extra={"url": url, "reason": reason})

    def close(self) -> None:
        self._log.close()

    def tidy(self) -> None:
        """Take back the traces of failures and skips that no longer stand."""
        self.close()
        pages, run = self.mirror.ledger.pages, self.mirror.run.number
        failed = {url for url, _ in pages.standing(Status.FAILED, run)}
        self._keep_log_lines(failed)
        self._keep_placeholders(FAILED_FOLDER, failed)
        skipped = {url for url, _ in pages.standing(Status.SKIPPED, run)}
        self._keep_placeholders(SKIPPED_FOLDER, skipped)

    def _keep_log_lines(self, urls: set[str]) -> None:
        if not self.mirror.home.exists(FAILED_LOG):
            return
        newest: dict[str, str] = {}
        with self._log.path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            for line in file:
                parsed = parse_failed_log_line(line)
                if parsed is not None and parsed.url in urls:
                    newest[parsed.url] = line if line.endswith("\n") else f"{line}\n"
        if newest:
            self.mirror.home.write(FAILED_LOG, "".join(newest.values()).encode())
        else:
            self.mirror.home.remove(FAILED_LOG)

    def _keep_placeholders(self, folder: str, urls: set[str]) -> None:
        directory = self.mirror.home.root / folder
        if not directory.is_dir():
            return
        wanted = {placeholder_name(url) for url in urls}
        for file in directory.iterdir():
            if file.name not in wanted and _PLACEHOLDER.fullmatch(file.name):
                self.mirror.home.remove(f"{folder}/{file.name}")
