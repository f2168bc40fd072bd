"""Where the pages of a space are written: a tree of names that disks, people and reruns agree on.

A page is `<slug>.md` and what is below it lies in `<slug>/`. Folders, whiteboards and pages that
are not exported are only the directory. Every name is unique among its siblings, also on disks that
ignore case. Of siblings that want the same name each gets `--` and the end of its id, and a name
once given stays while its owner keeps title and place. Pure, no I/O.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count

from markmirror.output.paths import path_key

MAX_SLUG_BYTES = 180
MAX_NAME_BYTES = 200
# Deeper than this, names are ids; deeper still, pages lie beside their parents.
LONG_PATH_BYTES = 1_500
LONGEST_PATH_BYTES = 3_000
FRAGMENT_DIGITS = 6

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\ud800-\udfff]')
# What the export itself keeps in a space's folder.
_OWN_TOP_NAMES = frozenset({"assets"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Something that has a place in the tree. The parent is another node, or None at the top."""

    id: int
    title: str
    parent: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The directory a node lies in, `/` at its end, and its name there without an extension."""

    folder: str
    name: str
    slug: str

    @property
    def inside(self) -> str:
        """The directory of what is below the node."""
        if len(self.folder.encode()) > LONGEST_PATH_BYTES:
            return self.folder
        return f"{self.folder}{self.name}/"

    @property
    def file(self) -> str:
        return f"{self.folder}{self.name}.md"


def slug_of(title: str) -> str:
    """A title as a file name: lower case, words of any script joined by hyphens; may be empty."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", title)).lower()
    letters = (char if unicodedata.category(char)[0] in "LMN" else " " for char in text)
    slug = "-".join("".join(letters).split())
    # Lower case may have taken a letter apart again.
    return _cut(unicodedata.normalize("NFC", slug), MAX_SLUG_BYTES).strip("-")


def space_directory(key: str) -> str:
    """The folder of a space, from its key."""
    name = _cut(_FORBIDDEN.sub("_", key), MAX_SLUG_BYTES).strip(". ") or "_"
    return f"_{name}" if name.startswith("_") or _RESERVED.fullmatch(name) else name


def place_all(
    nodes: Iterable[Node], *, top: str, held: Mapping[int, Place], taken: Iterable[str] = ()
) -> dict[int, Place]:
    """A place for every node below `top`, given the places that nodes had before.

    `taken` are paths in the way that belong to none of the nodes.
    """
    children: dict[int | None, list[Node]] = {}
    by_id = {node.id: node for node in nodes}
    for node, parent in _parents(by_id).items():
        children.setdefault(parent, []).append(by_id[node])
    naming = _Naming(held=held, foreign={path_key(path) for path in taken})
    naming.names[top] = set(_OWN_TOP_NAMES)
    waiting: list[tuple[int | None, str]] = [(None, top)]
    while waiting:
        parent, folder = waiting.pop()
        placed = naming.place(children.get(parent, []), folder)
        waiting += [
            (node.id, naming.places[node.id].inside) for node in placed if node.id in children
        ]
    return naming.places


def _parents(nodes: Mapping[int, Node]) -> dict[int, int | None]:
    """What each node stands under. A circle hangs nowhere, so it is cut at its smallest member."""
    parents = {node.id: node.parent if node.parent in nodes else None for node in nodes.values()}
    settled: set[int] = set()
    for start in nodes:
        trail: list[int] = []
        node: int | None = start
        while node is not None and node not in settled:
            settled.add(node)
            trail.append(node)
            node = parents[node]
        if node in trail:
            parents[min(trail[trail.index(node) :])] = None
    return parents


def _by_id(node: Node) -> int:
    return node.id


@dataclass(slots=True, kw_only=True)
class _Naming:
    held: Mapping[int, Place]
    foreign: set[str]
    places: dict[int, Place] = field(default_factory=dict)
    names: dict[str, set[str]] = field(default_factory=dict)

    def place(self, siblings: list[Node], folder: str) -> list[Node]:
        """Give each a name in this folder: first those who had it, then the newcomers."""
        names = self.names.setdefault(folder, set())
        newcomers: dict[str, list[tuple[Node, str]]] = {}
        for node in sorted(siblings, key=_by_id):
            slug = _name_wanted(node, folder)
            before = self.held.get(node.id)
            stays = before is not None and (before.folder, before.slug) == (folder, slug)
            if before is not None and stays and path_key(before.name) not in names:
                self.places[node.id] = before
                names.add(path_key(before.name))
            else:
                newcomers.setdefault(path_key(slug), []).append((node, slug))

        def is_taken(name: str) -> bool:
            return path_key(name) in names or path_key(f"{folder}{name}.md") in self.foreign

        for key, group in newcomers.items():
            is_alone = len(group) == 1 and key not in names
            for node, slug in group:
                name = slug
                if not is_alone or path_key(f"{folder}{slug}.md") in self.foreign:
                    name = _distinguished(node.id, slug, is_taken)
                names.add(path_key(name))
                self.places[node.id] = Place(folder=folder, name=name, slug=slug)
        return siblings


def _name_wanted(node: Node, folder: str) -> str:
    slug = slug_of(node.title)
    if not slug or len(folder.encode()) + len(slug.encode()) > LONG_PATH_BYTES:
        return str(node.id)
    return f"{slug}-{node.id}" if _RESERVED.fullmatch(slug) else slug


def _distinguished(node_id: int, slug: str, is_taken: Callable[[str], bool]) -> str:
    digits = str(node_id)
    fragments = chain((digits[-FRAGMENT_DIGITS:], digits), (f"{digits}-{n}" for n in count(2)))
    return next(name for part in fragments if not is_taken(name := f"{slug}--{part}"))


def attachment_names(
    files: Iterable[tuple[str, str]], *, held: Mapping[str, str]
) -> dict[str, str]:
    """A file name for each attachment (id, name) of one page; names given before stay."""
    given: dict[str, str] = {}
    used: set[str] = set()
    wanted: dict[str, list[tuple[str, str]]] = {}
    for attachment_id, name in sorted(files):
        safe = safe_file_name(name, attachment_id)
        before = held.get(attachment_id)
        if before is not None and path_key(before) not in used:
            given[attachment_id] = before
            used.add(path_key(before))
        else:
            wanted.setdefault(path_key(safe), []).append((attachment_id, safe))
    rivals: list[tuple[str, str]] = []
    for key, group in wanted.items():
        if len(group) > 1 or key in used:
            rivals += group
        else:
            given.update(group)
            used.add(key)
    for attachment_id, safe in rivals:
        name = _distinguished_file(attachment_id, safe, used)
        given[attachment_id] = name
        used.add(path_key(name))
    return given


def _distinguished_file(attachment_id: str, safe: str, used: set[str]) -> str:
    stem, dot, extension = safe.rpartition(".")
    if not dot:
        stem, extension = safe, ""
    tail = re.sub(r"\W", "", attachment_id)[-8:]
    name, rounds = f"{stem}--{tail}{dot}{extension}", 1
    while path_key(name) in used:
        rounds += 1
        name = f"{stem}--{tail}-{rounds}{dot}{extension}"
    return name


def safe_file_name(name: str, fallback: str) -> str:
    """A file's own name, made harmless on every disk."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", name))
    text = _FORBIDDEN.sub("_", text).strip(". ") or _FORBIDDEN.sub("_", fallback).strip(". ") or "_"
    if _RESERVED.fullmatch(text) or text.startswith(".markmirror"):
        text = f"_{text}"
    if len(text.encode()) <= MAX_NAME_BYTES - 12:
        return text
    stem, dot, extension = text.rpartition(".")
    if not dot or len(extension.encode()) > 20:
        return _cut(text, MAX_NAME_BYTES - 12)
    return _cut(stem, MAX_NAME_BYTES - 13 - len(extension.encode())) + dot + extension


def _cut(text: str, size: int) -> str:
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= size:
        return encoded.decode()
    kept = encoded[:size].decode("utf-8", "ignore")
    end = len(kept)
    while end and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return kept[:end] or kept


def place_below(
    line: list[Node],
    *,
    top: str,
    held: Mapping[int, Place],
    is_taken: Callable[[int, str, str], bool],
) -> dict[int, Place]:
    """Places for a page found alone, the last of `line`, and for what stands above it.

    `is_taken` says whether a node may not have a name in a folder.
    """
    given: dict[int, Place] = {}
    folder = top
    for node in line:
        place = held.get(node.id)
        if place is None:
            slug = _name_wanted(node, folder)
            name = slug
            is_own = folder == top and name in _OWN_TOP_NAMES
            if is_own or is_taken(node.id, folder, name):
                name = _distinguished(node.id, slug, partial(is_taken, node.id, folder))
            place = given[node.id] = Place(folder=folder, name=name, slug=slug)
        folder = place.inside
    return given
