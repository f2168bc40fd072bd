"""Text from outside, made safe to show."""

import re

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with everything escaped that could move a cursor, hide or forge a line."""
    return _UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
