"""The signs from a private corner of Unicode that stand for something else while a page is written.

They are taken out of every page first, so that no page can forge one.
"""

import re

OPEN, CLOSE, LOOSE, TIGHT = "\ue0f0", "\ue0f1", "\ue0f2", "\ue0f3"

_SIGNS = re.compile("[\ue0f0-\ue0f3]+")
# The same as character references, decimal and hexadecimal.
_REFERENCES = re.compile(r"&#(?:0*5758[4-7]|[xX]0*[eE]0[fF][0-3])(?!\w);?")


def are_in(text: str) -> bool:
    """Whether any of the signs stands in a text. Four searches in C are faster than a pattern."""
    return OPEN in text or CLOSE in text or LOOSE in text or TIGHT in text


def without_signs(html: str) -> str:
    """The HTML without the signs, which mean nothing on a public page."""
    html = _REFERENCES.sub("", html)
    return _SIGNS.sub("", html) if are_in(html) else html
