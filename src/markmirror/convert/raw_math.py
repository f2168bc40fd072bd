"""Formulas that stand in the text between TeX's delimiters, for a script to set in the browser.

Without such a script on the page, a backslash before a bracket is somebody's regular expression.
"""

import re

from markmirror.convert import tree

_SCRIPTS = (b"MathJax", b"mathjax", b"katex", b"KaTeX")
_DELIMITERS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_OPENER = re.compile(r"\\[(\[]|\$\$")
_OPENERS = tuple(opener.encode() for opener in _DELIMITERS)
# Where the scripts do not look either, and where a formula is marked already.
_NOT_IN = "pre,code,kbd,samp,tt,script,style,textarea,math,.katex,.math,.tex2jax_ignore"


def may_hold_formulas(body: bytes) -> bool:
    """Whether a page has both a delimiter and a script that looks for one."""
    return any(opener in body for opener in _OPENERS) and any(name in body for name in _SCRIPTS)


def mark_formulas(root: tree.Element) -> None:
    """Put each formula that stands in the text into an element of its own, with its delimiters."""
    texts = [
        node
        for node in root.descendants
        if isinstance(node, tree.Text) and any(opener in node.data for opener in _DELIMITERS)
    ]
    for text in texts:
        holder = text.parent
        if isinstance(holder, tree.Element) and holder.closest(_NOT_IN) is None:
            parts = _parts(text.data)
            if len(parts) > 1:
                text.replace_with(*parts)


def _parts(text: str) -> list[tree.Node]:
    """The text cut into formulas and what stands between them."""
    parts: list[tree.Node] = []
    # A delimiter that is never closed is text, and so are all of its kind that follow.
    unclosed: set[str] = set()
    done, at = 0, 0
    while (found := _OPENER.search(text, at)) is not None:
        opener, at = found[0], found.end()
        end = -1 if opener in unclosed else text.find(_DELIMITERS[opener], at)
        if end < 0:
            unclosed.add(opener)
            continue
        formula = tree.Text(text[found.start() : end + 2])
        parts.append(tree.Text(text[done : found.start()]))
        parts.append(tree.element("span", {"class": "math"}, formula))
        done = at = end + 2
    parts.append(tree.Text(text[done:]))
    return parts
