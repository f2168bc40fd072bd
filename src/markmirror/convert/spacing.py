"""What a style sheet sets apart, or on one line: said with spaces, in the text itself."""

import itertools
import string
from collections.abc import Iterable

from markmirror.convert import tree
from markmirror.convert.survey import Survey
from markmirror.convert.vocabulary import words

# Starlight's rows and stacks, Nextra's cards.
_ROWS = words("sl-flex nextra-card")
# A tag of Docusaurus with the number of its pages, before the hash.
_COUNTED = "tagWithCount_"
_INLINE = frozenset({"a", "span", "strong", "em", "code"})
# Small words that a style sheet draws at a distance from the name beside them.
_BADGES = words(
    "badge go-Chip go-Main-headerDetailItem http-verb pred-tag signature-attributes stab tsd-flag",
    "tsd-tag",
)
_OPENING, _CLOSING = string.whitespace + "([{\xa0", string.whitespace + ")]},.;:!?\xa0"


def is_row(classes: list[str]) -> bool:
    """Whether these classes lay the parts of an element out."""
    return not _ROWS.isdisjoint(classes) or any(name.startswith(_COUNTED) for name in classes)


def is_badge(classes: list[str]) -> bool:
    """Whether these classes make an element a badge."""
    return not _BADGES.isdisjoint(classes)


def is_run_in(classes: list[str]) -> bool:
    """Whether these classes put a block on the line of the words before it."""
    return "inline" in classes


def part_rows(rows: list[tree.Element]) -> None:
    """Put a space between the parts of each row, a card on its own line, its title in bold."""
    for row in rows:
        for part, following in itertools.pairwise(list(row.children)):
            if _is_word(part) and isinstance(following, tree.Element) and following.tag in _INLINE:
                following.insert_before(tree.Text(" "))
        if row.tag == "p" and row.has_class("title"):
            row.wrap_children(tree.element("strong"))
        elif row.has_class("nextra-card"):
            row.wrap(tree.element("p"))


def _is_word(part: tree.Node) -> bool:
    if isinstance(part, tree.Text):
        return not part.data[-1:].isspace()
    return isinstance(part, tree.Element) and part.tag in _INLINE


def prepare_badges(badges: list[tree.Element]) -> None:
    """Put a space between each badge and the words that it would run into."""
    for badge in badges:
        before = _nearest_text(badge.previous_siblings)[-1:]
        after = _nearest_text(badge.next_siblings)[:1]
        if before and before not in _OPENING:
            badge.insert_before(tree.Text(" "))
        if after and after not in _CLOSING:
            badge.insert_after(tree.Text(" "))


def prepare_run_in(blocks: list[tree.Element]) -> None:
    """Let a paragraph that YARD shows on the line of the words before it stand there."""
    for block in blocks:
        parts = tree.child_elements(block)
        is_led = _text_of(block.previous_sibling).strip()
        if block.tag == "div" and is_led and len(parts) == 1 and parts[0].tag == "p":
            parts[0].unwrap()
            block.unwrap()


def _nearest_text(siblings: Iterable[tree.Node]) -> str:
    return next(filter(None, map(_text_of, siblings)), "")


def _text_of(node: tree.Node | None) -> str:
    if isinstance(node, tree.Text):
        return node.data
    return node.text if isinstance(node, tree.Element) else ""


def part_titles(survey: Survey) -> None:
    """What a style sheet puts between the parts of a title: gi-docgen's dots, VitePress's lines."""
    for heading in survey.of("h1"):
        for gap in heading.select("span.sep"):
            if not gap.text.strip():
                gap.append(tree.Text("."))
        # VitePress writes the name of a project and what it is on a line each.
        for name in heading.select("span.name.clip"):
            name.append(tree.Text(" "))
