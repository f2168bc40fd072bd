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
    r"|(?<=\\)(?P<tilde>~)"
    r"|(?<=\\)(?P<marker>[.)](?=[^\s\\])|\#(?=[^\s#\\])|[-+](?=\w))"
    r"|(?<=\\)."
    r")"
)
# `snake\_case`, more frequent than all others together; it begins with what C can search for.
_WITHIN_WORD = re.compile(r"\\_(?<=[^\W_]\\_)(?=[^\W_])")
# For each sign: an escaped run of it, such a run that could only open emphasis, and a bare sign
# that could close it.
_OPENERS = (
    (
        "*",
        re.compile(r"(?:\\\*)+"),
        re.compile(r"(?:(?<=[\s(\[{,/])|^)(?:\\\*)+(?=\w)"),
        re.compile(r"\*"),
    ),
    (
        "_",
        re.compile(r"(?:\\_)+"),
        re.compile(r"(?:(?<=[\s(\[{,/])|^)(?:\\_)+(?=[^\W_])"),
        re.compile(r"(?<![^\W_])_|_(?![^\W_])"),
    ),
)
_MARKERS = re.compile(r"(?:[> ]|[-*+] |\d+[.)] )*")
_NUMBERED = re.compile(_MARKERS.pattern + r"\d*")
_NO_BREAK = "&#160;"
# An author shows the reference itself where it is escaped, or alone in code.
_SHOWN = ("\\&#160;", "`&#160;`")
_NO_BREAK_SPACE = re.compile(r"(?<!\\)(?!(?<=`)&#160;`)&#160;")
# Paragraphs that held nothing else were only there to make room.
_BLANK_LINES = re.compile(r"\n(?: *\n){2,}")
_EMPTY_HEADING = re.compile(r"^[> ]*#{1,6} *(?:\n(?:[> ]*\n)?|\Z)", re.MULTILINE)
_TASK = frozenset({" ", "x", "X", ""})


def plain_spaces(markdown: str) -> str:
    """The same Markdown with a space for each no-break space that was written as a reference."""
    if _NO_BREAK not in markdown:
        return markdown
    # A pattern is many times slower, and such authors are rare.
    if any(shown in markdown for shown in _SHOWN):
        spaced = _NO_BREAK_SPACE.sub(" ", markdown)
    else:
        spaced = markdown.replace(_NO_BREAK, " ")
    return _BLANK_LINES.sub("\n\n", spaced).strip(" \n")


def without_empty_headings(markdown: str) -> str:
    """The same Markdown without headings that say nothing, unless they are all there is."""
    if "# \n" not in markdown and not markdown.endswith("#"):
        return markdown
    return _EMPTY_HEADING.sub("", markdown).rstrip("\n") or markdown


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
        line = markdown[start:end]
        holds_code = "`" in line
        if not holds_code:
            line = _WITHIN_WORD.sub("_", line)
        if "\\" in line:
            line = _PIECES.sub(_freed, line)
            if "\\" in line and not holds_code and not _is_continued(markdown, start, end):
                line = _free_openers(line)
        parts += (markdown[done:start], line)
        done = end
        at = markdown.find("\\", end)
    parts.append(markdown[done:])
    return "".join(parts)


def _is_continued(markdown: str, start: int, end: int) -> bool:
    """Whether a hard break joins a line to its neighbours, so that emphasis could span them."""
    if markdown[end - 1 : end] in ("\\", " "):
        return True
    return markdown[max(0, start - 3) : start].endswith(("\\\n", "  \n"))


def _free_openers(line: str) -> str:
    """Free signs where emphasis could begin in a line in which it could nowhere end: `*args`."""
    for sign, run, opener, bare in _OPENERS:
        if "\\" + sign not in line:
            continue
        runs = run.findall(line)
        if len(runs) == len(opener.findall(line)) and not bare.search(run.sub(" ", line)):
            line = line.replace("\\" + sign, sign)
    return line


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
        is_alone = before == " " and after.isspace() and not _opens_line(found)
        if is_alone or (before.isalnum() and after.isalnum()):
            return whole.replace("\\", "")
        return whole
    if kind == "stars":
        before, after = _neighbours(found)
        if before == " " and after.isspace() and not _opens_line(found):
            return whole.replace("\\", "")
        return whole
    if kind == "backslash":
        return "\\"
    if kind == "marker" and _NUMBERED.fullmatch(found.string, 0, found.start()):
        # What is followed by no space begins no list and no heading.
        return whole[1:]
    if kind == "tilde" and _is_alone(found, "~"):
        return "~"
    return whole


def _is_alone(found: re.Match[str], sign: str) -> bool:
    """Whether the sign stands once on its line; two searches outward, so that many stay cheap."""
    text = found.string
    return text.find(sign, found.end()) < 0 and text.rfind(sign, 0, found.start()) < 0


def _neighbours(found: re.Match[str]) -> tuple[str, str]:
    text = found.string
    before = text[found.start() - 1] if found.start() else "\n"
    after = text[found.end()] if found.end() < len(text) else "\n"
    return before, after


def _opens_line(found: re.Match[str]) -> bool:
    """Whether only quote marks and list markers stand before it."""
    return _MARKERS.fullmatch(found.string, 0, found.start()) is not None
