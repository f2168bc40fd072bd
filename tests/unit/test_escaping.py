import cmarkgfm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.escaping import code_span, escape, unescape

any_text = st.text(st.characters(codec=None, exclude_categories=()))


@given(any_text)
def test_any_text_fits_on_one_line_and_comes_back(text: str) -> None:
    line = escape(text)
    assert unescape(line) == text
    assert len(line.splitlines()) <= 1
    assert "\t" not in line
    line.encode()


def test_a_terminal_sees_no_commands_and_no_reordered_text() -> None:
    assert escape("\x1b[2J\u202eabc\x9b") == "\\x1b[2J\\u202eabc\\x9b"


@pytest.mark.parametrize("text", ["می‌خواهم", "👩‍💻", "Käse", "a-b_c"])
def test_ordinary_writing_stays_as_it_is(text: str) -> None:
    assert escape(text) == text


@given(st.text(st.sampled_from("`*_<b>[x](y)\\ \n&a"), min_size=1))
def test_a_code_span_holds_no_markup(text: str) -> None:
    html = cmarkgfm.github_flavored_markdown_to_html(f"- x: {code_span(text)}\n")
    inside = html.split("<code>")[1].split("</code>")
    assert "<" not in inside[0]
    assert inside[1].startswith("</li>")
