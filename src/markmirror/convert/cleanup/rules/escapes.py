"""Backslashes that protect nothing: `a\\_b c\\.` is `a_b c.` to every reader."""

import re

from markmirror.convert.cleanup.marks import ANY, BREAKS, ESCAPE
from markmirror.convert.cleanup.rule import Surroundings

_ESCAPED = re.compile(rf"{ESCAPE}([\"'.,;:?%{{}}+=\-!#()>_])")
_LONGEST_NUMBER = 12
_NUMBER_AT_START = re.compile(r"\n\s*\d+$")
_ENTITY = re.compile(r"&#?\w*$")
_LINE_STARTS = re.compile(rf"[\n{BREAKS}]")
_MARK = re.compile(rf"[{ANY}]")
_AUTOLINK_TOKEN = re.compile(r"(?:www|@|://)")


def drop_needless_escapes(text: str, _: Surroundings) -> str:
    """`text` without the backslashes that change nothing; doubtful ones stay."""
    if ESCAPE not in text:
        return text
    latex = ESCAPE + ")" in text and ESCAPE + "(" in text
    return _ESCAPED.sub(lambda match: match[1] if _is_needless(match, latex) else match[0], text)


def _is_needless(match: re.Match[str], latex: bool) -> bool:
    text, at, escaped = match.string, match.start(), match[1]
    before, after = text[at - 1 : at], text[match.end() : match.end() + 1]
    if after == ESCAPE:
        after = text[match.end() + 1 : match.end() + 2]
    if not before or _LINE_STARTS.match(before):
        return False
    if escaped in "()":
        return not latex and before != "]" and not _MARK.match(before)
    if escaped in ".)":
        return not _starts_a_numbered_line(text, at) and not _in_autolink(text, at)
    if escaped == "_":
        return before.isalnum() and after.isalnum() and not _in_autolink(text, at)
    if escaped == "!":
        return after != "[" and not _MARK.match(after or " ")
    if escaped == "-":
        return before != "-" and after != "-"
    if escaped == ":":
        return before != "]" and after != "/" and not _MARK.match(before)
    if escaped in "{}":
        return before not in "{}%" and after not in ("{", "}", "%", "#", ".", ":")
    if escaped == "#":
        return bool(after)
    if escaped == ";":
        return not _ENTITY.search(text, max(0, at - 40), at)
    return True


def _starts_a_numbered_line(text: str, at: int) -> bool:
    nearby = text[max(0, at - _LONGEST_NUMBER) : at]
    if at <= _LONGEST_NUMBER:
        nearby = "\n" + nearby
    return _NUMBER_AT_START.search(nearby) is not None


def _in_autolink(text: str, at: int) -> bool:
    near = max(0, at - 200)
    word_start = max(text.rfind(" ", near, at), text.rfind("\n", near, at), near - 1) + 1
    return _AUTOLINK_TOKEN.search(text, word_start, at + 200) is not None
