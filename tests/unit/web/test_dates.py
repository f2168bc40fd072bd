"""Dates as sitemaps, feeds and servers write them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.web.dates import parse_http_date, parse_lastmod, parse_retry_after


def utc(*fields: int) -> datetime:
    return datetime(*fields, tzinfo=UTC)  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2024", utc(2024, 1, 1), utc(2025, 1, 1)),
        ("2024-02", utc(2024, 2, 1), utc(2024, 3, 1)),
        ("2024-12", utc(2024, 12, 1), utc(2025, 1, 1)),
        ("2024-02-29", utc(2024, 2, 29), utc(2024, 3, 1)),
        (" 2024-12-31\n", utc(2024, 12, 31), utc(2025, 1, 1)),
    ],
)
def test_a_day_a_month_and_a_year_are_spans(text: str, start: datetime, end: datetime) -> None:
    lastmod = parse_lastmod(text)
    assert lastmod is not None
    assert (lastmod.start, lastmod.end, lastmod.exact) == (start, end, False)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-05-06T07:08Z", utc(2024, 5, 6, 7, 8)),
        ("2024-05-06T07:08:09Z", utc(2024, 5, 6, 7, 8, 9)),
        ("2024-05-06T07:08:09.125+02:00", utc(2024, 5, 6, 5, 8, 9, 125000)),
        ("2024-05-06T07:08:09-0530", utc(2024, 5, 6, 12, 38, 9)),
        ("2024-05-06T07:08:09+02", utc(2024, 5, 6, 5, 8, 9)),
        ("2024-05-06 07:08:09", utc(2024, 5, 6, 7, 8, 9)),
        ("2024-05-06T07:08:60Z", utc(2024, 5, 6, 7, 8, 59)),
        ("2024-05-06T07:08:09.123456789Z", utc(2024, 5, 6, 7, 8, 9, 123456)),
        ("Mon, 06 May 2024 07:08:09 GMT", utc(2024, 5, 6, 7, 8, 9)),
        ("Mon, 06 May 2024 07:08:09 +0200", utc(2024, 5, 6, 5, 8, 9)),
        ("6 May 2024 07:08:09 EST", utc(2024, 5, 6, 12, 8, 9)),
    ],
)
def test_a_full_date_is_a_moment(text: str, moment: datetime) -> None:
    lastmod = parse_lastmod(text)
    assert lastmod is not None
    assert (lastmod.start, lastmod.end, lastmod.exact) == (moment, moment, True)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "yesterday",
        "2024-13",
        "2024-02-30",
        "0000",
        "9999",
        "2024-05-06T25:00Z",
        "2024-05-06T07:61Z",
        "2024-05-06T07:08:61.5Zx",
        "0001-01-01T00:00:00+14:00",
        "2024-05-06T07:08+99:99",
        "٢٠٢٤",
        "2" * 1000,
        "Mon, 06 May 99999 07:08:09 GMT",
    ],
)
def test_what_is_no_date_is_none(text: str | None) -> None:
    assert parse_lastmod(text) is None


DATE_CHARACTERS = st.text(alphabet="0123456789-+:TZ., MonMayGMTst")


@given(st.one_of(st.text(), DATE_CHARACTERS))
def test_no_text_makes_a_date_reader_raise(text: str) -> None:
    now = utc(2024, 1, 1)
    for moment in (parse_http_date(text), *_ends(text)):
        assert moment is None or moment.tzinfo is UTC
    wait = parse_retry_after(text, now)
    assert wait is None or wait >= 0


def _ends(text: str) -> tuple[datetime | None, datetime | None]:
    lastmod = parse_lastmod(text)
    return (lastmod.start, lastmod.end) if lastmod else (None, None)


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ],
)
def test_the_three_spellings_of_an_http_date_are_one_moment(text: str) -> None:
    assert parse_http_date(text) == utc(1994, 11, 6, 8, 49, 37)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Mon, 01 Jan 2024 00:01:30 GMT", 90.0),
        ("Sun, 31 Dec 2023 00:00:00 GMT", 0.0),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("٣", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    """Seed 000: 429 response handling."""
    assert parse_retry_after(value, utc(2024, 1, 1)) == seconds
