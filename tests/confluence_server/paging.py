"""Lists in pages: the caps a server puts on them and the links that lead on."""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from aiohttp import web

from tests.confluence_server.faults import FAULT, FaultKind
from tests.confluence_server.site import Site

DEFAULT_LIMIT = 25

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The slice of a list that one answer shows."""

    start: int
    asked: int
    shown: int
    next_start: int | None


def caps_content(site: Site, expand: frozenset[str]) -> int:
    return min(site.listing_cap, 100) if "body" in expand else site.listing_cap


def caps_search(expand: frozenset[str]) -> int:
    if "body" in expand:
        return 50
    return 200 if expand else 1000


def window(request: web.Request, total: int, cap: int) -> Window:
    """Where this answer begins and ends, bent by a listing fault if one is on."""
    asked = _number(request, "limit", DEFAULT_LIMIT)
    start = _start(request)
    fault = request.get(FAULT)
    kind = fault.kind if fault else None
    effective = min(asked, cap)
    if kind is FaultKind.EMPTY_PAGE:
        return Window(start=start, asked=effective, shown=0, next_start=start + effective)
    if kind is FaultKind.SHORT_PAGE:
        # The page is cut, and `next` is counted from what was asked for.
        shown = max(1, min(effective // 2, total - start))
        more = start + shown < total
        following = start + asked if more else None
        return Window(start=start, asked=asked, shown=shown, next_start=following)
    if kind is FaultKind.SHIFTED_BY_CREATE and start:
        start -= 1
    if kind is FaultKind.SHIFTED_BY_DELETE and start:
        start += 1
    shown = max(0, min(effective, total - start))
    following = start + shown if start + shown < total and effective else None
    return Window(start=start, asked=effective, shown=shown, next_start=following)


def answer(
    site: Site,
    request: web.Request,
    items: Sequence[T],
    write: Callable[[T], dict[str, Any]],
    *,
    cap: int,
    by_cursor: bool = False,
) -> dict[str, Any]:
    """One page of a list as API v1 sends it, `next` being relative to the base URL."""
    seen = window(request, len(items), cap)
    path = request.path.removeprefix(site.context)
    base = f"{request.url.origin()}{site.context}"
    links = {"self": f"{base}{path}", "base": base, "context": site.context}
    if seen.next_start is not None:
        links["next"] = f"{path}?{_next_query(request, seen, by_cursor=by_cursor)}"
    results = [write(item) for item in items[seen.start : seen.start + seen.shown]]
    return {
        "results": results,
        "start": seen.start,
        "limit": seen.asked,
        "size": len(results),
        "_links": links,
    }


def scan_answer(
    site: Site,
    request: web.Request,
    items: Sequence[T],
    write: Callable[[T], dict[str, Any]],
    *,
    cap: int,
) -> dict[str, Any]:
    """One page of a scan: cursors in place of numbers."""
    body = answer(site, request, items, write, cap=cap, by_cursor=True)
    start = body.pop("start")
    body["cursor"] = request.query.get("cursor", f"content:false:{start}")
    if "next" in body["_links"]:
        body["nextCursor"] = body["_links"]["next"].rpartition("cursor=")[2]
    return body


def _next_query(request: web.Request, seen: Window, *, by_cursor: bool) -> str:
    query = {key: value for key, value in request.query.items() if key not in ("start", "cursor")}
    query["limit"] = str(seen.asked)
    if by_cursor:
        token = base64.urlsafe_b64encode(f"content:false:{seen.next_start}".encode()).decode()
        return urlencode(query | {"cursor": token.rstrip("=")})
    return urlencode(query | {"start": str(seen.next_start)})


def _start(request: web.Request) -> int:
    token = request.query.get("cursor")
    if token is None:
        return _number(request, "start", 0)
    padded = token + "=" * (-len(token) % 4)
    return int(base64.urlsafe_b64decode(padded).decode().rpartition(":")[2])


def _number(request: web.Request, name: str, default: int) -> int:
    text = request.query.get(name, "")
    return int(text) if text.isdigit() else default
