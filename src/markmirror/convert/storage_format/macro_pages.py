"""Macros that show other pages: lists of children, included pages."""

from html import escape

from markmirror.convert.storage_format.links import page_key, resource_link
from markmirror.convert.storage_format.parameters import (
    macro_name,
    parameter,
    parameter_text,
    resource_in,
)
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.references import PageKey, PageReference
from markmirror.convert.storage_format.translation import Translation, destination, link

_ALL_LEVELS = 20


def children(translation: Translation, macro: Element) -> str:
    """A list of links to the pages below one, as deep as the macro says, in their order."""
    root = _root(translation, macro)
    translation.log.trees[root] = None
    every = parameter_text(macro, "all", "allChildren") == "true"
    depth = parameter_text(macro, "depth")
    levels = int(depth) if depth.isdecimal() and depth != "0" else 1
    if every or macro_name(macro) in ("pagetree", "content-tree") or depth == "0":
        levels = _ALL_LEVELS
    return _list(translation, _id_of(translation, root), min(levels, _ALL_LEVELS), frozenset())


def _root(translation: Translation, macro: Element) -> PageKey | None:
    """The page whose children are meant, None being the page itself."""
    context = translation.context
    resource = resource_in(parameter(macro, "page", "root"), "ri:page", "ri:content-entity")
    named = "" if resource is None else resource.attribute("ri:content-title")
    match named or parameter_text(macro, "page", "root"):
        case "@parent":
            # It may be a folder, which cannot be looked up and need not be.
            return PageKey(content_id=context.parent_id)
        case "@home":
            root = PageKey(space_key=context.space_key)
        case _ if resource is None or named == "@self":
            return None
        case _:
            root = page_key(resource)
    translation.log.pages[PageReference(page=root, source="macro")] = None
    return root


def _id_of(translation: Translation, root: PageKey | None) -> str:
    if root is None:
        return translation.context.page_id
    known = translation.context.pages.get(root)
    return known.content_id if known is not None else root.content_id


def _list(translation: Translation, page_id: str, levels: int, above: frozenset[str]) -> str:
    below = translation.context.children.get(page_id, ())
    if not below or not levels or page_id in above:
        return ""
    items: list[str] = []
    for child in below:
        key = PageKey(content_id=child.content_id)
        translation.log.pages[PageReference(page=key, source="macro")] = None
        target = translation.marks.target(destination(child.path))
        nested = _list(translation, child.content_id, levels - 1, above | {page_id})
        items.append(f"<li>{link(target, escape(child.title))}{nested}</li>")
    return f"<ul>{''.join(items)}</ul>"


def include(translation: Translation, macro: Element) -> str:
    """A line that leads to the page whose content would have stood here."""
    resource = resource_in(macro, "ri:page", "ri:blog-post", "ri:content-entity")
    if resource is None:
        title = parameter_text(macro, "", "page", "pageTitle")
        return translation.standing(f"<em>Included:</em> {escape(title)}") if title else ""
    page = page_key(resource)
    translation.log.pages[PageReference(page=page, source="macro")] = None
    known = translation.context.pages.get(page)
    shown = escape(known.title if known is not None else translation.page_title(page))
    target = translation.page_target(page, "macro")
    return translation.standing(f"<em>Included:</em> {link(target, shown)}")


def profile(translation: Translation, macro: Element) -> str:
    resource = resource_in(macro, "ri:user")
    if resource is not None:
        return translation.standing(resource_link(translation, resource))
    key = parameter_text(macro, "user", "")
    return translation.standing(escape(translation.mention(key), quote=False)) if key else ""
