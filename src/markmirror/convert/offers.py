"""Links that are a site's offers, not an author's words: permalinks, "edit", "back to top"."""

import re

from markmirror.convert import tree

_LONGEST = 40
_LONGEST_PERMALINK = 6
_OFFERS = frozenset(
    {
        *("edit this page", "edit page", "edit section", "edit source", "edit this section"),
        *("edit on github", "edit on gitlab", "edit on bitbucket", "edit this page on github"),
        *("edit this page on gitlab", "view source", "view page source", "show source"),
        *("page source", "suggest edit", "suggest edits", "improve this page", "report a bug"),
        *("report an issue", "back to top", "skip to content", "skip to main content"),
        *("permalink", "link to this heading", "link to this definition"),
        *("link to this headline", "copy to clipboard", "copy code"),
    }
)
_WAYS_UP = frozenset({"top", "back to top"})
_WORDS = frozenset({"edit", "source", "src", "copy", "docs"})
_CLASS = re.compile(r"\b(?:edit|source|src|viewcode|copybtn|clipboard)\b")
_SOURCE_BROWSER = re.compile(r"/(?:src|_modules)(?:/|\Z)")
_AROUND = " \t\r\n[](){}.:✎✏️📝🔗→↑⬆"
# The first letters of all offers, so that most links are passed over at a glance.
_STARTS = frozenset("EeVvSsPpIiRrBbLlCcDd\x0b\x0c\xa0\u200b" + _AROUND)
_PERMALINK = re.compile(r"[\s\u200b¶#§◆ⓘ🔗⚓☍∞\ufe0e\ufe0f\ue157\uf0c1\uf471]*\Z")


def is_offer(link: tree.Element, *, is_here: bool) -> bool:
    """Whether a link is an offer; `is_here` says that it leads to a place on its own page."""
    text = link.text
    if len(text) > _LONGEST:
        return False
    if not text or (text[0] in _STARTS and not text.strip()):
        return _is_bare_sign(link, is_here=is_here)
    if is_here and len(text) < _LONGEST_PERMALINK:
        return _PERMALINK.match(text) is not None
    return text[0] in _STARTS and _is_offered(text, link)


def _is_bare_sign(link: tree.Element, *, is_here: bool) -> bool:
    """Whether a link without text is an icon or an anchor rather than an author's empty link."""
    shown = link.select_one("img,video,picture,iframe")
    if shown is not None:
        return is_here and tree.attribute(shown, "alt").strip(_AROUND).lower() in _WAYS_UP
    if link.attr("id"):
        return False
    if is_here or link.select_one("*") is not None:
        # What it holds, a style sheet draws.
        return True
    return any(name not in {"href", "title"} for name in link.attrs)


def _is_offered(text: str, link: tree.Element) -> bool:
    """Whether these are the words of an offer.

    One word can be either. It is an offer in brackets, or where its class or address says so.
    """
    offer = text.strip(_AROUND).lower()
    if offer in _OFFERS:
        return True
    if offer not in _WORDS:
        return False
    if text.strip().startswith("[") or _CLASS.search(tree.attribute(link, "class")):
        return True
    return _SOURCE_BROWSER.search(tree.attribute(link, "href")) is not None
