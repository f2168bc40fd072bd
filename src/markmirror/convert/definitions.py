"""Definition lists, which Markdown lacks: a list whose items open with the term in bold."""

from markmirror.convert import tree
from markmirror.convert.survey import Survey

_BLOCKS = "p,div,pre,h1,h2,h3,h4,h5,h6,ul,ol,table"


def prepare_definitions(survey: Survey) -> None:
    """Turn every `<dl>` into a list of terms, each with its definition below it.

    Nodes are renamed and wrapped where they stand: moving them into new elements would copy what
    is under them, once for each level of nesting.
    """
    for definitions in reversed(survey.of("dl")):
        _dissolve_groups(definitions)
        parts = [child for child in definitions.children if isinstance(child, tree.Element)]
        if not parts:
            definitions.extract()
            continue
        starts = [
            part
            for before, part in zip([None, *parts], parts, strict=False)
            if before is None or (part.tag == "dt" and before.tag != "dt")
        ]
        for start, following in zip(starts, [*starts[1:], None], strict=True):
            last = parts[-1] if following is None else following.previous_sibling
            start.wrap_siblings(tree.element("li"), until=last)
        for part in parts:
            if part.tag == "dt":
                _name(part)
            elif part.tag == "dd":
                part.tag = "div"
        definitions.tag = "ul"
        survey.of("ul").append(definitions)


def _dissolve_groups(definitions: tree.Element) -> None:
    """HTML allows a `<div>` around each group of terms and definitions."""
    for child in list(definitions.children):
        if isinstance(child, tree.Element) and child.tag == "div":
            child.unwrap()


def _name(term: tree.Element) -> None:
    """The term as a bold paragraph, unless it is more than a line."""
    if term.select_one(_BLOCKS) is not None:
        term.tag = "div"
        return
    for inner in term.select("strong,b"):
        inner.unwrap()
    if term.text.strip():
        term.wrap_children(tree.element("strong"))
    term.tag = "p"
