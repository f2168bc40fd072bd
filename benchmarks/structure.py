"""What a page says, counted: the same features read off the source and off the Markdown's HTML.

The source is the element that its generator marks as the content. The Markdown is rendered by a
judge that shares nothing with any converter. Both sides are read by the same code below, which
knows no converter's habits:

- headings: level and text, in F1
- code blocks: exact text up to trailing white space, in F1
- inline code: text, in F1; pieces that touch are one piece
- links: absolute target, in F1; links inside code blocks cannot be had in Markdown and do not count
- list items: leading text and the leading text of the item they are nested in, in recall
- tables: each cell's text in its row and column, in recall, times the tables found for those given
- definitions: each term as a block or the start of one, its definition next, in recall
- paragraphs: each as a block or the start of one, in recall
- text: words, in F1

Markdown has no definition list, so what a converter makes of one may look like a list or like
paragraphs; that is why those three are counted in recall.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote, urldefrag, urljoin

import turbohtml
from turbohtml import Element, Node, Text

from benchmarks.noise import CONTENTS, NOISE, is_noise_link

_SPACES = re.compile(r"\s+")
_BLOCKS = frozenset(
    {"p", "li", "dt", "dd", "td", "th", "blockquote", "div", "section", "article", "main", "body"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "tr", "tbody", "thead"}
    | {"tfoot", "caption", "figure", "figcaption", "pre", "hr", "details", "summary", "header"}
    | {"html", "head", "address", "center", "form", "fieldset"}
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ANY_HEADING = "h1,h2,h3,h4,h5,h6"
_INLINE_CODE = frozenset({"code", "tt", "kbd", "samp"})
# An admonition is asked for as a quote that names its kind, whatever its box was drawn with.
_BOXES = "div.note,div.warning,div.tip,div.caution,div.important,div.admonition,div.admonitionblock"
_KINDS = {"note", "warning", "tip", "caution", "important", "danger", "info", "hint", "see also"}
# A list in a cell has its bullets in the text, if it has any: there is no list in a pipe table.
_NOT_IN_A_CELL = re.compile(r"[\s*•-]+")
_TASK = re.compile(r"\[[ xX]\] ")
LEAD = 40


@dataclass(slots=True)
class Features:
    """Everything that is compared, of one document."""

    headings: Counter[tuple[int, str]] = field(default_factory=Counter)
    code: Counter[str] = field(default_factory=Counter)
    code_in_cells: Counter[str] = field(default_factory=Counter)
    inline_code: Counter[str] = field(default_factory=Counter)
    links: Counter[str] = field(default_factory=Counter)
    items: Counter[tuple[str, str]] = field(default_factory=Counter)
    loose_items: Counter[str] = field(default_factory=Counter)
    tables: list[dict[tuple[int, int], str]] = field(default_factory=list)
    definitions: list[tuple[str, str]] = field(default_factory=list)
    paragraphs: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    blocks: list[str] = field(default_factory=list)


def line(text: str) -> str:
    """A text as one line, the way a browser shows it."""
    return _SPACES.sub(" ", text.replace("\xa0", " ")).strip()


def features(root: Element, *, base: str) -> Features:
    """Read the features of a tree. The tree is changed: read it once."""
    root.remove("script,style,template,noscript,rp,svg")
    for line_break in list(root.iter_elements("br")):
        in_code = line_break.closest("pre") is not None
        line_break.replace_with(Text("\n" if in_code else " "))
    found = Features()
    _code(root, found)
    _links(root, base, found)
    _headings(root, found)
    _definitions(root, found)
    _tables(root, found)
    _items(root, found)
    found.paragraphs = Counter(
        text
        for node in root.iter_elements("p")
        if not node.has_class("admonition-title")
        and node.closest("td,th") is None
        and (text := line(node.text))
    )
    found.blocks = blocks_of(root)
    found.words = Counter(word for block in found.blocks for word in block.split())
    return found


def source_features(body: bytes | str, selector: str, *, base: str) -> Features:
    """The features of a page's marked content, without what no reader calls content."""
    page = turbohtml.parse(body, detect_encoding=isinstance(body, bytes))
    root = page.select_one(selector)
    if root is None:
        raise ValueError(f"The page has no {selector}.")
    clean_source(root, base=base)
    _draw_separators(root)
    return features(root, base=base)


def _draw_separators(root: Element) -> None:
    """Put the signs that a style sheet draws between words where a reader sees them."""
    for gap in root.select("h1 span.sep"):
        gap.append(Text("."))
    for kind in root.select("dt span.classifier"):
        term = kind.closest("dt")
        if term is not None and term.select_one("span.classifier-delimiter") is None:
            kind.insert_before(Text(" : "))


def clean_source(root: Element, *, base: str) -> None:
    """Take out of the source what no reader calls content."""
    root.remove(NOISE)
    total = len(root.text)
    for contents in root.select(CONTENTS):
        # A list of contents beside content is furniture; where it is all there is, it is content.
        if 2 * len(contents.text) < total:
            contents.extract()
    for link in list(root.iter_elements("a")):
        if is_noise_link(link, base=base):
            link.extract()


def rendered_features(html: str, *, base: str) -> Features:
    """The features of Markdown that a judge has rendered.

    Noise is counted by itself, so it is taken out here: a sign left after a heading does not
    make the heading a different one.
    """
    root = turbohtml.parse_fragment(html)
    for link in list(root.iter_elements("a")):
        if is_noise_link(link, base=base):
            link.extract()
    return features(root, base=base)


def _code(root: Element, found: Features) -> None:
    for fragment in root.select("div.fragment:has(> div.line)"):
        # Doxygen writes a code block as a `<div>` for each line.
        text = "\n".join(part.text for part in fragment.select("div.line"))
        fragment.replace_with(Element("pre", None, [Text(text)]))
    for pre in list(root.iter_elements("pre")):
        if isinstance(pre.parent, Element) and pre.parent.closest("pre") is not None:
            continue
        for part in pre.iter_elements("div"):
            after = part.next_sibling
            is_ended = isinstance(after, Text) and after.data.startswith("\n")
            if not is_ended and not part.text.endswith("\n"):
                part.append(Text("\n"))
        text = pre.text.strip("\n").rstrip()
        if text and "\n" not in text and pre.closest("td,th") is not None:
            # One line of code in a table cell may be inline code or a block.
            found.code_in_cells[line(text)] += 1
            pre.tag = "span"
        elif text:
            found.code[_code_line_ends(text)] += 1
    for code in _outer_codes(root):
        found.inline_code[line(code)] += 1


def _code_line_ends(text: str) -> str:
    return "\n".join(part.rstrip() for part in text.replace("\r\n", "\n").split("\n"))


def _outer_codes(root: Element) -> Iterable[str]:
    """Inline code, with pieces that touch each other as one."""
    touching = ""
    end: Node | None = None
    for node in root.iter_elements(_INLINE_CODE):
        if node.closest("pre") is not None or _inside(node, _INLINE_CODE):
            continue
        if end is not None and _touches(end, node):
            touching += node.text
        else:
            if touching.strip():
                yield touching
            touching = node.text
        end = node
    if touching.strip():
        yield touching


def _touches(first: Node, second: Node) -> bool:
    """Whether nothing stands between two pieces of code but the borders of links and spans."""
    after = _next(first)
    steps = 0
    while after is not None and after != second and steps < 8:
        if isinstance(after, Text):
            return False
        if isinstance(after, Element) and after.tag in _BLOCKS:
            return False
        after = after.children[0] if isinstance(after, Element) and after.children else _next(after)
        steps += 1
    return after == second


def _next(node: Node) -> Node | None:
    while node.next_sibling is None:
        parent = node.parent
        if not isinstance(parent, Element) or parent.tag in _BLOCKS:
            return None
        node = parent
    return node.next_sibling


def _inside(node: Element, tags: frozenset[str]) -> bool:
    parent = node.parent
    while isinstance(parent, Element):
        if parent.tag in tags:
            return True
        if parent.tag in _BLOCKS:
            return False
        parent = parent.parent
    return False


def _links(root: Element, base: str, found: Features) -> None:
    for link in root.iter_elements("a"):
        href = link.attr("href")
        if not href or link.closest("pre") is not None:
            continue
        if not link.text.strip() and link.select_one("img") is None:
            continue
        target = absolute(base, href)
        if is_here(target, base) and (link.closest(_ANY_HEADING) or link.select_one(_ANY_HEADING)):
            continue  # a heading that links to itself
        if target.startswith(("http", "mailto", "ftp")) and not _is_footnote(link):
            found.links[target] += 1


def _is_footnote(link: Element) -> bool:
    classes = link.attr("class") or ""
    return "footnote" in classes or "fn-backref" in classes or link.closest(".footnote") is not None


def absolute(base: str, href: str) -> str:
    """The target as one spelling of an absolute address."""
    try:
        return unquote(urljoin(base, href.strip()))
    except ValueError:
        return href


def is_here(target: str, base: str) -> bool:
    """Whether a target is a place on the page itself."""
    return urldefrag(target).url == urldefrag(base).url


def _headings(root: Element, found: Features) -> None:
    for heading in root.iter_elements(_HEADINGS):
        text = line(heading.text)
        if text and text.lower() not in _KINDS:
            found.headings[int(heading.tag[1]), text] += 1


def _items(root: Element, found: Features) -> None:
    for item in root.iter_elements("li"):
        if item.closest("td,th") is not None or _is_section(item):
            continue
        text = _lead_of(item)
        if not text:
            continue
        outer = _outer_item(item)
        while outer is not None and _is_section(outer):
            outer = _outer_item(outer)
        if outer is not None and outer.tag == "dd":
            found.loose_items[text] += 1
        else:
            found.items[text, _lead_of(outer) if outer is not None else ""] += 1


def _is_section(item: Element) -> bool:
    """Whether an item only lays things out, like a table with headings in it."""
    return item.tag == "li" and item.select_one(f"{_ANY_HEADING},hr,.summary-table") is not None


def _outer_item(item: Element) -> Element | None:
    return item.parent.closest("li,dd") if isinstance(item.parent, Element) else None


def _lead_of(item: Element) -> str:
    for block in blocks_of(item):
        # A judge that knows no task lists leaves the box in the text.
        return _TASK.sub("", block, count=1)[:LEAD] if block[0] == "[" else block[:LEAD]
    return ""


def _definitions(root: Element, found: Features) -> None:
    for term in root.iter_elements("dt"):
        words = " ".join(blocks_of(term))
        after = term.next_sibling
        while after is not None and not (isinstance(after, Element) and after.tag in {"dd", "dt"}):
            after = after.next_sibling
        meaning = ""
        if isinstance(after, Element) and after.tag == "dd":
            meaning = next(iter(blocks_of(after)), "")
        if words:
            found.definitions.append((words, meaning[:LEAD]))


def _tables(root: Element, found: Features) -> None:
    for table in root.iter_elements("table"):
        # A table in a cell, around a signature or drawing a box is none that Markdown could have.
        is_drawn = table.closest(f".memproto,{_BOXES}") is not None
        nested = isinstance(table.parent, Element) and table.parent.closest("td,th") is not None
        grid = None if nested or is_drawn else _grid(table)
        if grid is not None:
            found.tables.append(grid)


def _grid(table: Element) -> dict[tuple[int, int], str] | None:
    """Each cell's text at its own place; None for a table that only lays things out."""
    if table.select_one("table,pre,h1,h2,h3,h4,h5,h6") is not None:
        return None
    if (table.attr("role") or "") == "presentation":
        return None
    cells: dict[tuple[int, int], str] = {}
    covered: set[tuple[int, int]] = set()
    row = 0
    for line_of_cells in table.iter_elements("tr"):
        column = 0
        filled = False
        for cell in line_of_cells.children:
            if not isinstance(cell, Element) or cell.tag not in {"td", "th"}:
                continue
            while (row, column) in covered:
                column += 1
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for lower in range(row, row + down):
                covered.update((lower, column + step) for step in range(across))
            text = _NOT_IN_A_CELL.sub("", "".join(blocks_of(cell)))
            filled = filled or bool(text) or down > 1
            cells[row, column] = text
            column += across
        # A row in which nothing stands is not seen by anyone.
        if filled or any(place[0] == row for place in covered if place not in cells):
            row += 1
        else:
            cells = {place: text for place, text in cells.items() if place[0] != row}
            covered = {place for place in covered if place[0] != row}
    filled_columns = [column for (_, column), text in cells.items() if text]
    # A single cell in which anything stands is no table, with or without empty ones beside it.
    if len(filled_columns) < 2:
        return None
    columns = set(filled_columns)
    order = {column: number for number, column in enumerate(sorted(columns))}
    return {(row, order[column]): text for (row, column), text in cells.items() if column in order}


def _span(cell: Element, name: str) -> int:
    value = cell.attr(name) or "1"
    return max(1, min(int(value), 100)) if value.isdecimal() else 1


def blocks_of(root: Element) -> list[str]:
    """The texts of a tree, one for each stretch that no block element interrupts."""
    blocks: list[str] = []
    current: list[str] = []

    def end() -> None:
        text = line("".join(current))
        if text:
            blocks.append(text)
        current.clear()

    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, is_end = stack.pop()
        if is_end:
            end()
        elif isinstance(node, Text):
            current.append(node.data)
        elif isinstance(node, Element):
            if node.tag in _BLOCKS:
                end()
                stack.append((node, True))
            stack.extend((child, False) for child in reversed(list(node.children)))
    end()
    return blocks
