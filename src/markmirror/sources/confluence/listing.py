"""A list read page by page, as a state machine without I/O: ask, take the answer, ask on.

Servers cut pages, count the next one from what was asked for, send a last page that is empty and
still leads on, and people create and delete pages meanwhile. So addresses are never followed, only
their cursors; places are counted from what truly came; and each page begins with the last item of
the one before, so that a shift shows. A server that counts what it hides from us shows one on every
page; its lists are then read to their end without that check, and not trusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from markmirror.sources.confluence.addresses import ConfluenceSite

LEAST_LIMIT = 5
MOST_PASSES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Where in a list we are. `done` says that it was read to its end.

    `trusted` says that nothing suggested that the list changed or was cut while it was read;
    nothing may be concluded from what is missing in one that is not trusted.
    """

    site: ConfluenceSite
    path: str
    query: Mapping[str, str]
    limit: int
    start: int = 0
    cursor: str = ""
    last_id: str = ""
    passes: int = 1
    done: bool = False
    trusted: bool = True
    _empty_before: bool = False
    _cursors: frozenset[str] = field(default_factory=frozenset)
    _is_checked: bool = True
    _seen: frozenset[str] = field(default_factory=frozenset)

    @property
    def url(self) -> str:
        """What to ask for next."""
        place = {"cursor": self.cursor} if self.cursor else {}
        if not self.cursor and self._first_asked:
            place = {"start": str(self._first_asked)}
        return self.site.api(self.path, **self.query, limit=self.limit, **place)

    @property
    def _first_asked(self) -> int:
        """One before the place we are at: the last item again, to see that nothing moved."""
        return max(0, self.start - 1) if self._is_checked else self.start

    def take(self, answer: Mapping[str, Any]) -> tuple["Listing", list[Mapping[str, Any]]]:
        """The state after an answer, and its items. After a shift some come a second time."""
        items = _items(answer)
        leads_on = _leads_on(answer)
        if not items:
            return self._after_nothing(leads_on=leads_on), []
        cursor = _cursor(leads_on)
        if self.cursor or cursor:
            return self._after_cursor_page(items, cursor), items
        return self._after_numbered_page(items, leads_on=bool(leads_on))

    def asking_for_less(self) -> "Listing":
        """The same place with half as many items, for a server that could not make so many."""
        return replace(self, limit=max(LEAST_LIMIT, self.limit // 2))

    def _after_nothing(self, *, leads_on: str) -> "Listing":
        # At the very end nothing follows the one item that is asked for again, so it is there.
        expected = self.start > 0 and not self.cursor and self._is_checked
        if not leads_on and not expected:
            return replace(self, done=True)
        if not self._empty_before:
            start = self.start if self._is_checked else self.start + self.limit
            return replace(self, start=start, _empty_before=True)
        if self._is_checked and leads_on and not self.cursor:
            here = self._without_check()
            return replace(here, start=here.start + self.limit)
        return replace(self, done=True, trusted=False)

    def _after_cursor_page(self, items: list[Mapping[str, Any]], cursor: str) -> "Listing":
        if cursor and cursor in self._cursors:
            return replace(self, done=True, trusted=False)
        return replace(
            self,
            cursor=cursor,
            start=self.start + len(items),
            done=not cursor,
            _empty_before=False,
            _cursors=self._cursors | {cursor},
        )

    def _after_numbered_page(
        self, items: list[Mapping[str, Any]], *, leads_on: bool
    ) -> tuple["Listing", list[Mapping[str, Any]]]:
        if not self._is_checked:
            return self._after_unchecked_page(items, leads_on=leads_on), items
        if self.start and _id(items[0]) != self.last_id:
            if self.passes < MOST_PASSES:
                return self._from_the_start(), []
            return self._without_check()._after_unchecked_page(items, leads_on=leads_on), items
        fresh = items[1:] if self.start else items
        start = self.start + len(fresh)
        # A page of which only the known item came leads nowhere, or past what is hidden.
        stuck = leads_on and not fresh
        if stuck and self._empty_before:
            return self._without_check()._after_unchecked_page(items, leads_on=True), []
        moved = replace(
            self,
            start=start,
            last_id=_id(items[-1]),
            done=not leads_on,
            _empty_before=stuck,
        )
        return moved, fresh

    def _without_check(self) -> "Listing":
        return replace(
            self,
            start=self._first_asked,
            trusted=False,
            _empty_before=False,
            _is_checked=False,
            _seen=frozenset({self.last_id}),
        )

    def _after_unchecked_page(self, items: list[Mapping[str, Any]], *, leads_on: bool) -> "Listing":
        """Go on by as many as came, so that nothing is stepped over, whatever was hidden."""
        ids = frozenset(map(_id, items))
        is_known = ids <= self._seen
        return replace(
            self,
            start=self.start + (self.limit if is_known else len(items)),
            done=not leads_on or (is_known and self._empty_before),
            _empty_before=is_known,
            _seen=self._seen | ids,
        )

    def _from_the_start(self) -> "Listing":
        """The list moved under us. What came stays; a pass that sees no shift is complete."""
        return replace(self, start=0, last_id="", passes=self.passes + 1, _empty_before=False)


def pages_of_space(
    site: ConfluenceSite, space_key: str, *, expand: str, limit: int, scan: bool
) -> Listing:
    """All current pages of a space; with `scan` by cursor, which no edit can shift."""
    query = {"spaceKey": space_key, "expand": expand}
    if scan:
        return Listing(site=site, path="content/scan", query=query, limit=limit)
    whole = {**query, "type": "page", "status": "current"}
    return Listing(site=site, path="content", query=whole, limit=limit)


def attachments_of_page(site: ConfluenceSite, page_id: str, *, limit: int) -> Listing:
    path = f"content/{page_id}/child/attachment"
    return Listing(site=site, path=path, query={"expand": "version"}, limit=limit)


def all_spaces(site: ConfluenceSite, *, limit: int) -> Listing:
    """Every space, for finding one by its name."""
    return Listing(site=site, path="space", query={}, limit=limit)


def _items(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    results = answer.get("results")
    if not isinstance(results, list):
        return []
    return [item for item in results if isinstance(item, Mapping)]


def _leads_on(answer: Mapping[str, Any]) -> str:
    links = answer.get("_links")
    following = links.get("next") if isinstance(links, Mapping) else None
    return following if isinstance(following, str) else ""


def _cursor(following: str) -> str:
    try:
        return parse_qs(urlsplit(following).query).get("cursor", [""])[0]
    except ValueError:
        return ""


def _id(item: Mapping[str, Any]) -> str:
    return str(item.get("id", ""))
