"""Tables as pipe tables: spans spread, headers inferred, columns aligned, layout unwrapped."""

import re
from collections.abc import Sequence
from itertools import chain, groupby, zip_longest
from typing import NamedTuple

from markmirror.convert import tree
from markmirror.convert.escapes import plain_spaces, relax
from markmirror.convert.signs import OPEN
from markmirror.convert.stash import Block, Stash
from markmirror.convert.survey import Survey

_MAX_SPAN = 100
_MAX_COPIED = 1_000_000
_MAX_CELLS = 500_000
_ALIGN = re.compile(r"text-align\s*:\s*(left|center|right)", re.IGNORECASE)
_CELLS = frozenset({"td", "th"})
_SPANS = "[colspan],[rowspan]"
_DELIMITERS = {"left": ":---", "center": ":---:", "right": "---:", "": "---"}
_HARD_BREAK = re.compile(r"  \n\s*")
# Where two spaces would not do, as on an empty line, the library writes a backslash.
_BARE_BREAK = re.compile(r"(?<!\\)\\\n\s*")
_LINES = re.compile(r"\n+")
_QUOTE = re.compile(r"^(?:> ?)+", re.MULTILINE)
_CELL_BLOCKS = "p,pre,div,ul,ol,table,blockquote,h1,h2,h3,h4,h5,h6"
_LAYOUT_BLOCKS = "h1,h2,h3,h4,h5,h6,hr,form"
_BLOCKS = f"{_LAYOUT_BLOCKS},p,div,ul,ol,dl,table,pre,blockquote,details"


class _Cell(NamedTuple):
    text: str
    node: tree.Element | None


_EMPTY = _Cell("", None)
_Nodes = Sequence[Sequence[tree.Element | None]]


def restore_grids(survey: Survey) -> None:
    """Javadoc lays its summaries out as grids of `<div>`: make tables of them."""
    body = survey.content.closest("body")
    # Its pages say what kind of page they are, and others need not be searched.
    if body is None or not (body.attr("class") or "").endswith("-page"):
        return
    for grid in survey.content.select("div.summary-table"):
        cells = tree.child_elements(grid)
        width = sum(cell.has_class("table-header") for cell in cells)
        if not width or len(cells) % width:
            continue
        table = tree.element("table")
        for start in range(0, len(cells), width):
            row = tree.element("tr")
            for cell in cells[start : start + width]:
                cell.extract()
                cell.tag = "th" if cell.has_class("table-header") else "td"
                row.append(cell)
            table.append(row)
        grid.replace_with(table)
        survey.of("table").append(table)


def prepare_tables(survey: Survey, stash: Stash) -> None:
    """Every table of the content, kept aside as a pipe table; layout tables dissolved."""
    for table in reversed(survey.of("table")):
        caption = _caption(table)
        rows = _rows(table)
        if not rows:
            _replace(table, caption, *_leftovers(table))
        elif table.has_class("memname"):
            _replace(table, caption, _on_one_line(rows))
        elif _is_layout(table, rows):
            _replace(table, caption, *_unwrapped(rows))
        elif stash.holds_lines(table):
            parts = _as_listing(rows, stash)
            survey.of("ul").append(parts[-1])
            _replace(table, caption, *parts)
        else:
            block = _pipe_table(rows, stash, has_spans=table.select_one(_SPANS) is not None)
            _replace(table, caption, *([] if block is None else [stash.block(block)]))


def _replace(table: tree.Element, caption: tree.Element | None, *nodes: tree.Node) -> None:
    given = [caption, *nodes] if caption is not None else list(nodes)
    if given:
        table.replace_with(*given)
    else:
        table.extract()


def _caption(table: tree.Element) -> tree.Element | None:
    for caption in tree.child_elements(table, "caption")[:1]:
        caption.extract().tag = "div"
        return caption if caption.text.strip() else None
    return None


def _rows(table: tree.Element) -> list[list[tree.Element]]:
    """The table's own rows, head first and foot last, as a browser shows them."""
    parts: dict[str, list[tree.Element]] = {"thead": [], "tbody": [], "tfoot": []}
    for part in tree.child_elements(table):
        if part.tag == "tr":
            parts["tbody"].append(part)
        elif part.tag in parts:
            parts[part.tag] += tree.child_elements(part, "tr")
    rows = map(tree.child_elements, chain(*parts.values()))
    cells = ([cell for cell in row if cell.tag in _CELLS] for row in rows)
    return [row for row in cells if row]


def _leftovers(table: tree.Element) -> list[tree.Node]:
    return [child.extract() for child in list(table.children)] if table.text.strip() else []


def _is_layout(table: tree.Element, rows: list[list[tree.Element]]) -> bool:
    if tree.attribute(table, "role").lower() in {"presentation", "none"}:
        return True
    if table.has_class("mlabels"):
        return True
    if table.select_one("th,thead") is not None:
        return False
    if len(rows) == 1 and len(rows[0]) == 1:
        return True
    if table.select_one(_LAYOUT_BLOCKS) is not None:
        return True
    return all(len(row) == 1 for row in rows) and table.select_one("p,pre,ul,ol,div") is not None


def _unwrapped(rows: list[list[tree.Element]]) -> list[tree.Node]:
    parts: list[tree.Node] = []
    for row in rows:
        if not any(cell.select_one(_BLOCKS) for cell in row):
            parts.append(_on_one_line([row]))
            continue
        for cell in row:
            cell.extract()
            cell.tag = "div"
            parts.append(cell)
    return parts


def _on_one_line(rows: list[list[tree.Element]]) -> tree.Element:
    """Doxygen lays the words of a signature out in cells: put them back on one line."""
    line = tree.element("p")
    for row in rows:
        for cell in row:
            cell.extract()
            cell.tag = "span"
            text = cell.text
            if text.strip() or cell.select_one("*") is not None:
                line.append(cell)
                if not text[-1:].isspace():
                    line.append(tree.Text(" "))
    return line


def _as_listing(rows: list[list[tree.Element]], stash: Stash) -> list[tree.Element]:
    """A list with an item for each row: no pipe table can hold code of several lines.

    Every cell says the name of its column. A name for all columns is said once, above the list.
    """
    has_header = len(rows) > 1 and all(cell.tag == "th" for cell in rows[0])
    grid = _grid(rows, stash)
    header = [_name(cell) for cell in grid[0]] if has_header else []
    is_titled = has_header and len(rows[0]) == 1
    names = [] if is_titled else header
    listing = tree.element("ul")
    taken: set[tree.Element] = set()
    for row in grid[1:] if has_header else grid:
        item = tree.element("li")
        number = 0
        # A cell across several columns stands in each of them.
        for cell, places in groupby(row):
            if cell.node is not None and cell.text:
                node = _again(cell, stash) if cell.node in taken else cell.node.extract()
                taken.add(cell.node)
                name = names[number] if number < len(names) else ""
                item.extend(_entry(node, name, is_term=number == 0 and not names))
            number += len(list(places))
        if item.children:
            listing.append(item)
    return [tree.element("p", None, _bold(header[0])), listing] if is_titled else [listing]


def _entry(cell: tree.Element, name: str, *, is_term: bool) -> list[tree.Element]:
    """What a cell says, behind the name of its column."""
    if cell.select_one(_CELL_BLOCKS) is not None:
        cell.tag = "div"
        return [tree.element("p", None, _bold(f"{name}:")), cell] if name else [cell]
    cell.tag = "strong" if is_term else "span"
    label = [_bold(f"{name}:"), tree.Text(" ")] if name else []
    return [tree.element("p", None, *label, cell)]


def _again(cell: _Cell, stash: Stash) -> tree.Element:
    """A cell that hangs down from a row above, on one line; outside of tables a pipe is a pipe."""
    return tree.element("span", None, stash.inline(cell.text.replace("\\|", "|")))


def _bold(words: str) -> tree.Element:
    return tree.element("strong", None, tree.Text(words))


def _name(cell: _Cell) -> str:
    return "" if cell.node is None else tree.line_of(cell.node)


def _pipe_table(rows: list[list[tree.Element]], stash: Stash, *, has_spans: bool) -> Block | None:
    # Texts are held apart from their elements, so that most steps are one call for a whole row.
    nodes: _Nodes = rows
    if has_spans:
        grid = _grid(rows, stash)
        nodes = [[cell.node for cell in row] for row in grid]
        texts = [[cell.text for cell in row] for row in grid]
    else:
        texts = [[_text(node, stash) for node in row] for row in rows]
    texts = _squared(texts)
    filled = [number for number, row in enumerate(texts) if any(row)]
    columns = [number for number, column in enumerate(zip(*texts, strict=True)) if any(column)]
    if not filled:
        return None
    if len(columns) < len(texts[0]):
        texts = [[row[column] for column in columns] for row in texts]
    shown = [texts[number] for number in filled]
    tops = [_taken(nodes[number], columns) for number in filled[:2]]
    table = shown
    if not _is_header(shown[0], tops[0]):
        tops = [_taken([], columns), *tops]
        table = [[""] * len(columns), *shown]
    header, *body = table
    delimiters = [_DELIMITERS[align] for align in _alignments(*tops[:2])]
    lines = [_line(row) for row in (header, delimiters, *body)]

    def in_cell() -> str:
        return "<br>".join(" ".join(filter(None, row)) for row in shown)

    return Block(lines=lines, in_cell=in_cell, needs_blank_line=True)


def _squared(texts: list[list[str]]) -> list[list[str]]:
    """All rows as long as the longest."""
    width = max(map(len, texts))
    if width * len(texts) > _MAX_CELLS:
        # Rows of very different length, which no author wrote: cut to what most of them have.
        width = min(width, max(1, _MAX_CELLS // len(texts)))
    return [row if len(row) == width else row[:width] + [""] * (width - len(row)) for row in texts]


def _line(texts: list[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def _taken(row: Sequence[tree.Element | None], columns: list[int]) -> list[tree.Element | None]:
    return [row[column] if column < len(row) else None for column in columns]


def _grid(rows: list[list[tree.Element]], stash: Stash) -> list[list[_Cell]]:
    """Each cell in every place it covers, so that every row reads on its own.

    Spreading ends when the copies grow past any table that people write.
    """
    grid: list[list[_Cell]] = []
    hanging: dict[int, tuple[int, _Cell]] = {}
    budget = _MAX_COPIED
    for row in rows:
        line: list[_Cell] = []
        for node in row:
            budget -= _settle(line, hanging)
            cell = _Cell(_text(node, stash), node)
            across = _span(node, "colspan") if budget > 0 else 1
            down = _span(node, "rowspan") if budget > 0 else 1
            budget -= (across - 1) * (20 + len(cell.text))
            for step in range(across):
                # A title across a whole row says its words once.
                shown = _EMPTY if step and (len(row) == 1 or budget < 0) else cell
                if down > 1:
                    hanging[len(line)] = (down - 1, shown)
                line.append(shown)
        budget -= _settle(line, hanging)
        if budget < 0:
            hanging.clear()
        grid.append(line)
    return grid


def _settle(line: list[_Cell], hanging: dict[int, tuple[int, _Cell]]) -> int:
    """Put the cells that hang down from above in their places; says how much that copied."""
    copied = 0
    while (held := hanging.get(len(line))) is not None:
        left, cell = held
        if left == 1:
            del hanging[len(line)]
        else:
            hanging[len(line)] = (left - 1, cell)
        line.append(cell)
        copied += 20 + len(cell.text)
    return copied


def _span(node: tree.Element, name: str) -> int:
    value = node.attr(name)
    if not value:
        return 1
    digits = value.strip()
    return min(int(digits[:5]), _MAX_SPAN) or 1 if digits.isdecimal() and digits.isascii() else 1


def _text(node: tree.Element, stash: Stash) -> str:
    """What a cell says, on one line."""
    text = tree.cell_markdown_of(node)
    if "&" in text:
        text = plain_spaces(text)
    if "\\" in text:
        text = relax(text)
    if OPEN in text:
        text = stash.restore(text, in_cell=True)
    if "\n" in text:
        if "\\\n" in text:
            text = _BARE_BREAK.sub("<br>", text)
        text = _LINES.sub("<br>", _QUOTE.sub("", _HARD_BREAK.sub("<br>", text)))
    if "|" in text:
        text = text.replace("|", "\\|")
    return text.strip()


def _align(node: tree.Element | None) -> str:
    if node is None:
        return ""
    stated = (node.attr("align") or "").lower()
    if stated in {"left", "center", "right"}:
        return stated
    style = node.attr("style")
    found = _ALIGN.search(style) if style else None
    return found[1].lower() if found else ""


def _alignments(
    header: list[tree.Element | None], below: Sequence[tree.Element | None] = ()
) -> list[str]:
    """Of each column: as its header is aligned, else as what stands below it."""
    pairs = zip_longest(header, below)
    return [_align(node) or _align(under) for node, under in pairs]


def _is_header(texts: list[str], nodes: list[tree.Element | None]) -> bool:
    """Whether the first row names the columns: by its tags, or all in bold."""
    if all(text.startswith("**") and text.endswith("**") for text in texts):
        return True
    cells = zip(texts, nodes, strict=True)
    return all(not text or (node is not None and node.tag == "th") for text, node in cells)
