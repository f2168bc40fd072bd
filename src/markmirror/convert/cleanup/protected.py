"""Prose that only looks like prose: URLs, paths, flags, calls, templates. Each becomes one mark."""

import re

from markmirror.convert.cleanup.marks import ANY, ESCAPE, OPAQUE, expand, mark

_WORD = rf"[^\s<{ANY}]"  # a mark ends it, save that of an escape
_RUN = rf"(?:{_WORD}|{ESCAPE})"

_LOOKS_LIKE_CODE = re.compile(
    rf"""
    (?:[A-Za-z][A-Za-z0-9+.-]*://|www\.|mailto:){_RUN}+           # URLs, with what touches them
  | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                  # e-mail addresses
  | \{{\{{[^\n{{}}]*\}}\}} | \{{%[^\n{{}}]*%\}} | \$\{{[^\n{{}}]*\}}    # templates
  | \{{[#.:][^\n{{}}]*\}}                                         # attributes: {{#id}}
  | \[\[[^\n\[\]]*\]\]                                            # wiki links
  | {ESCAPE}\([^\n{ESCAPE}]*{ESCAPE}\) | {ESCAPE}\[[^\n{ESCAPE}]*{ESCAPE}\]   # LaTeX formulas
  | (?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s{ANY}]*)?                  # command-line flags
  | (?<![\w.$])[\w.:$-]+=(?:"[^"\n{ANY}]*"|'[^'\n{ANY}]*'|[^\s{ANY}]*["'][^\s{ANY}]*)  # key="value"
  | (?<![\w.])[\w.]+\((?:[^()\n{ANY}]*["'][^()\n{ANY}]*|\.\.\.)\)   # call("argument"), call(...)
  | \{{[^{{}}\n{ANY}]*["'][^{{}}\n{ANY}]*\}} | \[["'][^\[\]\n{ANY}]*["']\]    # {{"a": 1}}, ["a"]
  | (?<!\w)(?:[bruf]|[bf]r|r[bf])(?:'[^'\n{ANY}]*'|"[^"\n{ANY}]*")   # b'prefixed strings'
  | (?<![\w:]):[a-z0-9_+-]+:(?![\w:])                             # :emoji:
  | (?<![\w/.~])(?:\.{{0,2}}|~)/[^\s{ANY}]*["'-][^\s{ANY}]*       # /paths/with--dashes
    """,
    re.VERBOSE,
)
_MAY_MATCH = re.compile(rf"[/@=\{{\[(:{ESCAPE}]|www\.|--?[A-Za-z]|[bruf]['\"]")


def protect(text: str, pieces: list[str]) -> str:
    """`text` with every run that must stay as it is turned into a mark; `pieces` grows by each."""
    if not _MAY_MATCH.search(text):
        return text

    def hide(match: re.Match[str]) -> str:
        hidden = mark(OPAQUE, len(pieces))
        pieces.append(expand(match[0], pieces))
        return hidden

    return _LOOKS_LIKE_CODE.sub(hide, text)
