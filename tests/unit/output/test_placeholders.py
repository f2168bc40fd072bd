from datetime import UTC, datetime

import cmarkgfm
from hypothesis import given
from hypothesis import strategies as st

from markmirror.convert.front_matter import read_front_matter
from markmirror.output.placeholders import (
    FailedPage,
    failed_log_line,
    failed_placeholder,
    parse_failed_log_line,
    skipped_placeholder,
)

AT = datetime(2026, 1, 3, 20, 0, 0, tzinfo=UTC)
any_text = st.text(st.characters(codec=None, exclude_categories=()), min_size=1)


def test_a_page_that_failed_says_why() -> None:
    """Seed 000: Skip mode (default)."""
    text = failed_placeholder("https://e.com/a", "HTTP 500", AT).decode()
    assert text == (
        "---\n"
        'status: "failed"\n'
        'url: "https://e.com/a"\n'
        'error: "HTTP 500"\n'
        'failed_at: "2026-01-03T20:00:00+00:00"\n'
        "---\n"
        "\n"
        "# This page could not be mirrored\n"
        "\n"
        "- URL: <https://e.com/a>\n"
        "- Error: `HTTP 500`\n"
        "- Time: `2026-01-03T20:00:00+00:00`\n"
    )


def test_what_is_no_page_is_named_with_its_content_type() -> None:
    """Seed 000: Non-HTML content handling."""
    fields = read_front_matter(skipped_placeholder("https://e.com/a.pdf", "application/pdf", AT))
    assert fields == {
        "status": "skipped",
        "url": "https://e.com/a.pdf",
        "content_type": "application/pdf",
        "skipped_at": "2026-01-03T20:00:00+00:00",
    }


def test_a_missing_content_type_is_said() -> None:
    text = skipped_placeholder("https://e.com/a", "", AT).decode()
    assert "- Content type: `unknown`\n" in text


@given(any_text, any_text)
def test_text_from_outside_stays_text(url: str, error: str) -> None:
    data = failed_placeholder(f"https://e.com/{url}", error, AT)
    fields = read_front_matter(data)
    assert fields is not None
    assert (fields["url"], fields["error"]) == (f"https://e.com/{url}", error)
    body = data.decode().partition("\n---\n")[2]
    html = cmarkgfm.github_flavored_markdown_to_html(body)
    assert html.count("<a ") == 1
    assert html.count("<li>") == 3
    assert html.count("<") == html.count(">") == 16


def test_an_address_that_is_no_web_address_is_shown_but_not_linked() -> None:
    text = failed_placeholder("javascript:alert(1)", "refused", AT).decode()
    assert "- URL: `javascript:alert(1)`\n" in text


def test_a_log_line_has_three_fields() -> None:
    """Seed 000: Skip mode (default)."""
    line = failed_log_line(AT, "https://e.com/a", "reset\tby\npeer \\ 1")
    assert line == "2026-01-03T20:00:00+00:00\thttps://e.com/a\treset\\tby\\npeer \\\\ 1\n"


@given(st.datetimes(timezones=st.just(UTC)), any_text, any_text)
def test_a_log_line_comes_back_as_it_was(at: datetime, url: str, error: str) -> None:
    line = failed_log_line(at, url, error)
    assert line.count("\t") == 2
    assert len(line.splitlines()) == 1
    assert parse_failed_log_line(line) == FailedPage(at=at, url=url, error=error)


@given(st.text())
def test_a_torn_log_line_is_nobodys(line: str) -> None:
    assert parse_failed_log_line(line.replace("\t", " ")) is None
    assert parse_failed_log_line("2026-01-03T20:00:00+00:00\thttps://e.com/a") is None
    assert parse_failed_log_line("yesterday\thttps://e.com/a\terror") is None
