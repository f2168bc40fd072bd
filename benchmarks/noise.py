"""What no reader calls content, for the judges: a list of their own, written from the pages.

It is not the converter's list. It names the signs after headings, copy buttons, edit links,
"[source]" toggles, line-number columns and breadcrumbs of the generators in the corpus.
"""

import re

from turbohtml import Element

NOISE = (
    "script,style,template,noscript,nav,footer,button,"
    "a.headerlink,a.permalink,a.anchor,a.anchorjs-link,a.header-anchor,a.hash-link,"
    "a.viewcode-link,a.viewcode-back,a.srclink,a.md-anchor,"
    "a.doc-anchor,span.mw-editsection,.copybtn,.copy-button,"
    ".linenos,.lineno,td.listing_lines,.breadcrumb,.breadcrumbs,.navheader,.navfooter,.navpath,"
    ".prev-next-area,[role=navigation],[hidden],.out-of-band,#rustdoc-toggle,.rightside,"
    "a.mark,a.toggle-all,.buttons,.permalink"
)
CONTENTS = "div.toc,div.contents.local,div.contents.topic,div#toc,div#table-of-contents,ul.toc"
_SIGNS = re.compile(r"[\s¶#§🔗⚓\uf0c1]*\Z")
_OFFERS = re.compile(
    r"\W*(?:edit(?: this page)?(?: on \w+)?|source|src|view (?:page )?source|show source|copy|"
    r"suggest edits?|improve this page)\W*\Z",
    re.IGNORECASE,
)
_MARKDOWN_SIGN = re.compile(r"^#{1,6} .*(?:¶|§|🔗|\[#\]\([^)]*\)|\\#|\uf0c1)\s*$", re.MULTILINE)
_LINK_SIGN = re.compile(r"\[\\?(?:¶|#|§|🔗|\uf0c1)\]\(")
_OFFER_LINK = re.compile(
    r"\[\\?\[?(?:edit|source|src|view source|show source|copy|edit this page|suggest edits?|"
    r"improve this page)\\?\]?\]\(",
    re.IGNORECASE,
)
_COPY = re.compile(r"^(?:copy|copy code|copy to clipboard)$", re.IGNORECASE | re.MULTILINE)
_NUMBERS = re.compile(r"^ *1\n+ *2\n+ *3$", re.MULTILINE)
_BREADCRUMB = re.compile(r"^(?:\[[^\]\n]+\]\([^)\n]+\)\s*[»›>/]\s*){2,}", re.MULTILINE)


def is_noise_link(link: Element, *, base: str) -> bool:
    """Whether a link of the source is a sign or an offer of the site."""
    text = link.text
    if len(text) > 30 or link.select_one("img,code") is not None:
        return False
    href = link.attr("href") or ""
    if not text.strip():
        return False
    if href.startswith("#") or href.split("#")[0] == base:
        return _SIGNS.match(text) is not None
    return _OFFERS.match(text) is not None


def noise_in(markdown: str) -> int:
    """How many pieces of noise are left in Markdown."""
    patterns = (_MARKDOWN_SIGN, _LINK_SIGN, _OFFER_LINK, _COPY, _NUMBERS, _BREADCRUMB)
    return sum(len(pattern.findall(markdown)) for pattern in patterns)
