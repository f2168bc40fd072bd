"""What a sitemap holds, what is known about one, and where reading it can go on."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from markmirror.model import Item

# One page, or one child sitemap of an index; `parse_lastmod` reads its `lastmod`.
SitemapEntry = Item

STEP_BYTES = 512 * 1024
"""The most that is handed to a parser at once, so that one step costs well under 50 ms of CPU."""

ENTRY_LIMIT = 256 * 1024
"""The most characters that one entry, or one line of a text sitemap, may have."""


class SitemapKind(StrEnum):
    """What a document turned out to be. PENDING: too little of it has been seen to say."""

    PENDING = "pending"
    URLSET = "urlset"
    INDEX = "sitemapindex"
    TEXT = "text"
    RSS = "rss"
    ATOM = "atom"
    HTML = "html"
    UNKNOWN = "unknown"
    EMPTY = "empty"

    @property
    def is_sitemap(self) -> bool:
        """Whether URLs can come out of a document of this kind."""
        return self in _SITEMAP_KINDS


_SITEMAP_KINDS = frozenset(
    {
        SitemapKind.URLSET,
        SitemapKind.INDEX,
        SitemapKind.TEXT,
        SitemapKind.RSS,
        SitemapKind.ATOM,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFacts:
    """What reading a sitemap has shown so far.

    `relative` entries are among the `entries`. `fell_back` says that the XML was broken and that
    what could be recognised was used; `error` then says how, as it does for what is no sitemap.
    `truncated` is known once the parser has been told that the document ends.
    """

    kind: SitemapKind
    entries: int
    invalid: int
    relative: int
    truncated: bool
    fell_back: bool
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapCursor:
    """Where another parser, in another process, can go on; small, and JSON inside out.

    `offset` is a byte of the decompressed document. `skip` names what lies around it if that is
    no place between two entries: the middle of a long comment, say.
    """

    url: str
    offset: int
    kind: SitemapKind
    encoding: str
    root: str
    prefix: str
    page_prefixes: tuple[str, ...]
    skip: str
    closed: bool
    entries: int
    invalid: int
    relative: int
    fell_back: bool
    error: str | None

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "SitemapCursor":
        """Read what `to_json` wrote; raises ValueError for anything else."""
        try:
            fields = json.loads(text)
            fields["kind"] = SitemapKind(fields["kind"])
            fields["page_prefixes"] = tuple(fields["page_prefixes"])
            return cls(**fields)
        except (TypeError, KeyError) as error:
            raise ValueError("this is not a sitemap cursor") from error


@dataclass(slots=True, kw_only=True)
class Tally:
    """The running counts of one parser, shared by its parts."""

    entries: int = 0
    invalid: int = 0
    relative: int = 0
    fell_back: bool = False
    error: str | None = None

    def broken(self, error: str) -> None:
        """Note that the document is not what it should be; the first fault is the one told."""
        self.fell_back = True
        self.error = self.error or error
