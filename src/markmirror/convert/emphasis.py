"""Emphasis as `*…*`, also where the library wrote tags.

A single piece of emphasis with a typographic quote or a no-break space at its edge makes the
library write all emphasis of a page as `<em>` and `<strong>`. Here each pair of tags becomes signs
again if both stand where CommonMark lets emphasis begin and end.
"""

import re
import string
import unicodedata

from markmirror.convert.signs import TIGHT

# Code, links with a title and escaped signs are stepped over whole: a tag in them is text.
# Begins with a set of signs, so that the search runs through text at the speed of C.
_PIECES = re.compile(
    r"[<`\\\]](?:"
    r"(?<=<)(?P<slash>/?)(?P<name>em|strong|del)>"
    r"|(?<=`)(?P<ticks>`*)(?!`).*?(?<!`)`(?P=ticks)(?!`)"
    r"|(?<=`)`*"
    r"|(?<=\\)."
    r"|(?<=\])\([^\s)]+ \"(?:[^\"\\\n]|\\.)*\"\)"
    r")"
)
_SIGNS = {"em": ("*", "_"), "strong": ("**", "__"), "del": ("~~",)}
_Pair = tuple[int, int, str]


def settle_emphasis(markdown: str) -> str:
    """The same Markdown with signs in place of all tags for emphasis but the needed ones."""
    # A single sign is found ten times faster, and most texts do without it.
    at = markdown.find("</") if "<" in markdown else -1
    if at < 0:
        return markdown
    parts: list[str] = []
    done = 0
    # No emphasis leaves its block, and most blocks hold no tag.
    while at >= 0:
        start = markdown.rfind("\n\n", 0, at) + 1
        end = markdown.find("\n\n", at)
        end = len(markdown) if end < 0 else end
        parts += (markdown[done:start], _settled(markdown[start:end]))
        done = end
        at = markdown.find("</", end)
    parts.append(markdown[done:])
    return "".join(parts)


def _settled(block: str) -> str:
    pieces, pairs = _taken_apart(block)
    _move_spaces_out(pieces, pairs)
    around: list[tuple[int, str]] = []
    for start, end, name in sorted(pairs):
        if not pieces[start]:
            continue
        while around and around[-1][0] < start:
            around.pop()
        for sign in _SIGNS[name]:
            if all(sign != other for _, other in around) and _fits(sign, pieces, start, end):
                pieces[start] = pieces[end] = sign
                around.append((end, sign))
                break
    return "".join(pieces)


def _taken_apart(block: str) -> tuple[list[str], list[_Pair]]:
    """Texts and tags in turn, and the places and the name of each pair, inner pairs first."""
    pieces: list[str] = []
    pairs: list[_Pair] = []
    opened: list[tuple[int, str]] = []
    done = 0
    for found in _PIECES.finditer(block):
        name = found["name"]
        if name is None:
            continue
        pieces += (block[done : found.start()], found[0])
        done = found.end()
        if not found["slash"]:
            opened.append((len(pieces) - 1, name))
        elif opened and opened[-1][1] == name:
            start, _ = opened.pop()
            pairs.append((start, len(pieces) - 1, name))
    pieces.append(block[done:])
    return pieces, pairs


def _move_spaces_out(pieces: list[str], pairs: list[_Pair]) -> None:
    """Let each pair begin and end with what is no white space; a pair around nothing goes."""
    for start, end, _ in pairs:
        head = pieces[start + 1].lstrip()
        if head != pieces[start + 1]:
            pieces[start + 1] = head
            before = pieces[start - 1]
            is_set_off = before[-1].isspace() if before else start == 1
            pieces[start - 1] = before if is_set_off else before + " "
        tail = pieces[end - 1].rstrip()
        if tail != pieces[end - 1]:
            pieces[end - 1] = tail
            after = pieces[end + 1]
            is_set_off = after[0].isspace() if after else end == len(pieces) - 2
            pieces[end + 1] = after if is_set_off else " " + after
        if not any(pieces[start + 1 : end]):
            pieces[start] = pieces[end] = ""


def _fits(sign: str, pieces: list[str], start: int, end: int) -> bool:
    """Whether both tags of a pair can be this sign, which must not run into one of its kind."""
    before, first = _last_sign(pieces, start - 1), _first_sign(pieces, start + 1)
    last, after = _last_sign(pieces, end - 1), _first_sign(pieces, end + 1)
    if sign[0] in {before, first, last, after} or first.isspace() or last.isspace():
        return False
    return _can_stand(sign, before, first) and _can_stand(sign, after, last)


def _last_sign(pieces: list[str], place: int) -> str:
    while place > 0 and not pieces[place]:
        place -= 1
    return pieces[place][-1:]


def _first_sign(pieces: list[str], place: int) -> str:
    while place < len(pieces) - 1 and not pieces[place]:
        place += 1
    return pieces[place][:1]


def _can_stand(sign: str, outside: str, inside: str) -> bool:
    """Whether a sign between these two begins or ends emphasis, by all editions of CommonMark."""
    is_set_off = (
        outside in string.whitespace + string.punctuation + TIGHT
        or unicodedata.category(outside)[0] in "PZ"
    )
    # Pieces that are kept aside begin and end with punctuation; their own sign is private.
    return is_set_off or (sign[0] != "_" and unicodedata.category(inside)[0] not in "PSC")
