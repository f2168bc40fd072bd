"""Where entries begin and end in a document, without a look inside them."""

import re
from dataclasses import dataclass
from functools import lru_cache

_PREFIX = r"(?:[\w.-]{1,64}:)?"
_LITERALS = r"(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<instruction>\?)"

LONGEST_TOKEN = 256
"""More characters than any token below can have; shorter tails wait for what follows them."""

LITERAL_ENDS = {
    "comment": re.compile("-->"),
    "cdata": re.compile(r"\]\]>"),
    "instruction": re.compile(r"\?>"),
    "doctype": re.compile(r"\]\s{0,64}>"),
    "line": re.compile(r"[\r\n]"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexer:
    """The patterns of one kind of document, made of the names of its root and its entries.

    `between` finds what can stand between entries, `inside` what can stand inside of one and
    matters to where it ends. A `loc` that has lost the entry around it counts as an entry.
    """

    between: re.Pattern[str]
    inside: dict[str, re.Pattern[str]]
    empty: re.Pattern[str]
    ends: dict[str, re.Pattern[str]]


@lru_cache(maxsize=8)
def lexer(root: str, entry: str, prefix: str) -> Lexer:
    """The lexer for a document whose root has this name and namespace prefix."""
    own_prefix = re.escape(f"{prefix}:") if prefix else ""
    with_loc = entry in ("url", "sitemap")
    lone_loc = rf"|(?P<loc>{own_prefix}loc(?=[\s/>]))" if with_loc else ""
    close = rf"(?P<close>/{_PREFIX}{root}(?=[\s>]))"
    names = {"entry": entry, "loc": "loc"} if with_loc else {"entry": entry}
    inside = {}
    ends = {}
    for kind, name in names.items():
        following = rf"{_PREFIX}(?:{name}|{entry})(?=[\s/>])"
        ends[kind] = re.compile(rf"</{_PREFIX}{name}\s{{0,64}}>")
        inside[kind] = re.compile(
            rf"<(?:{_LITERALS}|(?P<end>/{_PREFIX}{name}\s{{0,64}}>)|(?P<next>{following})|{close})"
        )
    return Lexer(
        between=re.compile(
            rf"<(?:{_LITERALS}|{close}|(?P<entry>{_PREFIX}{entry}(?=[\s/>])){lone_loc})"
        ),
        inside=inside,
        empty=re.compile(rf"<{_PREFIX}(?:{'|'.join(names.values())})(?:\s[^<>]*)?/>"),
        ends=ends | LITERAL_ENDS,
    )
