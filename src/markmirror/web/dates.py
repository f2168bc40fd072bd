"""The dates of the web: sitemap and feed times, HTTP dates, Retry-After. Nothing here raises."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

_W3C = re.compile(
    r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})"
    r"(?:[Tt ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([Zz]|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?"
    r")?)?",
    re.ASCII,
)
_DIGITS = re.compile(r"\d{1,18}", re.ASCII)
_MAX_DATE_CHARACTERS = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class LastModified:
    """When something was changed: at `start`, or between it and `end` if only a day was given.

    A time without a zone is taken as UTC.
    """

    start: datetime
    end: datetime
    exact: bool


def parse_lastmod(text: str | None) -> LastModified | None:
    """Read a W3C datetime, of a day, month or year as well, or the RFC 822 date of a feed."""
    if text is None or len(text) > _MAX_DATE_CHARACTERS:
        return None
    written = text.strip()
    match = _W3C.fullmatch(written)
    try:
        return _w3c(match) if match else _rfc822(written)
    except (ValueError, OverflowError):
        return None


def _w3c(match: re.Match[str]) -> LastModified:
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    if hour is None:
        start = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
        if day is not None:
            end = start + timedelta(days=1)
        elif month is not None:
            end = (start + timedelta(days=31)).replace(day=1)
        else:
            end = start.replace(year=start.year + 1)
        return LastModified(start=start, end=end, exact=False)
    # A leap second is written :60 and has no place in a datetime.
    seconds = min(int(second or 0), 59) if second != "60" else 59
    micro = int((fraction or "0")[:6].ljust(6, "0"))
    local = datetime(
        int(year), int(month), int(day), int(hour), int(minute), seconds, micro, _zone(zone)
    )
    start = local.astimezone(UTC)
    return LastModified(start=start, end=start, exact=True)


def _zone(written: str | None) -> timezone:
    if written is None or written in "Zz":
        return UTC
    sign = -1 if written[0] == "-" else 1
    digits = written[1:].replace(":", "").ljust(4, "0")
    return timezone(sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))


def _rfc822(written: str) -> LastModified | None:
    start = parse_http_date(written)
    return LastModified(start=start, end=start, exact=True) if start else None


def parse_http_date(text: str | None) -> datetime | None:
    """Read the date of an HTTP header or an e-mail, in any of their three spellings, as UTC."""
    if text is None or len(text) > _MAX_DATE_CHARACTERS:
        return None
    try:
        fields = parsedate_tz(text)
        if fields is None:
            return None
        zone = timezone(timedelta(seconds=fields[9] or 0))
        return datetime(*fields[:5], min(fields[5], 59), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks us to wait, never below zero."""
    if value is None:
        return None
    written = value.strip()
    if _DIGITS.fullmatch(written):
        return float(written)
    moment = parse_http_date(written)
    return max(0.0, (moment - now).total_seconds()) if moment else None
