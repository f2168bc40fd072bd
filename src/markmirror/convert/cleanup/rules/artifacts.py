"""What conversion leaves behind: empty comments, links to nowhere, empty bold, stray anchors.

These rules change what a reader sees on purpose, so they run first and are held to their own
check: the words and the blocks stay, whatever becomes of the links around them.
"""

import re

from markmirror.convert.cleanup.marks import (
    ANY,
    ESCAPE,
    HTML,
    LINK_CLOSE,
    LINK_OPEN,
    class_of,
    piece_number,
    span,
)
from markmirror.convert.cleanup.page import LeafKind
from markmirror.convert.cleanup.rule import Surroundings

EMPTY_COMMENT = re.compile(r"<!--\s*-->")

_TAG = re.compile(f"[{span(HTML)}]")
_LINK_END = re.compile(f"[{span(LINK_CLOSE)}]")
_EMPTY_LABEL = re.compile(rf"[{span(LINK_OPEN)}]\s*[{span(LINK_CLOSE)}]")
_NOWHERE = re.compile(r"\]\(\s*(?:<>)?\s*\)$|\]\(\s*javascript:", re.IGNORECASE)
_ABSOLUTE = re.compile(r"\]\(<?(https?://[^\s<>()\"]+)>?\)$")
_FRAGMENT = re.compile(r"\]\(#[^\s()]*\)$")
_PATH = rf"(?:[^\s()<>\"'“”‘’{ANY}]|{ESCAPE})"
_SPACE_IN_TARGET = re.compile(rf"(?<!\\)\[([^\[\]{ANY}]+)\]\(({_PATH}+(?:[ \t]+{_PATH}+)+)\)")
_FILE_OR_PATH = re.compile(r"/|\.\w{1,5}(?:#\S*)?$")
_PERMALINK = re.compile(rf"\s*[{span(LINK_OPEN)}][¶#§🔗][{span(LINK_CLOSE)}]$")
_BLANK_LINE = re.compile(r"\n\s*\n|\n\s*$")
_EMPTY_BOLD = re.compile(r"(?:(?<=\s)|^)\*\*[ \u00a0]?\*\*(?=[\s.,;:!?]|$)")
# Words only, so that `f(**a, **b)` stays what it is.
_SPACE_BEFORE_CLOSING = re.compile(r"(?<![\w*\\])\*\*(\w(?:[\w ’'-]{,60}[\w.!?:])?) \*\*(?=\w)")
_BLANK = re.compile(r"\s")
_LONGEST_ADDRESS = 300
_ADDRESS = re.compile(r"://|www\.|@")
# Scripts that write no spaces mark their words with U+200B; there it is no debris.
_ZERO_WIDTH = re.compile(
    "(?<![\u0e00-\u109f\u1780-\u17ff])[\u200b\ufeff]+(?![\u0e00-\u109f\u1780-\u17ff])"
)


def drop_empty_comments(text: str, surroundings: Surroundings) -> str:
    """`text` without inline comments that say nothing."""
    if text.isascii():
        return text
    pieces = surroundings.pieces

    def unless_empty(match: re.Match[str]) -> str:
        return "" if EMPTY_COMMENT.fullmatch(pieces[piece_number(match[0])]) else match[0]

    return _unless_nothing_is_left(text, _TAG.sub(unless_empty, text))


def mend_links(text: str, surroundings: Surroundings) -> str:
    """`text` with its links to nowhere as plain words, and its broken ones whole."""
    if "](" in text:
        text = _SPACE_IN_TARGET.sub(_with_angle_brackets, text)
    if text.isascii():
        return text
    if surroundings.kind is LeafKind.HEADING:
        text = _PERMALINK.sub("", text)
    if not _EMPTY_LABEL.search(text) and not any(
        _NOWHERE.match(surroundings.pieces[piece_number(end)]) for end in _LINK_END.findall(text)
    ):
        return text
    return _unless_nothing_is_left(text, _LinkMender(text, surroundings.pieces).mended())


def clear_debris(text: str, _: Surroundings) -> str:
    """`text` without empty bold and invisible characters, and with bold closed at its word."""
    cleared = text
    if "**" in text:
        cleared = _EMPTY_BOLD.sub("", cleared)
        if cleared.count("*") == 4:
            cleared = _SPACE_BEFORE_CLOSING.sub(r"**\1** ", cleared)
    if "\u200b" in text or "\ufeff" in text:
        cleared = _ZERO_WIDTH.sub(_unless_in_address, cleared)
    return _unless_nothing_is_left(text, cleared)


def _unless_in_address(match: re.Match[str]) -> str:
    """An address may be cut short by an invisible character, on purpose or not."""
    nearby = match.string[max(0, match.start() - _LONGEST_ADDRESS) : match.start()]
    word = _BLANK.split(nearby)[-1]
    return match[0] if _ADDRESS.search(word) else ""


def _unless_nothing_is_left(before: str, after: str) -> str:
    # The first character of a leaf decides what block it is, and a blank line ends it.
    if not after.strip() or after[0] != before[0] or _BLANK_LINE.search(after):
        return before
    return after


def _with_angle_brackets(match: re.Match[str]) -> str:
    if not _FILE_OR_PATH.search(match[2]):
        return match[0]
    return f"[{match[1]}](<{match[2]}>)"


class _LinkMender:
    def __init__(self, text: str, pieces: list[str]) -> None:
        self._text = text
        self._pieces = pieces

    def mended(self) -> str:
        out: list[str] = []
        open_links: list[int] = []
        for character in self._text:
            base = class_of(character)
            if base == LINK_OPEN:
                open_links.append(len(out))
                out.append(character)
            elif base == LINK_CLOSE and open_links:
                start = open_links.pop()
                label = "".join(out[start + 1 :])
                out[start:] = [self._link(out[start], label, character)]
            else:
                out.append(character)
        return "".join(out)

    def _link(self, opening: str, label: str, closing: str) -> str:
        target = self._pieces[piece_number(closing)]
        if _NOWHERE.match(target):
            return label
        if not label.strip():
            if _FRAGMENT.match(target):
                return label
            if absolute := _ABSOLUTE.match(target):
                return f"<{absolute[1]}>"
        return opening + label + closing
