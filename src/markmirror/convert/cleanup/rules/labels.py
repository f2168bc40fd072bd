"""Blanks inside the brackets of a link: `see[ this ](x)` becomes `see [this](x)`."""

import re

from markmirror.convert.cleanup.marks import ENTITY, LINK_CLOSE, LINK_OPEN, OPAQUE, span
from markmirror.convert.cleanup.rule import Surroundings

_OPEN, _CLOSE = f"[{span(LINK_OPEN)}]", f"[{span(LINK_CLOSE)}]"
_BLANK_EDGE = re.compile(f"{_OPEN} | {_CLOSE}")
_BLANK_AFTER_OPENING = re.compile(rf"(^|\s)?({_OPEN}) +(?!{_CLOSE}| )")
# A bare URL may go on through the bracket.
_AFTER_URL = re.compile(f"[{span(OPAQUE, ENTITY)}]{_OPEN}")
_BLANK_BEFORE_CLOSING = re.compile(rf"(?<!{_OPEN}) +({_CLOSE})($|(?=[\s.,;:!?]))?")


def trim_labels(text: str, _: Surroundings) -> str:
    """`text` with the blanks at the edges of its links outside them, where they part words."""
    if text.isascii() or not _BLANK_EDGE.search(text) or _AFTER_URL.search(text):
        return text
    text = _BLANK_AFTER_OPENING.sub(
        lambda match: (match[1] if match[1] is not None else " ") + match[2], text
    )
    return _BLANK_BEFORE_CLOSING.sub(
        lambda match: match[1] + ("" if match[2] is not None else " "), text
    )
