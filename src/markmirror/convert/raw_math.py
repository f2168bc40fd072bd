"""Formulas that stand in the text between TeX's delimiters, for a script to set in the browser.

Without such a script on the page, a backslash before a bracket is somebody's regular expression.
"""

import re

from markmirror.convert import tree

_DELIMITERS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_OPENER = re.compile(r"\\[(\[]|\$\$")
# Where the scripts do not look either, and where a formula is marked already.
_NOT_IN = "pre,code,kbd,samp,tt,script,style,textarea,math,.katex,.math,.tex2jax_ignore"


def may_hold_formulas(body: bytes, page: tree.Document) -> bool:
    """Whether a page has both what may delimit a formula and a script that looks for it."""
    # A single byte is found forty times faster than two.
    if b"\\" not in body and b"$" not in body:
        return False
    parts = filter(None, (tree.head_of(page), tree.body_of(page)))
    return any(_sets_formulas(node) for part in parts for node in tree.child_elements(part))


def _sets_formulas(node: tree.Element) -> bool:
    if node.tag not in {"script", "link"}:
        return False
    address = (node.attr("src") or node.attr("href") or "").lower()
    return "mathjax" in address or "katex" in address


def mark_formulas(root: tree.Element) -> None:
    """Put each formula that stands in the text into an element of its own, with its delimiters."""
    texts = [
        node
        for node in root.descendants
        if isinstance(node, tree.Text) and ("$" in node.data or "\\" in node.data)
    ]
    for text in texts:
        holder = text.parent
        if isinstance(holder, tree.Element) and holder.closest(_NOT_IN) is None:
            parts = _parts(text.data)
            if _is_in_dollars(text.data, holder):
                holder.attrs["class"] = "math"
            elif len(parts) > 1:
                text.replace_with(*parts)


def _is_in_dollars(text: str, holder: tree.Element) -> bool:
    """Whether an element holds a formula and nothing else, as Documenter writes one in a line."""
    if text[:1] != "$" or text[-1:] != "$" or text.count("$") != 2:
        return False
    return holder.tag == "span" and not holder.attrs and len(holder.children) == 1


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
