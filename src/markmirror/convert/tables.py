"""Tables as pipe tables: spans spread, headers inferred, columns aligned, layout unwrapped."""

import re
from dataclasses import dataclass

from markmirror.convert import tree
from markmirror.convert.escapes import relax
from markmirror.convert.stash import Block, Stash

_MAX_SPAN = 1000
_MAX_CELLS = 400_000
_ALIGN = re.compile(r"text-align\s*:\s*(left|center|right)", re.IGNORECASE)
_DELIMITERS = {"left": ":---", "center": ":---:", "right": "---:", "": "---"}
_HARD_BREAK = re.compile(r"\\\n\s*")
_LINES = re.compile(r"\n+")
_QUOTE = re.compile(r"^(?:> ?)+", re.MULTILINE)
_LAYOUT_BLOCKS = "h1,h2,h3,h4,h5,h6,hr,form"


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    is_header: bool
    align: str
    is_copy: bool = False


_EMPTY = _Cell("", False, "")


def prepare_tables(content: tree.Element, stash: Stash) -> None:
    """Every table of the content, kept aside as a pipe table; layout tables dissolved."""
    for table in reversed(list(content.iter_elements("table"))):
        caption = _caption(table)
        rows = _rows(table)
        if not rows:
            _replace(table, caption, *_leftovers(table))
        elif _is_layout(table, rows):
            _replace(table, caption, *_unwrapped(rows))
        elif stash.holds_lines(table):
            _replace(table, caption, _rows_as_items(rows))
        else:
            block = _pipe_table(rows, stash)
            _replace(table, caption, *([] if block is None else [stash.block(block)]))


def _replace(table: tree.Element, caption: tree.Element | None, *nodes: tree.Node) -> None:
    given = [caption, *nodes] if caption is not None else list(nodes)
    if given:
        table.replace_with(*given)
    else:
        table.extract()


def _caption(table: tree.Element) -> tree.Element | None:
    for child in table.children:
        if isinstance(child, tree.Element) and child.tag == "caption":
            caption = child.extract()
            if not caption.text.strip():
                return None
            caption.tag = "div"
            return caption
    return None


def _rows(table: tree.Element) -> list[list[tree.Element]]:
    """The table's own rows, head first and foot last, as a browser shows them."""
    head: list[tree.Element] = []
    body: list[tree.Element] = []
    foot: list[tree.Element] = []
    for part in table.children:
        if not isinstance(part, tree.Element):
            continue
        if part.tag == "tr":
            body.append(part)
        elif part.tag in {"thead", "tbody", "tfoot"}:
            rows = [row for row in part.children if isinstance(row, tree.Element)]
            target = {"thead": head, "tbody": body, "tfoot": foot}[part.tag]
            target.extend(row for row in rows if row.tag == "tr")
    ordered = [*head, *body, *foot]
    cells = [_cells(row) for row in ordered]
    return [row for row in cells if row]


def _cells(row: tree.Element) -> list[tree.Element]:
    return [
        cell for cell in row.children if isinstance(cell, tree.Element) and cell.tag in {"td", "th"}
    ]


def _leftovers(table: tree.Element) -> list[tree.Node]:
    return [child.extract() for child in list(table.children)] if table.text.strip() else []


def _is_layout(table: tree.Element, rows: list[list[tree.Element]]) -> bool:
    if tree.attribute(table, "role").lower() in {"presentation", "none"}:
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
        for cell in row:
            cell.extract()
            cell.tag = "div"
            parts.append(cell)
    return parts


def _rows_as_items(rows: list[list[tree.Element]]) -> tree.Element:
    """A list with an item for each row: no pipe table can hold code of several lines."""
    names = [" ".join(cell.text.split()) for cell in rows[0]]
    has_names = len(rows) > 1 and all(cell.tag == "th" for cell in rows[0])
    listing = tree.element("ul")
    for row in rows[1:] if has_names else rows:
        item = tree.element("li")
        for number, cell in enumerate(row):
            cell.extract()
            if number == 0 and cell.select_one("pre,p,ul,ol,table") is None:
                cell.tag = "strong"
                item.append(tree.element("p", None, cell))
                continue
            cell.tag = "div"
            if has_names and len(names) > 2 and number < len(names):
                name = tree.element("strong", None, tree.Text(f"{names[number]}:"))
                item.append(tree.element("p", None, name))
            item.append(cell)
        listing.append(item)
    return listing


def _pipe_table(rows: list[list[tree.Element]], stash: Stash) -> Block | None:
    grid = _grid(rows, stash)
    width = max(len(row) for row in grid)
    grid = [row + [_EMPTY] * (width - len(row)) for row in grid]
    grid = [row for row in grid if any(cell.text for cell in row)]
    keep = [column for column in range(width) if any(row[column].text for row in grid)]
    if not grid or not keep:
        return None
    if len(keep) < width:
        grid = [[row[column] for column in keep] for row in grid]
    header, body = _header(grid)
    aligns = _alignments(header, body)
    lines = [
        _line([cell.text for cell in header]),
        "| " + " | ".join(_DELIMITERS[align] for align in aligns) + " |",
        *(_line([cell.text for cell in row]) for row in body),
    ]
    shown = [header, *body] if any(cell.text for cell in header) else body
    in_cell = "<br>".join(" ".join(cell.text for cell in row if cell.text) for row in shown)
    return Block(lines=lines, in_cell=in_cell, needs_blank_line=True)


def _line(texts: list[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def _grid(rows: list[list[tree.Element]], stash: Stash) -> list[list[_Cell]]:
    """Each cell in every place it covers, so that every row reads on its own."""
    grid: list[list[_Cell]] = []
    hanging: dict[int, tuple[int, _Cell]] = {}
    budget = _MAX_CELLS
    for row in rows:
        line: list[_Cell] = []
        whole_row = len(row) == 1

        def settle(line: list[_Cell] = line) -> None:
            while (held := hanging.get(len(line))) is not None:
                left, cell = held
                if left == 1:
                    del hanging[len(line)]
                else:
                    hanging[len(line)] = (left - 1, cell)
                line.append(cell)

        for node in row:
            settle()
            cell = _cell(node, stash)
            across = min(_span(node, "colspan"), max(1, budget))
            down = _span(node, "rowspan")
            budget -= across
            for step in range(across):
                # A title across a whole row says its words once.
                shown = _EMPTY if step and whole_row else cell
                if down > 1:
                    hanging[len(line)] = (down - 1, shown)
                line.append(shown)
        settle()
        grid.append(line)
    return grid


def _span(node: tree.Element, name: str) -> int:
    value = node.attr(name)
    if not value:
        return 1
    digits = value.strip()
    return min(int(digits[:5]), _MAX_SPAN) or 1 if digits.isdecimal() and digits.isascii() else 1


def _cell(node: tree.Element, stash: Stash) -> _Cell:
    text = stash.restore_in_cell(relax(tree.markdown_of(node)))
    if "\n" in text:
        text = _LINES.sub("<br>", _QUOTE.sub("", _HARD_BREAK.sub("<br>", text)))
    if "|" in text:
        text = text.replace("|", "\\|")
    return _Cell(text.strip(), node.tag == "th", _align(node))


def _align(node: tree.Element) -> str:
    stated = (node.attr("align") or "").lower()
    if stated in {"left", "center", "right"}:
        return stated
    style = node.attr("style")
    found = _ALIGN.search(style) if style else None
    return found[1].lower() if found else ""


def _header(grid: list[list[_Cell]]) -> tuple[list[_Cell], list[list[_Cell]]]:
    """The header row, and the rest; an empty header where the page has none."""
    first = grid[0]
    if all(cell.is_header or not cell.text for cell in first) or _is_bold(first):
        return first, grid[1:]
    return [_EMPTY] * len(first), grid


def _is_bold(row: list[_Cell]) -> bool:
    return all(cell.text.startswith("**") and cell.text.endswith("**") for cell in row)


def _alignments(header: list[_Cell], body: list[list[_Cell]]) -> list[str]:
    aligns = []
    for column, cell in enumerate(header):
        below = body[0][column].align if body else ""
        aligns.append(cell.align or below)
    return aligns
