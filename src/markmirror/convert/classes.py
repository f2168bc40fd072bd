"""What classes say about elements: one look at each element serves everyone who asks.

Half of a page's elements have a class, and hardly one in ten of these classes means anything here.
"""

from collections import defaultdict
from functools import lru_cache

from markmirror.convert import tree
from markmirror.convert.admonitions import may_be_box
from markmirror.convert.code import is_diagram
from markmirror.convert.docutils import may_be_docutils
from markmirror.convert.furniture import class_verdict
from markmirror.convert.labels import may_be_label
from markmirror.convert.math import is_formula
from markmirror.convert.spacing import is_badge, is_row, is_run_in

_QUESTIONS = {
    "box": may_be_box,
    "label": may_be_label,
    "docutils": may_be_docutils,
    "formula": is_formula,
    "diagram": is_diagram,
    "row": is_row,
    "badge": is_badge,
    "run-in": is_run_in,
}


class Classed:
    """Elements that their class makes something else than text, each kind in the page's order."""

    def __init__(self, content: tree.Element) -> None:
        self._by_kind: defaultdict[str, list[tree.Element]] = defaultdict(list)
        by_kind = self._by_kind
        for node in content.select("[class]"):
            kinds = _kinds(node.attr("class") or "")
            if kinds:
                for kind in kinds:
                    by_kind[kind].append(node)

    def of(self, kind: str) -> list[tree.Element]:
        """The elements whose class makes them, or on some tags makes them, this.

        What was taken out of its place in the meantime is left out.
        """
        return [node for node in self._by_kind[kind] if node.parent is not None]


@lru_cache(maxsize=16384)
def _kinds(classes: str) -> tuple[str, ...]:
    """What these classes make of an element: mostly nothing."""
    names = classes.split()
    verdict = class_verdict(names)
    kinds = tuple(kind for kind, is_such in _QUESTIONS.items() if is_such(names))
    return (verdict, *kinds) if verdict else kinds
