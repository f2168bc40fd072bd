"""The ledger as one thing: pages, claims, the two queues, sitemaps and runs over one database."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from sqlite3 import Connection

from markmirror.state.claims import Claims
from markmirror.state.database import Database
from markmirror.state.pages import Pages
from markmirror.state.queues import DownloadQueue, ProcessingQueue
from markmirror.state.runs import Runs
from markmirror.state.sitemaps import Sitemaps


class Ledger:
    """What survives a crash. Changes made inside `transaction()` are one commit."""

    def __init__(self, path: Path, *, is_foreign: Callable[[str, str], bool]) -> None:
        self.database = Database(path)
        self.pages = Pages(self.database)
        self.claims = Claims(self.database, is_foreign=is_foreign)
        self.downloads = DownloadQueue(self.database)
        self.processing = ProcessingQueue(self.database, path)
        self.sitemaps = Sitemaps(self.database)
        self.runs = Runs(self.database)

    def transaction(self) -> AbstractContextManager[Connection]:
        return self.database.transaction()

    def open_session(self) -> bool:
        """Mark the ledger as in use; False if the process before did not close it."""
        was_closed = self.database.recall("closed", "yes") == "yes"
        self.database.remember("closed", "no")
        return was_closed

    def close_session(self) -> None:
        self.processing.tidy()
        self.database.remember("closed", "yes")

    def close(self) -> None:
        self.processing.close()
        self.database.close()
