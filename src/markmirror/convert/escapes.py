"""Take back the escapes that nothing needs, so that text reads as its author wrote it.

The library escapes every sign that could ever mean something. Here a sign is freed only where
CommonMark and GFM leave it no meaning: `snake_case`, `2 * 3`, `[x]` in a sentence, `C:\\dir`.
"""

import re

# A code span is stepped over whole: a backslash in it is a backslash.
_PIECES = re.compile(
    r"(?P<code>(?<![\\`])(?P<ticks>`+)(?!`)[\s\S]*?(?<!`)(?P=ticks)(?!`))"
    r"|\\\[(?P<inside>(?:[^\[\]\\\n`]|\\[^\[\]\n]|`[^`\n]*`)*)\\\](?![(\[:])"
    r"|(?P<underscores>(?:\\_)+)"
    r"|(?P<stars>(?:\\\*)+)"
    r"|\\\\(?P<backslash>(?=[\w ]))"
    r"|\\[\s\S]"
)
_TASK = frozenset({" ", "x", "X", ""})


def relax(markdown: str) -> str:
    """The same Markdown without the escapes that have no work to do."""
    if "\\" not in markdown:
        return markdown
    return _PIECES.sub(_freed, markdown)


def _freed(found: re.Match[str]) -> str:
    kind = found.lastgroup
    whole = found[0]
    if kind == "inside":
        inside = found["inside"]
        if (inside in _TASK and _opens_line(found)) or inside.startswith("^"):
            return whole
        return f"[{relax(inside)}]"
    if kind == "underscores":
        before, after = _neighbours(found)
        if (before.isalnum() and after.isalnum()) or (before.isspace() and after.isspace()):
            return whole.replace("\\", "")
        return whole
    if kind == "stars":
        before, after = _neighbours(found)
        if before == " " and after.isspace() and not _opens_line(found):
            return whole.replace("\\", "")
        return whole
    if kind == "backslash":
        return "\\"
    return whole


def _neighbours(found: re.Match[str]) -> tuple[str, str]:
    text = found.string
    before = text[found.start() - 1] if found.start() else "\n"
    after = text[found.end()] if found.end() < len(text) else "\n"
    return before, after


def _opens_line(found: re.Match[str]) -> bool:
    start = found.string.rfind("\n", 0, found.start()) + 1
    return not found.string[start : found.start()].strip(" >-*+.)0123456789")
