"""Definition lists, which Markdown lacks: a list whose items open with the term in bold."""

from markmirror.convert import tree
from markmirror.convert.survey import Survey

_BLOCKS = "p,div,pre,h1,h2,h3,h4,h5,h6,ul,ol,table"


def prepare_definitions(survey: Survey) -> None:
    """Turn every `<dl>` into a list of terms, each with its definition below it.

    Nodes are renamed and wrapped where they stand: moving them into new elements would copy what
    is under them, once for each level of nesting.
    """
    made: list[tree.Element] = []
    for definitions in reversed(survey.of("dl")):
        _dissolve_groups(definitions)
        parts = tree.child_elements(definitions)
        if not parts:
            definitions.extract()
            continue
        if "field-list" in (definitions.attr("class") or ""):
            _settle_types(definitions)
        holder = definitions.parent
        if isinstance(holder, tree.Element) and holder.tag == "dt":
            _join(definitions, parts)
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
        made.append(definitions)
    for run in _runs(made[::-1]):
        # Sphinx writes a list for each function; side by side they are one list to a reader.
        listing = run[0]
        if len(run) > 1:
            listing = run[0].wrap_siblings(tree.element("ul"), until=run[-1])
            for definitions in run:
                definitions.unwrap()
        survey.of("ul").append(listing)


def _settle_types(fields: tree.Element) -> None:
    """Sphinx emphasises each word and each sign of a type by itself: make a whole of them."""
    for part in list(fields.iter_elements("em")):
        before = part.previous_sibling
        if isinstance(before, tree.Element) and before.tag == "em":
            before.extend([child.extract() for child in list(part.children)])
            part.extract()
        elif not any(map(str.isalnum, part.text)):
            part.unwrap()


def _runs(made: list[tree.Element]) -> list[list[tree.Element]]:
    """The lists that stand side by side, together; in the order of the page."""
    runs: list[list[tree.Element]] = []
    last: dict[tree.Element, list[tree.Element]] = {}
    for definitions in made:
        before = tree.first_element(definitions.previous_siblings)
        run = last.pop(before, None) if before is not None else None
        if run is None:
            run = []
            runs.append(run)
        run.append(definitions)
        last[definitions] = run
    return runs


def _join(parameters: tree.Element, parts: list[tree.Element]) -> None:
    """The parameters of a long signature, which Sphinx lists one below the other, on its line."""
    for gap in (parameters.previous_sibling, *parameters.children, parameters.next_sibling):
        if isinstance(gap, tree.Text) and not gap.data.strip():
            gap.extract()
    end = parts[-1].children[-1] if parts[-1].children else None
    if isinstance(end, tree.Text) and end.data.strip() == ",":
        end.extract()
    for part in parts:
        if part is not parts[0]:
            part.insert_before(tree.Text(" "))
        part.unwrap()
    parameters.unwrap()


def _dissolve_groups(definitions: tree.Element) -> None:
    """HTML allows a `<div>` around each group of terms and definitions."""
    for group in tree.child_elements(definitions, "div"):
        group.unwrap()


def _name(term: tree.Element) -> None:
    """The term as a bold paragraph, unless it is more than a line."""
    if term.select_one(_BLOCKS) is not None:
        term.tag = "div"
        return
    for inner in term.select("strong,b,span.classifier"):
        if inner.tag != "span":
            inner.unwrap()
        elif term.select_one("span.classifier-delimiter") is None:
            # Newer docutils leaves the colon to a style sheet.
            inner.insert_before(tree.Text(" : "))
    if term.text.strip():
        term.wrap_children(tree.element("strong"))
    term.tag = "p"
