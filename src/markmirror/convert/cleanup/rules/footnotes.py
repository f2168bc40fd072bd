"""References to footnotes stand after the punctuation: `x[^1].` becomes `x.[^1]`."""

import re

from markmirror.convert.cleanup.marks import CLOSE, FOOTNOTE, LINK_CLOSE, OPAQUE, STRONG_CLOSE, span
from markmirror.convert.cleanup.rule import Surroundings

PUNCTUATION = ".,;:!?。，"
_BEFORE_PUNCTUATION = re.compile(
    rf"(?<=[\w)”’\"'%{span(CLOSE, STRONG_CLOSE, LINK_CLOSE, OPAQUE)}])([{span(FOOTNOTE)}]+)"
    rf"((?!\.\.)[{PUNCTUATION}]+)(?![\w{PUNCTUATION}])"
)
_REFERENCE = re.compile(f"[{span(FOOTNOTE)}]")


def move_footnotes(text: str, _: Surroundings) -> str:
    """`text` with each reference, or run of them, behind the punctuation that follows it."""
    if text.isascii() or not _REFERENCE.search(text):
        return text
    return _BEFORE_PUNCTUATION.sub(r"\2\1", text)
