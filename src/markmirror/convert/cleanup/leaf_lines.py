"""The lines of a leaf: which may be joined and wrapped, and how they are written back."""

import re
from functools import lru_cache

from markmirror.convert.cleanup.marks import ANY, HTML, expand, span
from markmirror.convert.cleanup.page import Leaf, LeafKind
from markmirror.convert.cleanup.rules.apostrophes import CJK

_WRAPPED = (LeafKind.PARAGRAPH, LeafKind.ITEM)
_TASK = re.compile(r"\[[ xX]\][ \t]*$")
_FOOTNOTE_LABEL = re.compile(r"\[\^[^\]]*\]:[ \t]*$")
_MARKER = re.compile(r"[^>\s]")
_SOFT_BREAK = re.compile(f"(?<![{CJK}])\n(?![{CJK}])")
# Lines that mean something to some reader only where they are: admonitions, containers,
# attributes, definitions, drawn tables, lists without a blank line before them.
_ANYWHERE = r":{2,}|!!!|\?\?\?|\[!|\$\$|\{[%:{]|\|"
_MEANINGFUL_START = re.compile(_ANYWHERE)
_MEANINGFUL_LINE = re.compile(
    rf"\n(?:{_ANYWHERE}|: |-{{2,3}} |[-+*•‣◦–—] |\(?(?:\d{{1,9}}|[A-Za-z])[.)] |\[\^"
    r"|\[[^\]\n]*\]:|[-=|:+ ]+(?:\n|$)"
    # A tag at the start of a line that continues a list item is a block of its own to some.
    rf"|[{span(HTML)}])"
)
# A link whose target is broken in two is no link; on one line it could become one.
_BROKEN_TARGET = re.compile(r"\]\([^()\n]*\n")
_RUN_OF_BLANKS = re.compile(r"[ \t]+")
_LETTER = re.compile(rf"[^\W\d_{ANY}]")


def may_wrap(leaf: Leaf) -> bool:
    """Whether the line breaks inside `leaf` carry no meaning of their own."""
    if leaf.kind not in _WRAPPED or "\r" in leaf.text:
        return False
    if leaf.pieces and any("\n" in piece.lstrip(" \\").lstrip("\n") for piece in leaf.pieces):
        return False
    text = leaf.text
    if "\n" in text and (
        "|" in text
        or _MEANINGFUL_START.match(text)
        or _MEANINGFUL_LINE.search(text)
        or _BROKEN_TARGET.search(text)
    ):
        return False
    return _LETTER.search(text) is not None


def joined(text: str) -> str:
    """`text` on one line with single spaces, save for breaks beside scripts without spaces."""
    if "\n" in text:
        text = _SOFT_BREAK.sub(" ", text)
    return _RUN_OF_BLANKS.sub(" ", text) if "  " in text or "\t" in text else text


@lru_cache(maxsize=256)
def continuation_prefix(prefix: str) -> str:
    """What the next lines of a leaf start with, given what its first line starts with."""
    if not prefix:
        return ""
    prefix = _TASK.sub("", prefix)
    prefix = _FOOTNOTE_LABEL.sub("    ", prefix)
    return _MARKER.sub(" ", prefix)


def as_written(text: str, pieces: list[str], breaks: list[str]) -> str:
    """`text` as Markdown again, with `breaks` for its line breaks and `pieces` for its marks."""
    if breaks:
        lines = text.split("\n")
        text = lines[0] + "".join(
            line_break + line for line_break, line in zip(breaks, lines[1:], strict=True)
        )
    return expand(text, pieces)
