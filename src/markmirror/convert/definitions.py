"""Definition lists, which Markdown lacks: a list whose items open with the term in bold."""

from markmirror.convert import tree


def prepare_definitions(content: tree.Element) -> None:
    """Turn every `<dl>` into a list of terms, each with its definition below it."""
    for definitions in reversed(list(content.iter_elements("dl"))):
        _dissolve_groups(definitions)
        items: list[tree.Element] = []
        item: tree.Element | None = None
        defined = True
        for child in list(definitions.children):
            if not isinstance(child, tree.Element):
                continue
            if child.tag == "dt":
                if item is None or defined:
                    item = tree.element("li")
                    items.append(item)
                    defined = False
                item.append(_term(child.extract()))
                continue
            if item is None:
                item = tree.element("li")
                items.append(item)
            defined = True
            _define(item, child.extract())
        listing = tree.element("ul")
        identity = definitions.attr("id")
        if identity:
            listing.attrs["id"] = identity
        listing.extend(items)
        if items:
            definitions.replace_with(listing)
        else:
            definitions.extract()


def _dissolve_groups(definitions: tree.Element) -> None:
    """HTML allows a `<div>` around each group of terms and definitions."""
    for child in list(definitions.children):
        if isinstance(child, tree.Element) and child.tag == "div":
            child.unwrap()


def _term(term: tree.Element) -> tree.Element:
    if term.select_one("p,div,pre,h1,h2,h3,h4,h5,h6,ul,ol,table") is not None:
        term.tag = "div"
        return term
    strong = tree.element("strong")
    for inner in term.select("strong,b"):
        inner.unwrap()
    strong.extend([child.extract() for child in list(term.children)])
    paragraph = tree.element("p", None, strong)
    identity = term.attr("id")
    if identity:
        paragraph.attrs["id"] = identity
    return paragraph


def _define(item: tree.Element, definition: tree.Element) -> None:
    if definition.tag not in {"dd", "dt"}:
        item.append(definition)
        return
    definition.tag = "div"
    item.append(definition)
