"""Quotation marks in pairs, in the style of the page's language; a lone one stays straight."""

import re
from typing import NamedTuple

from markmirror.convert.cleanup.marks import (
    BREAKS,
    ESCAPE,
    FOOTNOTE,
    HTML,
    LINK_CLOSE,
    OPEN,
    class_of,
)
from markmirror.convert.cleanup.rule import Surroundings
from markmirror.convert.cleanup.rules.apostrophes import CJK

# Opening and closing, by the straight character they replace. A style without an entry for one
# leaves it straight.
_STYLES: dict[str, dict[str, tuple[str, str]]] = {
    "en": {'"': ("“", "”"), "'": ("‘", "’")},
    "de": {'"': ("„", "“"), "'": ("‚", "‘")},
    "fr": {'"': ("«\u00a0", "\u00a0»")},
}
# Doubled quotes are empty strings or another notation, never typography.
_QUOTE = re.compile(r"""(?<!")"(?!")|(?<!')'(?!')|[“”„‘’‚«»]""")
_BEFORE_OPENING = frozenset("([{–—/\"'“‘„‚«")
_AFTER_CLOSING = frozenset(".,;:!?)]}–—…\"'”’“‘»")
_CJK = re.compile(f"[{CJK}]")
_BREAK = re.compile(f"[{BREAKS}]")
_DEEPEST = 4


class _Open(NamedTuple):
    quote: str
    at: int


def curl_quotes(text: str, surroundings: Surroundings) -> str:
    """`text` with its matched quotes curled. Emphasis and link delimiters are looked through."""
    if '"' not in text and "'" not in text:
        return text
    style = _STYLES.get(surroundings.language)
    if style is None:
        return text
    replaced = _pairs(text, style, surroundings.language)
    if not replaced:
        return text
    out: list[str] = []
    last = 0
    for at in sorted(replaced):
        out += (text[last:at], replaced[at])
        last = at + 1
    return "".join(out) + text[last:]


def _pairs(text: str, style: dict[str, tuple[str, str]], language: str) -> dict[int, str]:
    replaced: dict[int, str] = {}
    open_quotes: list[_Open] = []
    # Quotes that are curled already hold their place, so that a second look pairs like the first.
    opened = {curled[0].strip(): quote for quote, curled in style.items()}
    closed = {curled[1].strip(): quote for quote, curled in style.items()}
    odd = text.count('"') % 2 == 1
    for match in _QUOTE.finditer(text):
        at, quote = match.start(), match[0]
        left, right = _neighbour(text, at, -1), _neighbour(text, at, 1)
        if quote in opened:
            if len(open_quotes) < _DEEPEST:
                open_quotes.append(_Open(opened[quote], at))
            continue
        if quote in closed:
            if _can_close(left, right):
                _close(open_quotes, closed[quote])
            continue
        if quote not in style or left == "\\" or _CJK.match(left) or _CJK.match(right):
            continue
        if odd and quote == '"' and left.isdigit():
            continue  # inches
        closes = _can_close(left, right)
        if closes and (opening := _close(open_quotes, quote)):
            if text[opening.at] == quote:
                replaced[opening.at], replaced[at] = style[quote]
        elif _can_open(left, right):
            if len(open_quotes) < _DEEPEST:
                open_quotes.append(_Open(quote, at))
        elif closes and quote == "'" and left in ("s", "S") and language == "en":
            replaced[at] = "’"
    return replaced


def _close(open_quotes: list[_Open], quote: str) -> _Open | None:
    """The innermost open `quote`, closed together with whatever was opened inside it."""
    if not any(candidate.quote == quote for candidate in open_quotes):
        return None
    while (opening := open_quotes.pop()).quote != quote:
        pass
    return opening


def _neighbour(text: str, at: int, step: int) -> str:
    """The next character that is no delimiter; empty at the edge, a space for a break."""
    at += step
    while 0 <= at < len(text):
        character = text[at]
        if not OPEN <= ord(character) < LINK_CLOSE + 0x1000:
            if character == ESCAPE:
                return "\\"
            return " " if _BREAK.match(character) else character
        at += step
    return ""


def _can_open(left: str, right: str) -> bool:
    before = not left or left.isspace() or left in _BEFORE_OPENING or class_of(left) == HTML
    return before and bool(right) and not right.isspace()


def _can_close(left: str, right: str) -> bool:
    after = not right or right.isspace() or right in _AFTER_CLOSING
    return bool(left) and not left.isspace() and (after or class_of(right) in (FOOTNOTE, HTML))
