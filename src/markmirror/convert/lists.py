"""Loose lists stay loose and tight ones tight.

The library puts blank lines between items by the blocks inside them, not by the paragraphs that
make a list loose in HTML. Signs from a private corner of Unicode ask it for a blank line, or mark
one that has to go, and are taken out when the text is written.
"""

import itertools
import re

from markmirror.convert import tree
from markmirror.convert.signs import LOOSE, TIGHT
from markmirror.convert.survey import Survey
from markmirror.convert.vocabulary import words

# The library leaves a marker alone on its line when an item starts with a code block, or with a
# sign before a block. Past a blank line below the marker, nothing belongs to its item.
_LONELY = re.compile(r" \n(?:[> ]*\n(?=[> ]*\S)|(?=[> ]*(?:```|\#)))([> ]*)")
_MARKER = re.compile(r"[> ]*(?:[-*+]|\d+[.)])")
_BLOCKS = "p,pre,blockquote,h1,h2,h3,h4,h5,h6,hr,table"
_OPENERS = frozenset(
    {"p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}
    | {"div", "section", "article", "details", "summary", "figure", "header"}
)
_SECTION_LISTS = words("blockList blockListLast summary-list details-list member-list")


def dissolve_section_lists(survey: Survey) -> None:
    """The lists of one with which Javadoc lays its pages out become sections of the page."""
    for listing in survey.of("ul"):
        classes = listing.attr("class")
        if classes is not None and not _SECTION_LISTS.isdisjoint(classes.split()):
            for part in (listing, *tree.child_elements(listing, "li")):
                part.tag = "div"


def prepare_lists(survey: Survey) -> None:
    """Mark what the writer has to do about each list's blank lines."""
    for listing in survey.of("ul", "ol"):
        items = tree.child_elements(listing, "li")
        classes = listing.attr("class") or ""
        if "inline-task-list" in classes:
            _show_boxes(items)
        elif "task-list" in classes:
            _unwrap_boxes(items)
        # Sphinx writes paragraphs into tight lists, too, and names those "simple".
        first = None if "simple" in classes.split() else _first_with_paragraph(items)
        if first is not None:
            first.append(tree.element("p", None, tree.Text(LOOSE)))
        else:
            _hold_together(items)


def settle_lists(markdown: str) -> str:
    """The written text with the marked blank lines made or taken out."""
    if LOOSE in markdown:
        *before, last = markdown.split(LOOSE)
        markdown = "".join(map(_without_last_line, before)) + last
    if TIGHT in markdown:
        *before, last = markdown.split(TIGHT)
        markdown = "".join(map(_closed_up, before)) + last
    return _LONELY.sub(_joined, markdown) if " \n" in markdown else markdown


def _joined(found: re.Match[str]) -> str:
    """A space in place of the line's end, if a marker is all that stands on the line and what
    follows is indented to stand in its item.
    """
    text, end = found.string, found.start()
    start = text.rfind("\n", 0, end) + 1
    width = end + 1 - start
    is_in_item = len(found[1]) >= width and _MARKER.fullmatch(text, start, end)
    return " " + found[1][width:] if is_in_item else found[0]


def _without_last_line(text: str) -> str:
    """The text without the empty paragraph at its end that asked for a blank line."""
    line = text.rfind("\n")
    blank = text.rfind("\n", 0, max(line, 0))
    if blank < 0 or text[blank:].strip("> \n"):
        return text
    return text[:blank]


def _closed_up(text: str) -> str:
    """The text without a blank line above the item that begins at its end."""
    line = text.rfind("\n")
    blank = text.rfind("\n", 0, max(line, 0))
    if blank < 0 or text[blank:line].strip("> \n"):
        return text
    return text[:blank] + text[line:]


def _show_boxes(items: list[tree.Element]) -> None:
    """Confluence says by a class alone whether a task is done."""
    for item in items:
        if item.select_one("input") is None:
            state = {"checked": ""} if item.has_class("checked") else {}
            item.insert(0, tree.Text(" "))
            item.insert(0, tree.element("input", {"type": "checkbox", **state}))


def _unwrap_boxes(items: list[tree.Element]) -> None:
    """MkDocs Material puts a task's box into a label, to draw a box of its own."""
    for item in items:
        label = tree.first_element(_opening(item).children)
        if label is not None and label.tag == "label" and _holds_box(label):
            label.unwrap()


def _holds_box(label: tree.Element) -> bool:
    first = tree.first_element(label.children)
    return first is not None and first.tag == "input"


def _first_with_paragraph(items: list[tree.Element]) -> tree.Element | None:
    return next((item for item in items if tree.child_elements(item, "p")), None)


def _hold_together(items: list[tree.Element]) -> None:
    for item, following in itertools.pairwise(items):
        if item.select_one(_BLOCKS) is not None:
            _mark_tight(_opening(following))


def _mark_tight(block: tree.Element) -> None:
    """Put the sign where an item's text begins: before it, the sign would make a text of a space
    that is none, and keep the writer from seeing the box of a task.
    """
    box = tree.first_element(block.children)
    if box is not None and box.tag == "input":
        box.insert_after(tree.Text(TIGHT))
        return
    tree.trim_start(block)
    block.insert(0, tree.Text(TIGHT))


def _opening(item: tree.Element) -> tree.Element:
    """The block in which an item's first text stands."""
    node = item
    while True:
        first = tree.first_element(node.children)
        if first is None or first.tag not in _OPENERS:
            return node
        node = first
