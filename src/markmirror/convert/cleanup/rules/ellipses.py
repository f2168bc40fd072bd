"""Three full stops at the end of something said: `Wait...` becomes `Wait…`."""

import re

from markmirror.convert.cleanup.marks import (
    BREAKS,
    CLOSE,
    ENTITY,
    ESCAPE,
    FOOTNOTE,
    LINK_CLOSE,
    OPAQUE,
    STRONG_CLOSE,
    span,
)
from markmirror.convert.cleanup.rule import Surroundings

_AFTER = span(CLOSE, STRONG_CLOSE, LINK_CLOSE, FOOTNOTE) + BREAKS
_ELLIPSIS = re.compile(
    rf"(?<![./\\\d{span(OPAQUE, ENTITY)}{ESCAPE}])\.\.\.(?=$|[\s)\]}}”’\"',;:!?{_AFTER}])"
)


def join_ellipses(text: str, _: Surroundings) -> str:
    """`text` with each `...` that ends a word or stands alone as one character."""
    if "..." not in text:
        return text
    return _ELLIPSIS.sub("…", text)
