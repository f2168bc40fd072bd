"""Parts that newer editors store as nodes of another format, with a fallback beside them."""

import re
from collections.abc import Iterator
from html import escape

from markmirror.convert.storage_format.callouts import admonition
from markmirror.convert.storage_format.macros import macro
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.translation import Translation

_SETTINGS = frozenset({"ac:adf-attribute", "ac:adf-parameter", "ac:adf-mark", "ac:adf-fallback"})
_EXTENSIONS = frozenset({"extension", "inlineextension", "bodiedextension"})
_WORD_BREAK = re.compile(r"-(\w)")


def adf_extension(translation: Translation, element: Element) -> str:
    """The node's own content. The fallback says the same again, and is used only without it."""
    node = element.first("ac:adf-node")
    fallback = element.first("ac:adf-fallback")
    shown = adf_node(translation, node) if node is not None else ""
    if fallback is None or (node is not None and _has_content(node)):
        return shown
    return shown + _content(translation, fallback, without_nodes=node is not None)


def adf_node(translation: Translation, node: Element) -> str:
    """A panel, a list of decisions, an app's macro; of anything else what is inside."""
    kind = node.attribute("type").replace("-", "").lower()
    if kind == "panel":
        return admonition(_setting(node, "panel-type") or "note", "", _content(translation, node))
    if kind == "decisionlist":
        return f"<ul>{_content(translation, node)}</ul>"
    if kind == "decisionitem":
        state = (_setting(node, "state") or "decided").capitalize()
        return f"<li><strong>{escape(state)}:</strong> {_content(translation, node)}</li>"
    if kind in _EXTENSIONS:
        return macro(translation, _as_macro(node))
    return _content(translation, node)


def _as_macro(node: Element) -> Element:
    """An app's node as the macro it would be in older editors.

    Its name is the last part of a key such as `1-2/3-4/static/drawio` or `chart:default`.
    """
    name = _setting(node, "extension-key").rpartition("/")[2].partition(":")[0]
    children: list[Element | str] = [
        Element("ac:parameter", {"ac:name": _camel_case(key)}, [text])
        for key, text in _parameters(node)
        if key not in ("local-id", "extension-id", "layout")
    ]
    content = [child for child in node.elements() if child.name == "ac:adf-content"]
    if content:
        inside = [part for one in content for part in one.children]
        children.append(Element("ac:rich-text-body", {}, inside))
    return Element("ac:structured-macro", {"ac:name": name}, children)


def _parameters(element: Element) -> Iterator[tuple[str, str]]:
    """Each parameter that holds text, those inside groups included."""
    for child in element.elements():
        if child.name == "ac:adf-parameter" and child.first("ac:adf-parameter") is None:
            yield child.attribute("key"), child.text().strip()
        elif child.name in ("ac:adf-attribute", "ac:adf-parameter"):
            yield from _parameters(child)


def _camel_case(key: str) -> str:
    return _WORD_BREAK.sub(lambda found: found[1].upper(), key)


def _setting(node: Element, key: str) -> str:
    for child in node.elements():
        if child.name == "ac:adf-attribute" and child.attribute("key") == key:
            return child.text().strip()
    return node.attribute(key)


def _has_content(node: Element) -> bool:
    return any(
        child.name == "ac:adf-content" or (child.name == "ac:adf-node" and _has_content(child))
        for child in node.elements()
    )


def _content(translation: Translation, node: Element, *, without_nodes: bool = False) -> str:
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(translation.html(child))
        elif child.name == "ac:adf-content":
            parts.append(_content(translation, child))
        elif child.name not in _SETTINGS and not (without_nodes and child.name == "ac:adf-node"):
            parts.append(translation.html(child))
    return "".join(parts)
