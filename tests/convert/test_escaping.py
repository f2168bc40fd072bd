"""Text reads as its author wrote it, and means what it meant."""

import html as entities
import re

import pytest
import turbohtml
from benchmarks import judges
from hypothesis import example, given, settings
from hypothesis import strategies as st

from markmirror.convert import convert_fragment

SIGNS = st.text(alphabet="*_`~[]()<>#+-=|!\\&;:.^$1aB é\n", max_size=24)


def shown(html: str) -> str:
    """The text that a browser shows, and every tag but the paragraph's."""
    root = turbohtml.parse_fragment(html)
    tags = {node.tag for node in root.iter_elements()} - {"p", "div", "li", "ul"}
    return f"{sorted(tags)} {' '.join(root.text.split())}"


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


@pytest.mark.parametrize(
    "text",
    [
        *("snake_case", "2 * 3", "C#", "a [x] b", "f(x)[0]", "C:\\dir", "~user", "a_b_c_d"),
        *("f(*args, **kwargs)", "see _private", "5 < 6", "AT&T", "1.5", "a - b", "#1", "3+4"),
    ],
)
def test_text_that_needs_no_escape_gets_none(text: str) -> None:
    assert convert(f"<p>{entities.escape(text)}</p>") == text + "\n"


@given(SIGNS)
@example("*a **b* c**")
@example("_a_b_ __c")
@example("![a](b) [c]: d")
@example("***")
@example("___")
@settings(max_examples=1500)
def test_no_text_becomes_markup(text: str) -> None:
    expected = f"[] {' '.join(text.split())}"
    markdown = convert(f"<p>{entities.escape(text)}</p>")
    assert shown(judges.tables_html(markdown)) == expected
    assert shown(judges.gfm_html(markdown)) == expected


@given(SIGNS)
@settings(max_examples=500)
def test_no_text_in_a_list_item_becomes_markup(text: str) -> None:
    markdown = convert(f"<ul><li>{entities.escape(text)}</li></ul>")
    assert shown(judges.gfm_html(markdown)) == f"[] {' '.join(text.split())}"


@given(st.lists(SIGNS.filter(str.strip), min_size=2, max_size=3))
@settings(max_examples=500)
def test_no_text_in_a_table_cell_leaves_it(texts: list[str]) -> None:
    cells = "".join(f"<td>{entities.escape(text)}</td>" for text in texts)
    markdown = convert(f"<table><tr><th>a</th><th>b</th><th>c</th></tr><tr>{cells}</tr></table>")
    rendered = turbohtml.parse_fragment(judges.tables_html(markdown))
    row = [" ".join(cell.text.split()) for cell in rendered.iter_elements("td")]
    assert row[: len(texts)] == [" ".join(text.split()) for text in texts]
    assert re.search("<(?:em|strong|code|a|del)>", rendered.html) is None
