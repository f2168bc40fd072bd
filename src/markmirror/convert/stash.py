"""What must reach the Markdown untouched, kept aside under a sign while the library writes.

The library's writer escapes text and knows no table with merged cells. So such a piece is swapped
for a short sign from a private corner of Unicode, and put back, with the indentation and quote
marks of the place, when the rest has been written.
"""

import re
from dataclasses import dataclass, field

from markmirror.convert import tree

_OPEN, _CLOSE = "\ue0f0", "\ue0f1"
SIGNS = re.compile(f"[{_OPEN}{_CLOSE}]")

_SIGN = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
# A kept block travels as the only text of a code block, so that the writer treats it as a block
# that needs no blank lines around it in a tight list.
_BLOCK = re.compile(f"^(.*?)```\n.*?{_OPEN}(\\d+){_CLOSE}\n.*?```$", re.MULTILINE)
_NOT_A_QUOTE_MARK = re.compile(r"[^>\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Finished lines of Markdown. `in_cell` is the same on one line, for use in a table cell."""

    lines: list[str]
    in_cell: str
    needs_blank_line: bool = False
    is_several_lines: bool = True


@dataclass(slots=True)
class Stash:
    """The pieces of one page that are kept aside."""

    _inline: dict[int, str] = field(default_factory=dict)
    _blocks: dict[int, Block] = field(default_factory=dict)
    _count: int = 0

    def inline(self, markdown: str) -> tree.Text:
        """A text node that will read as exactly this Markdown."""
        return tree.Text(self.sign(markdown))

    def sign(self, markdown: str) -> str:
        """The sign itself, for use in longer texts."""
        self._count += 1
        self._inline[self._count] = markdown
        return f"{_OPEN}{self._count}{_CLOSE}"

    def block(self, block: Block) -> tree.Element:
        """An element that will read as exactly these lines."""
        self._count += 1
        self._blocks[self._count] = block
        return tree.element("pre", None, tree.Text(f"{_OPEN}{self._count}{_CLOSE}"))

    def holds_lines(self, node: tree.Element) -> bool:
        """Whether a kept block under this element cannot be told on one line."""
        for stub in node.iter_elements("pre"):
            found = _SIGN.match(stub.text)
            if found and self._blocks[int(found[1])].is_several_lines:
                return True
        return False

    def restore(self, markdown: str) -> str:
        """The Markdown with everything back in its place."""
        if _OPEN not in markdown:
            return markdown
        if self._blocks:
            markdown = _BLOCK.sub(self._block_in_place, markdown)
        return _SIGN.sub(self._inline_in_place, markdown)

    def restore_in_cell(self, markdown: str) -> str:
        """The Markdown with every block back as one line, for a table cell."""
        if _OPEN not in markdown:
            return markdown
        markdown = _BLOCK.sub(
            lambda found: found[1] + self._blocks[int(found[2])].in_cell, markdown
        )
        return _SIGN.sub(self._inline_in_place, markdown)

    def _block_in_place(self, found: re.Match[str]) -> str:
        block = self._blocks.get(int(found[2]))
        if block is None:
            return found[0]
        first = found[1]
        rest = _NOT_A_QUOTE_MARK.sub(" ", first)
        blank = rest.rstrip()
        body = "\n".join(
            (rest + line if line else blank) if number else first + line
            for number, line in enumerate(block.lines)
        )
        if block.needs_blank_line and first == rest and not self._follows_blank(found):
            return f"{blank}\n{body}"
        return body

    def _follows_blank(self, found: re.Match[str]) -> bool:
        before = found.string[max(0, found.start() - 2) : found.start()]
        return before in ("", "\n\n") or (before.strip("> \n") == "" and before.count("\n") == 2)

    def _inline_in_place(self, found: re.Match[str]) -> str:
        number = int(found[1])
        if number in self._inline:
            return self._inline[number]
        block = self._blocks.get(number)
        return "" if block is None else block.in_cell
