"""What no reader calls content, for the judges: a list of their own, written from the pages.

It is not the converter's list. It names the signs after headings, copy buttons, edit links,
"[source]" toggles, line-number columns and breadcrumbs of the generators in the corpus.
"""

import re

import turbohtml
from turbohtml import Element

NOISE = (
    "script,style,template,noscript,nav,footer,button,"
    "a.headerlink,a.permalink,a.anchor,a.anchorjs-link,a.header-anchor,a.hash-link,"
    "a.viewcode-link,a.viewcode-back,a.srclink,p.src > a.link,p.src > a.selflink,a.md-anchor,"
    "a.doc-anchor,span.mw-editsection,.copybtn,.copy-button,"
    ".linenos,.lineno,td.listing_lines,.breadcrumb,.breadcrumbs,.navheader,.navfooter,.navpath,"
    ".prev-next-area,.notable-traits,[role=navigation],[hidden],.out-of-band,#rustdoc-toggle,.rightside,"
    "a.mark,a.toggle-all,.buttons,.permalink,.method-click-advice"
)
CONTENTS = "div.toc,div.contents.local,div.contents.topic,div#toc,div#table-of-contents,ul.toc"
_SIGNS = re.compile(r"[\s¶#§🔗⚓\uf0c1]*\Z")
_OFFERS = re.compile(
    r"\W*(?:edit this page(?: on \w+)?|edit on \w+|view (?:page )?source|show source|"
    r"suggest edits?|improve this page)\W*\Z|\s*\[(?:source|src|docs|edit)\]\s*\Z",
    re.IGNORECASE,
)
_SIGN_AT_END = re.compile(r"[¶§🔗\uf0c1]\s*\Z")
_COPY = re.compile(r"copy(?: code| to clipboard)?\Z", re.IGNORECASE)
_NUMBERS = re.compile(r"1\s+2\s+3(?:\s+\d+)*\Z")


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
    if text.strip() == "Source" and "src/" in href:
        return True  # Haddock's way to its source browser
    return _OFFERS.match(text) is not None


def noise_in(html: str, *, base: str) -> int:
    """How many pieces of noise are left in Markdown that a judge has rendered."""
    root = turbohtml.parse_fragment(html)
    links = [link for link in root.iter_elements("a") if is_noise_link(link, base=base)]
    for link in links:
        link.extract()
    headings = root.iter_elements(("h1", "h2", "h3", "h4", "h5", "h6"))
    signs = sum(1 for heading in headings if _SIGN_AT_END.search(heading.text))
    blocks = [node.text.strip() for node in root.iter_elements(("p", "li", "pre", "td"))]
    other = sum(1 for text in blocks if _COPY.match(text) or _NUMBERS.match(text))
    return len(links) + signs + other
