"""Notes, warnings and tips of the common generators, as block quotes that name their kind."""

import re
from typing import NamedTuple

from markmirror.convert import tree
from markmirror.convert.vocabulary import words

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
# Classes that mean "admonition", each with the tags on which it does.
_ANY_BOX = words(
    "admonition admonitionblock theme-admonition custom-block markdown-alert callout",
    "starlight-aside confluence-information-macro md-admonition tsd-alert nextra-callout",
)
_BLOCK_BOX = words("alert hint notice note warning tip caution important danger info sidebar-note")
# Just the Docs says so of a quote whose first paragraph is the title.
_TITLED = words("note-title warning-title important-title new-title highlight-title")
_BOX_TAGS = frozenset({"div", "aside", "section", "details", "blockquote", "p", "dl"})
_SECTION_KINDS = frozenset({"note", "warning", "attention", "important", "remark"})
_TITLES = words(
    "admonition-title admonition-heading custom-block-title markdown-alert-title alert-title",
    "alert-heading callout-title callout-heading callout-header starlight-aside__title",
    "confluence-information-macro-title title hint-title notice-title tsd-alert-title",
    "admonition-header box-label gdoc-hint__title",
)
_ICONS = words("icon callout-icon confluence-information-macro-icon hint-icon")
_TITLE_TAGS = frozenset({"div", "header", "p", "span", "h3", "h4", "h5", "h6", "strong", "summary"})
# Docusaurus adds a hash to its class names.
_HASHED_TITLE, _HASHED_ICON = "admonitionHeading", "admonitionIcon"
_HEADINGS = frozenset({"h3", "h4", "h5", "h6", "summary", "b", "strong"})
_INLINE = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "img", "kbd", "span", "strong", "sub", "sup", "tt", "var"}
)
# A title stands at the front of its box.
_FRONT = 4
_KIND_PREFIX = re.compile(
    r"(?:alert|tsd-alert|callout|markdown-alert|hint|admonition|theme-admonition|is|"
    r"starlight-aside-|confluence-information-macro|custom-block|notice)-+"
)
# Nextra says of a callout only what colour it has.
_COLOUR = re.compile(r"border-(green|blue|yellow|orange|red|purple)-")
_COLOURS = {
    "green": "Tip",
    "blue": "Info",
    "yellow": "Warning",
    "orange": "Warning",
    "red": "Error",
    "purple": "Important",
}
_ENDING = re.compile(r"[:.!?…：。]\Z")


class _Frame(NamedTuple):
    """A table that is drawn around a box: its title, if it has one, and the cell with the text."""

    table: tree.Element
    title: str
    text: tree.Element


class _Title(NamedTuple):
    """The words a box starts with, and the element they were read from if it has code in it."""

    words: str
    marked_up: tree.Element | None = None


def may_be_box(classes: list[str]) -> bool:
    """Whether these classes are an admonition's on some elements."""
    return not all(names.isdisjoint(classes) for names in (_ANY_BOX, _BLOCK_BOX, _TITLED))


def _is_box(node: tree.Element) -> bool:
    """Whether an element that may be an admonition by its classes is one by its tag."""
    tokens = tree.classes_of(node)
    if node.tag == "dl":
        # Doxygen writes a note as a definition list of one.
        return "section" in tokens and not _SECTION_KINDS.isdisjoint(tokens)
    if node.tag == "p":
        return not _KINDS.keys().isdisjoint(tokens)
    if not may_be_box([token for token in tokens if token not in _TITLED]):
        return node.tag == "blockquote"
    if "info" in tokens and node.select_one("div.info-desc") is not None:
        # What ocamldoc says about a value.
        return False
    return node.tag in _BOX_TAGS


def prepare_admonitions(boxes: list[tree.Element]) -> None:
    """Turn every admonition among what may be one into `> **Note:** …`."""
    for box in reversed(list(filter(_is_box, boxes))):
        kind = _kind(box)
        # Looked for once: without its title, a box may begin with a table of its author's.
        frame = _frame(box)
        title = _title(box, kind) if frame is None else _Title(frame.title or kind)
        if title is None:
            continue
        _undraw(box, frame)
        box.tag = "blockquote"
        _lead_with(box, title)


def _kind(box: tree.Element) -> str:
    for token in tree.attribute(box, "class").lower().split():
        name = _KIND_PREFIX.sub("", token)
        if name in _KINDS:
            return _KINDS[name]
    if box.has_class("nextra-callout"):
        colour = _COLOUR.search(tree.attribute(box, "class"))
        return "Note" if colour is None else _COLOURS[colour[1]]
    return ""


def _title(box: tree.Element, kind: str) -> _Title | None:
    """What the box starts with; None where it is no admonition after all."""
    element = _title_element(box)
    if element is not None:
        return _taken(element, kind)
    if box.has_class("alert") and not kind:
        return None
    if _is_kind(box.text[:200].strip().split(":")[0].split(" ")[0]):
        # The author wrote the word already: `Note: …`.
        return _Title("")
    return _Title(kind) if kind else None


def _title_element(box: tree.Element) -> tree.Element | None:
    """The element that holds the title of a box, if it has one of its own."""
    if box.tag == "dl":
        return box.select_one("dt")
    parts = tree.child_elements(box)
    if not parts:
        return None
    if box.tag == "details" and parts[0].tag == "summary":
        # MyST-NB has one title to open the box with, and one to close it.
        opener = parts[0].select_one("p.collapsed")
        if opener is not None:
            parts[0].extract()
        return opener or parts[0]
    if parts[0].tag == "p" and len(parts) > 1 and not _TITLED.isdisjoint(tree.classes_of(box)):
        return parts[0]
    if box.has_class("nextra-callout") and len(parts) == 2:
        # The first of the two holds an icon or an emoji.
        parts[0].extract()
    return _marked_title(box) or _worded_title(box)


def _marked_title(box: tree.Element) -> tree.Element | None:
    """The title that says so by its class; icons before and in it are taken out."""
    first = tree.child_elements(box)[:_FRONT]
    for node in [node for part in first for node in (part, *tree.child_elements(part)[:_FRONT])]:
        if _has(node, _ICONS, _HASHED_ICON) or node.tag == "svg":
            node.extract()
        elif _has(node, _TITLES, _HASHED_TITLE) and node.tag in _TITLE_TAGS:
            node.remove("svg,.icon,[class*=admonitionIcon]")
            return node
    return None


def _worded_title(box: tree.Element) -> tree.Element | None:
    """The heading, or the emphasised line, that a box begins with, if it only names the kind."""
    parts = tree.child_elements(box)
    if parts and parts[0].tag == "div":
        parts = tree.child_elements(parts[0])
    if not parts or not _is_kind(parts[0].text):
        return None
    is_title = parts[0].tag in _HEADINGS or _is_word_above(box, parts[0])
    return parts[0] if is_title else None


def _taken(node: tree.Element, kind: str) -> _Title:
    """The title that an element of its own holds, which is taken out of the box."""
    node.extract()
    title = tree.line_of(node)
    if _HASHED_TITLE in tree.attribute(node, "class"):
        # Docusaurus shows its titles in capitals, and translates them in small letters.
        title = title[:1].upper() + title[1:]
    is_plain = not title or node.select_one("code") is None
    return _Title(title or kind, None if is_plain else node)


def _is_word_above(box: tree.Element, first: tree.Element) -> bool:
    """Whether a box begins with an emphasised line of its own, as with pdoc."""
    if first.tag != "em" or first != tree.first_node(box.children):
        return False
    after = tree.next_element(first)
    return after is not None and after.tag == "p"


def _has(node: tree.Element, names: frozenset[str], hashed: str) -> bool:
    classes = tree.attribute(node, "class")
    return hashed in classes or not names.isdisjoint(classes.split())


def _is_kind(text: str) -> bool:
    return " ".join(text.split()).rstrip(":").lower() in _KINDS


def _undraw(box: tree.Element, frame: _Frame | None) -> None:
    """Take away what the box is drawn with, but not its text."""
    if box.tag == "dl":
        for part in tree.child_elements(box, "dd"):
            part.tag = "div"
    elif frame is not None:
        frame.text.extract()
        frame.text.tag = "div"
        frame.table.replace_with(frame.text)


def _frame(box: tree.Element) -> _Frame | None:
    """The table with which DocBook and AsciiDoc draw a box, if its first cell is the icon."""
    table = next(iter(tree.child_elements(box)), None)
    if table is None or table.tag != "table":
        return None
    cells = [cell for cell in table.select("td,th") if cell.closest("table") == table]
    if len(cells) not in (2, 3) or not _is_icon(cells[0]):
        return None
    head = next((cell for cell in cells if cell.tag == "th"), cells[0])
    return _Frame(table, tree.line_of(head) or _alternative(head), cells[-1])


def _is_icon(cell: tree.Element) -> bool:
    if cell.has_class("icon"):
        return True
    return cell.select_one("img") is not None and not cell.text.strip()


def _alternative(cell: tree.Element) -> str:
    """What an icon says to those who do not see it."""
    icon = cell.select_one("img[alt]")
    return "" if icon is None else " ".join(tree.attribute(icon, "alt").strip("[] ").split())


def _lead_with(quote: tree.Element, title: _Title) -> None:
    if not title.words:
        return
    words = _KINDS.get(title.words.lower()) or title.words
    colon = "" if _ENDING.search(words) else ":"
    if title.marked_up is None:
        label = tree.element("strong", None, tree.Text(words + colon))
    else:
        parts = [part.extract() for part in list(title.marked_up.children)]
        label = tree.element("strong", None, *parts, tree.Text(colon))
    first = tree.first_node(quote.children)
    while isinstance(first, tree.Element) and first.tag == "div":
        # AsciiDoc and Docusaurus wrap the text once more.
        quote, first = first, tree.first_node(first.children)
    if isinstance(first, tree.Element) and first.tag == "p":
        quote, first = first, tree.first_node(first.children)
    if quote.tag == "p" or isinstance(first, tree.Text) or (first and first.tag in _INLINE):
        quote.insert(0, tree.Text(" "))
        quote.insert(0, label)
    else:
        quote.insert(0, tree.element("p", None, label))
