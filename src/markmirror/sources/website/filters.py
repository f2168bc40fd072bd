"""Which of a sitemap's URLs are mirrored, and for what reason the others are not."""

import hashlib
import json
import re
from collections.abc import Callable

from markmirror.model import Item
from markmirror.options import SiteOptions
from markmirror.web.urls import Scope, path_of

HOST = "host"
Verdict = Callable[[Item], bool]


class Filters:
    """The filters of one run, in the order in which they are asked; all of them must pass."""

    def __init__(self, options: SiteOptions, scope: Scope) -> None:
        self._rejects: list[tuple[str, Verdict]] = [(HOST, lambda item: not scope.allows(item.url))]
        self._add("include_pattern", options.include_pattern, _outside_pattern)
        self._add("exclude_pattern", options.exclude_pattern, _inside_pattern)
        self._add("include_paths", options.include_paths, _outside_paths)
        self._add("exclude_paths", options.exclude_paths, _inside_paths)
        self._add("priority_min", options.priority_min, _below_priority)
        self._add("changefreq", options.changefreq, _other_frequency)
        asked = json.dumps([options.filters, options.url, sorted(options.allow_host)])
        self.fingerprint = hashlib.sha256(asked.encode()).hexdigest()[:16]

    def _add(self, name: str, wish: object, make: Callable[[object], Verdict]) -> None:
        if wish not in (None, (), ""):
            self._rejects.append((name, make(wish)))

    def passing(self, items: list[Item]) -> list[Item]:
        """The items that no filter rejects."""
        for _, rejects in self._rejects:
            items = [item for item in items if not rejects(item)]
        return items

    def reason_against(self, item: Item) -> str | None:
        """The first filter that rejects the item, by its option's name, or None if all pass."""
        for name, rejects in self._rejects:
            if rejects(item):
                return name
        return None


def _outside_pattern(pattern: object) -> Verdict:
    match = re.compile(str(pattern)).match
    return lambda item: match(item.url) is None


def _inside_pattern(pattern: object) -> Verdict:
    match = re.compile(str(pattern)).match
    return lambda item: match(item.url) is not None


def _inside_paths(prefixes: object) -> Verdict:
    """`/docs` takes `/docs` and `/docs/x`, never `/docsify`."""
    assert isinstance(prefixes, tuple)
    below = tuple(prefix.rstrip("/") + "/" for prefix in prefixes)

    def inside(item: Item) -> bool:
        return (path_of(item.url) + "/").startswith(below)

    return inside


def _outside_paths(prefixes: object) -> Verdict:
    inside = _inside_paths(prefixes)
    return lambda item: not inside(item)


def _below_priority(minimum: object) -> Verdict:
    assert isinstance(minimum, float)
    return lambda item: (1.0 if item.priority is None else item.priority) < minimum


def _other_frequency(wanted: object) -> Verdict:
    return lambda item: item.changefreq != wanted
