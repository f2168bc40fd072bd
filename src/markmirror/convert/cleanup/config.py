"""How a page is to be cleaned: one frozen value, the same for every page of a run."""

from dataclasses import dataclass
from typing import Self

from markmirror.model import CleanupIntensity

LINE_LENGTH = 92
# Below the promised second per file, because the last step is only noticed after it is done.
TIME_BUDGET_SECONDS = 0.8

_LIGHT = frozenset(
    ("comments", "escapes", "apostrophes", "quotes", "ellipses", "dashes", "title-case")
)
_STANDARD = _LIGHT | {"bold", "footnotes", "wrap"}
_HEAVY = _STANDARD | {"links", "debris", "labels", "spaces"}
_RULES_BY_INTENSITY: dict[CleanupIntensity, frozenset[str]] = {
    "off": frozenset(),
    "light": _LIGHT,
    "standard": _STANDARD,
    "heavy": _HEAVY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownCleanupConfig:
    """Which rules run, and what they need to know.

    `language` is a tag such as `de` or `en-GB`; empty means that each page's own words decide.
    `acronyms` are spellings title case must give a word, on top of the maintained list.
    """

    rules: frozenset[str]
    language: str = ""
    line_length: int = LINE_LENGTH
    acronyms: frozenset[str] = frozenset()
    time_budget_seconds: float = TIME_BUDGET_SECONDS

    @classmethod
    def for_intensity(
        cls,
        intensity: CleanupIntensity,
        *,
        language: str = "",
        line_length: int = LINE_LENGTH,
        acronyms: frozenset[str] = frozenset(),
    ) -> Self:
        """The rules of one intensity: `off` has none, and each next one adds to the one before."""
        return cls(
            rules=_RULES_BY_INTENSITY[intensity],
            language=language,
            line_length=line_length,
            acronyms=acronyms,
        )
