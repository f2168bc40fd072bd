"""Lines of a readable length: broken after a sentence, else where the line is full.

The text that comes in is the paragraph on one line; only breaks that a space could not replace,
next to characters that are written without spaces, are still there.
"""

import re
import unicodedata

from markmirror.convert.cleanup.marks import (
    ANY,
    BREAKS,
    CLOSE,
    ESCAPE,
    FOOTNOTE,
    HTML,
    LINK_CLOSE,
    LINK_OPEN,
    OPAQUE,
    STRONG_CLOSE,
    expand,
    span,
)
from markmirror.convert.cleanup.rule import Surroundings

SHORTEST_LINE = 20

# A word that would be something else at the start of a line, to CommonMark or to its relatives.
_BLOCK_SYNTAX = re.compile(
    rf"""
    [-+*_=|:~#>]+(?:$|[\s{BREAKS}]) | [#>|:] | <(?![A-Za-z][\w+.-]*:) | `{{3}} | ~{{3}} | \$\$
  | \[\^ | \[! | \[[^\]]*\]: | \*\[ | !!! | \?\?\? | \+\+\+ | --- | \{{[:%{{] | %%
  | [(]?(?:\d{{1,9}}|[A-Za-z]|[ivxlcIVXLC]{{1,4}})[.)](?:$|[{BREAKS}])
    """,
    re.VERBOSE,
)
_TAG = re.compile(f"[{span(HTML)}]")
_LINK = re.compile(f"[{span(LINK_OPEN)}][^{span(LINK_OPEN)}]*?[{span(LINK_CLOSE)}]")
_GLUE = "\x00"
_BREAK = re.compile(f"([{BREAKS}])")
# Everything that is not one column wide lies in here, and little else.
_ODD_WIDTH = re.compile(
    "[\u0300-\u036f\u0483-\u1cff\u1dc0-\u1dff\u200b-\u200f\u20d0-\uffff\U00010000-\U000fffff\t]"
)
_CLOSERS = rf"[\"”’')\]}}»{span(CLOSE, STRONG_CLOSE, LINK_CLOSE, FOOTNOTE)}]*"
_SENTENCE_END = re.compile(rf"([^\W_]{{2,}}|[)\]\"”’»%{span(OPAQUE, CLOSE)}])[.!?…]+{_CLOSERS}$")
_STOP_BEFORE_BLANK = re.compile(r"[.!?]\S* ")
_ABBREVIATION = re.compile(
    r"\b(?:al|approx|ca|cf|co|corp|dept|dr|ed|eds|est|etc|ext|fig|figs|inc|incl|jr|ltd|max|min"
    r"|misc|mr|mrs|ms|no|nos|nr|op|pp|prof|resp|sec|sr|st|vol|vs|bzw|usw|vgl|evtl|ggf|inkl|bspw)"
    r"\.\W*$",
    re.IGNORECASE,
)
_LOWER_START = re.compile(rf"[\"“‘'(\[{ANY}]*[a-z]")


def wrap_lines(text: str, surroundings: Surroundings) -> str:
    """`text` in lines of at most the set length, where its words allow it."""
    if " " not in text:
        return text
    budget = max(surroundings.line_length - width(surroundings.prefix), SHORTEST_LINE)
    if "\n" not in text and not _BREAK.search(text) and len(text) <= SHORTEST_LINE:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        parts = _BREAK.split(line)
        # Parts and the hard breaks between them alternate; a hard break ends its own line.
        wrapped = [
            "\n".join(_fill(part, budget, surroundings, first=not (lines or number)))
            for number, part in enumerate(parts[::2])
        ]
        breaks = [*parts[1::2], ""]
        lines.append("".join(part + end for part, end in zip(wrapped, breaks, strict=True)))
    return "\n".join(lines)


def width(text: str) -> int:
    """Columns that `text` takes in a fixed-width font."""
    if text.isascii():
        return len(text) + 3 * text.count("\t")
    if not _ODD_WIDTH.search(text):
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200b\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fill(text: str, budget: int, surroundings: Surroundings, *, first: bool) -> list[str]:
    if not text.isascii():
        pieces, longest = surroundings.pieces, surroundings.line_length
        text = _LINK.sub(lambda link: _kept_whole(link[0], pieces, longest), text)
    words = [word for word in text.split(" ") if word]
    if not words:
        return [text.strip(" ")]
    plain = text.isascii()
    lead = surroundings.lead if first else 0
    if plain and len(text) + lead <= budget and not _STOP_BEFORE_BLANK.search(text):
        return [" ".join(words)]
    shown = words if plain else _shown_words(text, surroundings.pieces)
    measure = width if _ODD_WIDTH.search(" ".join(shown)) else len
    widths = list(map(measure, shown))
    lines: list[str] = []
    start, columns = 0, lead + widths[0]
    for at in range(1, len(words)):
        last = words[at - 1]
        if (
            columns + 1 + widths[at] > budget
            or (columns >= SHORTEST_LINE and not last[-1].isalnum() and _rests(last, words[at]))
        ) and _may_break(last, shown[at], words[at]):
            lines.append(" ".join(words[start:at]))
            start, columns = at, widths[at]
        else:
            columns += 1 + widths[at]
    lines.append(" ".join(words[start:]))
    return [line.replace(_GLUE, " ") for line in lines]


def _shown_words(text: str, pieces: list[str]) -> list[str]:
    """The words of `text` as a reader of the source sees them, one for one."""
    whole = [piece.replace(" ", _GLUE) for piece in pieces]
    return [word for word in expand(text, whole).split(" ") if word]


def _rests(word: str, following: str) -> bool:
    """Whether a sentence ends with `word` and another starts with `following`."""
    return (
        _SENTENCE_END.search(word) is not None
        and _ABBREVIATION.search(word) is None
        and not _LOWER_START.match(following)
    )


def _kept_whole(link: str, pieces: list[str], longest: int) -> str:
    return link.replace(" ", _GLUE) if width(expand(link, pieces)) <= longest else link


def _may_break(last: str, shown: str, word: str) -> bool:
    return (
        last[-1] != "\\"
        and last[-1] != ESCAPE
        and not _BLOCK_SYNTAX.match(shown)
        and not _TAG.match(word)
    )
