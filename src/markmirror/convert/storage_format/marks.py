"""Pieces that must reach the Markdown exactly as they are, and links that must stay relative.

The writer escapes text and makes links absolute. So a finished piece goes through it as one
opaque character sequence, a local target as an address that exists nowhere, and both are put back
afterwards. What stands for them is chosen so that it cannot occur in the page itself.
"""

import re
from dataclasses import dataclass, field
from html import unescape

_PRIVATE_USE = (*range(0xE200, 0xF8F0), *range(0x100000, 0x10FFFE))
# Pieces begin and end with punctuation; a mark that does so too lets the writer set emphasis
# beside it with stars.
_EDGE = ","
_BAR = re.compile(r"(?<!\\)\|")
_UNCLOSED = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


@dataclass(slots=True)
class Marks:
    """The pieces of one page that are kept out of the writer's hands."""

    opening: str
    closing: str
    host: str
    _pieces: list[str] = field(default_factory=list)
    _targets: list[str] = field(default_factory=list)

    @classmethod
    def foreign_to(cls, storage: str) -> "Marks":
        """Marks that the page does not hold."""
        text = unescape(storage) + storage
        used = set(text)
        free = (chr(code) for code in _PRIVATE_USE if chr(code) not in used)
        host = "local.invalid"
        while host in text:
            host = f"x{host}"
        return cls(opening=_EDGE + next(free), closing=next(free) + _EDGE, host=host)

    def inline(self, markdown: str) -> str:
        """HTML that will read as exactly this Markdown, within a line."""
        self._pieces.append(markdown)
        return f"{self.opening}{len(self._pieces) - 1}{self.closing}"

    def block(self, markdown: str) -> str:
        """HTML that will read as exactly these lines of Markdown, as a block of its own."""
        return f"<p>{self.inline(_balanced(markdown.strip(chr(10))))}</p>"

    def target(self, relative: str) -> str:
        """An address that will read as this one, relative as it is."""
        self._targets.append(relative)
        return f"https://{self.host}/{len(self._targets) - 1}"

    def restore(self, markdown: str) -> str:
        """The Markdown with everything back in its place."""
        sign = f"{self.opening}(\\d+){self.closing}"
        # Alone on its line a piece may have several, and each needs the prefix of the place.
        alone = re.compile(rf"^([ \t>]*(?:[-*+]|\d+[.)])?[ \t]*){sign}$", re.MULTILINE)
        markdown = alone.sub(self._block_in_place, markdown)
        if self.opening in markdown:
            inline = re.compile(sign)
            lines = markdown.split("\n")
            markdown = "\n".join([self._with_inline(inline, line) for line in lines])
        address = rf"https://{re.escape(self.host)}/(\d+)"
        return re.sub(address, lambda found: self._targets[int(found[1])], markdown)

    def _block_in_place(self, found: re.Match[str]) -> str:
        first, *rest = self._pieces[int(found[2])].split("\n")
        prefix = re.sub(r"[^>\s]", " ", found[1])
        lines = [prefix + line if line else prefix.rstrip() for line in rest]
        return "\n".join([found[1] + first, *lines])

    def _with_inline(self, sign: re.Pattern[str], line: str) -> str:
        if line.lstrip("> \t").startswith("|"):
            return sign.sub(lambda found: self._in_cell(int(found[1])), line)
        return sign.sub(lambda found: self._pieces[int(found[1])].replace("\n", " "), line)

    def _in_cell(self, number: int) -> str:
        """A piece in a row of a table, where a bar or a line break would end its cell."""
        lines = [line for line in self._pieces[number].split("\n") if line]
        return _BAR.sub(r"\\|", "<br>".join(lines))


def _balanced(markdown: str) -> str:
    """Close a fence left open, which would otherwise swallow the rest of the page."""
    fence = ""
    for match in _UNCLOSED.finditer(markdown):
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence):
            fence = ""
    return f"{markdown}\n{fence}" if fence else markdown
