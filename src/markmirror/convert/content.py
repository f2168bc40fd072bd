"""Which part of a page is its content: marked by HTML, by its generator, or found by scoring.

A marked container is kept whole. Article extractors lose code and tables on documentation, so
scoring decides only where nothing is marked, and a choice that would lose much of the page's
words is not made.
"""

import re
from dataclasses import dataclass

from markmirror.convert import tree
from markmirror.model import Recipe

FELL_BACK = "content-fell-back-to-body"
SELECTOR_UNMATCHED = "selector-matched-nothing"
SCORED = "content-scored"

# HTML's own marks, then the containers of the common generators.
_MARKED = (
    "main",
    "[role=main]",
    "article",
)
_CONTAINERS = (
    "div.theme-doc-markdown",  # Docusaurus
    "div.vp-doc",  # VitePress
    "div.md-content",  # MkDocs Material
    "div.rst-content",  # Sphinx, Read the Docs theme
    "div.body",  # Sphinx
    "div.documentwrapper",
    "div.td-content",  # Hugo, Docsy
    "div.book-page",
    "div.post-content",  # Jekyll, Hugo
    "div.entry-content",  # WordPress
    "div.mw-parser-output",  # MediaWiki
    "#mw-content-text",
    "#bodyContent",
    "section.normal.markdown-section",  # GitBook
    "div.markdown-body",  # GitHub, ReadMe
    "div.rm-Article",
    "div.contentContainer",  # Javadoc 8
    "#doc-content",  # Doxygen
    "div.doc-content",
    "div.contents",
    "#main-content",  # rustdoc, Confluence
    "section#main-content",
    "div.content-wrap",
    "#content",  # AsciiDoc, Jekyll
    "div.content",
    "#main",
    "div.book",  # DocBook
    "div.article",
    "div.chapter",
    "div.refentry",
    "div.sect1",
)
_KEPT_SHARE = 0.4
_SCORED_SHARE = 0.97
_SPACES = re.compile(r"\s+")
_LINK_DENSITY = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The element that holds the content, and what was remarkable about finding it."""

    element: tree.Element
    notes: tuple[str, ...] = ()
    is_whole_body: bool = False


def choose_content(page: tree.Document, recipe: Recipe) -> Choice | None:
    """The element that holds the page's content; None for a page without a body."""
    body = page.select_one("body")
    if body is None:
        return None
    notes: tuple[str, ...] = ()
    if recipe.selector is not None and tree.selector_fault(recipe.selector) is None:
        selected = _outermost(page.select(recipe.selector))
        if selected:
            return Choice(element=_together(selected))
        notes = (SELECTOR_UNMATCHED,)
    if recipe.content == "body":
        return Choice(element=body, notes=notes, is_whole_body=True)
    body.remove("script,style,template")
    marked = _marked(body)
    if marked is not None:
        if _words(marked) >= _KEPT_SHARE * _prose(body):
            return Choice(element=marked, notes=notes)
        notes = (*notes, FELL_BACK)
        return Choice(element=body, notes=notes, is_whole_body=True)
    return Choice(element=_scored(body), notes=(*notes, SCORED), is_whole_body=True)


def _marked(body: tree.Element) -> tree.Element | None:
    for selector in _MARKED:
        found = body.select(selector)
        if len(found) == 1:
            return found[0]
        if found:
            outermost = _outermost(found)
            largest = max(outermost, key=_words)
            if _words(largest) >= 0.8 * sum(map(_words, outermost)):
                return largest
            return _common(outermost, body)
    for selector in _CONTAINERS:
        found = body.select(selector)
        if found:
            outermost = _outermost(found)
            if len(outermost) == 1:
                return outermost[0]
    return None


def _scored(body: tree.Element) -> tree.Element:
    """The smallest element that still holds nearly all of the body's prose."""
    total = _prose(body)
    node = body
    while True:
        heir = None
        for child in node.children:
            if isinstance(child, tree.Element) and _prose(child) >= _SCORED_SHARE * total:
                heir = child
                break
        if heir is None or heir.tag in {"table", "ul", "ol", "dl", "pre", "p", "blockquote"}:
            return node
        node = heir


def _prose(node: tree.Element) -> int:
    """How much of an element's text is not a link: navigation is nearly all links."""
    return _words(node) - sum(len(link.text) for link in node.iter_elements("a"))


def _words(node: tree.Element) -> int:
    return len(node.text)


def _outermost(found: list[tree.Element]) -> list[tree.Element]:
    """The found elements that stand in no other found one, in document order."""
    if len(found) < 2:
        return found
    known = set(found)
    covered: set[tree.Element] = set()
    chosen = []
    for node in found:
        if node not in covered:
            chosen.append(node)
            covered.update(inner for inner in node.iter_elements() if inner in known)
    return chosen


def _common(found: list[tree.Element], body: tree.Element) -> tree.Element:
    """The nearest element that holds all of the found ones."""
    shared = found[0].parent
    while isinstance(shared, tree.Element):
        holders = set(shared.iter_elements())
        if all(node in holders for node in found):
            return shared
        shared = shared.parent
    return body


def _together(found: list[tree.Element]) -> tree.Element:
    if len(found) == 1:
        return found[0]
    holder = tree.element("div")
    holder.extend([node.extract() for node in found])
    return holder
