"""Everything a Confluence server does wrong, each fault a value to switch on for some requests."""

from dataclasses import dataclass, field
from enum import StrEnum

from aiohttp import web


class Endpoint(StrEnum):
    """What a request asks for; requests are counted and broken by these."""

    SPACES = "spaces"
    SPACE = "space"
    LISTING = "listing"
    SEARCH = "search"
    CHILDREN = "children"
    PAGE = "page"
    ATTACHMENTS = "attachments"
    DOWNLOAD = "download"
    MEDIA = "media"
    LABELS = "labels"
    USER = "user"
    OTHER = "other"


LISTINGS = frozenset({Endpoint.LISTING, Endpoint.SEARCH, Endpoint.CHILDREN})
PAGES = frozenset({Endpoint.PAGE})
ATTACHMENTS = frozenset({Endpoint.ATTACHMENTS, Endpoint.DOWNLOAD})
DOWNLOADS = frozenset({Endpoint.DOWNLOAD, Endpoint.MEDIA})


class FaultKind(StrEnum):
    """The faults. A throttle that never ends is one with `times=None`."""

    THROTTLED_SECONDS = "429 with Retry-After in seconds"
    THROTTLED_DATE = "429 with Retry-After as a date"
    THROTTLED_BARE = "429 without Retry-After"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502"
    UNAVAILABLE = "503"
    CUT = "connection cut in the middle of the body"
    GARBLED = "chunks of a body that stop being HTTP"
    HELD = "held back until the test lets go"
    LOGIN_PAGE = "200 with the HTML of a login page"
    HTML_UNAUTHORIZED = "401 with HTML"
    UNAUTHORIZED = "401 that asks for OAuth"
    FORBIDDEN = "403"
    NOT_FOUND = "404"
    REDIRECTED = "302 to another host"
    TRUNCATED = "a shorter body that claims to be whole"
    SHORT_PAGE = "fewer results than asked for, and a next link counted from the asked limit"
    EMPTY_PAGE = "no results, and a next link"
    SHIFTED_BY_CREATE = "an item again, as after a concurrent create"
    SHIFTED_BY_DELETE = "an item skipped, as after a concurrent delete"
    EDITED_BEFORE = "somebody saves a new version just before the answer is made"
    EDITED_AFTER = "somebody saves a new version just after the answer is made"


LISTING_ONLY = frozenset(
    {
        FaultKind.SHORT_PAGE,
        FaultKind.EMPTY_PAGE,
        FaultKind.SHIFTED_BY_CREATE,
        FaultKind.SHIFTED_BY_DELETE,
    }
)
EDITS = frozenset({FaultKind.EDITED_BEFORE, FaultKind.EDITED_AFTER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault: what happens, on which requests, how often.

    The first `after` matching requests go through, then `times` are broken (None: all of them).
    `only` narrows it to requests about these ids: of a page, or of an attachment.
    """

    kind: FaultKind
    on: frozenset[Endpoint]
    times: int | None = 1
    after: int = 0
    only: frozenset[str] | None = None
    retry_after_seconds: int = 1


@dataclass(slots=True)
class _Armed:
    fault: Fault
    seen: int = 0
    fired: int = 0


# Where a request carries the fault that its answer is to have.
FAULT = web.RequestKey("fault", Fault)


@dataclass(slots=True)
class FaultBoard:
    """The faults switched on, and how often each has struck."""

    armed: list[_Armed] = field(default_factory=list)

    def switch_on(self, *faults: Fault) -> None:
        self.armed.extend(_Armed(fault) for fault in faults)

    def clear(self) -> None:
        self.armed.clear()

    def fired(self, kind: FaultKind) -> int:
        return sum(armed.fired for armed in self.armed if armed.fault.kind is kind)

    def strike(self, endpoint: Endpoint, ids: frozenset[str]) -> Fault | None:
        """The fault that breaks this request, if any; asking uses it up once."""
        struck: Fault | None = None
        for armed in self.armed:
            fault = armed.fault
            if endpoint not in fault.on or (fault.only is not None and not fault.only & ids):
                continue
            armed.seen += 1
            spent = fault.times is not None and armed.fired >= fault.times
            if struck is None and armed.seen > fault.after and not spent:
                armed.fired += 1
                struck = fault
        return struck
