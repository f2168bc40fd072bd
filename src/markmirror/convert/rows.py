"""Inline elements that a style sheet sets apart: a row or a stack of links, a title on a card."""

import itertools

from markmirror.convert import tree

# Starlight's rows and stacks; a tag of Docusaurus with the number of its pages, before the hash.
_ROW, _COUNTED = "sl-flex", "tagWithCount_"
_INLINE = frozenset({"a", "span", "strong", "em", "code"})


def is_row(classes: list[str]) -> bool:
    """Whether these classes lay the parts of an element out."""
    return _ROW in classes or any(name.startswith(_COUNTED) for name in classes)


def part_rows(rows: list[tree.Element]) -> None:
    """Put a space between the parts of each row, and a card's title in bold."""
    for row in rows:
        for part, following in itertools.pairwise(list(row.children)):
            if _is_word(part) and isinstance(following, tree.Element) and following.tag in _INLINE:
                following.insert_before(tree.Text(" "))
        if row.tag == "p" and row.has_class("title"):
            row.wrap_children(tree.element("strong"))


def _is_word(part: tree.Node) -> bool:
    if isinstance(part, tree.Text):
        return not part.data[-1:].isspace()
    return isinstance(part, tree.Element) and part.tag in _INLINE
