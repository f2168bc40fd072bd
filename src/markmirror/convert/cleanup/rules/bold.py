"""Bold type and its punctuation: a label keeps its colon inside, a word its comma outside."""

import re

from markmirror.convert.cleanup.marks import ANY, STRONG_CLOSE, STRONG_OPEN, span
from markmirror.convert.cleanup.page import LeafKind
from markmirror.convert.cleanup.rule import Surroundings

_OPEN, _CLOSE = f"[{span(STRONG_OPEN)}]", f"[{span(STRONG_CLOSE)}]"
_LABEL = re.compile(rf"^({_OPEN}[^{ANY}\n:.!?]{{1,60}})({_CLOSE}):(?=\s|$)")
_COMMA_INSIDE = re.compile(rf"({_OPEN}[^{ANY}]*\w)([,;])({_CLOSE})(?=\s)")
_WHOLLY_BOLD = re.compile(rf"^{_OPEN}([^{span(STRONG_OPEN, STRONG_CLOSE)}]+){_CLOSE}$")
_STRONG = re.compile(_OPEN)


def settle_bold(text: str, surroundings: Surroundings) -> str:
    """`text` with punctuation on its proper side of bold type, and no heading that is all bold."""
    if text.isascii() or not _STRONG.search(text):
        return text
    if surroundings.kind is LeafKind.HEADING:
        return _WHOLLY_BOLD.sub(r"\1", text)
    return _COMMA_INSIDE.sub(r"\1\3\2", _LABEL.sub(r"\1:\2", text))
