"""The floor: real pages, the specification's examples and mutated pages, judged independently."""

import hashlib
import json
from pathlib import Path

import pytest
from tests.unit.cleanup.judge import findings
from tests.unit.cleanup.mutations import mutated_documents

from markmirror.convert.cleanup import MarkdownCleanupConfig
from markmirror.model import CleanupIntensity

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cleanup"
PAGES = [line.split("\t") for line in (FIXTURES / "pages.tsv").read_text().splitlines()]
EXAMPLES: list[str] = json.loads((FIXTURES / "commonmark.json").read_text())
BROKEN: list[dict[str, str]] = json.loads((FIXTURES / "broken.json").read_text())
INTENSITIES: tuple[CleanupIntensity, ...] = ("heavy", "standard", "light")


def page_text(name: str) -> str:
    return (FIXTURES / "pages" / name).read_bytes().decode()


def test_the_pages_are_the_ones_that_were_listed() -> None:
    for name, digest, *_ in PAGES:
        assert hashlib.sha256((FIXTURES / "pages" / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("intensity", INTENSITIES)
@pytest.mark.parametrize("name", [name for name, *_ in PAGES])
def test_a_real_page_is_not_harmed(name: str, intensity: CleanupIntensity) -> None:
    """FR-030."""
    assert findings(page_text(name), MarkdownCleanupConfig.for_intensity(intensity)) == []


@pytest.mark.parametrize("intensity", INTENSITIES)
def test_no_example_of_the_specification_is_harmed(intensity: CleanupIntensity) -> None:
    """FR-030."""
    config = MarkdownCleanupConfig.for_intensity(intensity)
    harmed = {text: found for text in EXAMPLES if (found := findings(text, config))}
    assert harmed == {}


@pytest.mark.parametrize("case", BROKEN, ids=[str(number) for number in range(len(BROKEN))])
def test_what_was_harmed_once_is_not_harmed_again(case: dict[str, str]) -> None:
    """FR-030."""
    for intensity in INTENSITIES:
        found = findings(case["markdown"], MarkdownCleanupConfig.for_intensity(intensity))
        assert [finding for finding in found if finding not in case["known"]] == []


def _mutations_harmed(count: int, seed: int) -> dict[str, int]:
    sources = EXAMPLES + [page_text(name) for name, *_ in PAGES]
    configs = [
        MarkdownCleanupConfig.for_intensity(intensity)
        for intensity in ("heavy", "heavy", "standard", "light")
    ]
    harmed: dict[str, int] = {}
    for number, text in enumerate(mutated_documents(sources, count, seed=seed)):
        for finding in findings(text, configs[number % len(configs)]):
            harmed[finding] = harmed.get(finding, 0) + 1
    return harmed


def test_a_few_hundred_mutated_pages_are_not_harmed() -> None:
    """FR-030."""
    harmed = _mutations_harmed(300, seed=1)
    assert harmed.get("structure: both", 0) == 0
    assert harmed.get("not idempotent", 0) == 0


@pytest.mark.large
def test_of_twenty_thousand_mutated_pages_next_to_none_is_harmed() -> None:
    """FR-030."""
    harmed = _mutations_harmed(20_000, seed=20)
    assert harmed.get("structure: both", 0) <= 2
    assert harmed.get("not idempotent", 0) <= 5
