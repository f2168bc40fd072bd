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


def test_a_title_that_docusaurus_translates_begins_with_a_capital() -> None:
    html = (
        '<div class="theme-admonition theme-admonition-warning alert"><div '
        'class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"></span>warnung</div>'
        '<div class="admonitionContent_BuS1"><p>Scharf.</p></div></div>'
    )
    assert convert(html) == "> **Warnung:** Scharf.\n"


@pytest.mark.parametrize(
    "html",
    [
        '<div class="warning custom-block"><p class="custom-block-title">Not at <code>1 * 2</code>'
        " or later</p><p>They sleep.</p></div>",
        '<details class="details custom-block"><summary>Not at <code>1 * 2</code> or later'
        "</summary><p>They sleep.</p></details>",
    ],
)
def test_code_in_a_title_stays_code(html: str) -> None:
    assert convert(html) == "> **Not at `1 * 2` or later:** They sleep.\n"


def test_code_at_the_end_of_a_title_stays_code() -> None:
    html = (
        '<div class="theme-admonition alert"><div class="admonitionHeading_Gvgb"><span '
        'class="admonitionIcon_Rf37"></span>Not at <code>night</code></div>'
        '<div class="admonitionContent_BuS1"><p>They sleep.</p></div></div>'
    )
    assert convert(html) == "> **Not at `night`:** They sleep.\n"


@pytest.mark.parametrize(
    "box",
    [
        '<div class="box notices cstyle tip"><div class="box-label"><i></i> Mind</div>'
        '<div class="box-content"><p>The gap.</p></div></div>',
        '<blockquote class="gdoc-hint note"><div class="gdoc-hint__title"><svg></svg>'
        '<span>Mind</span></div><div class="gdoc-hint__text">The gap.</div></blockquote>',
        '<blockquote class="warning-title"><p>Mind</p><p>The gap.</p></blockquote>',
    ],
    ids=["Relearn", "Geekdoc", "Just the Docs"],
)
def test_a_title_of_its_own_stands_before_the_text(box: str) -> None:
    assert convert(box) == "> **Mind:** The gap.\n"


def test_a_box_that_says_how_to_open_and_to_close_it_is_named_by_the_first() -> None:
    html = (
        '<details class="admonition hide above-input"><summary aria-label="Toggle hidden content">'
        '<p class="collapsed admonition-title">Show code cell source</p>'
        '<p class="expanded admonition-title">Hide code cell source</p></summary>'
        "<div><p>The body.</p></div></details>"
    )
    assert convert(html) == "> **Show code cell source:** The body.\n"
