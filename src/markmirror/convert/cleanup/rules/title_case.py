"""Headings in title case. Only plain English words change; names, code and acronyms keep theirs."""

import re

from markmirror.convert.cleanup.marks import ANY, DELIMITERS
from markmirror.convert.cleanup.rule import Surroundings

_SMALL = "a an and as at but by for from if in into nor of on onto or per the to via vs with"
_SMALL_WORDS = frozenset(_SMALL.split())
_WORD = re.compile(r"\S+")
_EDGES = rf"[\"“”‘’'()\[\]{{}},;:.!?…{DELIMITERS}]*"
_PLAIN_WORD = re.compile(rf"({_EDGES})([A-Za-z]+(?:[’'-][A-Za-z]+)*)({_EDGES})")
_STARTS_ANEW = re.compile(rf"[:—?!.][\"”’)\]{DELIMITERS}]*$")
_LETTER = re.compile(rf"[^\W\d_]|[{ANY}]")
_HYPHEN = re.compile("(-)")


def set_title_case(text: str, surroundings: Surroundings) -> str:
    """A heading in title case; one that is not English stays as it is."""
    if surroundings.language != "en" or _has_foreign_letters(text):
        return text
    words = list(_WORD.finditer(text))
    plain = [_PLAIN_WORD.fullmatch(word[0]) for word in words]
    lettered = [number for number, word in enumerate(words) if _LETTER.search(word[0])]
    if not lettered:
        return text
    out: list[str] = []
    last = 0
    for number, (word, parts) in enumerate(zip(words, plain, strict=True)):
        if parts is None:
            continue
        stands_out = (
            number in (lettered[0], lettered[-1])
            or _STARTS_ANEW.search(words[number - 1][0]) is not None
        )
        cased = _cased(parts[2], stands_out=stands_out, spellings=surroundings.spellings)
        out += (text[last : word.start()], parts[1], cased, parts[3])
        last = word.end()
    return "".join(out) + text[last:]


def _has_foreign_letters(text: str) -> bool:
    return not text.isascii() and any(letter.isalpha() and letter > "\x7f" for letter in text)


def _cased(word: str, *, stands_out: bool, spellings: dict[str, str]) -> str:
    parts = _HYPHEN.split(word)
    return "".join(
        _cased_part(part, stands_out=stands_out and not number, spellings=spellings)
        for number, part in enumerate(parts)
    )


def _cased_part(part: str, *, stands_out: bool, spellings: dict[str, str]) -> str:
    if part[1:] != part[1:].lower() or (len(part) == 1 and part not in "aA"):
        return part
    lowered = part.lower()
    if lowered in spellings:
        return spellings[lowered]
    if lowered in _SMALL_WORDS and not stands_out:
        return lowered
    return lowered[0].upper() + part[1:]
