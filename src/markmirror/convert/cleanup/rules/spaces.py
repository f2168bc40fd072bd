"""Blanks inside a line: one space between words, and hard breaks that can be seen."""

import re

from markmirror.convert.cleanup.marks import (
    BACKSLASH_BREAK,
    OPAQUE,
    SPACES_BREAK,
    class_of,
    piece_number,
    span,
)
from markmirror.convert.cleanup.rule import Surroundings

# French sets a no-break space inside guillemets and before high punctuation.
_NO_BREAK_SPACE = re.compile("(?<=[^\\s«])\u00a0+(?=[^\\s»;:!?%])")
_RUN_OF_BLANKS = re.compile("[ \t]{2,}|\t")
_ADDRESS = re.compile(r"://|www\.|@")
_SPACES_BREAK = re.compile(rf"[{span(SPACES_BREAK)}](?<!\\.)")


def even_spaces(text: str, surroundings: Surroundings) -> str:
    """`text` with single spaces, and with each two-space hard break as a backslash."""
    if "\u00a0" in text:
        text = _NO_BREAK_SPACE.sub(" ", text)
    if "  " in text or "\t" in text:
        text = _RUN_OF_BLANKS.sub(" ", text)
    if text.isascii():
        return text
    # In a table or a link that only some parsers see, a backslash would be content.
    if "|" in text or "](" in text:
        return text
    pieces = surroundings.pieces

    def visible(match: re.Match[str]) -> str:
        before = match.string[match.start() - 1 : match.start()]
        # A bare address would take the backslash for a part of it.
        if class_of(before or " ") == OPAQUE and _ADDRESS.search(pieces[piece_number(before)]):
            return match[0]
        return chr(BACKSLASH_BREAK + piece_number(match[0]))

    return _SPACES_BREAK.sub(visible, text)
