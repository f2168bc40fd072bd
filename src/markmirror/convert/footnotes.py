"""Footnotes as `[^1]`: the mark in the text and the note it stands for."""

import re
from collections.abc import Callable
from functools import partial

from markmirror.convert import tree
from markmirror.convert.stash import Block, Stash

_MARK_CLASSES = re.compile(r"\b(?:footnote|footnote-reference|footnote-ref|fnref|noteref)\b")
_NOTE_NAME = re.compile(
    r"(?:fn|ftn|footnote|user-content-fn|cite_note|_footnotedef|_ftn)[\w.:-]*\Z"
)
_LABEL = re.compile(r"[\w.-]+\Z")
_NOTE_TAGS = frozenset({"li", "aside", "div", "p", "dt", "section", "span"})
_BACK = (
    "a.footnote-backref,a.footnote-back,a.fn-backref,a.reversefootnote,a[role=doc-backlink],"
    "a[data-footnote-backref],span.backrefs,span.mw-cite-backlink,span.label,a.fnbacklink"
)
_BACK_SIGNS = frozenset("↩↑^⏎⤴︎↩︎")


def take_footnote(link: tree.Element, name: str, place: tree.Element, stash: Stash) -> str | None:
    """Turn a link into a footnote's mark; returns its label, or None if it is no such link."""
    if place.tag not in _NOTE_TAGS or not _is_mark(link, name):
        return None
    label = _label(link)
    if not _LABEL.match(label):
        return None
    mark: tree.Element = link
    outer = link.parent
    while isinstance(outer, tree.Element) and outer.tag in {"sup", "span"}:
        if _label(outer) != label:
            break
        mark, outer = outer, outer.parent
    mark.replace_with(stash.inline(f"[^{label}]"))
    return label


def cleared_note(label: str, place: tree.Element) -> tree.Element:
    """The whole note at a place, without the ways back; a label at its front is plain text."""
    note = _whole_note(place)
    for back in note.select(_BACK):
        back.extract()
    for link in note.select("a[href*='#']"):
        if set(link.text.strip()) <= _BACK_SIGNS:
            link.extract()
    first = note.select_one("a[href],sup")
    if first is not None and _label(first) == label and _opens(note, first):
        first.replace_with(tree.Text(first.text))
    return note


def write_footnotes(
    notes: list[tuple[str, tree.Element]], stash: Stash, write: Callable[[tree.Element], str]
) -> None:
    """Put each note where it stood, as `[^1]: …` with its further blocks indented."""
    for label, note in notes:
        if note.tag == "li":
            note.tag = "div"
        written = "\n".join(line.rstrip() for line in write(note).strip().split("\n"))
        # Many generators write the label into the note as well.
        text = re.sub(rf"\A\\?\[?(?:\\?\^)?{re.escape(label)}\\?\]?\.?\s+", "", written)
        first, *rest = text.split("\n")
        lines = [f"[^{label}]: {first}", *(f"    {line}" if line else "" for line in rest)]
        _settle(note, stash.block(Block(lines=lines, in_cell=partial(" ".join, lines))))


def _is_mark(link: tree.Element, name: str) -> bool:
    if _MARK_CLASSES.search(link.attr("class") or "") or "data-footnote-ref" in link.attrs:
        return True
    if link.attr("role") == "doc-noteref":
        return True
    raised = link.closest("sup")
    if raised is None:
        return False
    is_named = _MARK_CLASSES.search(raised.attr("class") or "") is not None
    return is_named or _NOTE_NAME.match(name) is not None


def _opens(note: tree.Element, part: tree.Element) -> bool:
    return note.text.lstrip().startswith(part.text.strip())


def _label(node: tree.Element) -> str:
    return node.text.strip().strip("[]()*").strip()


def _whole_note(place: tree.Element) -> tree.Element:
    """The element that holds all of a note: older Sphinx lists notes and marks their labels."""
    if place.tag != "dt":
        return place
    note = tree.next_element(place)
    listing = place.parent
    if note is None or note.tag != "dd" or not isinstance(listing, tree.Element):
        return place
    place.extract()
    note.tag = "div"
    listing.insert_before(note.extract())
    return note


def _settle(note: tree.Element, stub: tree.Element) -> None:
    holder = note.parent
    if not isinstance(holder, tree.Element):
        return
    if holder.tag not in {"ol", "ul", "dl"}:
        note.replace_with(stub)
        return
    note.extract()
    holder.insert_before(stub)
    if not holder.text.strip():
        holder.extract()
