"""Ampersands in broken XML: which of them begin a reference, and to what."""

import re
from html import escape
from html.entities import html5

from markmirror.web.urls import MAX_URL_CHARACTERS

UNDEFINED = "\ufdd0"
"""Stands for a reference to an entity that nobody defined; a noncharacter no URL can hold."""

LONE_AMPERSAND = "an ampersand is not escaped"

# Ten times what a URL may have, most of it references; more ampersands than this mean harm.
_MAX_CHARACTERS = 10 * MAX_URL_CHARACTERS
_MAX_AMPERSANDS = MAX_URL_CHARACTERS

_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_REFERENCE = re.compile(
    r"&(?:#(?P<decimal>[0-9]{1,7});|#[xX](?P<hex>[0-9A-Fa-f]{1,6});"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]{0,40});)?"
)
_LITERAL_OR_REFERENCE = re.compile(
    rf"(?P<literal><!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>)|{_REFERENCE.pattern}", re.DOTALL
)


def with_references_resolved(text: str) -> tuple[str, bool]:
    """Text with its references resolved, and whether XML would have read it so.

    A lone ampersand stays one, and the names of HTML are known; XML allows neither.
    """
    if "&" not in text:
        return text, True
    if len(text) > _MAX_CHARACTERS or text.count("&") > _MAX_AMPERSANDS:
        return UNDEFINED, False
    clean = True

    def resolve(match: re.Match[str]) -> str:
        nonlocal clean
        character, is_xml = _referenced(match)
        clean = clean and is_xml
        return character

    return _REFERENCE.sub(resolve, text), clean


def with_ampersands_escaped(block: str) -> str:
    """XML in which every ampersand outside CDATA and comments begins a reference XML knows.

    What has too many ampersands to be honest is left as it is.
    """
    if block.count("&") > _MAX_AMPERSANDS:
        return block

    def mend(match: re.Match[str]) -> str:
        if match["literal"]:
            return str(match[0])
        character, is_xml = _referenced(match)
        # Escaped, since the names of HTML include other spellings of the angle brackets.
        return str(match[0]) if is_xml else escape(character)

    return _LITERAL_OR_REFERENCE.sub(mend, block)


def _referenced(match: re.Match[str]) -> tuple[str, bool]:
    """The character an ampersand stands for, and whether XML agrees."""
    if name := match["name"]:
        if name in _PREDEFINED:
            return _PREDEFINED[name], True
        return html5.get(f"{name};", UNDEFINED), False
    if match["decimal"] or match["hex"]:
        code = int(match["decimal"]) if match["decimal"] else int(match["hex"], 16)
        if code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE:
            return chr(code), True
        return (chr(code), True) if 0x10000 <= code < 0x110000 else (UNDEFINED, False)
    return "&", False
