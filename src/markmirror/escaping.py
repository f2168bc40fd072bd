"""Text from outside, made harmless for a terminal, a log line, a YAML string or Markdown."""

import re

# Control characters, line breaks of every kind, marks that reorder or hide text, and what has no
# place in UTF-8 or YAML. Joiners (U+200C, U+200D) stay: Persian and emoji are written with them.
UNPRINTABLE = (
    "\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
)

_TO_ESCAPE = re.compile(f"[\\\\{UNPRINTABLE}]")
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))")
_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BACKTICKS = re.compile("`+")
_LONG = {"n": "\n", "r": "\r", "t": "\t"}


def escape(text: str) -> str:
    """Write text on one line, with escapes as in YAML and Python; `unescape` undoes it."""
    return _TO_ESCAPE.sub(_escaped, text)


def unescape(text: str) -> str:
    """Undo `escape`; what is no escape of ours stays as it is."""
    return _ESCAPE.sub(_unescaped, text)


def quoted(text: str) -> str:
    """Write text as a double-quoted YAML string, the kind on which all YAML readers agree."""
    return '"' + escape(text).replace('"', '\\"') + '"'


def code_span(text: str) -> str:
    """Show text in Markdown as it is: nothing inside a code span is markup, HTML or a link."""
    line = escape(text) or " "
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"{fence}{line}{fence}"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if short := _SHORT.get(char):
        return short
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _unescaped(match: re.Match[str]) -> str:
    if digits := match[1] or match[2] or match[3]:
        code = int(digits, 16)
        return chr(code) if code <= 0x10FFFF else match[0]
    return _LONG.get(match[4], match[4])
