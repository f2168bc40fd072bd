"""Notes, warnings and tips of the common generators, as block quotes that name their kind."""

import re

from markmirror.convert import tree

_KINDS = {
    "note": "Note",
    "info": "Info",
    "information": "Info",
    "tip": "Tip",
    "hint": "Hint",
    "success": "Success",
    "important": "Important",
    "warning": "Warning",
    "warn": "Warning",
    "caution": "Caution",
    "attention": "Attention",
    "danger": "Danger",
    "error": "Error",
    "bug": "Bug",
    "example": "Example",
    "question": "Question",
    "quote": "Quote",
    "abstract": "Abstract",
    "todo": "Todo",
    "failure": "Failure",
    "deprecated": "Deprecated",
    "versionadded": "",
    "seealso": "See also",
    "secondary": "Note",
    "primary": "Note",
}
# The boxes: a class that means "admonition" on its own, or together with a kind.
_BOXES = (
    "div.admonition,aside.admonition,section.admonition,details.admonition,"
    "div.admonitionblock,div.theme-admonition,div.custom-block,div.markdown-alert,"
    "div.alert,div.callout,aside.callout,blockquote.callout,div.hint,aside.starlight-aside,"
    "div.confluence-information-macro,div.md-admonition,div.notice,p.note,p.warning,p.tip,"
    "div.note,div.warning,div.tip,div.caution,div.important,div.danger,div.info,"
    "aside.note,aside.warning,aside.tip,div.sidebar-note,dl.section.note,dl.section.warning,"
    "dl.section.attention,dl.section.important"
)
_TITLES = (
    ".admonition-title,.admonition-heading,[class*=admonitionHeading],.custom-block-title,"
    ".markdown-alert-title,.alert-title,.alert-heading,.callout-title,.callout-heading,"
    ".starlight-aside__title,.confluence-information-macro-title,.title,.hint-title,.notice-title,"
    ".callout-header"
)
_ICONS = (
    ".icon,[class*=admonitionIcon],.callout-icon,.confluence-information-macro-icon,svg,.hint-icon"
)
_KIND_PREFIX = re.compile(
    r"(?:alert|callout|markdown-alert|hint|admonition|theme-admonition|is|"
    r"starlight-aside-|confluence-information-macro|custom-block|notice)-+"
)
_ENDING = re.compile(r"[:.!?…：。]\Z")


def prepare_admonitions(content: tree.Element) -> None:
    """Turn every admonition into `> **Note:** …`."""
    for box in reversed(content.select(_BOXES)):
        kind = _kind(box)
        title = _title(box, kind)
        if title is None:
            continue
        quote = tree.element("blockquote")
        quote.extend(_body(box))
        _lead_with(quote, title)
        box.replace_with(quote)


def _kind(box: tree.Element) -> str:
    for token in tree.attribute(box, "class").lower().split():
        name = _KIND_PREFIX.sub("", token)
        if name in _KINDS:
            return _KINDS[name]
    return ""


def _title(box: tree.Element, kind: str) -> str | None:
    """The words the box starts with; None where it is no admonition after all."""
    if box.tag == "dl":
        term = box.select_one("dt")
        words = _words(term.text) if term is not None else ""
        if term is not None:
            term.extract()
        return words or kind
    box.remove(_ICONS)
    for node in box.select(_TITLES):
        words = _words(node.text)
        if node.tag in {"div", "p", "span", "h3", "h4", "h5", "h6", "strong", "summary", "td"}:
            node.extract()
            return words or kind
    heading = box.select_one("h3,h4,h5,h6,summary")
    first = next((child for child in box.children if isinstance(child, tree.Element)), None)
    if heading is not None and heading == first and _is_kind(heading.text):
        heading.extract()
        return _words(heading.text)
    if box.has_class("alert") and not kind:
        return None
    if _is_kind(_words(box.text).split(":")[0].split(" ")[0]):
        # The author wrote the word already: `Note: …`.
        return ""
    return kind or None


def _is_kind(text: str) -> bool:
    return _words(text).rstrip(":").lower() in _KINDS


def _body(box: tree.Element) -> list[tree.Node]:
    """What stands in the box, without the layout table that DocBook and AsciiDoc draw it with."""
    cell = box.select_one("dd") if box.tag == "dl" else box.select_one("td.content")
    table = box.select_one("table")
    if cell is None and table is not None and table.parent == box:
        cells = table.select("td")
        if len(cells) in (1, 2, 3):
            cell = max(cells, key=lambda found: len(found.text))
    holder = box if cell is None else cell
    return [child.extract() for child in list(holder.children)]


def _lead_with(quote: tree.Element, title: str) -> None:
    if not title:
        return
    words = title if _ENDING.search(title) else f"{title}:"
    label = tree.element("strong", None, tree.Text(words))
    first = _first(quote)
    if isinstance(first, tree.Element) and first.tag == "p":
        first.insert(0, tree.Text(" "))
        first.insert(0, label)
    elif isinstance(first, tree.Text) or (isinstance(first, tree.Element) and first.tag in _INLINE):
        quote.insert(0, tree.Text(" "))
        quote.insert(0, label)
    else:
        quote.insert(0, tree.element("p", None, label))


_INLINE = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "img", "kbd", "span", "strong", "sub", "sup", "tt", "var"}
)


def _first(quote: tree.Element) -> tree.Node | None:
    for child in quote.children:
        if isinstance(child, tree.Element):
            return child
        if isinstance(child, tree.Text) and child.data.strip():
            return child
    return None


def _words(text: str) -> str:
    return " ".join(text.split())
