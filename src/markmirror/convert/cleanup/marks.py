"""The alphabet in which rules read a leaf: prose, and one mark for each piece that is not prose.

A mark is one character of the last private-use plane. Its class says how a rule may look at it,
its number says which piece of the page it stands for. Rules never see the pieces' own bytes, so
they cannot change them.
"""

import re

MOST_MARKS = 0x1000

OPAQUE = 0x100000  # code, formulas, images, autolinks, URLs, paths: never looked into
OPEN, CLOSE = 0x101000, 0x102000  # delimiters of emphasis and strikethrough
STRONG_OPEN, STRONG_CLOSE = 0x103000, 0x104000
LINK_OPEN, LINK_CLOSE = 0x105000, 0x106000
FOOTNOTE = 0x107000  # a reference to a footnote
HTML = 0x108000  # an inline tag
SPACES_BREAK = 0x109000  # a hard break written as two spaces
BACKSLASH_BREAK = 0x10A000  # a hard break written as a backslash
ENTITY = 0x10B000
ESCAPE = chr(0x10C000)  # the backslash of an escape; the escaped character follows as itself

_LAST = 0x10FFFF


def span(first: int, *others: int) -> str:
    """The classes given, as the inside of a regular expression's `[...]`."""
    return "".join(f"{chr(base)}-{chr(base + MOST_MARKS - 1)}" for base in (first, *others))


DELIMITERS = span(OPEN, CLOSE, STRONG_OPEN, STRONG_CLOSE, LINK_OPEN, LINK_CLOSE)
BREAKS = span(SPACES_BREAK, BACKSLASH_BREAK)
ANY = f"{chr(OPAQUE)}-{chr(_LAST)}"

ANY_MARK = re.compile(f"[{ANY}]")
_NUMBERED = re.compile(f"[{chr(OPAQUE)}-{ESCAPE}]")


def mark(base: int, number: int) -> str:
    """The mark of class `base` for piece `number`."""
    if number >= MOST_MARKS:
        raise TooManyPieces
    return chr(base + number)


def class_of(character: str) -> int:
    """The class of a mark; 0 for a character of prose."""
    code = ord(character)
    return code & ~(MOST_MARKS - 1) if code >= OPAQUE else 0


def piece_number(character: str) -> int:
    """Which piece a mark stands for."""
    return ord(character) & (MOST_MARKS - 1)


def expand(text: str, pieces: list[str]) -> str:
    """`text` with every mark replaced by the bytes it stands for."""

    def original(match: re.Match[str]) -> str:
        code = ord(match[0])
        if match[0] == ESCAPE:
            return "\\"
        piece = pieces[code & (MOST_MARKS - 1)]
        if code & ~(MOST_MARKS - 1) == BACKSLASH_BREAK and piece[0] == " ":
            return "\\" + piece.lstrip(" ")
        return piece

    return _NUMBERED.sub(original, text)


class TooManyPieces(Exception):
    """A leaf holds more protected pieces than there are marks; it stays as it is."""
