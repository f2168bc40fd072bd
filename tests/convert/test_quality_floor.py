"""The quality of conversion on real pages never falls below what is promised.

The full measurement is benchmarks/conversion.py; these pages are a part of its corpus, pinned by
hash.
"""

import hashlib
from pathlib import Path

import pytest
import turbohtml
from benchmarks.conversion import Totals, measure, ours
from benchmarks.structure import Features, source_features

FOLDER = Path(__file__).parents[1] / "fixtures" / "debian-docs"
Page = tuple[str, str, str, Features]


def pages() -> list[Page]:
    found = []
    for line in (FOLDER / "pages.txt").read_text(encoding="utf-8").splitlines()[1:]:
        name, digest, selector = line.split(" ", 2)
        body = (FOLDER / name).read_bytes()
        assert hashlib.sha256(body).hexdigest() == digest, f"{name} was changed"
        content = turbohtml.parse(body, detect_encoding=True).select_one(selector)
        assert content is not None
        html = f"<!doctype html><html><body><main>{content.html}</main></body></html>"
        url = f"https://docs.example.org/{name}"
        found.append((name, html, url, source_features(html, "main", base=url)))
    return found


@pytest.fixture(scope="module")
def totals() -> Totals:
    return measure(ours, pages())


def mean(values: list[float]) -> float:
    return 100 * sum(values) / len(values)


def test_structure_is_kept_as_markdown(totals: Totals) -> None:
    assert mean(totals.structure) >= 99.0
    assert mean(totals.pure) >= 97.5


@pytest.mark.parametrize(
    ("feature", "floor"),
    [("code", 99.5), ("links", 99.0), ("tables", 97.0), ("headings", 99.5), ("lists", 99.0)],
)
def test_each_feature_is_kept(totals: Totals, feature: str, floor: float) -> None:
    assert mean(totals.by_feature[feature]) >= floor


def test_code_keeps_the_language_that_the_page_states(totals: Totals) -> None:
    assert totals.languages_stated > 20
    assert totals.languages_kept / totals.languages_stated >= 0.95


def test_next_to_nothing_is_left_of_the_furniture(totals: Totals) -> None:
    assert totals.noise / len(totals.structure) <= 0.3


def test_text_reads_naturally(totals: Totals) -> None:
    assert 1000 * totals.escapes / totals.words <= 15
