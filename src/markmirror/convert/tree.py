"""The one door to turbohtml: the rest of the converter knows a tree, not the library behind it.

The library is young and moves fast. Everything used of it is named here, so that a new release,
or another library, is met in one file.
"""

from typing import Final

import turbohtml
from turbohtml import Document, Element, Markdown, Node, SelectorSyntaxError, Text
from turbohtml.detect import EncodingMatch, detect

__all__ = [
    "Document",
    "Element",
    "EncodingMatch",
    "Node",
    "Text",
    "attribute",
    "detect",
    "element",
    "fragment",
    "markdown_of",
    "meta_refresh",
    "parse",
    "selector_fault",
]

_OPTIONS: Final = Markdown(document=Markdown.Document(line_break="backslash"))


def parse(markup: str | bytes, *, encoding: str | None = None) -> Document:
    """A document tree, as a browser with scripting off would build it.

    Bytes are decoded by byte-order mark, then `encoding`, then `<meta>`, then detection.
    """
    return turbohtml.parse(markup, encoding=encoding, detect_encoding=encoding is None)


def fragment(markup: str) -> Element:
    """The elements of an HTML fragment, inside a `<div>`."""
    return turbohtml.parse_fragment(markup)


def element(tag: str, attributes: dict[str, str] | None = None, *children: Node) -> Element:
    """A new element that stands in no tree yet."""
    return Element(tag, attributes, children)


def attribute(node: Element, name: str) -> str:
    """An attribute's value, or the empty string where it is missing or has none."""
    return node.attr(name) or ""


def markdown_of(node: Node) -> str:
    """The library's own Markdown of a subtree: CommonMark and GFM, escaped to be safe."""
    return node.to_markdown(_OPTIONS)


def meta_refresh(page: Document, base: str) -> tuple[float, str] | None:
    """The delay and target of a meta refresh; None without one, or with one nobody can follow."""
    try:
        return page.meta_refresh(base)
    except ValueError:
        return None


def selector_fault(css: str) -> str | None:
    """What is wrong with a CSS selector, in the library's words, or None if it parses."""
    try:
        turbohtml.parse("").select(css)
    except SelectorSyntaxError as fault:
        return str(fault)
    return None
