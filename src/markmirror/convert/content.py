"""Which part of a page is its content: marked by HTML, by its generator, or found by scoring.

A marked container is kept whole. Article extractors lose code and tables on documentation, so
scoring decides only where nothing is marked, and a choice that would lose much of the page's
words is not made.
"""

from dataclasses import dataclass
from functools import lru_cache

from markmirror.convert import tree
from markmirror.model import Recipe

FELL_BACK = "content-fell-back-to-body"
SELECTOR_UNMATCHED = "selector-matched-nothing"
SCORED = "content-scored"

# Of what is looked for by its tag: HTML's own marks, and the tags of the containers below.
_TAGS = ("main", "article", "div", "section")
# The containers of the common generators, the surest first: a `div` of this class, or any id.
_CONTAINERS = (
    "div.theme-doc-markdown",  # Docusaurus
    "#VPContent",  # VitePress
    "div.vp-doc",
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
    "section.markdown-section",  # GitBook
    "div.markdown-body",  # GitHub, ReadMe
    "div.rm-Article",
    "div.contentContainer",  # Javadoc 8
    "#doc-content",  # Doxygen
    "div.doc-content",
    "div.contents",
    "#main-content",  # rustdoc, Confluence
    "div.content-wrap",
    "#dokuwiki__content",
    "#page-content",  # Apache httpd
    "#apicontent",  # Node.js
    "div.col-content",  # TypeDoc
    "div.api-content",  # Redoc
    "#content",  # AsciiDoc, Jekyll
    "div.content",
    "#main",
    "div.book",  # DocBook
    "div.article",
    "div.chapter",
    "div.refentry",
    "div.sect1",
)
# What mdBook and phpDocumentor call the book's or the project's title, above each of its pages.
_SITE_TITLES = frozenset({"menu-title", "phpdocumentor-title"})
# Containers of generators that mean nothing else, however little they hold.
_SURE_IDS = frozenset({"doc-content", "dokuwiki__content"})
_SURE_CLASSES = frozenset({"col-content", "api-content"})
_RANKS = {selector: rank for rank, selector in enumerate(_CONTAINERS)}
_CONTENTS = _RANKS["div.contents"]
_HEADINGS = "h1,h2,h3,h4,h5,h6"
# They hold a line of the text, or with an id like `main` mark a place in it.
_LINES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "span"})
# How much of the page its content must hold at least, and if nobody can have meant anything else.
_KEPT_SHARE = 0.4
_SURE_SHARE = 0.1
_SCORED_SHARE = 0.97
_MOST_AROUND = 500
_MAX_DESCENT = 64
# What AsciiDoc calls a page, as a class of its body.
_ASCIIDOC = frozenset({"article", "book", "manpage"})
# What stands around the content, where it is marked by HTML.
_MACHINERY = ("nav", "header", "footer", "aside", "button", "form", "select")
_ByTag = dict[str, list[tree.Element]]
_NOT_CONTAINERS = _LINES | {"table", "ul", "ol", "dl", "pre", "blockquote", "code", "tt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The element that holds the content, and what was remarkable about finding it."""

    element: tree.Element
    notes: tuple[str, ...] = ()
    is_marked: bool = False


def choose_content(page: tree.Document, recipe: Recipe) -> Choice | None:
    """The element that holds the page's content; None for a page without a body."""
    body = tree.body_of(page)
    if body is None:
        return None
    notes: tuple[str, ...] = ()
    if recipe.selector is not None and tree.selector_fault(recipe.selector) is None:
        selected = tree.outermost(page.select(recipe.selector))
        if selected:
            return Choice(element=_together(selected))
        notes = (SELECTOR_UNMATCHED,)
    if recipe.content == "body":
        return Choice(element=body, notes=notes)
    for template in page.select("template"):
        template.extract()
    # Asked of the page before it changes: until then the library knows its elements by their tag.
    by_tag = {tag: page.select(tag) for tag in _TAGS}
    body.remove("script,style")
    marked = _marked(body, by_tag)
    if marked is not None:
        if _holds_enough(marked, body):
            return Choice(element=marked, notes=notes, is_marked=True)
        notes = (*notes, FELL_BACK)
        return Choice(element=body, notes=notes)
    return Choice(element=_scored(body, _title_of(page)), notes=(*notes, SCORED))


def restore_title(page: tree.Document, content: tree.Element) -> None:
    """Give the content the page's heading where its generator keeps it outside."""
    _take_header(content)
    _take_title(page, content)
    _take_name(content)
    if content.select_one("h1") is not None:
        _take_first_heading(page, content)
        return
    headings = [heading for heading in page.iter_elements("h1") if heading.text.strip()]
    title = _title_of(page)
    if len(headings) != 1 or not title:
        return
    if not _SITE_TITLES.isdisjoint(tree.classes_of(headings[0])):
        return
    words = tree.line_of(headings[0]).rstrip("¶# ")
    hero = headings[0].closest("header.hero")
    if hero is not None and hero not in content.ancestors:
        # Docusaurus puts the name of a project and what it is above the main element.
        content.insert(0, hero.extract())
    elif words and words in title:
        content.insert(0, tree.element("h1", None, tree.Text(words)))


def _take_header(content: tree.Element) -> None:
    """AsciiDoc puts the title, and what a manual page is about, into a header before its text."""
    body = content.parent
    if content.attr("id") != "content" or not isinstance(body, tree.Element):
        return
    if _ASCIIDOC.isdisjoint(tree.classes_of(body)):
        # Elsewhere such a header is the site's.
        return
    for node in content.previous_siblings:
        if isinstance(node, tree.Element) and node.attr("id") == "header":
            for part in reversed(list(node.children)):
                content.insert(0, part.extract())
            return


def _take_title(page: tree.Document, content: tree.Element) -> None:
    """Doxygen writes a page's title as a `<div>`, after links to the parts of the page."""
    if content.attr("id") != "doc-content" and not content.has_class("contents"):
        return
    title = page.select_one("div.headertitle > div.title")
    if title is None:
        return
    groups = [group.extract() for group in title.select("div.ingroups")]
    title.tag = "h1"
    for node in (*groups, title.extract()):
        content.insert(0, node)


def _take_first_heading(page: tree.Document, content: tree.Element) -> None:
    """Nim's documentation has headings of the first level under the one that names the page."""
    if content.attr("id") != "content":
        return
    heading = page.select_one("h1.title")
    if heading is None or content in heading.ancestors:
        return
    if tree.line_of(heading) == _title_of(page):
        content.insert(0, heading.extract())


def _take_name(content: tree.Element) -> None:
    """Javadoc 8 and Groovydoc name the package and the class in a header before the content."""
    header = tree.first_element(content.previous_siblings)
    if header is None or not content.has_class("contentContainer"):
        return
    if header.has_class("header") and header.select_one(".title") is not None:
        for part in reversed(list(header.children)):
            content.insert(0, part.extract())


def framed(page: tree.Document) -> tree.Element:
    """What a frameset shows, as a list of links to its frames."""
    listing = tree.element("ul")
    for frame in page.iter_elements("frame"):
        address = tree.attribute(frame, "src")
        words = tree.attribute(frame, "title") or tree.attribute(frame, "name") or address
        if address:
            link = tree.element("a", {"href": address}, tree.Text(words))
            listing.append(tree.element("li", None, link))
    return tree.element("div", None, listing)


def _marked(body: tree.Element, by_tag: _ByTag) -> tree.Element | None:
    found = by_tag["main"] or body.select("[role=main]") or by_tag["article"]
    if not found:
        return _container(body, by_tag)
    if len(found) == 1:
        return _whole(found[0], body, by_tag)
    outermost = tree.outermost(found)
    largest = max(outermost, key=tree.words_of)
    if tree.words_of(largest) >= 0.8 * sum(map(tree.words_of, outermost)):
        return largest
    common = _common(outermost, body)
    container = _container(body, by_tag)
    # Articles may be cards on a page that says more than they do.
    is_around = container is not None and container in common.ancestors
    return container if is_around else common


def _whole(marked: tree.Element, body: tree.Element, by_tag: _ByTag) -> tree.Element:
    """An only article, or what it is a part of: Erlang's one function, among other sections."""
    if marked.tag != "article" or marked.select_one(_HEADINGS) is not None:
        return marked
    container = _container(body, by_tag)
    if container is None or container not in marked.ancestors:
        return marked
    # One heading around it may be its own.
    return container if len(container.select(_HEADINGS)) > 1 else marked


def _container(body: tree.Element, by_tag: _ByTag) -> tree.Element | None:
    """The surest of the generators' containers of which there is one."""
    # A search for each of them would take as long as parsing the page did.
    found: dict[int, list[tree.Element]] = {}
    for tag in ("div", "section"):
        for node in by_tag[tag]:
            for rank in _ranks(tag, node.attr("class") or ""):
                found.setdefault(rank, []).append(node)
    for node in body.select("[id]"):
        named = _RANKS.get(f"#{node.attr('id')}")
        if named is not None and node.tag not in _LINES:
            found.setdefault(named, []).append(node)
    for rank in sorted(found):
        outermost = tree.outermost(found[rank])
        if len(outermost) == 1 and (rank != _CONTENTS or _tells(outermost[0])):
            return outermost[0]
    return None


def _tells(contents: tree.Element) -> bool:
    """Whether what is called contents are those of Doxygen, and not a table of Texinfo's."""
    first = tree.first_element(contents.children)
    return first is None or first.tag != "ul" or 2 * _prose(contents) > tree.words_of(contents)


@lru_cache(maxsize=4096)
def _ranks(tag: str, classes: str) -> tuple[int, ...]:
    names = (f"{tag}.{name}" for name in classes.split())
    return tuple(_RANKS[name] for name in names if name in _RANKS)


def _holds_enough(marked: tree.Element, body: tree.Element) -> bool:
    """Whether a marked element holds so much of the page that it can be its content."""
    # Most pages need no closer look, and leaving out white space costs more than all the rest.
    if len(marked.text) >= _KEPT_SHARE * len(body.text):
        return True
    share = _SURE_SHARE if _is_sure(marked) else _KEPT_SHARE
    kept = tree.words_of(marked)
    if kept >= share * tree.words_of(body):
        return True
    prose = _prose(body)
    if kept < share * prose and _is_sure(marked):
        # A page of one line, among the menus of a large site.
        prose -= sum(map(_prose, tree.outermost(list(body.iter_elements(_MACHINERY)))))
    return kept >= share * prose


def _is_sure(marked: tree.Element) -> bool:
    if "main" in (marked.tag, marked.attr("role")) or marked.attr("id") in _SURE_IDS:
        return True
    return not _SURE_CLASSES.isdisjoint(tree.classes_of(marked))


def _title_of(page: tree.Document) -> str:
    title = page.select_one("title")
    return "" if title is None else tree.line_of(title)


def _scored(body: tree.Element, title: str) -> tree.Element:
    """The smallest element that still holds nearly all of the body's prose, and its heading."""
    prose = _prose(body)
    # A small share of a long page is more than a site says around its content.
    least = max(1, _SCORED_SHARE * prose, prose - _MOST_AROUND)
    node = body
    for _ in range(_MAX_DESCENT):
        # At most one child can be that large, so links are counted once for each level.
        large = (child for child in tree.child_elements(node) if tree.words_of(child) >= least)
        heir = next(large, None)
        if heir is None or heir.tag in _NOT_CONTAINERS or _prose(heir) < least:
            break
        if _is_headed(node, title) and heir.select_one("h1") is None:
            break
        node = heir
    return node


def _is_headed(node: tree.Element, title: str) -> bool:
    """Whether a part of the page begins with its title; a site's own name comes last in there."""
    heading = node.select_one("h1")
    words = "" if heading is None else tree.line_of(heading)
    if not words or not title:
        return False
    # Odoc says "Module Larch.Queue" above the text, and "Queue (larch.Larch.Queue)" in the title.
    return title.startswith(words) or words.endswith("." + title.split(" ")[0])


def _prose(node: tree.Element) -> int:
    """How much of an element's text is not a link: navigation is nearly all links."""
    return tree.words_of(node) - sum(map(tree.words_of, node.iter_elements("a")))


def _common(found: list[tree.Element], body: tree.Element) -> tree.Element:
    """The nearest element that holds all of the found ones, which stand in the page's order."""
    around_last = set(found[-1].ancestors)
    shared = next((node for node in found[0].ancestors if node in around_last), None)
    return shared if isinstance(shared, tree.Element) else body


def _together(found: list[tree.Element]) -> tree.Element:
    if len(found) == 1:
        return found[0]
    holder = tree.element("div")
    holder.extend([node.extract() for node in found])
    return holder
