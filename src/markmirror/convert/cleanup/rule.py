"""What a rule is: a named function from text with marks to text with marks."""

from collections.abc import Callable
from dataclasses import dataclass

from markmirror.convert.cleanup.page import LeafKind

PROSE = frozenset(LeafKind)
BODY = PROSE - {LeafKind.HEADING}
HEADINGS = frozenset((LeafKind.HEADING,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a rule may know beside the text: where the leaf stands and how the page is written.

    `prefix` starts every line but the first, which has `lead` columns more before it.
    """

    kind: LeafKind
    pieces: list[str]
    prefix: str
    lead: int
    language: str
    spellings: dict[str, str]
    line_length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanupRule:
    """One named change to prose. Rules run in the order of `priority`, each on its own.

    `kinds` are the leaves it is for. `may_drop` are the classes of marks it may take away, as the
    inside of a regular expression's `[...]`; all others must come out in the order they went in.
    """

    name: str
    priority: int
    apply: Callable[[str, Surroundings], str]
    kinds: frozenset[LeafKind] = PROSE
    may_drop: str = ""
