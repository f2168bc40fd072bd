"""Links to headings of other pages, made to say what those headings are called in Markdown."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from markmirror.convert.front_matter import read_front_matter
from markmirror.convert.page import content_hash_of
from markmirror.convert.storage_format import PageAnchors, page_anchors, resolve_anchors
from markmirror.model import Entry
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.references import relative

# Pages whose headings are kept in mind. Most links to headings lead to a few pages.
MOST_KNOWN = 256


@dataclass(slots=True, kw_only=True)
class Places:
    """The headings of pages on disk. A page that many link to is read once, until it changes."""

    export: Export
    _known: dict[tuple[str, str], PageAnchors] = field(default_factory=dict)

    def resolve(self, file: bytes, *, path: str, title: str, targets: Iterable[int]) -> bytes:
        """A page's file with its links to headings of these pages as those are now."""
        entries = map(self.export.ledger.pages.entry, targets)
        by_link = {relative(entry.path, path): entry for entry in entries if entry is not None}

        def anchors_of(link: str) -> PageAnchors | None:
            return self._anchors(by_link[link]) if link in by_link else None

        markdown = _markdown_of(file)
        head = file[: len(file) - len(markdown.encode())]
        return head + resolve_anchors(markdown, title=title, anchors_of=anchors_of).encode()

    def _anchors(self, entry: Entry) -> PageAnchors | None:
        tree, path = self.export.tree, entry.path
        if tree.stat(path) is None:
            return None
        version = path, entry.content_hash
        found = self._known.pop(version, None)
        if found is None:
            found = page_anchors(_markdown_of(tree.read(path)), title=entry.title)
        # Behind all that were asked for earlier, of which the first is the next to go.
        self._known[version] = found
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return found


def resolve_places(export: Export) -> None:
    """Bring the links to headings up to date, on every page where one may have changed."""
    places = Places(export=export)
    for page in export.links.pages_with_places(export.run.number):
        entry = export.ledger.pages.entry(page)
        if entry is not None and export.tree.stat(entry.path) is not None:
            _resolve_places_of(export, page, entry, places)


def _resolve_places_of(export: Export, page: int, entry: Entry, places: Places) -> None:
    file = export.tree.read(entry.path)
    targets = export.links.targets(page)
    data = places.resolve(file, path=entry.path, title=entry.title, targets=targets)
    if data == file:
        return
    written = export.tree.write(entry.path, data)
    export.ledger.pages.rewritten(
        page,
        content_hash=content_hash_of(data),
        size=written.size,
        mtime_ns=written.mtime_ns,
    )


def _markdown_of(file: bytes) -> str:
    if read_front_matter(file) is not None:
        file = file.partition(b"\n---\n\n")[2]
    return file.decode("utf-8", "replace")
