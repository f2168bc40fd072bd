"""The anchor of a heading, as the large hosts compute it: links to it must keep working."""

import re

from markmirror.convert.cleanup.marks import DELIMITERS, ESCAPE

_UNSLUGGED = re.compile(rf"[^\w\s-]|[{DELIMITERS}{ESCAPE}]")


def heading_slug(text: str) -> str:
    """`text`, lower-cased, without punctuation, each blank a hyphen. Pieces do not matter."""
    return _UNSLUGGED.sub("", text.lower()).strip().replace(" ", "-").replace("\n", "-")
