"""The YAML block at the head of a page: safe for any text, and read back for recovery.

Only double-quoted strings are written, one to a line. That is a small part of YAML on which
all its readers agree, whatever the text holds.
"""

import re
from collections.abc import Mapping

from markmirror.escaping import quoted, unescape

# No block is longer: what a reader needs of a file to know it.
HEAD_BYTES = 64 * 1024
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FIELD = re.compile(r'([A-Za-z][A-Za-z0-9_]*): "((?:[^"\\]|\\.)*)"')


def front_matter(fields: Mapping[str, str | None]) -> str:
    """The block for the head of a page, with an empty line after it.

    Fields without text are left out; when none has any, so is the whole block.
    """
    lines = [f"{_checked(key)}: {quoted(text)}\n" for key, text in fields.items() if text]
    return f"---\n{''.join(lines)}---\n\n" if lines else ""


def read_front_matter(file: bytes) -> dict[str, str] | None:
    """The fields of a page we wrote, from its head; None if there is no whole block.

    Lines that somebody added or changed by hand into other YAML are passed over.
    """
    first, *lines = file[:HEAD_BYTES].decode("utf-8-sig", "replace").split("\n")
    if first.rstrip("\r") != "---":
        return None
    fields: dict[str, str] = {}
    for line in lines:
        text = line.rstrip("\r")
        if text == "---":
            return fields
        if field := _FIELD.fullmatch(text):
            fields[field[1]] = unescape(field[2])
    return None


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f"not a name for a front matter field: {key!r}")
    return key
