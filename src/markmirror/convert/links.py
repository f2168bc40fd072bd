"""Addresses: absolute where they lead away, `#name` where they lead to a place on the same page."""

import re
from urllib.parse import unquote

from markmirror.convert import tree
from markmirror.convert.footnotes import cleared_note, take_footnote
from markmirror.convert.offers import is_offer
from markmirror.convert.stash import Stash
from markmirror.convert.survey import Survey

_NOT_IN_A_SLUG = re.compile(r"[^\w\- ]")
_SAFE_NAME = re.compile(r"[^\s<>\"'&]+\Z")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TAKES_TEXT = _HEADINGS | {"p", "li", "a", "span", "dt", "dd", "td", "th", "summary", "figcaption"}
# Addresses that a reader of the mirror cannot follow.
_LEADS_NOWHERE = ("javascript:", "data:", "vbscript:", "file:", "blob:", "about:")
_BLOCKS_IN_A_LINK = "h1,h2,h3,h4,h5,h6,p,div,ul,ol,dl,table,pre,blockquote,section,figure"
_SEPARATORS = frozenset("·•|")
_CODE = "code,tt,kbd,samp,pre"
_HOLDS_BLOCKS = frozenset({"div", "section", "article", "main", "body", "blockquote", "header"})


def prepare_links(
    survey: Survey, *, url: str, base: str, stash: Stash, furnished: bool
) -> list[tuple[str, tree.Element]]:
    """Make every address absolute, and keep the places that links on the page point at.

    `furnished` says that the page still has permalinks and edit links to be taken out. Returns
    the footnotes that were found, each with its label.
    """
    content = survey.content
    tree.resolve_links(content, base)
    here = url.partition("#")[0] + "#"
    _turn_inside_out(content)
    pointed_at: dict[str, list[tree.Element]] = {}
    before = None
    for link in survey.of("a"):
        href = link.attr("href")
        if href is None:
            _empty_anchor(link)
            continue
        is_here = href.startswith(here)
        # A parser goes on with a link that was never closed in every block that follows.
        is_echo = href == before and not link.text.strip() and link.select_one("*") is None
        before = href
        if is_echo or (furnished and is_offer(link, is_here=is_here)):
            _take_out(link)
        elif is_here:
            name = href[len(here) :]
            if not name or (furnished and _is_own_heading(link, name)):
                link.unwrap()
            elif link.attr("id") == name:
                # Documenter lets a name link to itself.
                _empty_anchor(link)
            else:
                pointed_at.setdefault(unquote(name), []).append(link)
        elif href[:4] != "http" and _leads_nowhere(href, url):
            link.unwrap()
        else:
            _keep_from_image(link, stash)
    return _keep_places(content, pointed_at, stash) if pointed_at else []


def _leads_nowhere(href: str, url: str) -> bool:
    """Whether an address takes a reader nowhere: an empty one names the page it stands on."""
    if not href:
        return bool(url)
    return href.lower().startswith(_LEADS_NOWHERE)


def _take_out(link: tree.Element) -> None:
    """Take out a link, what set it off from the text, and the list item that held nothing else."""
    holder, before, after = link.parent, link.previous_sibling, link.next_sibling
    if isinstance(before, tree.Text):
        if before.data.strip() in _SEPARATORS:
            before.extract()
        elif before.data[-1:] == "(" and isinstance(after, tree.Text) and after.data[:1] == ")":
            before.data, after.data = before.data[:-1], after.data[1:]
    link.extract()
    if isinstance(holder, tree.Element) and holder.tag == "li" and _is_blank(holder):
        holder.extract()


def _is_blank(node: tree.Element) -> bool:
    return all(isinstance(part, tree.Text) and not part.data.strip() for part in node.children)


def _empty_anchor(anchor: tree.Element) -> None:
    """An anchor marks the place where it begins, however far an author left it open."""
    if not anchor.children:
        return
    name = anchor.attr("id") or anchor.attr("name")
    if name:
        anchor.insert_before(tree.element("a", {"id": name}))
    anchor.unwrap()


def _turn_inside_out(content: tree.Element) -> None:
    """A link around blocks becomes a link in the first of them: Markdown has no other."""
    for link in content.select(f"a[href]:has({_BLOCKS_IN_A_LINK})"):
        inner = link.select_one("h1,h2,h3,h4,h5,h6") or link.select_one("p")
        if inner is None or not inner.text.strip():
            continue
        name = link.attr("id") or link.attr("name")
        if name and not inner.attr("id"):
            inner.attrs["id"] = name
        inner.wrap_children(link.unwrap())


def _keep_from_image(link: tree.Element, stash: Stash) -> None:
    """An exclamation mark before a link would make a picture of it."""
    before = link.previous_sibling
    if isinstance(before, tree.Text) and before.data.endswith("!"):
        before.data = before.data[:-1] + stash.sign("\\!")


def _is_own_heading(link: tree.Element, name: str) -> bool:
    """Whether a heading links to itself, or with docutils to its entry in the contents."""
    heading = link.closest("h1,h2,h3,h4,h5,h6,summary")
    if heading is None or not name:
        return False
    if link.has_class("toc-backref") or name in (
        heading.attr("id"),
        link.attr("id"),
        link.attr("name"),
    ):
        return True
    holder = heading.parent
    return isinstance(holder, tree.Element) and holder.attr("id") == name


def _keep_places(
    content: tree.Element, pointed_at: dict[str, list[tree.Element]], stash: Stash
) -> list[tuple[str, tree.Element]]:
    places: dict[str, tree.Element] = {}
    for node in content.select("[id],a[name]"):
        for name in (node.attr("id"), node.attr("name")):
            if name and name in pointed_at:
                places.setdefault(name, node)
    footnotes = []
    backlinks: set[str] = set()
    for name, links in pointed_at.items():
        place = places.get(name)
        if place is None or not _SAFE_NAME.match(name) or name in backlinks:
            continue
        names = [_name_of_mark(link) for link in links]
        labels = [take_footnote(link, name, place, stash) for link in links]
        label = next(filter(None, labels), None)
        if label is not None:
            footnotes.append((label, cleared_note(label, place)))
            backlinks.update(filter(None, names))
            continue
        for link in links:
            link.attrs["href"] = "#" + name
        _mark(place, name, stash)
    return footnotes


def _name_of_mark(link: tree.Element) -> str | None:
    """The name of a link that may be a footnote's mark, or of the element around or in it."""
    for node in (link, link.parent, link.select_one("[id]")):
        if isinstance(node, tree.Element) and node.attr("id"):
            return node.attr("id")
    return None


def _mark(place: tree.Element, name: str, stash: Stash) -> None:
    """Leave an anchor at a place, unless a heading there makes the same one by itself."""
    if place.parent is None:
        # The content itself, or a footnote's mark that is gone already.
        return
    heading = _leading_heading(place) or _heading_after(place)
    if heading is not None:
        if slug(heading.text) == name:
            return
        place = heading
    anchor = stash.inline(f'<a id="{name}"></a>')
    code = place.closest(_CODE)
    if code is not None:
        # Inside code an anchor would be read as text.
        outer = code.parent.closest(_CODE) if isinstance(code.parent, tree.Element) else None
        (outer or code).insert_before(anchor)
        return
    if place.tag == "a" and place.attr("href"):
        place.insert_before(anchor)
        return
    front = _front(place)
    if front is not None:
        _lead_with(front, anchor)
    elif place.tag not in {"tr", "tbody", "thead", "tfoot", "col", "colgroup"}:
        place.insert_before(anchor)


def _lead_with(block: tree.Element, anchor: tree.Text) -> None:
    """Put an anchor in front of a block's text, but not of the white space before it."""
    # Within a line, that space stands between words.
    if block.tag not in {"a", "span"}:
        tree.trim_start(block)
    block.insert(0, anchor)


def _leading_heading(place: tree.Element) -> tree.Element | None:
    node: tree.Element | None = place
    while node is not None and node.tag not in _HEADINGS:
        if node.tag not in _HOLDS_BLOCKS:
            return None
        node = tree.first_element(node.children)
    return node


def _heading_after(place: tree.Element) -> tree.Element | None:
    """The heading before which an empty anchor was put."""
    after = None if place.text.strip() else tree.first_element(place.next_siblings)
    return None if after is None else _leading_heading(after)


def _front(place: tree.Element) -> tree.Element | None:
    """The element that the first text at a place stands in, if an anchor can stand there, too."""
    node: tree.Node | None = place.select_one("li") if place.tag in {"ul", "ol"} else place
    while isinstance(node, tree.Element) and node.tag not in _TAKES_TEXT:
        first = tree.first_node(node.children) if node.tag in _HOLDS_BLOCKS else None
        if isinstance(first, tree.Text):
            return node
        node = first
    return node if isinstance(node, tree.Element) else None


def slug(heading: str) -> str:
    """The anchor that GitHub and its like give a heading."""
    return _NOT_IN_A_SLUG.sub("", heading.strip().lower()).replace(" ", "-")
