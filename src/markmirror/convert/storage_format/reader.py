"""Storage format as a tree. Reads what is well-formed as XML would, and everything else somehow.

Pages written years ago hold undeclared entities, stray `<`, tags that cross. A strict parser
refuses them whole, and a recovering one drops text next to what it does not know, so this reader
never refuses and never drops text. Its trees are shallow enough to walk by recursion.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5

# Deeper elements are dissolved into their ancestor at this depth, their text kept.
MAX_DEPTH = 100

_VOID = frozenset({"br", "hr", "img", "col", "input", "wbr"})
# Every part excludes `<` and gives nothing back, so a broken tag costs no more than its length.
_TAG = re.compile(r"""<(/?+)([A-Za-z_][\w:.\-]*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>""")
_ATTRIBUTE = re.compile(
    r"""([^\s=/"'<>]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?+"""
)
_DECLARATION = re.compile(r"<![A-Za-z][^<>\[]*+(?:\[[^\]]*+\])?+[^<>]*+>")
_ENTITY = re.compile(r"&(?:#(\d{1,8})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]*));")


@dataclass(slots=True)
class Element:
    """An element with its name as written, prefix included: `ac:link`, `ri:page`, `p`."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    def attribute(self, name: str) -> str:
        """An attribute's value, empty where there is none."""
        return self.attributes.get(name, "")

    def elements(self) -> Iterator["Element"]:
        return (child for child in self.children if isinstance(child, Element))

    def first(self, *names: str) -> "Element | None":
        """The first child element that has one of these names."""
        return next((child for child in self.elements() if child.name in names), None)

    def text(self) -> str:
        """All the text inside, as it stands."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageTree:
    """A page's body. `repaired` says that it was not well-formed."""

    root: Element
    repaired: bool


def read_storage(xml: str) -> StorageTree:
    """The tree of a body in storage format. Takes anything, in linear time."""
    builder = _Builder()
    text = xml.replace("\r\n", "\n").replace("\r", "\n")
    position = 0
    while position < len(text):
        opening = text.find("<", position)
        if opening < 0:
            opening = len(text)
        if opening > position:
            builder.text(_unescaped(text[position:opening]))
        position = opening
        if position < len(text):
            position = _read_markup(text, position, builder)
    return StorageTree(root=builder.root, repaired=builder.finish())


def _read_markup(text: str, start: int, builder: "_Builder") -> int:
    """Read what begins with the `<` at `start`; returns where to read on."""
    if text.startswith("<![CDATA[", start):
        end = text.find("]]>", start)
        builder.repaired |= end < 0
        builder.text(text[start + 9 : end if end >= 0 else len(text)])
        return end + 3 if end >= 0 else len(text)
    for opening, closing in (("<!--", "-->"), ("<?", "?>")):
        if text.startswith(opening, start):
            end = -1
            if closing not in builder.exhausted:
                end = text.find(closing, start + len(opening))
            if end >= 0:
                return end + len(closing)
            # No end in sight: what follows is more likely text than a comment.
            builder.exhausted.add(closing)
            builder.stray(opening)
            return start + len(opening)
    tag = _TAG.match(text, start)
    if tag is None:
        declaration = _DECLARATION.match(text, start)
        if declaration is not None:
            return declaration.end()
        builder.stray("<")
        return start + 1
    closes, name, rest = tag.groups()
    if closes:
        builder.end(name)
    else:
        alone = rest.endswith("/")
        builder.start(name, _attributes(rest[:-1] if alone else rest), alone=alone)
    return tag.end()


class _Builder:
    """Puts elements where they belong, closing what was left open and passing over the rest."""

    def __init__(self) -> None:
        self.root = Element("")
        self.repaired = False
        # Ends that the rest of the text does not hold, so that it is searched for them once.
        self.exhausted: set[str] = set()
        # An element too deep to keep is on the stack with the container its content goes to.
        self._stack: list[tuple[str, Element]] = [("", self.root)]
        self._open: Counter[str] = Counter()

    def text(self, text: str) -> None:
        if text:
            self._stack[-1][1].children.append(text)

    def stray(self, text: str) -> None:
        self.repaired = True
        self.text(text)

    def start(self, name: str, attributes: dict[str, str], *, alone: bool) -> None:
        element = Element(name, attributes)
        container = self._stack[-1][1]
        if len(self._stack) <= MAX_DEPTH:
            container.children.append(element)
            container = element
        if not alone and name not in _VOID:
            self._stack.append((name, container))
            self._open[name] += 1

    def end(self, name: str) -> None:
        if not self._open[name]:
            self.repaired |= name not in _VOID
            return
        while True:
            closed, _ = self._stack.pop()
            self._open[closed] -= 1
            if closed == name:
                return
            self.repaired = True

    def finish(self) -> bool:
        return self.repaired or len(self._stack) > 1


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        name, double, single, bare = match.groups()
        value = next((one for one in (double, single, bare) if one is not None), "")
        found[name] = _unescaped(value)
    return found


def _unescaped(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        # An entity nobody knows is shown as it was typed.
        return html5.get(f"{name};", match[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)
