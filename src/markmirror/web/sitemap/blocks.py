"""The thorough way through a sitemap: one entry at a time, by expat, or by what can be recognised.

An entry is read as a document of its own, so that a fault in it stays in it, and so that what it
says does not depend on where a step or a process ended. Entities cannot be defined there.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from xml.parsers import expat

from markmirror.web.sitemap.entries import SitemapKind
from markmirror.web.sitemap.references import (
    LONE_AMPERSAND,
    with_ampersands_escaped,
    with_references_resolved,
)

MAX_DEPTH = 64
_MAX_KNOWN_NAMES = 256
_MAX_RECOGNISED = 1024

ENTRY_NAME = {
    SitemapKind.URLSET: "url",
    SitemapKind.INDEX: "sitemap",
    SitemapKind.RSS: "item",
    SitemapKind.ATOM: "entry",
}

_PAGE_FIELDS = {name: name for name in ("loc", "lastmod", "changefreq", "priority")}
_FIELDS: dict[SitemapKind, dict[str, str]] = {
    SitemapKind.URLSET: _PAGE_FIELDS,
    SitemapKind.INDEX: _PAGE_FIELDS,
    SitemapKind.RSS: {"link": "loc", "guid": "guid", "pubDate": "lastmod", "dc:date": "lastmod"},
    SitemapKind.ATOM: {"updated": "lastmod", "published": "published"},
}
# CDATA is found too, and kept, so that nothing inside one is taken for a comment.
_LITERAL = re.compile(r"(<!\[CDATA\[.*?\]\]>)|<!--.*?-->|<\?.*?\?>", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"(?<![\w:.-])([\w:.-]{1,64}+)\s{0,64}=\s{0,64}(?:\"([^\"<]*)\"|'([^'<]*)')"
)
_LINK = re.compile(r"<(?:[\w.-]{1,64}:)?link\s([^<>]*)>")
_DIALECT_OF_PAGES = "sitemap/0"


@dataclass(frozen=True, slots=True)
class Block:
    """What one entry says, as it was written."""

    loc: str = ""
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """An entry that is not XML, what is wrong with it, and what could be recognised in it."""

    error: str
    recognised: list[Block] = field(default_factory=list)


class BlockReader:
    """Reads the entries of one document, one after the other."""

    def __init__(self, kind: SitemapKind, page_prefixes: tuple[str, ...]) -> None:
        self._kind = kind
        self._fields = _FIELDS[kind]
        self._page_prefixes = frozenset(page_prefixes)
        self._parser: expat.XMLParserType | None = None
        self._expat = expat.ParserCreate()
        self._known: dict[str, str | None] = {}
        self._depth = 0
        self._deepest = 0
        self._prefix = ""
        self._field: str | None = None
        self._text: list[str] = []
        self._found: dict[str, str] = {}

    def read(self, block: str) -> Block | Malformed:
        """The entry in a block that begins with its start tag and ends with its end tag."""
        mended = with_ampersands_escaped(block) if "&" in block else block
        error = self._parse(mended)
        if error is None and mended == block:
            return self._entry()
        if error is None:
            return Malformed(error=LONE_AMPERSAND, recognised=[self._entry()])
        return Malformed(error=error, recognised=self.recognise(block))

    def _parse(self, block: str) -> str | None:
        parser = self._parser or self._new_parser()
        # Whatever happens below, a parser in an unknown state is not used again.
        self._parser = None
        self._found = {}
        self._deepest = 0
        try:
            parser.Parse(block.encode("utf-8", "surrogateescape"), False)
        except expat.ExpatError as error:
            return f"not well-formed XML: {expat.errors.messages.get(error.code, 'unknown fault')}"
        except UnicodeEncodeError:
            return "not well-formed XML: a character that is none"
        if self._depth != 1:
            return "not well-formed XML: an element is not closed"
        self._parser = parser
        if self._deepest > MAX_DEPTH:
            return f"elements are nested more than {MAX_DEPTH} deep"
        return None

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        self._depth = 0
        self._field = None
        self._expat = parser
        parser.Parse(b"<entries>", False)
        return parser

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = self._depth = self._depth + 1
        if depth == 3:
            if name in self._known and not attributes:
                field = self._known[name]
            else:
                field = self._field_of(name, attributes)
            self._field = field
            if field:
                self._text = []
                # Only where text is wanted, since each call costs more than the text.
                self._expat.CharacterDataHandler = self._text.append
        elif depth == 2:
            prefix = name.rpartition(":")[0]
            if prefix != self._prefix:
                self._prefix = prefix
                self._known = {}
        elif self._field:
            self._expat.CharacterDataHandler = None
        if depth > self._deepest:
            self._deepest = depth

    def _end(self, _name: str) -> None:
        depth = self._depth
        self._depth = depth - 1
        if not self._field:
            return
        if depth == 3:
            self._expat.CharacterDataHandler = None
            self._found.setdefault(self._field, "".join(self._text))
            self._field = None
        elif depth == 4:
            self._expat.CharacterDataHandler = self._text.append

    def _field_of(self, name: str, attributes: dict[str, str]) -> str | None:
        """Which field an element of an entry is; None for those of extensions."""
        field = self._judge(name, attributes)
        if not attributes and len(self._known) < _MAX_KNOWN_NAMES:
            self._known[name] = field
        return field

    def _judge(self, name: str, attributes: dict[str, str]) -> str | None:
        if name in self._fields and ":" in name:
            return self._fields[name]
        prefix, _, local = name.rpartition(":")
        if prefix and prefix != self._prefix and prefix not in self._page_prefixes:
            return None
        if self._kind is SitemapKind.ATOM and local == "link":
            self._alternate(attributes)
            return None
        if local == "guid" and attributes.get("isPermaLink", "true") != "true":
            return None
        if self._fields is _PAGE_FIELDS and _DIALECT_OF_PAGES not in attributes.get(
            "xmlns", _DIALECT_OF_PAGES
        ):
            return None
        return self._fields.get(local)

    def _alternate(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "alternate") == "alternate" and attributes.get("href"):
            self._found.setdefault("loc", attributes["href"])

    def _entry(self) -> Block:
        found = self._found.get
        return Block(
            found("loc", "").strip() or found("guid", ""),
            found("lastmod", "") or found("published", ""),
            found("changefreq", ""),
            found("priority", ""),
        )

    def recognise(self, block: str) -> list[Block]:
        """Every URL that stands whole between its tags, with the date where it is beyond doubt."""
        text = _LITERAL.sub(lambda match: match[1] or "", block)
        if self._kind is SitemapKind.ATOM:
            tags = islice(_LINK.finditer(text), _MAX_RECOGNISED)
            hrefs = (_href(tag[1]) for tag in tags)
            return [Block(href) for href in hrefs if href]
        known = {"", self._prefix, *self._page_prefixes}
        found: dict[str, list[str]] = {}
        for match in islice(_contents(tuple(self._fields)).finditer(text), _MAX_RECOGNISED):
            if (match[1] or "") in known:
                found.setdefault(self._fields[match[2]], []).append(_plain_text(match[3]))
        locs = [loc for loc in found.get("loc", ()) if loc]
        if len(locs) != 1:
            return [Block(loc) for loc in locs]
        others = (found.get(name, [""])[0] for name in ("lastmod", "changefreq", "priority"))
        return [Block(locs[0], *others)]


def _plain_text(content: str) -> str:
    cdata = _CDATA.fullmatch(content)
    return cdata[1] if cdata else with_references_resolved(content)[0]


@lru_cache(maxsize=4)
def _contents(names: tuple[str, ...]) -> re.Pattern[str]:
    # Atomic: a CDATA section that something follows must not be stretched to the next one's end.
    return re.compile(
        rf"<(?:([\w.-]{{1,64}}):)?({'|'.join(names)})(?:\s[^<>]*)?>"
        r"\s*(?>(<!\[CDATA\[.*?\]\]>|[^<]*))\s*<",
        re.DOTALL,
    )


def _href(attributes: str) -> str:
    found = {name: double or single for name, double, single in _ATTRIBUTE.findall(attributes)}
    if found.get("rel", "alternate") != "alternate":
        return ""
    return with_references_resolved(found.get("href", ""))[0]
