"""Pages and people that references lead to: asked for once a run, and queued if they are new."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markmirror.convert.storage_format import PageKey, PageReference
from markmirror.errors import MarkmirrorError
from markmirror.model import Status
from markmirror.output.space_paths import Node, place_below, space_directory
from markmirror.pipeline.space.export import Export
from markmirror.pipeline.space.failures import DENIED, MISSING
from markmirror.pipeline.space.listing import META, SpaceListing
from markmirror.pipeline.space.planning import is_strangers
from markmirror.progress import Progress
from markmirror.sources.confluence.answers import Meaning
from markmirror.sources.confluence.client import ConfluenceClient
from markmirror.sources.confluence.fields import is_content_id
from markmirror.sources.confluence.records import read_space
from markmirror.state.space import LISTED, KnownPage

_KINDS = {"link": "links", "macro": "macros", "mention": "mentions"}


class LookupFailed(MarkmirrorError):
    """The server could not say whether a page is there."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """A page that is not there for us: hidden, gone, or never written. Links to it stay links."""

    reason: str


@dataclass(slots=True, kw_only=True)
class Finder:
    """Says which page or person is meant; each question is put to the server once a run."""

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

    async def page(self, page: KnownPage, reference: PageReference) -> int | Unseen | None:
        """The id of the page meant, queued for download if nobody has asked for it before.

        None if nobody may ask, or if there is nothing to be told of it. Raises LookupFailed.
        """
        may_find = _KINDS[reference.source] in self.discover
        key = reference.page
        if key.posting_day:
            # A blog post is no page of the space, and a page may bear its title.
            return None
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
            is_number = is_content_id(key.content_id)
            return self._unless_outdated(int(key.content_id)) if is_number else None
        if key.title:
            titled = self.export.store.titled(key.space_key or page.space_key, key.title)
            return None if titled is None else self._unless_outdated(titled)
        if key.space_key == self.export.space.key and self.export.space.homepage_id:
            return int(self.export.space.homepage_id)
        return None

    def _unless_outdated(self, target: int) -> int | None:
        """A page is asked for again if only an earlier run was told of it."""
        known = self.export.store.page(target)
        if known is None or (known.source == LISTED and known.seen_in != self.export.run.number):
            return None
        return target

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
                    self._answers[question] = await self._ask(*question)
        return self._answers[question]

    async def _ask(self, content_id: str, space_key: str, title: str) -> int | Unseen | None:
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
        found = await self._register(documents[:1])
        return Unseen(MISSING) if found is None else found

    async def _home_of(self, space_key: str) -> str | Unseen:
        """The home page of a space by its id; empty if it has none."""
        body = await self._get(self.export.site.space(space_key))
        if isinstance(body, Unseen):
            return body
        space = read_space(body)
        return space.homepage_id if space is not None else ""

    async def _find_home_of_person(self, key: str) -> int | None:
        """A person's own space is named after the user name, in the cloud after the account."""
        await self.person(key)
        known = self.export.store.person(key)
        names = dict.fromkeys((key, known[1] if known else ""))
        for name in names:
            home = await self._home_of(f"~{name}") if name else ""
            if isinstance(home, str) and home:
                body = await self._get(self.export.site.page(home, expand=META))
                found = None if isinstance(body, Unseen) else await self._register([body])
                if found is not None:
                    return found
        return None

    async def _register(self, documents: list[Any]) -> int | None:
        """The id of the page that the server told of, which now has a place."""
        for record in await self.listing.register(documents, source=LISTED):
            self._place(int(record.page_id))
            return int(record.page_id)
        return None

    async def person(self, key: str) -> str:
        """The name a person is shown by. Raises LookupFailed."""
        known = self.export.store.person(key)
        if known is None:
            known = await self._ask_for_person(key)
            self.export.store.keep_person(key, *known)
        return known[0]

    async def _ask_for_person(self, key: str) -> tuple[str, str]:
        site = self.export.site
        for url in dict.fromkeys(
            (site.user(key), site.api("user", username=key), site.api("user", accountId=key))
        ):
            if not isinstance(body := await self._get(url), Unseen):
                shown = body.get("displayName") or body.get("publicName")
                return str(shown or key), str(body.get("username") or "")
        return key, ""

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

        def is_taken(node: int, folder: str, name: str) -> bool:
            if not export.names.is_free(node, folder, name):
                return True
            return is_strangers(export.tree, f"{folder}{name}.md", node, lambda _: False)

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
        fate = export.ledger.pages.fate(target)
        if fate is None or (fate.listed_in == run and fate.status is not Status.LEFT):
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
                export.queues.wait_for_planning(target)
            else:
                export.queues.enqueue([target])
        self.progress.total += 1
