"""What classes say about elements: one look at each element serves everyone who asks.

Half of a page's elements have a class, and hardly one in ten of these classes means anything here.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from markmirror.convert import tree
from markmirror.convert.admonitions import is_box, may_be_box
from markmirror.convert.docutils import may_be_docutils
from markmirror.convert.furniture import class_verdict
from markmirror.convert.labels import may_be_label


@dataclass(slots=True)
class Classed:
    """Elements that their class makes something else than text, each kind in the page's order."""

    furniture: list[tree.Element] = field(default_factory=list)
    contents: list[tree.Element] = field(default_factory=list)
    boxes: list[tree.Element] = field(default_factory=list)
    labels: list[tree.Element] = field(default_factory=list)
    docutils: list[tree.Element] = field(default_factory=list)


def sort_by_class(content: tree.Element) -> Classed:
    """The elements of the content whose class means something."""
    classed = Classed()
    for node in content.select("[class]"):
        meaning = _meaning(node.attr("class") or "")
        if meaning is None:
            continue
        verdict, may_be_admonition, is_label, is_docutils = meaning
        if verdict == "furniture":
            classed.furniture.append(node)
        elif verdict == "contents":
            classed.contents.append(node)
        if may_be_admonition and is_box(node):
            classed.boxes.append(node)
        if is_label:
            classed.labels.append(node)
        if is_docutils:
            classed.docutils.append(node)
    return classed


@lru_cache(maxsize=16384)
def _meaning(classes: str) -> tuple[str, bool, bool, bool] | None:
    """Furniture or contents, perhaps a box, a label, docutils' own; None for none of them."""
    names = classes.split()
    is_docutils = may_be_docutils(names)
    meaning = class_verdict(names), may_be_box(names), may_be_label(names), is_docutils
    return meaning if any(meaning) else None
