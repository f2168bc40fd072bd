"""What a page refers to, looked up before it is rendered; pages found this way are queued."""

import asyncio
import posixpath
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markmirror.convert.storage_format import (
    AttachmentKey,
    PageKey,
    PageLink,
    PageReference,
    References,
    StorageContext,
)
from markmirror.errors import MarkmirrorError
from markmirror.output.paths import path_key
from markmirror.output.space_paths import Node, place_below, space_directory
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.failures import DENIED, MISSING
from markmirror.pipeline.space.listing import META, SpaceListing, note_unresolved
from markmirror.pipeline.space.planning import is_strangers
from markmirror.progress import Progress
from markmirror.sources.confluence.answers import Meaning
from markmirror.sources.confluence.client import ConfluenceClient
from markmirror.sources.confluence.fields import is_content_id
from markmirror.sources.confluence.records import read_space
from markmirror.state.space import KnownPage, UnseenReference

_KINDS = {"link": "links", "macro": "macros", "mention": "mentions"}


class LookupFailed(MarkmirrorError):
    """The server could not say whether a page is there."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """A page that is not there for us: hidden, gone, or never written. Links to it stay links."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """All that rendering a page needs, and what the ledger must remember of it.

    `links` says by which path each page it refers to was told, None being its source; `unseen`
    what leads to its source because it is not there for us.
    """

    context: StorageContext
    links: Mapping[int, str | None]
    unseen: tuple[UnseenReference, ...]
    tree: str | None
    is_whole: bool


@dataclass(slots=True, kw_only=True)
class Resolver:
    """Answers the questions of pages being rendered; each is put to the server once a run."""

    export: Export
    client: ConfluenceClient
    listing: SpaceListing
    progress: Progress
    discover: tuple[str, ...]
    max_discovered: int
    stopping: asyncio.Event
    discovered: int = 0
    left_out: int = 0
    _answers: dict[tuple[str, str, str], int | Unseen | None] = field(default_factory=dict)
    _locks: dict[tuple[str, str, str], asyncio.Lock] = field(default_factory=dict)

    async def resolve(self, page: KnownPage, references: References) -> Resolved:
        """Look up everything the page refers to; what failed is noted and counts as unknown."""
        is_whole = True
        users: dict[str, str] = {}
        for person in references.users:
            try:
                users[person] = await self._display_name(person)
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
                target = await self._target(page, reference)
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
        attachments = self._own_attachments(page, references)
        for key in references.attachments:
            held = pages.get(key.page) if key.page is not None else None
            path = self._file_of(int(held.content_id), key.name, page) if held else None
            if path is not None:
                attachments[key] = path
        tree, children = self._tree(page, references, pages)
        for below in children.values():
            links |= {int(child.content_id): self._path(int(child.content_id)) for child in below}
        context = StorageContext(
            base_url=self.export.site.base_url,
            space_key=page.space_key,
            page_id=str(page.page),
            page_title=page.title,
            pages=pages,
            attachments=attachments,
            users=users,
            children=children,
        )
        return Resolved(
            context=context, links=links, unseen=tuple(unseen), tree=tree, is_whole=is_whole
        )

    # Pages

    async def _target(self, page: KnownPage, reference: PageReference) -> int | Unseen | None:
        """The id of the page meant, queued for download if nobody has asked for it before.

        None if nobody may ask, or if there is nothing to be told of it.
        """
        may_find = _KINDS[reference.source] in self.discover
        key = reference.page
        target: int | Unseen | None = self._known(page, key)
        if target is None and self._would_be_listed(page, key):
            return Unseen(MISSING)
        if target is None and may_find:
            target = await self._find(page, key, reference.source)
        if isinstance(target, int) and may_find:
            self._enqueue(target, page.page, reference.source)
        return target

    def _known(self, page: KnownPage, key: PageKey) -> int | None:
        if key.content_id:
            is_known = is_content_id(key.content_id) and self.export.store.page(int(key.content_id))
            return int(key.content_id) if is_known else None
        if key.title:
            return self.export.store.titled(key.space_key or page.space_key, key.title)
        if key.space_key == self.export.space.key and self.export.space.homepage_id:
            return int(self.export.space.homepage_id)
        return None

    def _would_be_listed(self, page: KnownPage, key: PageKey) -> bool:
        """Whether the list of the exported space, read to its end, would have named the page."""
        is_ours = (key.space_key or page.space_key) == self.export.space.key
        return bool(key.title) and is_ours and self.export.run.discovery_whole

    async def _find(self, page: KnownPage, key: PageKey, source: str) -> int | Unseen | None:
        space_key = key.space_key or page.space_key
        question = (key.content_id, "" if key.content_id else space_key, key.title)
        lock = self._locks.setdefault(question, asyncio.Lock())
        async with lock:
            if question not in self._answers:
                if source == "mention":
                    self._answers[question] = await self._find_home_of_person(space_key[1:])
                else:
                    self._answers[question] = await self._ask(page, *question, source)
        return self._answers[question]

    async def _ask(
        self, page: KnownPage, content_id: str, space_key: str, title: str, source: str
    ) -> int | Unseen | None:
        site = self.export.site
        if not content_id and not title:
            home = await self._home_of(space_key)
            if isinstance(home, Unseen) or not home:
                return home or None
            content_id = home
        if content_id:
            url = site.page(content_id, expand=META)
        else:
            url = site.api(
                "content", spaceKey=space_key, title=title, type="page", expand=META, limit=2
            )
        body = await self._get(url)
        if isinstance(body, Unseen):
            return body
        results = [body] if content_id else body.get("results")
        documents = results if isinstance(results, list) else []
        kind = "macro" if source == "macro" else "reference"
        for record in await self.listing.register(
            documents[:1], source=kind, discovered_from=page.page
        ):
            self._place(int(record.page_id))
            return int(record.page_id)
        return Unseen(MISSING)

    async def _home_of(self, space_key: str) -> str | Unseen:
        """The home page of a space by its id; empty if it has none."""
        body = await self._get(self.export.site.space(space_key))
        if isinstance(body, Unseen):
            return body
        space = read_space(body)
        return space.homepage_id if space is not None else ""

    async def _find_home_of_person(self, key: str) -> int | None:
        """A person's own space is named after the user name, in the cloud after the account."""
        await self._display_name(key)
        person = self.export.store.person(key)
        names = dict.fromkeys((key, person[1] if person else ""))
        for name in names:
            home = await self._home_of(f"~{name}") if name else ""
            if isinstance(home, str) and home:
                body = await self._get(self.export.site.page(home, expand=META))
                documents = [] if isinstance(body, Unseen) else [body]
                for record in await self.listing.register(documents, source="reference"):
                    self._place(int(record.page_id))
                    return int(record.page_id)
        return None

    async def _get(self, url: str) -> Mapping[str, Any] | Unseen:
        reply = await self.client.get(url)
        match reply.verdict.meaning:
            case Meaning.GOOD:
                return reply.body
            case Meaning.LATER | Meaning.THROTTLED:
                raise LookupFailed(reply.verdict.reason)
            case Meaning.FORBIDDEN:
                return Unseen(DENIED)
            case Meaning.MISSING:
                return Unseen(MISSING)
            case _:
                return Unseen(reply.verdict.reason)

    def _place(self, page: int) -> None:
        """Give a page found just now its path."""
        export = self.export
        known = export.store.page(page)
        if known is None or known.path is not None:
            return
        chain = [
            Node(id=ancestor, title=title, parent=None) for ancestor, title, _ in known.ancestors
        ]
        chain.append(Node(id=page, title=known.title, parent=None))

        def is_taken(folder: str, name: str) -> bool:
            if path_key(name) in export.names.used.get(folder, ()):
                return True
            return is_strangers(export.tree, f"{folder}{name}.md", page, lambda _: False)

        top = f"{space_directory(known.space_key)}/"
        given = place_below(chain, top=top, held=export.names.places, is_taken=is_taken)
        for node, place in given.items():
            export.names.give(node, place)
        with export.ledger.transaction():
            export.store.keep_places(given.items())
            export.store.set(page, path=export.names.places[page].file)

    def _enqueue(self, target: int, page: int, source: str) -> None:
        """Discovery feeds the download queue only, and each page once."""
        export, run = self.export, self.export.run.number
        row = export.ledger.database.one(
            "SELECT listed_in, status FROM pages WHERE id = ?", (target,)
        )
        if row is None or (row[0] == run and row[1] != "left"):
            return
        if self.discovered >= self.max_discovered:
            self.left_out += 1
            return
        self.discovered += 1
        export.tree_changes()
        with export.ledger.transaction():
            export.store.include([target], run)
            export.store.set(
                target,
                source="macro" if source == "macro" else "reference",
                discovered_from=page,
                discovered_in=run,
            )
            if self.stopping.is_set():
                # The queue is frozen; planning puts the page into it when the run goes on.
                export.ledger.database.read(
                    "UPDATE pages SET status = 'pending', settled_in = 0 WHERE id = ?", (target,)
                )
            else:
                export.queues.enqueue([target])
        self.progress.total += 1

    def _path(self, target: int) -> str | None:
        """Where the page is or will be, or None if it is not part of the export."""
        row = self.export.ledger.database.one(
            "SELECT s.path, e.path, p.listed_in = ? AND p.status IN "
            "('pending', 'saved', 'unchanged') FROM space_pages s JOIN pages p ON p.id = s.page "
            "LEFT JOIN entries e ON e.page = s.page WHERE s.page = ?",
            (self.export.run.number, target),
        )
        if row is None:
            return None
        path = row[0] if row[2] else row[1]
        return None if path is None else str(path)

    def _link(self, page: KnownPage, target: int) -> PageLink | None:
        known, path = self.export.store.page(target), self._path(target)
        if known is None or path is None or page.path is None:
            return None
        return PageLink(content_id=str(target), title=known.title, path=relative(path, page.path))

    # Files, people, trees

    def _own_attachments(self, page: KnownPage, references: References) -> dict[AttachmentKey, str]:
        found: dict[AttachmentKey, str] = {}
        for file in self.export.store.attachments(page.page):
            if file.saved_version is not None and page.path is not None:
                found[AttachmentKey(name=file.name)] = relative(file.path, page.path)
        by_name = {unicodedata.normalize("NFC", key.name): path for key, path in found.items()}
        for key in references.attachments:
            # Names arrive composed in one place and decomposed in another.
            path = by_name.get(unicodedata.normalize("NFC", key.name))
            if key.page is None and path is not None:
                found[key] = path
        return found

    def _file_of(self, holder: int, name: str, page: KnownPage) -> str | None:
        wanted = unicodedata.normalize("NFC", name)
        for file in self.export.store.attachments(holder):
            is_coming = file.status in ("pending", "saved") and self._path(holder) is not None
            if unicodedata.normalize("NFC", file.name) == wanted and is_coming and page.path:
                return relative(file.path, page.path)
        return None

    async def _display_name(self, key: str) -> str:
        person = self.export.store.person(key)
        if person is None:
            person = await self._ask_for_person(key)
            self.export.store.keep_person(key, *person)
        return person[0]

    async def _ask_for_person(self, key: str) -> tuple[str, str]:
        site = self.export.site
        for url in dict.fromkeys(
            (site.user(key), site.api("user", username=key), site.api("user", accountId=key))
        ):
            if not isinstance(body := await self._get(url), Unseen):
                shown = body.get("displayName") or body.get("publicName")
                return str(shown or key), str(body.get("username") or "")
        return key, ""

    def _tree(
        self, page: KnownPage, references: References, pages: Mapping[PageKey, PageLink]
    ) -> tuple[str | None, dict[str, tuple[PageLink, ...]]]:
        """The pages below those that a list on this page begins with, in their order."""
        if not references.trees:
            return None, {}
        children: dict[str, tuple[PageLink, ...]] = {}
        waiting = [
            page.page if root is None else int(pages[root].content_id)
            for root in references.trees
            if root is None or root in pages
        ]
        seen: set[int] = set()
        while waiting:
            parent = waiting.pop()
            if parent in seen:
                continue
            seen.add(parent)
            below = [
                (child.page, link)
                for child in self.export.store.pages("parent = ?", (parent,))
                if (link := self._link(page, child.page)) is not None
            ]
            if below:
                children[str(parent)] = tuple(link for _, link in below)
                waiting.extend(child for child, _ in below)
        return self.export.tree_digest, children


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
