"""Rules about what stands between the leaves: comments that say nothing, and blank lines."""

import re

from markmirror.convert.cleanup.page import Block, Page
from markmirror.convert.cleanup.splice import Edit

_EMPTY_COMMENT_LINE = re.compile(rb"[ \t]*<!--\s*-->[ \t]*(?:\n|\Z)")
_BLANK_LINES = re.compile(rb"\n((?:[ \t]*\n){2,}|[ \t]+\n)")
_TRAILING_BLANKS = re.compile(rb"[ \t]+(?=\n|\Z)")
_TASK = re.compile(rb"\[[ xX]\]\s")
_BLANK_LINE = re.compile(rb"(?:[ \t]*\n)+")
_VERBATIM = ("CodeBlock", "HtmlBlock", "Table", "FootnoteDefinition", "DefinitionList")
_SEPARATED = ("List", "CodeBlock")


def empty_comment_edits(page: Page) -> list[Edit]:
    """Removals of comment blocks that say nothing, save those that keep two lists apart."""
    edits = []
    for number, block in enumerate(page.blocks):
        if block.name != "HtmlBlock":
            continue
        line_start = page.raw.rfind(b"\n", 0, block.start) + 1
        comment = _EMPTY_COMMENT_LINE.match(page.raw, line_start)
        if comment is None or comment.end() < block.end or _separates(page.blocks, number):
            continue
        blank = _BLANK_LINE.match(page.raw, comment.end())
        end = blank.end() if blank else comment.end()
        edits.append(Edit(start=line_start, end=end, text=""))
    return edits


def _separates(blocks: list[Block], number: int) -> bool:
    depth = blocks[number].depth
    before = next((block for block in reversed(blocks[:number]) if block.depth <= depth), None)
    after = next((block for block in blocks[number + 1 :] if block.depth <= depth), None)
    return (
        before is not None
        and after is not None
        and before.name in _SEPARATED
        and after.name in _SEPARATED
    )


def blank_line_edits(page: Page) -> list[Edit]:
    """Runs of blank lines as one, blanks at the end of prose gone, one newline at the end."""
    kept = [(block.start, block.end) for block in page.blocks if block.name in _VERBATIM]
    edits = [
        Edit(start=run.start(1), end=run.end(), text="\n")
        for run in _BLANK_LINES.finditer(page.raw)
        if run.end() < len(page.raw)
    ]
    for leaf in page.leaves:
        blanks = _TRAILING_BLANKS.match(page.raw, leaf.end)
        if blanks:
            edits.append(Edit(start=leaf.end, end=blanks.end(), text=""))
    edits.sort(key=lambda edit: edit.start)
    edits = _outside(edits, kept)
    final = _final_newline(page.raw, kept[-1][1] if kept else 0)
    if final is None:
        return edits
    return [*(edit for edit in edits if edit.end <= final.start), final]


def _final_newline(raw: bytes, kept_end: int) -> Edit | None:
    """The edit that ends the page with one newline; blanks that belong to a block stay."""
    end = len(raw.rstrip(b" \t\n"))
    # The box of an empty task is one only with a blank after it.
    if (kept_end > end and raw[end:kept_end] != b"\n") or _TASK.match(raw, max(0, end - 3)):
        return None if raw.endswith(b"\n") else Edit(start=len(raw), end=len(raw), text="\n")
    if not end or raw[end:] == b"\n":
        return None
    return Edit(start=end, end=len(raw), text="\n")


def _outside(edits: list[Edit], kept: list[tuple[int, int]]) -> list[Edit]:
    """The edits that touch no kept span; both lists are in order of their starts."""
    outside = []
    spans = iter(kept)
    start, end = next(spans, (-1, -1))
    for edit in edits:
        while start >= 0 and end <= edit.start:
            start, end = next(spans, (-1, -1))
        if start < 0 or edit.end <= start:
            outside.append(edit)
    return outside
