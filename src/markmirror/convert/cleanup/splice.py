"""Edits to a page, put in place together, and taken back one by one where they did harm."""

from collections.abc import Callable
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
    raw: bytes, edits: list[Edit], fingerprint: Callable[[str], object]
) -> tuple[list[Edit], str]:
    """The edits that leave `fingerprint` as it was, and the text with them in place.

    Where all together do harm, halves are tried, so that one bad edit costs a few looks at the
    page and none of the good ones.
    """
    wanted = fingerprint(raw.decode())
    kept: list[Edit] = []
    waiting = [edits]
    while waiting:
        candidates = waiting.pop()
        if fingerprint(spliced(raw, kept + candidates)) == wanted:
            kept += candidates
        elif len(candidates) > 1:
            middle = len(candidates) // 2
            waiting += (candidates[middle:], candidates[:middle])
    return kept, spliced(raw, kept)
