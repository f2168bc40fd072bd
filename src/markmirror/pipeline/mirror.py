"""Everything one mirror consists of: its files, its ledger, its plain lists, its run."""

from dataclasses import dataclass

from markmirror.output.files import MirrorFolder
from markmirror.output.tree import OutputTree
from markmirror.state.claims import Renamed
from markmirror.state.ledger import Ledger
from markmirror.state.processed import ProcessedList
from markmirror.state.runs import Run


@dataclass(slots=True, kw_only=True)
class Mirror:
    """The open mirror. `run` changes as it goes on; `before` is the run there was at the start."""

    host_dir: str
    tree: OutputTree
    home: MirrorFolder
    ledger: Ledger
    processed: ProcessedList
    run: Run
    before: Run | None

    def advance(self, **changes: object) -> None:
        """Commit a change of the run's own record."""
        self.run = self.ledger.runs.save(self.run, **changes)

    def claim(self, url: str) -> str:
        """The file of this URL; whoever has to make way for it takes its own file along."""
        if owned := self.ledger.claims.of(url):
            return owned
        with self.ledger.transaction():
            path, ousted = self.ledger.claims.take(url)
            if ousted:
                self._take_file_along(ousted)
        return path

    def claim_plain_name(self, url: str) -> None:
        """The file name without a suffix for this URL, if it has become free."""
        with self.ledger.transaction():
            if renamed := self.ledger.claims.take_plain(url):
                self._take_file_along(renamed)
                self.tree.remove(renamed.old_path)

    def _take_file_along(self, renamed: Renamed) -> None:
        # The file is in its new place before the ledger says so, as everywhere.
        if self.tree.stat(renamed.old_path):
            self.tree.link_or_copy(renamed.old_path, renamed.new_path)
        self.ledger.pages.moved(renamed.url, renamed.old_path, renamed.new_path)

    def shown_path(self, path: str) -> str:
        """A file as the manifest names it: relative to the mirror's own folder."""
        inside = path.removeprefix(f"{self.host_dir}/")
        return inside if inside != path else f"../{path}"
