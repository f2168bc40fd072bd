"""What a macro is called and was given: its name, its parameters and its body."""

from collections.abc import Iterator

from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.translation import Translation


def macro_name(macro: Element) -> str:
    """What a macro is known by, however its name is written."""
    return macro.attribute("ac:name").strip().lower()


def parameters(macro: Element) -> Iterator[tuple[str, Element]]:
    """Each parameter by name; the one without a name is the empty one."""
    for child in macro.elements():
        if child.name == "ac:parameter":
            yield child.attribute("ac:name"), child
        elif child.name == "ac:default-parameter":
            yield "", child


def parameter(macro: Element, *names: str) -> Element | None:
    """The first of these parameters that the macro has."""
    given = dict(parameters(macro))
    return next((given[name] for name in names if name in given), None)


def parameter_text(macro: Element, *names: str) -> str:
    """The text of the first of these parameters that says anything."""
    given = dict(parameters(macro))
    texts = (given[name].text().strip() for name in names if name in given)
    return next((text for text in texts if text), "")


def resource_in(element: Element | None, *names: str) -> Element | None:
    """The first `ri:` element of these names inside, however deep in links."""
    if element is None:
        return None
    for child in element.elements():
        found = child if child.name in names else resource_in(child, *names)
        if found is not None:
            return found
    return None


def rich_body(translation: Translation, macro: Element) -> str:
    """The formatted body as HTML; a plain body is text."""
    return "".join(
        translation.inside(child)
        for child in macro.elements()
        if child.name in ("ac:rich-text-body", "ac:plain-text-body")
    )


def plain_body(macro: Element) -> str:
    """The body as it was typed."""
    body = macro.first("ac:plain-text-body", "ac:rich-text-body")
    return body.text() if body is not None else ""


def has_body(macro: Element) -> bool:
    return macro.first("ac:plain-text-body", "ac:rich-text-body") is not None
