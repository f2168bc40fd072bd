"""Prose that only looks like prose: URLs, paths, flags, calls, templates. Each becomes one mark."""

import re

from markmirror.convert.cleanup.marks import ANY, ENTITY, ESCAPE, OPAQUE, expand, mark, span

# A run without blanks as parsers of bare URLs see it: a no-break space and an entity go on.
_RUN = rf"(?:[^ \t\n\r<{ANY}]|[{ESCAPE}{span(ENTITY)}])"

# What must be in the text for a pattern to be worth trying, and the pattern. The order matters:
# what an earlier one hides, a later one does not see.
_LOOKS_LIKE_CODE: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (needs, re.compile(pattern))
    for needs, pattern in (
        # Formulas as LaTeX writes them.
        ((ESCAPE + "(",), rf"{ESCAPE}\([^\n{ESCAPE}]*{ESCAPE}\)"),
        ((ESCAPE + "[",), rf"{ESCAPE}\[[^\n{ESCAPE}]*{ESCAPE}\]"),
        # URLs with whatever touches them, since parsers disagree on where a bare one ends.
        (("://",), rf"\b[A-Za-z][A-Za-z0-9+.-]*://{_RUN}+"),
        (("www.",), rf"www\.{_RUN}+"),
        (("mailto:",), rf"mailto:{_RUN}+"),
        (("@",), r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
        # What is left of a link that is none; parsers disagree on some.
        (("](",), rf"\]\([^\n(){ANY}]*\)"),
        # Templates, attributes, wiki links, emoji.
        (("{{",), r"\{\{[^\n{}]*\}\}"),
        (("{%",), r"\{%[^\n{}]*%\}"),
        (("${",), r"\$\{[^\n{}]*\}"),
        (("{#", "{.", "{:"), r"\{[#.:][^\n{}]*\}"),
        (("[[",), r"\[\[[^\n\[\]]*\]\]"),
        ((":",), r":(?<![\w:]:)[a-z0-9_+-]+:(?![\w:])"),
        # Command-line flags.
        (("-",), rf"-(?<![\w-]-)-?[A-Za-z][\w-]*(?:=[^\s{ANY}]*)?"),
        # key="value", call("argument"), call(...), {"a": 1}, ["a"], b'prefixed strings'.
        (
            ('="', "='"),
            rf"(?<![\w.$:-])[\w.:$-]+=(?:\"[^\"\n{ANY}]*\"|'[^'\n{ANY}]*'|[\"'][^\s{ANY}]*)",
        ),
        (("(...)",), r"\b[\w.]+\(\.\.\.\)"),
        (("(",), rf"\((?<=[\w.]\()(?=[^()\n{ANY}]*[\"'])[^()\n{ANY}]*\)"),
        (("{",), rf"\{{(?=[^{{}}\n{ANY}]*[\"'])[^{{}}\n{ANY}]*\}}"),
        (('["', "['"), rf"\[[\"'][^\[\]\n{ANY}]*[\"']\]"),
        (("'", '"'), rf"\b(?:[bruf]|[bf]r|r[bf])(?:'[^'\n{ANY}]*'|\"[^\"\n{ANY}]*\")"),
        # Paths.
        (("/",), rf"/(?<![\w/.~]/)[^\s{ANY}\"'-]*[\"'-][^\s{ANY}]*"),
    )
)


def protect(text: str, pieces: list[str]) -> str:
    """`text` with every run that must stay as it is turned into a mark; `pieces` grows by each."""

    def hide(match: re.Match[str]) -> str:
        hidden = mark(OPAQUE, len(pieces))
        pieces.append(expand(match[0], pieces))
        return hidden

    for needs, pattern in _LOOKS_LIKE_CODE:
        for need in needs:
            if need in text:
                text = pattern.sub(hide, text)
                break
    return text
