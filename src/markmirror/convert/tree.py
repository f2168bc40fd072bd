"""The one door to turbohtml: the rest of the converter knows a tree, not the library behind it.

The library is young and moves fast. Everything used of it is named here, so that a new release,
or another library, is met in one file.
"""

from collections.abc import Iterable
from typing import Final

import turbohtml
from turbohtml import Axis, Document, Element, Markdown, Node, SelectorSyntaxError, Text
from turbohtml.detect import EncodingMatch, detect

from markmirror.convert.emphasis import settle_emphasis

__all__ = [
    "Document",
    "Element",
    "EncodingMatch",
    "Node",
    "Text",
    "attribute",
    "body_of",
    "cell_markdown_of",
    "child_elements",
    "classes_of",
    "detect",
    "element",
    "first_element",
    "first_node",
    "fragment",
    "head_of",
    "line_of",
    "markdown_of",
    "meta_refresh",
    "next_element",
    "outermost",
    "parse",
    "resolve_links",
    "selector_fault",
    "trim_start",
    "words_of",
]

_ROOM: Final = " \t\r\n"
# Taken out of their class once: to name a member of it costs as much as to use it.
_CHILDREN: Final = Axis.CHILDREN
_FOLLOWING: Final = Axis.NEXT_SIBLINGS
_OPTIONS: Final = Markdown(document=Markdown.Document(line_break="backslash"))


def parse(markup: str | bytes, *, encoding: str | None = None) -> Document:
    """A document tree, as a browser with scripting off would build it.

    Bytes are decoded by byte-order mark, then `encoding`, then `<meta>`, then detection.
    """
    is_unknown = encoding is None
    return turbohtml.parse(markup, encoding=encoding, detect_encoding=is_unknown, positions=False)


def fragment(markup: str) -> Element:
    """The elements of an HTML fragment, inside a `<div>`."""
    return turbohtml.parse_fragment(markup, positions=False)


def element(tag: str, attributes: dict[str, str] | None = None, *children: Node) -> Element:
    """A new element that stands in no tree yet."""
    return Element(tag, attributes, children)


def attribute(node: Element, name: str) -> str:
    """An attribute's value, or the empty string where it is missing or has none."""
    return node.attr(name) or ""


def classes_of(node: Element) -> list[str]:
    """The names in an element's class attribute."""
    return attribute(node, "class").split()


def line_of(node: Element) -> str:
    """What an element says, on one line."""
    return " ".join(node.text.split())


def markdown_of(node: Node) -> str:
    """The library's own Markdown of a subtree: CommonMark and GFM, escaped to be safe."""
    return settle_emphasis(node.to_markdown(_OPTIONS))


def cell_markdown_of(node: Node) -> str:
    """The same for one table cell of many: a call ten times faster, hard breaks as two spaces."""
    return settle_emphasis(node.to_markdown())


def child_elements(node: Element, tag: str | None = None) -> list[Element]:
    """The elements right under another, of one tag or of any."""
    return node.find_all(tag, axis=_CHILDREN)


def first_node(nodes: Iterable[Node]) -> Element | Text | None:
    """What some nodes begin with: an element, or a text that is more than white space."""
    for node in nodes:
        if isinstance(node, Element) or (isinstance(node, Text) and node.data.strip()):
            return node
    return None


def first_element(nodes: Iterable[Node]) -> Element | None:
    """The element with which some nodes begin, unless they begin with text."""
    first = first_node(nodes)
    return first if isinstance(first, Element) else None


def next_element(node: Element) -> Element | None:
    """The element that follows among its siblings, past any text."""
    return node.find(axis=_FOLLOWING)


def outermost(found: list[Element]) -> list[Element]:
    """The found elements that stand in no other found one, in document order."""
    if len(found) < 2:
        return found
    known = set(found)
    covered: set[Element] = set()
    chosen = []
    for node in found:
        if node not in covered:
            chosen.append(node)
            covered.update(inner for inner in node.iter_elements() if inner in known)
    return chosen


def trim_start(node: Element) -> None:
    """Take out the room before an element's first words: a browser shows none there."""
    inner: Element | None = node
    while inner is not None:
        node, inner = inner, None
        for first in node.children:
            if isinstance(first, Text):
                text = first.data
                if text[:1] in _ROOM:
                    first.data = text.lstrip(_ROOM)
                    if not first.data:
                        continue
            elif isinstance(first, Element) and first.tag == "span":
                inner = first
            break


def words_of(node: Element) -> int:
    """How much an element says; a template's indentation says nothing."""
    text = node.text
    return len(text) - text.count(" ") - text.count("\n") - text.count("\t")


def head_of(page: Document) -> Element | None:
    """The page's `<head>`, without a walk through the rest."""
    return _part_of(page, "head")


def body_of(page: Document) -> Element | None:
    """The page's `<body>`; a page of frames has none."""
    return _part_of(page, "body")


def _part_of(page: Document, tag: str) -> Element | None:
    return None if page.root is None else page.root.find(tag, axis=_CHILDREN)


def meta_refresh(page: Document, base: str) -> tuple[float, str] | None:
    """The delay and target of a meta refresh; None without one, or with one nobody can follow."""
    try:
        return page.meta_refresh(base)
    except ValueError:
        return None


def resolve_links(content: Element, base: str) -> None:
    """Make every address absolute; a base that is no address leaves them as they are."""
    try:
        content.resolve_links(base)
    except ValueError:
        return


def selector_fault(css: str) -> str | None:
    """What is wrong with a CSS selector, in the library's words, or None if it parses."""
    try:
        turbohtml.parse("").select(css)
    except SelectorSyntaxError as fault:
        return str(fault)
    return None
