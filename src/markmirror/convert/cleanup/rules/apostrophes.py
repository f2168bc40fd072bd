"""Apostrophes: `don't` becomes `don’t`; feet, inches and prefixed strings stay straight."""

import re

from markmirror.convert.cleanup.marks import CLOSE, LINK_CLOSE, OPAQUE, STRONG_CLOSE, span
from markmirror.convert.cleanup.rule import Surroundings

CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"

_LETTER = rf"[^\W\d_{CJK}]"
_CLOSERS = span(OPAQUE, CLOSE, STRONG_CLOSE, LINK_CLOSE)
_APOSTROPHE = re.compile(
    rf"""
    '(?:
        (?<={_LETTER}')(?={_LETTER})
      | (?<=\d')(?=[a-zA-Z]+(?!\w))
      | (?<=[{_CLOSERS}]')(?=s(?![\w']))
      | (?<![\w'’]')(?=(?:tis|twas|em|til|cause|\d\ds)(?![\w']))
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ROCK_N_ROLL = re.compile(r"(?<=\s)'n'(?=\s)")


def curl_apostrophes(text: str, _: Surroundings) -> str:
    """`text` with its certain apostrophes curled, in any language that writes with letters."""
    if "'" not in text:
        return text
    return _ROCK_N_ROLL.sub("’n’", _APOSTROPHE.sub("’", text))
