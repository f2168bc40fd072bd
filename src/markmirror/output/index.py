"""`_index.md`: a table of contents of the mirror, for a person to read and click through.

Sections of the site (top folders with more than one page) get a heading, folders inside them
nested bullets, and pages that stand alone are listed together at the end. A folder that holds
nothing but one page is not shown as a level of its own.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, TextIO
from urllib.parse import quote

from markmirror.escaping import UNPRINTABLE, code_span

_MAX_LABEL_CHARACTERS = 200
_GAPS = re.compile(f"[\\s{UNPRINTABLE}]+")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&~|$]")
# Pages that stand alone wait here until the sections are written; past this they wait on disk.
_WAITING_ROOM_BYTES = 4 * 1024 * 1024

Page = tuple[str, str, str]


def write_index(pages: Iterable[Page], out: TextIO, *, title: str = "Index") -> None:
    """Write the table of contents of pages given as (path, title, URL), sorted by path.

    Memory does not grow with the number of pages. It reads best if a folder's own page comes first,
    but any order that keeps the pages of a folder together will do.
    """
    out.write(f"# {_text(title)}\n")
    with tempfile.SpooledTemporaryFile(
        _WAITING_ROOM_BYTES, "w+", encoding="utf-8", newline="\n"
    ) as alone:
        sections = _write_sections(pages, out, alone)
        if alone.tell():
            out.write("\n## Other pages\n\n" if sections else "\n")
            alone.seek(0)
            for line in alone:
                out.write(line)


def _write_sections(pages: Iterable[Page], out: TextIO, alone: IO[str]) -> int:
    """Write what belongs to a section to `out` and the rest to `alone`; count the sections."""
    sections = 0
    open_folders: list[str] = []
    for page, shared in _with_shared_folders(pages):
        path, title, url = page
        link = f"[{_text(title) or _text(url) or _text(path)}]({_target(path)})"
        if path == "index.md" and not sections:
            out.write(f"\n{link}\n")
            continue
        if not shared:
            alone.write(f"- {link}\n")
            open_folders = []
            continue
        kept = _common_length(open_folders, shared)
        own_page = path == "/".join([*shared, "index.md"])
        for depth in range(kept, len(shared)):
            # The folder's own page, coming first, is the folder's line.
            label = (
                link if own_page and depth == len(shared) - 1 else code_span(f"{shared[depth]}/")
            )
            if depth == 0:
                sections += 1
                out.write(f"\n## {label}\n\n")
            else:
                out.write(f"{'  ' * (depth - 1)}- {label}\n")
        if not own_page or kept == len(shared):
            out.write(f"{'  ' * (len(shared) - 1)}- {link}\n")
        open_folders = shared
    return sections


def _with_shared_folders(pages: Iterable[Page]) -> Iterator[tuple[Page, list[str]]]:
    """Each page with the folders around it that hold another page too."""
    before: list[str] = []
    current: Page | None = None
    folders: list[str] = []
    for page in pages:
        after = page[0].split("/")[:-1]
        if current is not None:
            yield current, _longer_overlap(folders, before, after)
            before = folders
        current, folders = page, after
    if current is not None:
        yield current, _longer_overlap(folders, before, [])


def _longer_overlap(folders: list[str], before: list[str], after: list[str]) -> list[str]:
    return folders[: max(_common_length(folders, before), _common_length(folders, after))]


def _common_length(one: list[str], other: list[str]) -> int:
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return length


def _text(text: str) -> str:
    """Outside text on one line, with every character that Markdown would act on escaped."""
    line = _GAPS.sub(" ", text).strip()
    if len(line) > _MAX_LABEL_CHARACTERS:
        line = line[: _MAX_LABEL_CHARACTERS - 1] + "…"
    return _MARKDOWN.sub(r"\\\g<0>", line)


def _target(path: str) -> str:
    # Everything but unreserved characters is encoded, so no path can end the link early.
    return quote(path, errors="replace")
