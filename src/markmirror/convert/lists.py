"""Loose lists stay loose and tight ones tight.

The library puts blank lines between items by the blocks inside them, not by the paragraphs that
make a list loose in HTML. Signs from a private corner of Unicode ask it for a blank line, or mark
one that has to go, and are taken out when the text is written.
"""

import itertools
import re

from markmirror.convert import tree

_LOOSE, _TIGHT = "\ue0f2", "\ue0f3"
SIGNS = re.compile(f"[{_LOOSE}{_TIGHT}]")

_LOOSE_LINE = re.compile(f"\n[> ]*\n[> ]*{_LOOSE}")
_TIGHT_ITEM = re.compile(f"\n[> ]*(?=\n[> ]*(?:[-*+]|\\d+[.)]) ?(?:[#> ]*){_TIGHT})")
# The library leaves a marker alone on its line when an item starts with a code block.
_LONELY_MARKER = re.compile(r"^([> ]*(?:[-*+]|\d+[.)])) \n[> ]*(?=```)", re.MULTILINE)
_BLOCKS = "p,pre,blockquote,h1,h2,h3,h4,h5,h6,hr,table"
_OPENERS = frozenset({"p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"})


def prepare_lists(content: tree.Element) -> None:
    """Mark what the writer has to do about each list's blank lines."""
    for listing in content.iter_elements(("ul", "ol")):
        items = [
            child
            for child in listing.children
            if isinstance(child, tree.Element) and child.tag == "li"
        ]
        # Sphinx writes paragraphs into tight lists, too, and names those "simple".
        first = None if listing.has_class("simple") else _first_with_paragraph(items)
        if first is not None:
            first.append(tree.element("p", None, tree.Text(_LOOSE)))
        else:
            _hold_together(items)


def settle_lists(markdown: str) -> str:
    """The written text with the marked blank lines made or taken out."""
    if _LOOSE in markdown:
        markdown = _LOOSE_LINE.sub("", markdown)
    if _TIGHT in markdown:
        markdown = _TIGHT_ITEM.sub("", markdown)
        markdown = SIGNS.sub("", markdown)
    return _LONELY_MARKER.sub(r"\1 ", markdown)


def _first_with_paragraph(items: list[tree.Element]) -> tree.Element | None:
    for item in items:
        for child in item.children:
            if isinstance(child, tree.Element) and child.tag == "p":
                return item
    return None


def _hold_together(items: list[tree.Element]) -> None:
    for item, following in itertools.pairwise(items):
        if item.select_one(_BLOCKS) is not None:
            _opening(following).insert(0, tree.Text(_TIGHT))


def _opening(item: tree.Element) -> tree.Element:
    """The block in which an item's first text stands."""
    for child in item.children:
        if isinstance(child, tree.Element):
            return child if child.tag in _OPENERS else item
        if isinstance(child, tree.Text) and child.data.strip():
            return item
    return item
