"""The ledger as one thing: pages, claims, the two queues, sitemaps and runs over one database."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from markmirror.errors import StateDamaged
from markmirror.state.claims import Claims
from markmirror.state.database import Database
from markmirror.state.pages import Pages
from markmirror.state.queues import DownloadQueue, ProcessingQueue
from markmirror.state.runs import Runs
from markmirror.state.sitemaps import Sitemaps
from markmirror.state.verdicts import Verdicts


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
        self.verdicts = Verdicts(self.database)

    def transaction(self) -> AbstractContextManager[object]:
        return self.database.transaction()

    def remember(self, key: str, value: str) -> None:
        self.database.remember(key, value)

    def recall(self, key: str, default: str = "") -> str:
        return self.database.recall(key, default)

    @property
    def is_closed(self) -> bool:
        """Whether the process before ended well; a new ledger counts as closed."""
        return self.database.recall("closed", "yes") == "yes"

    def leave_open(self) -> None:
        """Until a session ends well, the next process has to look closely."""
        self.database.remember("closed", "no")

    @contextmanager
    def session(self) -> Iterator[None]:
        """Within, the ledger is in use; it is closed at the end unless it turned out damaged."""
        self.leave_open()
        is_sound = True
        try:
            yield
        except StateDamaged:
            # Left open, so that the next run looks at the whole file and rebuilds it.
            is_sound = False
            raise
        finally:
            if is_sound:
                self.processing.tidy()
                self.database.remember("closed", "yes")

    def close(self) -> None:
        self.processing.close()
        self.database.close()
