"""Take back the escapes that nothing needs, so that text reads as its author wrote it.

The library escapes every sign that could ever mean something. Here a sign is freed only where
CommonMark and GFM leave it no meaning: `snake_case`, `2 * 3`, `[x]` in a sentence, `C:\\dir`.
"""

import re

# Begins with a set of two signs, so that the search runs through text at the speed of C.
# A code span is stepped over whole: a backslash in it is a backslash.
_PIECES = re.compile(
    r"[`\\](?:"
    r"(?<=`)(?P<code>(?P<ticks>`*)(?!`).*?(?<!`)`(?P=ticks)(?!`))"
    r"|(?<=`)`*"
    r"|(?<=\\)\[(?P<inside>(?:[^\[\]\\\n`]|\\[^\[\]\n]|`[^`\n]*`)*)\\\](?![(\[:])"
    r"|(?<=\\)(?P<underscores>_(?:\\_)*)"
    r"|(?<=\\)(?P<stars>\*(?:\\\*)*)"
    r"|(?<=\\)\\(?P<backslash>(?=[\w ]))"
    r"|(?<=\\)."
    r")"
)
_TASK = frozenset({" ", "x", "X", ""})


def relax(markdown: str) -> str:
    """The same Markdown without the escapes that have no work to do."""
    at = markdown.find("\\")
    if at < 0:
        return markdown
    parts: list[str] = []
    done = 0
    # The library writes a paragraph, and so each of its code spans, on one line.
    while at >= 0:
        start = markdown.rfind("\n", 0, at) + 1
        end = markdown.find("\n", at)
        end = len(markdown) if end < 0 else end
        parts += (markdown[done:start], _PIECES.sub(_freed, markdown[start:end]))
        done = end
        at = markdown.find("\\", end)
    parts.append(markdown[done:])
    return "".join(parts)


def _freed(found: re.Match[str]) -> str:
    kind = found.lastgroup
    whole = found[0]
    if kind == "inside":
        inside = found["inside"]
        if (inside in _TASK and _opens_line(found)) or inside.startswith("^"):
            return whole
        return f"[{_PIECES.sub(_freed, inside)}]"
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
