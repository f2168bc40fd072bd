"""Formulas as `$…$`: from MathJax's and KaTeX's own sources, or read off the MathML."""

import re

from markmirror.convert import tree
from markmirror.convert.stash import Block, Stash

_DELIMITED = re.compile(
    r"\s*(?:\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]|\$\$(?P<dollars>.*)\$\$|\$(?P<dollar>.*)\$)\s*\Z",
    re.DOTALL,
)
_SPACES = re.compile(r"\s+")


def prepare_math(page_part: tree.Element, stash: Stash) -> None:
    """Every formula of the content, kept aside as TeX between dollar signs."""
    for script in page_part.select("script[type^='math/tex']"):
        _write(
            script, script.text, display="display" in tree.attribute(script, "type"), stash=stash
        )
    for node in page_part.select("span.katex,span.katex-display"):
        source = node.select_one("annotation[encoding='application/x-tex']")
        if source is not None:
            display = (
                node.has_class("katex-display")
                or node.select_one("math[display=block]") is not None
            )
            _write(node, source.text, display=display, stash=stash)
    for node in page_part.select("span.math,div.math"):
        found = _DELIMITED.match(node.text)
        if found:
            source_text = next(group for group in found.groups() if group is not None)
            display = found["display"] is not None or found["dollars"] is not None
            _write(node, source_text, display=display, stash=stash)
    for node in list(page_part.iter_elements("math")):
        source = node.select_one("annotation[encoding='application/x-tex']")
        text = source.text if source is not None else tree.attribute(node, "alttext")
        if not text:
            text = read_mathml(node)
        _write(node, text, display=tree.attribute(node, "display") == "block", stash=stash)


def _write(node: tree.Element, source: str, *, display: bool, stash: Stash) -> None:
    text = _SPACES.sub(" ", source).strip()
    if not text:
        node.extract()
    elif display:
        lines = ["$$", *(line.strip() for line in source.strip().split("\n") if line.strip()), "$$"]
        block = Block(lines=lines, in_cell=f"$${text}$$", needs_blank_line=True, is_several_lines=False)
        node.replace_with(stash.block(block))
    else:
        node.replace_with(stash.inline(f"${text}$"))


def read_mathml(node: tree.Element) -> str:
    """MathML as TeX, as far as its own structure says: fractions, roots, scripts, rows."""
    return _SPACES.sub(" ", node.text).strip()
