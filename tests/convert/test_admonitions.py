"""A note says what kind it is, and everything that stands in it."""

import pytest

from markmirror.convert import convert_fragment

PAGERS = (
    "<table><tr><th>Owner</th><td>Ann</td></tr><tr><th>Pager</th><td>555-1234</td></tr></table>"
)
WRITTEN = "> |  |  |\n> | --- | --- |\n> | Owner | Ann |\n> | Pager | 555-1234 |\n"


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


@pytest.mark.parametrize(
    "opening",
    [
        '<div class="admonition info"><p class="admonition-title">Info</p>',
        '<div class="confluence-information-macro confluence-information-macro-info">'
        '<p class="title">Info</p><div class="confluence-information-macro-body">',
        '<div class="alert alert-info">',
    ],
)
def test_a_table_at_the_front_of_a_box_keeps_all_its_cells(opening: str) -> None:
    assert convert(opening + PAGERS) == f"> **Info:**\n>\n{WRITTEN}"


def test_the_table_that_docbook_draws_a_box_with_is_taken_away() -> None:
    html = (
        '<div class="note"><table border="0"><tr><td rowspan="2"><img src="note.png" alt="[Note]">'
        '</td><th align="left">Mind the gap</th></tr><tr><td><p>It is wide.</p>'
        f"{PAGERS}</td></tr></table></div>"
    )
    assert convert(html) == f"> **Mind the gap:** It is wide.\n>\n{WRITTEN}"


@pytest.mark.parametrize(
    "icon", ['<div class="title">Note</div>', '<img src="icons/note.png" alt="Note">']
)
def test_a_box_of_asciidoc_is_named_by_its_icon(icon: str) -> None:
    html = (
        f'<div class="admonitionblock"><table><tr><td class="icon">{icon}</td>'
        '<td class="content">The Git build and test systems.</td></tr></table></div>'
    )
    assert convert(html) == "> **Note:** The Git build and test systems.\n"


def test_a_box_that_folds_is_named_by_its_summary() -> None:
    html = (
        '<details class="alert alert--info" data-collapsed="true"><summary>Toggle me</summary>'
        "<div><p>The body.</p></div></details>"
    )
    assert convert(html) == "> **Toggle me:** The body.\n"


def test_a_box_that_says_how_to_open_and_to_close_it_is_named_by_the_first() -> None:
    html = (
        '<details class="admonition hide above-input"><summary aria-label="Toggle hidden content">'
        '<p class="collapsed admonition-title">Show code cell source</p>'
        '<p class="expanded admonition-title">Hide code cell source</p></summary>'
        "<div><p>The body.</p></div></details>"
    )
    assert convert(html) == "> **Show code cell source:** The body.\n"
