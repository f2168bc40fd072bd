"""What a page refers to, gathered before it is rendered, so that rendering asks nobody."""

import posixpath
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from markmirror.convert.storage_format import (
    AttachmentKey,
    PageKey,
    PageLink,
    PageReference,
    References,
    StorageContext,
)
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.finding import Finder, LookupFailed, Unseen
from markmirror.pipeline.space.listing import note_unresolved
from markmirror.state.space import KnownPage
from markmirror.state.space_links import OtherFile, UnseenReference, is_same_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """All that rendering a page needs, and what the ledger must remember of it.

    `links` says by which path each page it refers to was told, None being its source, `files` the
    same of files of other pages; `unseen` what leads to its source because it is not there for us.
    """

    context: StorageContext
    links: Mapping[int, str | None]
    files: Mapping[OtherFile, str | None]
    unseen: tuple[UnseenReference, ...]
    tree: str | None
    is_whole: bool


@dataclass(slots=True, kw_only=True)
class Resolver:
    """Answers the questions of pages being rendered."""

    export: Export
    finder: Finder

    async def resolve(self, page: KnownPage, references: References) -> Resolved:
        """Look up everything the page refers to; what failed is noted and counts as unknown."""
        is_whole = True
        users: dict[str, str] = {}
        for person in references.users:
            try:
                users[person] = await self.finder.person(person)
            except LookupFailed as error:
                note_unresolved(self.export, page.page, f"the user {person}", str(error))
                is_whole = False
        pages: dict[PageKey, PageLink] = {}
        links: dict[int, str | None] = {}
        unseen: list[UnseenReference] = []
        holders = [
            PageReference(page=key.page, source="link")
            for key in references.attachments
            if key.page is not None
        ]
        for reference in (*references.pages, *holders):
            try:
                target = await self.finder.page(page, reference)
            except LookupFailed as error:
                note_unresolved(self.export, page.page, _words(page, reference.page), str(error))
                is_whole = False
                continue
            if isinstance(target, Unseen):
                unseen.append(_unseen(page, reference.page, target.reason))
            if not isinstance(target, int):
                continue
            if target != page.page:
                links[target] = self._path(target)
            if (link := self._link(page, target)) is not None:
                pages[reference.page] = link
        tree, children = self._tree(page, references, pages)
        for below in children.values():
            links |= {int(child.content_id): self._path(int(child.content_id)) for child in below}
        files = self._files(references, pages)
        context = StorageContext(
            base_url=self.export.site.web_url,
            space_key=page.space_key,
            page_id=str(page.page),
            page_title=page.title,
            parent_id=str(page.parent or ""),
            pages=pages,
            attachments=self._attachments(page, references, pages, files),
            users=users,
            children=children,
        )
        return Resolved(
            context=context,
            links=links,
            files=files,
            unseen=tuple(unseen),
            tree=tree,
            is_whole=is_whole,
        )

    def _path(self, target: int) -> str | None:
        return self.export.store.path(target, self.export.run.number)

    def _link(self, page: KnownPage, target: int) -> PageLink | None:
        known, path = self.export.store.page(target), self._path(target)
        if known is None or path is None or page.path is None:
            return None
        return PageLink(content_id=str(target), title=known.title, path=relative(path, page.path))

    def _files(
        self, references: References, pages: Mapping[PageKey, PageLink]
    ) -> dict[OtherFile, str | None]:
        """Where the files of other pages are or will be, None being at their source."""
        files: dict[OtherFile, str | None] = {}
        for key in references.attachments:
            if key.page is not None and (held := pages.get(key.page)) is not None:
                file = OtherFile(holder=int(held.content_id), name=key.name)
                files[file] = self._path_of_file(file)
        return files

    def _attachments(
        self,
        page: KnownPage,
        references: References,
        pages: Mapping[PageKey, PageLink],
        files: Mapping[OtherFile, str | None],
    ) -> dict[AttachmentKey, str]:
        found = self._own_attachments(page, references)
        for key in references.attachments:
            held = pages.get(key.page) if key.page is not None else None
            path = files[OtherFile(int(held.content_id), key.name)] if held else None
            if path is not None and page.path is not None:
                found[key] = relative(path, page.path)
        return found

    def _own_attachments(self, page: KnownPage, references: References) -> dict[AttachmentKey, str]:
        found: dict[AttachmentKey, str] = {}
        for file in self.export.files.of(page.page):
            if file.saved_version is not None and page.path is not None:
                found[AttachmentKey(name=file.name)] = relative(file.path, page.path)
        by_name = {unicodedata.normalize("NFC", key.name): path for key, path in found.items()}
        for key in references.attachments:
            # Names arrive composed in one place and decomposed in another.
            path = by_name.get(unicodedata.normalize("NFC", key.name))
            if key.page is None and path is not None:
                found[key] = path
        return found

    def _path_of_file(self, wanted: OtherFile) -> str | None:
        fate = self.export.ledger.pages.fate(wanted.holder)
        is_coming = fate is not None and fate.is_pending_in(self.export.run.number)
        for file in self.export.files.of(wanted.holder):
            is_there = file.saved_version is not None or (is_coming and file.status == "pending")
            if is_there and is_same_name(file.name, wanted.name):
                return file.path
        return None

    def _tree(
        self, page: KnownPage, references: References, pages: Mapping[PageKey, PageLink]
    ) -> tuple[str | None, dict[str, tuple[PageLink, ...]]]:
        """The pages below those that a list on this page begins with, in their order."""
        if not references.trees:
            return None, {}
        children: dict[str, tuple[PageLink, ...]] = {}
        roots = [_root_id(page, root, pages) for root in references.trees]
        waiting = [root for root in roots if root is not None]
        seen: set[int] = set()
        while waiting:
            parent = waiting.pop()
            if parent in seen:
                continue
            seen.add(parent)
            below = [
                (child.page, link)
                for child in self.export.store.below(parent)
                if (link := self._link(page, child.page)) is not None
            ]
            if below:
                children[str(parent)] = tuple(link for _, link in below)
                waiting.extend(child for child, _ in below)
        return self.export.tree_digest, children


def _root_id(
    page: KnownPage, root: PageKey | None, pages: Mapping[PageKey, PageLink]
) -> int | None:
    if root is None:
        return page.page
    if page.parent is not None and root.content_id == str(page.parent):
        return page.parent
    return int(pages[root].content_id) if root in pages else None


def relative(path: str, from_file: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(from_file))


def _unseen(page: KnownPage, key: PageKey, reason: str) -> UnseenReference:
    return UnseenReference(
        reference=_words(page, key),
        reason=reason,
        content_id=key.content_id,
        space_key=key.space_key or page.space_key,
        title=key.title,
    )


def _words(page: KnownPage, key: PageKey) -> str:
    if key.content_id:
        return f"page {key.content_id}"
    space_key = key.space_key or page.space_key
    return f"{key.title!r} in {space_key}" if key.title else f"the space {space_key}"
