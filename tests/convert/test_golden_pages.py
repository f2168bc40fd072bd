"""Whole pages come out as a person has read and approved them."""

from pathlib import Path

import pytest

from demo.website import FOLDER
from tests.convert.golden_pages import GOLDEN, PAGES, golden_file, markdown_of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_a_page_becomes_the_markdown_that_was_approved(page: Path) -> None:
    """Seed 000: Successful HTML conversion."""
    assert markdown_of(page) == golden_file(page).read_text(encoding="utf-8")


def test_every_golden_file_belongs_to_a_page() -> None:
    assert sorted(GOLDEN.rglob("*.md")) == sorted(golden_file(page) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_no_script_style_navigation_or_footer_is_left(page: Path) -> None:
    """Seed 000: Script and style removal. Seed 002: D5."""
    markdown = markdown_of(page)
    for furniture in ("analytics", "font-family", "Reference](", "Cookies"):
        assert furniture not in markdown


def test_links_and_images_become_absolute() -> None:
    """Seed 000: Relative URL absolutification. Seed 002: D5."""
    home = markdown_of(FOLDER / "index.html")
    assert "](https://larkspur.example/images/larkspur.png)" in home
    assert "[Run a first job](https://larkspur.example/guide/quickstart/)" in home
