"""Formulas as `$…$`: from MathJax's and KaTeX's own sources, or read off the MathML."""

import re

from markmirror.convert import tree
from markmirror.convert.stash import Block, Stash

_SCRIPTS = "script[type^='math/tex']"
_SOURCE = "annotation[encoding='application/x-tex']"
_DELIMITED = re.compile(
    r"\s*(?:\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]|\$\$(?P<dollars>.*)\$\$|"
    r"\$(?P<dollar>.*)\$)\s*\Z",
    re.DOTALL,
)
# A number stands within the environments that have one of their own.
_TAG_PLACE = re.compile(
    r"\\end\{(?:equation|align|alignat|gather|multline|flalign|eqnarray)\*?\}\s*\Z"
)
_SPACES = re.compile(r"\s+")
_MAX_DEPTH = 60


def prepare_math(content: tree.Document | tree.Element, stash: Stash) -> None:
    """Every formula with elements of its own, kept aside as TeX between dollar signs."""
    # A whole page knows its elements by their tag, so that two questions cost less than one.
    if content.select_one("math") is None and content.select_one(_SCRIPTS) is None:
        return
    for script in content.select(_SCRIPTS):
        display = "display" in tree.attribute(script, "type")
        _write(script, script.text, display=display, stash=stash)
    for node in content.select("span.katex-display,span.katex"):
        source = node.select_one(_SOURCE)
        if source is not None:
            display = node.has_class("katex-display") or _is_display(node.select_one("math"))
            _write(node, source.text, display=display, stash=stash)
    for node in list(content.iter_elements("math")):
        source = node.select_one(_SOURCE)
        text = source.text if source is not None else tree.attribute(node, "alttext")
        # MediaWiki hides the formula behind a picture of it.
        whole = node.closest(".mwe-math-element") or node
        if whole.parent is not None:
            _write(whole, text or read_mathml(node), display=_is_display(node), stash=stash)


def is_formula(classes: list[str]) -> bool:
    """Whether these classes are those of a formula between signs, on some elements."""
    return "math" in classes or "arithmatex" in classes


def prepare_formulas(nodes: list[tree.Element], stash: Stash) -> None:
    """The formulas that Sphinx and MkDocs leave to a script in the browser, between its signs."""
    for node in nodes:
        if node.tag not in {"span", "div"}:
            continue
        shown = node.select_one("span.eqno")
        number = "" if shown is None else shown.text
        found = _DELIMITED.match(node.text.replace(number, "", 1))
        if found:
            text = next(group for group in found.groups() if group is not None)
            display = found["display"] is not None or found["dollars"] is not None
            _write(node, _numbered(text, number), display=display, stash=stash)


def _numbered(text: str, number: str) -> str:
    """A formula with the number that Sphinx shows beside it, as TeX writes one."""
    number = number.partition(")")[0].strip("( ")
    if not number:
        return text
    place = _TAG_PLACE.search(text)
    end = len(text) if place is None else place.start()
    return f"{text[:end]} \\tag{{{number}}}{text[end:]}"


def _is_display(node: tree.Element | None) -> bool:
    return node is not None and tree.attribute(node, "display") == "block"


def _write(node: tree.Element, source: str, *, display: bool, stash: Stash) -> None:
    text = _SPACES.sub(" ", source).strip()
    if not text:
        node.extract()
    elif display:
        lines = ["$$", *(line.strip() for line in source.strip().split("\n") if line.strip()), "$$"]
        block = Block(
            lines=lines,
            in_cell=lambda: f"$${text}$$",
            needs_blank_line=True,
            is_several_lines=False,
        )
        stash.put(node, block)
    else:
        node.replace_with(stash.inline(f"${text}$"))


def read_mathml(node: tree.Element) -> str:
    """MathML as TeX, as far as its own structure says: fractions, roots, scripts."""
    return _SPACES.sub(" ", _tex(node, 0)).strip()


def _tex(node: tree.Node, depth: int) -> str:
    if not isinstance(node, tree.Element):
        return node.data if isinstance(node, tree.Text) else ""
    if depth > _MAX_DEPTH:
        return node.text
    parts = [
        _tex(child, depth + 1).strip() for child in node.children if isinstance(child, tree.Element)
    ]
    match node.tag, parts:
        case "mfrac", [top, bottom]:
            return f"\\frac{{{top}}}{{{bottom}}}"
        case "msqrt", _:
            return f"\\sqrt{{{' '.join(parts)}}}"
        case "mroot", [base, index]:
            return f"\\sqrt[{index}]{{{base}}}"
        case "msup" | "mover", [base, upper]:
            return f"{base}^{{{upper}}}"
        case "msub" | "munder", [base, lower]:
            return f"{base}_{{{lower}}}"
        case "msubsup" | "munderover", [base, lower, upper]:
            return f"{base}_{{{lower}}}^{{{upper}}}"
        case _, []:
            return _SPACES.sub(" ", node.text)
        case _:
            return " ".join(part for part in parts if part)
