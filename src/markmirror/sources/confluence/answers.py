"""What an answer of the API means: one table from statuses and headers to what to do next."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Meaning(Enum):
    """What to do with an answer."""

    GOOD = "use it"
    LATER = "ask again after a while"
    THROTTLED = "the whole site asks for a pause"
    LOGIN_REFUSED = "stop: the credentials are not accepted, and asking again may lock the account"
    FORBIDDEN = "pass over it: it is there and must not be seen"
    MISSING = "it was never there, is in the trash, or must not be seen"
    REFUSED = "pass over it: asking again changes nothing"
    TOO_LARGE = "pass over it: the person wants no file of that size"


_BY_STATUS = {
    401: Meaning.LOGIN_REFUSED,
    403: Meaning.FORBIDDEN,
    404: Meaning.MISSING,
    408: Meaning.LATER,
    410: Meaning.MISSING,
    425: Meaning.LATER,
    429: Meaning.THROTTLED,
    500: Meaning.LATER,
    502: Meaning.LATER,
    503: Meaning.LATER,
    504: Meaning.LATER,
}
# A list that is too long to be made in time ends in one of these; a shorter one may not.
_TOO_MUCH_AT_ONCE = frozenset({500, 502, 503, 504})
_WAITING = (Meaning.LATER, Meaning.THROTTLED)
_LOGIN_WORDS = ("SAMLRequest", "login.action", "<form", "id.atlassian.com", "os_username")
_LONGEST_MESSAGE = 300
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an answer means, why, and how long the server asked to wait, as it put it."""

    meaning: Meaning
    reason: str = ""
    retry_after: str | None = None
    ask_for_less: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer of the API: with its JSON if it is good, else without."""

    verdict: Verdict
    body: Mapping[str, Any]


def read_reply(status: int, headers: Mapping[str, str], body: bytes) -> Reply:
    """An answer judged and read. `headers` must find names in any case."""
    verdict = judge(status, headers, body)
    if verdict.meaning is not Meaning.GOOD:
        return Reply(verdict=verdict, body={})
    document = _json_object(body)
    if document is None:
        # A whole status with half a body: a proxy gave up on the way.
        cut = Verdict(meaning=Meaning.LATER, reason="the answer was cut short")
        return Reply(verdict=cut, body={})
    return Reply(verdict=verdict, body=document)


def judge(status: int, headers: Mapping[str, str], body: bytes = b"") -> Verdict:
    """What an answer means by its status and headers, its body telling the reason."""
    if 200 <= status < 300:
        return _judge_good(headers, body)
    meaning = _BY_STATUS.get(status)
    if meaning is None:
        meaning = Meaning.LATER if status >= 500 else Meaning.REFUSED
    if status == 403 and headers.get("X-RateLimit-Remaining") == "0":
        # Some installations say "forbidden" to those who ask too often.
        meaning = Meaning.THROTTLED
    if status == 403 and "not permitted to use Confluence" in _message(body):
        meaning = Meaning.LOGIN_REFUSED
    return Verdict(
        meaning=meaning,
        reason=_reason(status, headers, body),
        # On good answers the header is there too, and means nothing.
        retry_after=headers.get("Retry-After") if meaning in _WAITING else None,
        ask_for_less=status in _TOO_MUCH_AT_ONCE,
    )


def too_large(largest: int) -> Verdict:
    """Of a file that is said to be, or turns out to be, larger than the person wants."""
    return Verdict(meaning=Meaning.TOO_LARGE, reason=f"it has more than {largest} bytes")


def _judge_good(headers: Mapping[str, str], body: bytes) -> Verdict:
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type not in ("text/html", "application/xhtml+xml"):
        return Verdict(meaning=Meaning.GOOD)
    start = body[:65536].decode("utf-8", "replace")
    if any(word in start for word in _LOGIN_WORDS):
        return Verdict(meaning=Meaning.LOGIN_REFUSED, reason="the site answered with a login page")
    return Verdict(meaning=Meaning.LATER, reason="the site answered with a web page")


def _reason(status: int, headers: Mapping[str, str], body: bytes) -> str:
    said = _message(body) or headers.get("X-Seraph-LoginReason", "")
    return f"HTTP {status}: {said}" if said else f"HTTP {status}"


def _message(body: bytes) -> str:
    """What an error says in API v1 or v2, on one line."""
    document = _json_object(body)
    if document is None:
        return ""
    said = document.get("message")
    errors = document.get("errors")
    if not isinstance(said, str) and isinstance(errors, list) and errors:
        first = errors[0]
        said = first.get("title") if isinstance(first, dict) else None
    return " ".join(said.split())[:_LONGEST_MESSAGE] if isinstance(said, str) else ""


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(body)
        if _SURROGATE.search(body):
            # JSON can spell halves of characters, which no file, database or terminal takes.
            whole = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
            document = json.loads(whole)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
