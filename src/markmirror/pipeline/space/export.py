"""Everything one export consists of: its files, its ledger, its names, its run."""

import logging
from dataclasses import dataclass, field

from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import UnsafePath, UsageError
from markmirror.output.files import MirrorFolder
from markmirror.output.paths import path_key
from markmirror.output.space_paths import Place, space_directory
from markmirror.output.tree import OutputTree
from markmirror.sources.confluence.addresses import ConfluenceSite
from markmirror.sources.confluence.records import SpaceRecord
from markmirror.state.database import STATE_FILE
from markmirror.state.ledger import Ledger
from markmirror.state.runs import Run
from markmirror.state.space import SpaceStore
from markmirror.state.space_files import KnownAttachment, SpaceFiles
from markmirror.state.space_links import SpaceLinks
from markmirror.state.space_queues import SpaceQueues

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Names:
    """The places given out so far, and whose each name in a folder is."""

    places: dict[int, Place] = field(default_factory=dict)
    owners: dict[tuple[str, str], int] = field(default_factory=dict)

    def give(self, node: int, place: Place) -> None:
        self.places[node] = place
        self.owners[place.folder, path_key(place.name)] = node

    def reserve(self, node: int, place: Place) -> None:
        """Keep a name for who had it, unless it was given to somebody else."""
        self.owners.setdefault((place.folder, path_key(place.name)), node)

    def is_free(self, node: int, folder: str, name: str) -> bool:
        return self.owners.get((folder, path_key(name)), node) == node


def site_of(options: ConfluenceOptions, space: SpaceRecord) -> ConfluenceSite:
    """The site that was asked for, with where its space says that people read it."""
    return options.site.read_at(space.site_url)


@dataclass(slots=True, kw_only=True)
class Export:
    """An open export. `run` changes as it goes on; paths are relative to the folder of spaces.

    `tree_digest` is of what lists of pages show, and empty from when that changes until it is
    read again: a list made meanwhile is made again.
    """

    options: ConfluenceOptions
    space: SpaceRecord
    tree: OutputTree
    home: MirrorFolder
    ledger: Ledger
    run: Run
    before: Run | None
    site: ConfluenceSite = field(init=False)
    store: SpaceStore = field(init=False)
    files: SpaceFiles = field(init=False)
    links: SpaceLinks = field(init=False)
    queues: SpaceQueues = field(init=False)
    names: Names = field(default_factory=Names)
    tree_digest: str = ""

    def __post_init__(self) -> None:
        self.site = site_of(self.options, self.space)
        self.store = SpaceStore(self.ledger.database)
        self.files = SpaceFiles(self.ledger.database)
        self.links = SpaceLinks(self.ledger.database)
        self.queues = SpaceQueues(self.ledger.database)

    @property
    def directory(self) -> str:
        return space_directory(self.space.key)

    @property
    def recipe(self) -> str:
        """Pages made by another recipe are made again."""
        acronyms = ",".join(sorted(set(self.options.acronyms)))
        return f"storage-1-{self.options.cleanup}-{acronyms}"

    @property
    def discovery(self) -> str:
        """The rules by which references are followed."""
        return f"{','.join(self.options.discover)} {self.options.max_discovered}"

    def advance(self, **changes: object) -> None:
        """Commit a change of the run's own record."""
        self.run = self.ledger.runs.save(self.run, **changes)

    def read_tree(self) -> str:
        """The digest of the tree as it is now, which holds until somebody says otherwise."""
        self.tree_digest = self.store.tree_digest(self.run.number)
        return self.tree_digest

    def tree_changes(self) -> None:
        """A page comes, goes, or is told of anew. Reading all pages each time would be too much."""
        self.tree_digest = ""

    def shown_path(self, path: str) -> str:
        """A file as the manifest names it: relative to the space's own folder."""
        inside = path.removeprefix(f"{self.directory}/")
        return inside if inside != path else f"../{path}"

    def has_saved(self, file: KnownAttachment) -> bool:
        """Whether the newest version of an attachment is on disk, whole."""
        if file.status != "saved" or file.saved_version != file.version:
            return False
        found = self.tree.stat(file.path)
        return found is not None and found.size == file.saved_bytes

    def address(self, page: int) -> str:
        """Where a page can be read, by its id alone."""
        return f"{self.site.web_url}/pages/viewpage.action?pageId={page}"

    def remove_stale_files(self) -> None:
        """Delete the files that have lost their owner."""
        for path in self.files.stale():
            directory = path.partition("/")[0]
            # A space that is exported on its own too looks after its files itself.
            if directory == self.directory or not self.tree.is_occupied(
                f"{directory}/{STATE_FILE}"
            ):
                self._remove(path)
            self.files.unmark_stale(path)

    def _remove(self, path: str) -> None:
        try:
            self.tree.remove(path)
        except (UnsafePath, UsageError) as error:
            # What is there now may be somebody else's.
            log.warning("a file is left where it is", extra={"path": path, "error": str(error)})
