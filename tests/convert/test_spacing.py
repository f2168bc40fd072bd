"""Words that a style sheet keeps apart are apart in Markdown."""

import pytest

from markmirror.convert import convert_fragment


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


def test_the_parts_of_a_name_in_a_heading_have_their_dots() -> None:
    html = (
        '<h1><a href="index.html">Pango</a><span class="sep"></span>'
        '<a href="class.Layout.html">Layout</a><span class="sep"></span>get_alignment</h1>'
    )
    assert convert(html) == (
        "# [Pango](https://example.org/index.html).[Layout](https://example.org/class.Layout.html)"
        ".get_alignment\n"
    )


@pytest.mark.parametrize(
    ("term", "written"),
    [
        (
            '<strong>skipna</strong><span class="classifier">bool, default True</span>',
            "skipna : bool, default True",
        ),
        (
            'n<span class="classifier">int</span><span class="classifier">optional</span>',
            "n : int : optional",
        ),
        (
            'n <span class="classifier-delimiter">:</span> <span class="classifier">int</span>',
            "n : int",
        ),
    ],
)
def test_a_term_is_set_off_from_what_it_is(term: str, written: str) -> None:
    assert convert(f"<dl><dt>{term}</dt><dd>Text.</dd></dl>") == f"- **{written}**\n\n  Text.\n"
