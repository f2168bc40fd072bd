"""How a document begins, and what kind of document that makes it."""

import re
from dataclasses import dataclass

from markmirror.web.sitemap.entries import SitemapKind

HEAD_CHARACTERS = 64 * 1024
"""How far into a document its root is looked for."""

NO_SITEMAP = "not a sitemap of any known kind"

KIND_OF_ROOT = {
    "urlset": SitemapKind.URLSET,
    "sitemapindex": SitemapKind.INDEX,
    "rss": SitemapKind.RSS,
    "RDF": SitemapKind.RSS,
    "feed": SitemapKind.ATOM,
}

_SPACE = re.compile(r"[\s\ufeff]*")
_NAME = r"(?:([\w.-]{1,64}):)?"
_FIRST_TAG = re.compile(rf"<{_NAME}([\w.-]{{1,64}})(?=[\s/>])")
_BURIED_ROOT = re.compile(rf"<{_NAME}(urlset|sitemapindex)(?=[\s/>])")
_BURIED_ENTRY = re.compile(rf"<{_NAME}(url|sitemap)>\s*<(?:[\w.-]{{1,64}}:)?loc>")
_REST_OF_TAG = re.compile(r"[^<>]*>")
_HTML_DOCTYPE = re.compile(r"<!doctype\s+html", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!doctype\b[^\[>]*([\[>])", re.IGNORECASE)
_DOCTYPE_START = "<!doctype"
_PREFIX_OF_PAGES = re.compile(r"xmlns:([\w.-]{1,64})\s*=\s*[\"'][^\"']*sitemap/0[^\"']*[\"']")
_MAX_PREFIXES = 8
_URL_LINE = re.compile(r"https?://\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What the beginning of a document says, and how many characters said it.

    `kind` stays PENDING after a comment, an instruction or a DOCTYPE, whose end the reader has to
    skip to (`skip` names which) before the opening is looked for again. `closed`: no end tag is to
    come, since the root is empty or missing.
    """

    kind: SitemapKind
    end: int
    root: str = ""
    prefix: str = ""
    page_prefixes: tuple[str, ...] = ()
    skip: str = ""
    closed: bool = False
    error: str | None = None


def read_opening(text: str, *, final: bool) -> Opening | None:
    """Find out what a document is; None while too little of it has been seen to say."""
    start = _SPACE.match(text).end()  # type: ignore[union-attr]  # it matches the empty string too
    if start == len(text):
        if final:
            return Opening(kind=SitemapKind.EMPTY, end=start)
        return Opening(kind=SitemapKind.PENDING, end=start) if text else None
    if text.startswith("<!--", start):
        return Opening(kind=SitemapKind.PENDING, end=start + 4, skip="comment")
    if text.startswith("<?", start):
        return Opening(kind=SitemapKind.PENDING, end=start + 2, skip="instruction")
    enough = final or len(text) - start >= HEAD_CHARACTERS
    if text.startswith("<", start):
        opening = _at_tag(text, start, enough=enough)
        if opening or not enough:
            return opening
    elif not enough:
        return None
    head = text[start : start + HEAD_CHARACTERS]
    if _is_list_of_urls(head, whole=len(text) - start <= HEAD_CHARACTERS):
        return Opening(kind=SitemapKind.TEXT, end=start)
    return _buried(text, start) or Opening(
        kind=SitemapKind.UNKNOWN, end=len(text), error=NO_SITEMAP
    )


def _at_tag(text: str, start: int, *, enough: bool) -> Opening | None:
    if text[start : start + len(_DOCTYPE_START)].lower() == _DOCTYPE_START:
        if _HTML_DOCTYPE.match(text, start):
            return _html(text)
        doctype = _DOCTYPE.match(text, start)
        if not doctype:
            return None
        return Opening(
            kind=SitemapKind.PENDING,
            end=doctype.end(),
            skip="doctype" if doctype[1] == "[" else "",
            error="the document has a DOCTYPE, which is not read",
        )
    tag = _FIRST_TAG.match(text, start)
    if not tag:
        return None
    if tag[2].lower() == "html":
        return _html(text)
    return _root(text, tag, enough=enough) if tag[2] in KIND_OF_ROOT else None


def _html(text: str) -> Opening:
    return Opening(kind=SitemapKind.HTML, end=len(text), error="an HTML page, not a sitemap")


def _root(
    text: str, tag: re.Match[str], *, enough: bool, error: str | None = None
) -> Opening | None:
    rest = _REST_OF_TAG.match(text, tag.end())
    if not rest and not enough and text.find("<", tag.end()) < 0:
        return None
    attributes = rest[0] if rest else ""
    prefixes = tuple(_PREFIX_OF_PAGES.findall(attributes)[:_MAX_PREFIXES])
    return Opening(
        kind=KIND_OF_ROOT[tag[2]],
        end=rest.end() if rest else tag.end(),
        root=tag[2],
        prefix=tag[1] or "",
        page_prefixes=prefixes,
        closed=attributes.endswith("/>"),
        error=error,
    )


def _buried(text: str, start: int) -> Opening | None:
    """A sitemap behind an error message, or one that lost its root."""
    limit = start + HEAD_CHARACTERS
    if root := _BURIED_ROOT.search(text, start, limit):
        return _root(text, root, enough=True, error="there is something before the root element")
    if entry := _BURIED_ENTRY.search(text, start, limit):
        root_name = "urlset" if entry[2] == "url" else "sitemapindex"
        return Opening(
            kind=KIND_OF_ROOT[root_name],
            end=entry.start(),
            root=root_name,
            prefix=entry[1] or "",
            closed=True,
            error="there is no root element",
        )
    return None


def _is_list_of_urls(head: str, *, whole: bool) -> bool:
    """Whether most lines are URLs: prose with a link in it is not a sitemap."""
    lines = [line.strip() for line in head.splitlines()]
    if not whole:
        lines = lines[:-1] or lines
    written = [line for line in lines if line]
    urls = sum(1 for line in written if _URL_LINE.fullmatch(line))
    return urls * 2 > len(written)
