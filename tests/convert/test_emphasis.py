"""Emphasis is written with signs wherever signs can say it, and never says more or less."""

import html as entities

import pytest
import turbohtml
from benchmarks import judges
from hypothesis import given, settings
from hypothesis import strategies as st

from markmirror.convert import convert_fragment

TEXTS = st.text(alphabet="ab \xa0“”….(*_`€<é", min_size=1, max_size=4).map(entities.escape)
# The library writes tags for all emphasis of a page that holds this.
AWKWARD = "<p>“a <i>“b”</i>”</p>"


def emphasised(inner: st.SearchStrategy[str], tag: str) -> st.SearchStrategy[str]:
    return st.lists(inner, min_size=1, max_size=3).map(
        lambda parts: f"<{tag}>{''.join(parts)}</{tag}>"
    )


SIMPLE = TEXTS | emphasised(TEXTS, "em") | emphasised(TEXTS, "strong")
NESTED = (
    SIMPLE
    | emphasised(TEXTS | emphasised(TEXTS, "em"), "strong")
    | emphasised(TEXTS | emphasised(TEXTS, "strong"), "em")
)


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


def shown(html: str) -> list[tuple[str, bool, bool]]:
    """Every letter that a browser shows, and whether it is emphasised and strong."""
    letters = []
    for node in turbohtml.parse_fragment(html).descendants:
        if isinstance(node, turbohtml.Text):
            holder = node.parent
            assert isinstance(holder, turbohtml.Element)
            is_em = holder.closest("em,i") is not None
            is_strong = holder.closest("strong,b") is not None
            letters += [(letter, is_em, is_strong) for letter in "".join(node.data.split())]
    return letters


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<strong>Exercise:&nbsp;</strong> There", "**Exercise:** There"),
        ("say <em>“yes”</em>, <em>no…</em>", "say *“yes”*, *no…*"),
        ("<em>no…</em>where", "<em>no…</em>where"),
        ("<strong>x <em>a='&amp;'</em></strong>", "**x _a='&'_**"),
        ('<strong><span class="e"><em>TIP</em></span> x</strong>', "**_TIP_ x**"),
        ("<em>one</em><strong>two</strong>", "*one*__two__"),
        ("<code>&lt;em&gt;x&lt;/em&gt;</code> &lt;em&gt;", "`<em>x</em>` \\<em>"),
    ],
)
def test_emphasis_needs_tags_only_where_signs_would_be_read_otherwise(
    html: str, markdown: str
) -> None:
    assert convert(f"<p>{html}</p>") == markdown + "\n"
    assert convert(f"<p>{html}</p>{AWKWARD}") == f"{markdown}\n\n“a *“b”*”\n"


def test_an_anchor_before_emphasis_leaves_the_rest_of_the_page_as_it_is() -> None:
    html = (
        '<p><a href="#t">t</a></p><div id="t"><p><strong>Table&nbsp;1.</strong></p></div>'
        "<p>a <em>good</em> one</p>"
    )
    assert convert(html) == '[t](#t)\n\n<a id="t"></a>**Table\xa01.**\n\na *good* one\n'


@given(st.lists(NESTED, min_size=1, max_size=4).map("".join))
@settings(max_examples=1500, deadline=None)
def test_emphasis_is_what_it_was(html: str) -> None:
    page = f"<p>{html}</p>{AWKWARD}"
    markdown = convert(page)
    assert shown(judges.tables_html(markdown)) == shown(page)
    assert shown(judges.gfm_html(markdown)) == shown(page)
