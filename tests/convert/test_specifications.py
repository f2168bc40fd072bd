"""Everything that CommonMark and GFM can say survives the way to HTML and back."""

import hashlib
import json
from pathlib import Path

import pytest
from benchmarks import judges

from markmirror.convert import convert_html
from markmirror.model import Recipe

FIXTURES = Path(__file__).parents[1] / "fixtures"
COMMONMARK = "commonmark/spec-0.31.2.json"
GFM = "gfm/extensions-0.29.0.gfm.6.json"
# Nobody moves the score by editing what it is measured on.
HASHES = {
    COMMONMARK: "e81b77b79211f4f8b728419f1b458ecb7abff98a74df4c53d8e2cf4b26d68f27",
    GFM: "54d7d1e426219d27f991bdaa310ddcea512874261c0c2e5b8ffc3be545736c23",
}


def examples(path: str) -> list[dict[str, str]]:
    found = json.loads((FIXTURES / path).read_text(encoding="utf-8"))
    return [example for example in found if judges.is_core(example)]


def back_and_forth(html: str) -> str:
    document = convert_html(
        html.encode(), url="", content_type="text/html; charset=utf-8", recipe=Recipe()
    )
    return document.markdown


@pytest.mark.parametrize("path", HASHES)
def test_the_examples_are_the_published_ones(path: str) -> None:
    assert hashlib.sha256((FIXTURES / path).read_bytes()).hexdigest() == HASHES[path]


def test_all_examples_that_are_about_markdown_are_taken() -> None:
    assert len(examples(COMMONMARK)) == 579
    assert len(examples(GFM)) == 48


@pytest.mark.parametrize("example", examples(COMMONMARK), ids=lambda example: example["example"])
def test_an_example_of_commonmark_comes_back_the_same(example: dict[str, str]) -> None:
    rendered = judges.commonmark_html(back_and_forth(example["html"]))
    assert judges.normalised(rendered) == judges.normalised(example["html"])


@pytest.mark.parametrize("example", examples(GFM), ids=lambda example: example["section"])
def test_an_example_of_gfm_comes_back_the_same(example: dict[str, str]) -> None:
    rendered = judges.gfm_html(back_and_forth(example["html"]))
    assert judges.normalised(rendered) == judges.normalised(example["html"])
