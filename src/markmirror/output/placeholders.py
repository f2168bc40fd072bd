"""What stands in for a page that could not be saved: a small file, and a line in `_failed.log`."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from markmirror.escaping import code_span, escape, quoted, unescape

_URL_CHARACTERS = "%/:?#[]@!$&'()*+,;=-._~"


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedPage:
    """One line of `_failed.log`."""

    at: datetime
    url: str
    error: str


def failed_placeholder(url: str, error: str, at: datetime) -> bytes:
    """The file in `_failed/` for a page that could not be fetched or converted."""
    return _placeholder(
        "This page could not be mirrored",
        url,
        fields={"status": "failed", "url": url, "error": error, "failed_at": at.isoformat()},
        facts={"Error": error, "Time": at.isoformat()},
    )


def skipped_placeholder(url: str, content_type: str, at: datetime) -> bytes:
    """The file in `_skipped/` for an address that holds something other than a page."""
    known = content_type or "unknown"
    return _placeholder(
        "Not a page, so it was not mirrored",
        url,
        fields={
            "status": "skipped",
            "url": url,
            "content_type": known,
            "skipped_at": at.isoformat(),
        },
        facts={"Content type": known, "Time": at.isoformat()},
    )


def failed_log_line(at: datetime, url: str, error: str) -> str:
    """A line for `_failed.log`, with its line end: ISO time, URL and error between tabs."""
    return f"{at.isoformat()}\t{escape(url)}\t{escape(error)}\n"


def parse_failed_log_line(line: str) -> FailedPage | None:
    """Read back what `failed_log_line` wrote; None for a line that is torn or not ours."""
    time, *rest = line.rstrip("\r\n").split("\t")
    if len(rest) != 2:
        return None
    try:
        at = datetime.fromisoformat(time)
    except ValueError:
        return None
    return FailedPage(at=at, url=unescape(rest[0]), error=unescape(rest[1]))


def _placeholder(title: str, url: str, *, fields: dict[str, str], facts: dict[str, str]) -> bytes:
    head = "".join(f"{key}: {quoted(text)}\n" for key, text in fields.items())
    body = "".join(f"- {name}: {code_span(text)}\n" for name, text in facts.items())
    return f"---\n{head}---\n\n# {title}\n\n- URL: {_link(url)}\n{body}".encode()


def _link(url: str) -> str:
    if url.startswith(("http://", "https://")):
        return f"<{quote(url, safe=_URL_CHARACTERS, errors='replace')}>"
    return code_span(url)
