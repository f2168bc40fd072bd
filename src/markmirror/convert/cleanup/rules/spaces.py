"""Blanks inside a line: one space between words, and hard breaks that can be seen."""

import re

from markmirror.convert.cleanup.marks import BACKSLASH_BREAK, SPACES_BREAK, piece_number, span
from markmirror.convert.cleanup.rule import Surroundings

# French sets a no-break space inside guillemets and before high punctuation.
_NO_BREAK_SPACE = re.compile("(?<=[^\\s«])\u00a0+(?=[^\\s»;:!?%])")
_RUN_OF_BLANKS = re.compile("[ \t]{2,}|\t")
_SPACES_BREAK = re.compile(rf"(?<!\\)[{span(SPACES_BREAK)}]")


def even_spaces(text: str, _: Surroundings) -> str:
    """`text` with single spaces, and with each two-space hard break as a backslash."""
    if "\u00a0" in text:
        text = _NO_BREAK_SPACE.sub(" ", text)
    if "  " in text or "\t" in text:
        text = _RUN_OF_BLANKS.sub(" ", text)
    return _SPACES_BREAK.sub(lambda match: chr(BACKSLASH_BREAK + piece_number(match[0])), text)
