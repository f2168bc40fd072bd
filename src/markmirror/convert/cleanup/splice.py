"""Edits to a page, put in place together, and taken back one by one where they did harm."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New text for the bytes from `start` to `end`."""

    start: int
    end: int
    text: str


def spliced(raw: bytes, edits: list[Edit]) -> str:
    """`raw` with `edits`, which are in order and do not overlap."""
    out: list[bytes] = []
    last = 0
    for edit in edits:
        out += (raw[last : edit.start], edit.text.encode())
        last = edit.end
    out.append(raw[last:])
    return b"".join(out).decode()


def harmless(
    raw: bytes,
    edits: list[Edit],
    fingerprint: Callable[[str], object],
    spans: Sequence[tuple[int, int]],
) -> tuple[list[Edit], str]:
    """The edits that leave `fingerprint` as it was, and the text with them in place.

    Where all together do harm, each of the page's blocks, at `spans`, is looked at alone, since
    harm rarely reaches further; what is left after that is found by halves of the whole page.
    """
    wanted = fingerprint(raw.decode())
    text = spliced(raw, edits)
    if fingerprint(text) == wanted:
        return edits, text
    kept = _harmless_in_blocks(raw, edits, fingerprint, spans)
    text = spliced(raw, kept)
    if fingerprint(text) != wanted:
        kept = _narrowed(raw, kept, fingerprint, wanted)
        text = spliced(raw, kept)
    return kept, text


def _harmless_in_blocks(
    raw: bytes,
    edits: list[Edit],
    fingerprint: Callable[[str], object],
    spans: Sequence[tuple[int, int]],
) -> list[Edit]:
    kept: list[Edit] = []
    waiting = deque(edits)
    for start, end in spans:
        while waiting and waiting[0].start < start:
            kept.append(waiting.popleft())
        inside: list[Edit] = []
        while waiting and waiting[0].end <= end:
            inside.append(_moved(waiting.popleft(), -start))
        if inside:
            block = raw[start:end]
            good = _narrowed(block, inside, fingerprint, fingerprint(block.decode()))
            kept += [_moved(edit, start) for edit in good]
    return [*kept, *waiting]


def _narrowed(
    raw: bytes, edits: list[Edit], fingerprint: Callable[[str], object], wanted: object
) -> list[Edit]:
    kept: list[Edit] = []
    waiting = [edits]
    while waiting:
        candidates = waiting.pop()
        if fingerprint(spliced(raw, kept + candidates)) == wanted:
            kept += candidates
        elif len(candidates) > 1:
            middle = len(candidates) // 2
            waiting += (candidates[middle:], candidates[:middle])
    return kept


def _moved(edit: Edit, distance: int) -> Edit:
    return Edit(start=edit.start + distance, end=edit.end + distance, text=edit.text)
