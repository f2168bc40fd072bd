"""How much of a source's features is in what came back, feature by feature."""

from collections import Counter
from collections.abc import Mapping

from benchmarks.structure import LEAD, Features

FEATURES = (
    "headings",
    "code",
    "inline code",
    "links",
    "lists",
    "tables",
    "definitions",
    "paragraphs",
    "text",
)


def f1(given: Counter[object], got: Counter[object]) -> float | None:
    """The balance of what was kept and what was added; None where there is nothing to compare."""
    if not given:
        return None
    shared = (given & got).total()
    return 2 * shared / (given.total() + got.total())


def compare(given: Features, got: Features) -> Mapping[str, float | None]:
    """How much of each feature of the source is in what came back, from 0 to 1."""
    return {
        "headings": f1(Counter(given.headings), Counter(got.headings)),
        "code": f1(Counter(given.code), Counter(got.code - given.code_in_cells)),
        "inline code": f1(
            Counter(given.inline_code), Counter(got.inline_code - given.code_in_cells)
        ),
        "links": f1(Counter(given.links), Counter(got.links)),
        "lists": _compare_items(given, got),
        "tables": _compare_tables(given.tables, got.tables),
        "definitions": _compare_definitions(given.definitions, got.blocks),
        "paragraphs": _compare_paragraphs(given.paragraphs, got.blocks),
        "text": f1(Counter(given.words), Counter(got.words)),
    }


def _compare_items(given: Features, got: Features) -> float | None:
    total = given.items.total() + given.loose_items.total()
    if not total:
        return None
    leads: Counter[str] = Counter()
    for (text, _), count in got.items.items():
        leads[text] += count
    kept = (given.items & got.items).total() + (given.loose_items & leads).total()
    return kept / total


def _compare_tables(
    given: list[dict[tuple[int, int], str]], got: list[dict[tuple[int, int], str]]
) -> float | None:
    cells = kept = 0
    left = list(got)
    for table in given:
        filled = {place: text for place, text in table.items() if text}
        cells += len(filled)
        best, best_score = None, 0
        for candidate in left:
            score = sum(1 for place, text in filled.items() if candidate.get(place) == text)
            if score > best_score:
                best, best_score = candidate, score
        kept += best_score
        if best is not None:
            left.remove(best)
    return kept / cells if cells else None


def _compare_definitions(given: list[tuple[str, str]], blocks: list[str]) -> float | None:
    if not given:
        return None
    starts: dict[str, list[int]] = {}
    for number, block in enumerate(blocks):
        starts.setdefault(block[:3], []).append(number)
    kept = sum(
        any(_defines(blocks[at : at + 4], term, meaning) for at in starts.get(term[:3], ()))
        if len(term) > 2
        else any(_defines(blocks[at : at + 4], term, meaning) for at in range(len(blocks)))
        for term, meaning in given
    )
    return kept / len(given)


def _defines(blocks: list[str], term: str, meaning: str) -> bool:
    """Whether the first block is the term, or starts with it, and the meaning comes next."""
    if not blocks[0].startswith(term):
        return False
    return not meaning or any(meaning in block[: len(term) + 2 * LEAD] for block in blocks)


def _compare_paragraphs(given: Counter[str], blocks: list[str]) -> float | None:
    if not given:
        return None
    whole = Counter(blocks)
    kept = 0
    for text, count in given.items():
        kept += min(count, whole[text]) or int(_is_led_or_followed(text, blocks))
    return kept / given.total()


def _is_led_or_followed(text: str, blocks: list[str]) -> bool:
    """Whether a paragraph came back with a label before it, or with more text after it."""
    return any(
        len(block) < len(text) + LEAD and (block.startswith(text) or block.endswith(text))
        for block in blocks
    )
