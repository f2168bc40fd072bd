"""Dashes typed as two or three hyphens: an en dash between numbers, an em dash between words."""

import re

from markmirror.convert.cleanup.marks import (
    CLOSE,
    FOOTNOTE,
    LINK_CLOSE,
    LINK_OPEN,
    OPAQUE,
    OPEN,
    STRONG_CLOSE,
    STRONG_OPEN,
    piece_number,
    span,
)
from markmirror.convert.cleanup.rule import Surroundings

_LETTERS = r"[^\W\d_]"
_RANGE = re.compile(r"(?<![\w.,:–-])(\d[\d.,:]*)--(\d[\d.,:]*)(?![\w–-])")
_CLOSERS = span(CLOSE, STRONG_CLOSE, LINK_CLOSE, FOOTNOTE, OPAQUE)
_OPENERS = span(OPEN, STRONG_OPEN, LINK_OPEN, OPAQUE)
_SPACED = re.compile(
    rf"(?<=[\w\"”’')\]}}.,;:!?…{_CLOSERS}])( )-{{2,3}}(?=[ \n]([\w\"“‘'(\[{{{_OPENERS}]))"
)
# The whole word is looked at, so that `block--modifier_x` and `a--b--c` stay names.
_TIGHT = re.compile(
    rf"(?<![^\s\"“‘'(\[{_OPENERS}])((?:{_LETTERS}|[’'])+[”\")]?)-{{2,3}}"
    rf"([“\"(]?(?:{_LETTERS}|[’'])+)(?=[\s.,;:!?)\]”’\"'…{_CLOSERS}]|$)"
)


def set_dashes(text: str, surroundings: Surroundings) -> str:
    """`text` with its hyphen pairs as dashes where the spacing is the same on both sides."""
    if "--" not in text:
        return text
    pieces = surroundings.pieces

    def spaced(match: re.Match[str]) -> str:
        follower = match[2]
        if ord(follower) >= OPAQUE and pieces[piece_number(follower)].startswith("-"):
            return match[0]  # `-- --flag` ends the options of a command
        return match[1] + "—"

    text = _SPACED.sub(spaced, text)
    text = _TIGHT.sub(r"\1—\2", text)
    return _RANGE.sub(r"\1–\2", text)
