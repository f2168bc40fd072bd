"""What must reach the Markdown untouched, kept aside under a sign while the library writes.

The library's writer escapes text and knows no table with merged cells. So such a piece is swapped
for a short sign from a private corner of Unicode, and put back, with the indentation and quote
marks of the place, when the rest has been written.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from markmirror.convert import tree
from markmirror.convert.signs import CLOSE, OPEN

_SIGN = re.compile(f"{OPEN}(\\d+){CLOSE}")
_NOT_A_QUOTE_MARK = re.compile(r"[^>\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Finished lines of Markdown. `in_cell` says the same on one line, for a table cell."""

    lines: list[str]
    in_cell: Callable[[], str]
    needs_blank_line: bool = False
    is_several_lines: bool = True


@dataclass(slots=True)
class Stash:
    """The pieces of one page that are kept aside."""

    _kept: list[str | Block] = field(default_factory=list)

    def inline(self, markdown: str) -> tree.Text:
        """A text node that will read as exactly this Markdown."""
        return tree.Text(self.sign(markdown))

    def sign(self, kept: str | Block) -> str:
        """The sign itself, for use in longer texts."""
        self._kept.append(kept)
        return f"{OPEN}{len(self._kept) - 1}{CLOSE}"

    def block(self, block: Block) -> tree.Element:
        """An element that will read as exactly these lines.

        It travels as the only text of a code block, so that the writer treats it as a block that
        needs no blank lines around it in a tight list.
        """
        return tree.element("pre", None, tree.Text(self.sign(block)))

    def put(self, node: tree.Element, block: Block) -> None:
        """Put such an element in another's place, under its name if it has one."""
        stub = self.block(block)
        name = node.attr("id")
        if name:
            stub.attrs["id"] = name
        node.replace_with(stub)

    def is_stub(self, node: tree.Element) -> bool:
        """Whether this element stands for a block that is kept already."""
        return node.text.startswith(OPEN)

    def holds_lines(self, node: tree.Element) -> bool:
        """Whether a kept block under this element cannot be told on one line."""
        for stub in node.iter_elements("pre"):
            found = _SIGN.match(stub.text)
            kept = self._kept[int(found[1])] if found else ""
            if isinstance(kept, Block) and kept.is_several_lines:
                return True
        return False

    def length_of(self, node: tree.Element) -> int:
        """How long an element's text is with what is kept aside."""
        text = node.text
        if OPEN not in text:
            return len(text)
        return len(text) + sum(self._length(int(number)) for number in _SIGN.findall(text))

    def _length(self, number: int) -> int:
        kept = self._kept[number]
        return len(kept) if isinstance(kept, str) else sum(map(len, kept.lines))

    def restore(self, markdown: str, *, in_cell: bool = False) -> str:
        """The Markdown with everything back in its place; in a cell, each block on one line."""
        if OPEN not in markdown:
            return markdown
        parts: list[str] = []
        done = 0
        for found in _SIGN.finditer(markdown):
            kept = self._kept[int(found[1])]
            if isinstance(kept, str):
                parts += (markdown[done : found.start()], kept)
                done = found.end()
                continue
            opening = _opening_fence(markdown, found.start())
            if opening is None:
                parts += (markdown[done : found.start()], kept.in_cell())
                done = found.end()
                continue
            start = markdown.rfind("\n", 0, opening) + 1
            prefix = markdown[start:opening]
            parts.append(markdown[done:start])
            if in_cell:
                parts += (prefix, kept.in_cell())
            else:
                needs_blank = kept.needs_blank_line and not _follows_blank(markdown, start)
                parts.append(_in_place(kept, prefix, is_led_by_blank=needs_blank))
            done = _after_fence(markdown, found.end())
        parts.append(markdown[done:])
        return "".join(parts)


def _opening_fence(markdown: str, sign: int) -> int | None:
    """Where the fence above a sign begins; None where the sign stands in running text."""
    line = markdown.rfind("\n", 0, sign)
    if line < 3 or markdown[line - 3 : line] != "```":
        return None
    return line - 3


def _after_fence(markdown: str, sign_end: int) -> int:
    fence = markdown.find("```", sign_end)
    return len(markdown) if fence < 0 else fence + 3


def _in_place(block: Block, prefix: str, *, is_led_by_blank: bool) -> str:
    """The block's lines, each after the indentation and the quote marks of the place."""
    rest = _NOT_A_QUOTE_MARK.sub(" ", prefix)
    blank = rest.rstrip()
    first, *others = block.lines
    lines = [prefix + first, *(rest + line if line else blank for line in others)]
    return "\n".join([blank, *lines] if is_led_by_blank and prefix == rest else lines)


def _follows_blank(markdown: str, start: int) -> bool:
    """Whether the line above is blank, or there is none."""
    above = markdown.rfind("\n", 0, max(start - 1, 0)) + 1
    return not markdown[above:start].strip("> \n")
