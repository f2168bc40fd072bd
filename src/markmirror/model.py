"""The values that flow through a run. They hold data and know nothing of where it came from."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, NamedTuple

Content = Literal["main", "body"]
CleanupIntensity = Literal["off", "light", "standard", "heavy"]


class Status(StrEnum):
    """Where one listed URL stands. Each listed URL has exactly one status at any time."""

    PENDING = "pending"
    SAVED = "saved"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"
    FILTERED = "filtered"
    SKIPPED = "skipped"
    FAILED = "failed"
    LEFT = "left"


class Item(NamedTuple):
    """One thing a source says exists. A tuple, since a site has a million of them.

    `lastmod` is kept as the source wrote it.
    """

    url: str
    lastmod: str | None = None
    priority: float | None = None
    changefreq: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A few items of one sitemap. The first of each is empty and says that it begins.

    `restart`: the sitemap is read again, so forget what came from it before.
    """

    sitemap: int
    items: list[Item]
    restart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What a server gave us to ask "has it changed?" with; sent back byte for byte.

    `url` is whom to ask: of any other they say nothing.
    """

    url: str = ""
    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        return self.etag is not None or self.last_modified is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The server answered with a whole body. `url` is the final one, after redirects."""

    url: str
    content_type: str
    body: bytes
    validators: Validators = field(default_factory=Validators)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """The server says that what we have is still current."""

    url: str
    validators: Validators = field(default_factory=Validators)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """The server says there is nothing here (404, 410)."""

    url: str
    status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TryLater:
    """A fault that may pass: a server error, a broken connection, a request to slow down.

    `wait_seconds` is the server's own wish (Retry-After); `throttled` says the whole host
    asked for a pause, which is no failure of this page. No `status`: no answer came at all.
    """

    url: str
    reason: str
    status: int | None = None
    wait_seconds: float | None = None
    throttled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A fault that will not pass by itself: forbidden, too large, an unsafe address."""

    url: str
    reason: str
    by_robots: bool = False
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsuitable:
    """The server answered with something that is not a page, such as a PDF; it was not read."""

    url: str
    content_type: str


FetchOutcome = Fetched | NotModified | Gone | TryLater | Refused | Unsuitable


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a body is turned into Markdown. Pages made by another recipe are made again."""

    content: Content = "main"
    selector: str | None = None
    front_matter: bool = True
    cleanup: CleanupIntensity = "off"
    acronyms: frozenset[str] = frozenset()

    @property
    def fingerprint(self) -> str:
        words = ",".join(sorted(self.acronyms))
        text = f"{self.content}|{self.selector}|{self.front_matter}|{self.cleanup}|{words}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page's content as Markdown (no front matter), with what the page says about itself.

    `refresh` is the target of a meta refresh stub, to be followed like a redirect. `notes`
    name what the converter had to do that a person might want to count, such as
    "charset-mislabelled" or "content-fell-back-to-body".
    """

    markdown: str
    title: str = ""
    description: str = ""
    language: str = ""
    canonical: str | None = None
    refresh: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the manifest remembers of a page that is on disk.

    `path` is relative to the output folder. `verified_at` is when the file was last found to be
    current, which may be later than when it was fetched.
    """

    url: str
    path: str
    final_url: str
    recipe: str
    content_hash: str
    size_bytes: int
    mtime_ns: int
    fetched_at: datetime
    verified_at: datetime
    title: str = ""
    canonical: str | None = None
    lastmod: str | None = None
    validators: Validators = field(default_factory=Validators)
