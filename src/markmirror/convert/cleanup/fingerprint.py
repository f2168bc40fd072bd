"""What must not change: a page as a reader sees it, reduced to what no rule may touch."""

import re

from markmirror.convert.cleanup.parser import renderings
from markmirror.convert.cleanup.rules.footnotes import PUNCTUATION

# ‘ ’ ‚ “ ” „, which all begin with the same two bytes: pages without those are spared the search.
_GENERAL_PUNCTUATION = b"\xe2\x80"
_CURLY_QUOTES = re.compile(rb"\xe2\x80[\x98-\x9a\x9c-\x9e]")
_DOTS_AND_DASHES = (("…".encode(), b"..."), ("—".encode(), b"--"), ("–".encode(), b"--"))
_LATIN_SIGNS = b"\xc2"
_DROPPED_LATIN_SIGNS = tuple(sign.encode() for sign in ("«", "»", "\u00a0"))
_BLANKS_AND_QUOTES = b" \t\n\r'\""
_STOPS = "|".join(re.escape(stop) for stop in PUNCTUATION).encode()
# A reference as each kind of reader shows it: a footnote, plain text, or a link.
_FOOTNOTE = (
    rb"<supclass=footnote-reference><ahref=[^>]*>[^<]*</a></sup>"
    rb"|\[\^[^\]<]*\]|<ahref=[^>]*>\^[^<]*</a>"
)
_STOP_AFTER_FOOTNOTE = re.compile(b"(" + _FOOTNOTE + b")(?:" + _STOPS + b")+")
_STOP_BEFORE_FOOTNOTE = re.compile(b"(?<![.,;:!?])(?:" + _STOPS + b")++(?=" + _FOOTNOTE + b")")
_FOOTNOTE_SIGNS = (b"<sup", b"[^", b">^")
_HEADING = re.compile(rb"<h[1-6]>.*?</h[1-6]>")
_BOLD_HEADING = re.compile(rb"(<h[1-6]>)<strong>(.*?)</strong>(</h[1-6]>)")

_TAG = re.compile(rb"<[^<>]*>")
_BLOCK_TAG = re.compile(
    rb"</?(?:p|h[1-6]|ul|ol|li|blockquote|pre|table|tr|td|th|hr|dl|dt|dd|div)\b", re.IGNORECASE
)
_BARE_LINK = re.compile(rb'<a href="([^"]*)">\1</a>')
_PERMALINK = re.compile('<a href="[^"]*">(?:¶|#|§|🔗)</a>'.encode())
_COMMENT = re.compile(rb"<!--\s*-->")
_BROKEN_LINK = re.compile(rb"\[([^\[\]]*)\]\([^()]*\)")
_DEBRIS = b" \t\n\r*"
_INVISIBLE = tuple(character.encode() for character in ("\u200b", "\ufeff", "\u00a0"))


def structure(markdown: str) -> list[bytes]:
    """Every tag and word of the page in order, for each kind of reader, without typography."""
    first, second = renderings(markdown)
    reduced = _without_typography(first)
    return [reduced, reduced if second == first else _without_typography(second)]


def _without_typography(html: str) -> bytes:
    page = html.encode()
    # Split and not searched for: a page of opening tags alone must not take forever.
    code = [part.partition(b"</code>")[0] for part in page.split(b"<code")[1:]]
    return _reduced(page) + b"".join(code)


def _reduced(html: bytes) -> bytes:
    html = html.replace(b"&quot;", b"")
    if _GENERAL_PUNCTUATION in html:
        html = _CURLY_QUOTES.sub(b"", html)
        for before, after in _DOTS_AND_DASHES:
            html = html.replace(before, after)
    if _LATIN_SIGNS in html:
        for sign in _DROPPED_LATIN_SIGNS:
            html = html.replace(sign, b"")
    html = html.replace(b"---", b"--")
    html = html.translate(None, _BLANKS_AND_QUOTES)
    html = _HEADING.sub(lambda heading: heading[0].lower(), html)
    if any(sign in html for sign in _FOOTNOTE_SIGNS):
        html = _STOP_AFTER_FOOTNOTE.sub(rb"\1", html)
        html = _STOP_BEFORE_FOOTNOTE.sub(b"", html)
    if b"<strong>" in html:
        for stop in (b",", b";", b":"):
            html = html.replace(stop + b"</strong>", b"</strong>" + stop)
        if b"</strong></h" in html:
            html = _BOLD_HEADING.sub(rb"\1\2\3", html)
    return html


def words_and_blocks(markdown: str) -> list[bytes]:
    """The blocks and the words of the page, whatever the links and emphasis around them."""
    reduced = []
    for html in renderings(markdown):
        page = html.encode()
        blocks = b"".join(_BLOCK_TAG.findall(page))
        for pattern in (_COMMENT, _BARE_LINK, _PERMALINK, _TAG):
            page = pattern.sub(b"", page)
        page = _BROKEN_LINK.sub(rb"\1", page)
        for character in _INVISIBLE:
            page = page.replace(character, b"")
        reduced += [blocks, page.translate(None, _DEBRIS)]
    return reduced
