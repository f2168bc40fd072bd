"""Parts that newer editors store as nodes of another format, with a fallback beside them."""

from html import escape

from markmirror.convert.storage_format.callouts import admonition
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.translation import Translation


def adf_extension(translation: Translation, element: Element) -> str:
    """The node's own content. The fallback says the same again, and is used only without it."""
    node = element.first("ac:adf-node")
    if node is not None:
        return _node(translation, node)
    fallback = element.first("ac:adf-fallback")
    return translation.inside(fallback) if fallback is not None else translation.inside(element)


def _node(translation: Translation, node: Element) -> str:
    match node.attribute("type"):
        case "panel":
            kind = _attribute(node, "panel-type") or "note"
            return admonition(kind, "", _content(translation, node))
        case "decision-list":
            return f"<ul>{_content(translation, node)}</ul>"
        case "decision-item":
            state = (_attribute(node, "state") or "decided").capitalize()
            return f"<li><strong>{escape(state)}:</strong> {_content(translation, node)}</li>"
        case _:
            return _content(translation, node)


def _attribute(node: Element, key: str) -> str:
    for child in node.elements():
        if child.name == "ac:adf-attribute" and child.attribute("key") == key:
            return child.text().strip()
    return ""


def _content(translation: Translation, node: Element) -> str:
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(translation.html(child))
        elif child.name == "ac:adf-node":
            parts.append(_node(translation, child))
        elif child.name == "ac:adf-content":
            parts.append(_content(translation, child))
        elif child.name not in ("ac:adf-attribute", "ac:adf-mark", "ac:adf-fallback"):
            parts.append(translation.html(child))
    return "".join(parts)
