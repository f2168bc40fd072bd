"""Links: Confluence's own, and web addresses that turn out to be its own."""

import base64
import binascii
import re
from html import escape
from urllib.parse import parse_qs, unquote, unquote_plus, urlsplit

from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.references import AttachmentKey, PageKey
from markmirror.convert.storage_format.translation import Translation, destination, link

_PAGE_BY_ID = re.compile(
    r"/spaces/[^/]+/(?:pages|blog|folder)(?:/\d+/\d+/\d+)?/(?:edit-v2/)?(\d+)(?:/.*)?"
)
_SPACE = re.compile(r"/spaces/([^/]+)(?:/overview|/pages)?/?")
_DISPLAY = re.compile(r"/display/([^/]+)(?:/(\d{4}/\d\d/\d\d)(?=/|$))?(?:/(.+))?")
_TINY = re.compile(r"/x/([\w-]+)/?")
_DOWNLOAD = re.compile(r"/download/(?:attachments|thumbnails)/(\d+)/([^/]+)")
_REST = re.compile(r"/rest/api/content/(\d+)")


def confluence_link(translation: Translation, element: Element) -> str:
    """An `ac:link`: to a page, a file, a person, a space, an address, or a place on this page."""
    fragment = element.attribute("ac:anchor")
    for resource in element.elements():
        if resource.name.startswith("ri:"):
            return resource_link(translation, resource, label(translation, element), fragment)
    text = label(translation, element)
    if not fragment:
        return text
    target = translation.marks.target(f"#{destination(fragment)}")
    return link(target, text or escape(fragment))


def label(translation: Translation, element: Element) -> str:
    """What a link is called, as HTML; empty where it is left to the target."""
    body = element.first("ac:link-body", "ac:plain-text-link-body")
    if body is not None:
        return translation.inside(body)
    loose = "".join(
        translation.html(child)
        for child in element.children
        if isinstance(child, str) or not child.name.startswith("ri:")
    )
    return loose if loose.strip() else ""


def resource_link(
    translation: Translation, resource: Element, text: str = "", fragment: str = ""
) -> str:
    """A link to what an `ri:` element names, called by the given HTML or by its own name."""
    match resource.name:
        case "ri:attachment":
            attachment = attachment_key(resource)
            target = translation.attachment_target(attachment)
            return link(target, text or escape(attachment.name))
        case "ri:user":
            return _mention(translation, resource, text)
        case "ri:url":
            address = resource.attribute("ri:value")
            return link(address, text or escape(address)) if address else text
        case "ri:shortcut":
            # Only the server knows what the shortcut's key stands for.
            parts = [resource.attribute("ri:parameter"), resource.attribute("ri:key")]
            return text or escape("@".join(part for part in parts if part))
        case "ri:page" | "ri:blog-post" | "ri:content-entity" | "ri:space":
            page = page_key(resource)
            shown = text or escape(translation.page_title(page) or fragment)
            return link(translation.page_target(page, "link", fragment), shown)
        case _:
            return text


def page_key(resource: Element) -> PageKey:
    """The page that an `ri:` element names."""
    return PageKey(
        content_id=resource.attribute("ri:content-id"),
        space_key=resource.attribute("ri:space-key"),
        title=resource.attribute("ri:content-title"),
        posting_day=resource.attribute("ri:posting-day"),
    )


def attachment_key(resource: Element) -> AttachmentKey:
    """The file that an `ri:attachment` names, with its page where that is another one."""
    holder = resource.first("ri:page", "ri:blog-post", "ri:content-entity")
    name = resource.attribute("ri:filename")
    return AttachmentKey(name=name, page=None if holder is None else page_key(holder))


def _mention(translation: Translation, resource: Element, text: str) -> str:
    names = ("ri:account-id", "ri:userkey", "ri:username")
    key = next((resource.attribute(name) for name in names if resource.attribute(name)), "")
    if not key:
        return text
    shown = escape(translation.mention(key), quote=False)
    return f"{text} ({shown})" if text else shown


def web_link(translation: Translation, element: Element) -> str:
    """An ordinary `<a>`, which leads to a page's file if its address is that of a page."""
    href = element.attribute("href")
    text = translation.inside(element)
    if not href:
        return text
    if href.startswith("#"):
        return link(translation.marks.target(f"#{destination(unquote(href[1:]))}"), text)
    if href.lower().startswith("file:"):
        # Nobody can follow it from here, but it says where the file lies.
        return f"{text} (<code>{escape(href)}</code>)"
    found = own_address(href, translation.context.base_url)
    if found is None:
        return link(href, text or escape(href))
    target, fragment = found
    if isinstance(target, AttachmentKey):
        return link(translation.attachment_target(target), text or escape(target.name))
    # A bare address, as smart links are stored, reads better as the title of its page.
    bare = element.text().strip() in ("", href.strip())
    known = translation.context.pages.get(target)
    shown = escape(known.title) if bare and known is not None else text or escape(href)
    address = translation.page_target(target, "link", fragment)
    if known is None:
        return link(href, shown)
    return link(address, shown)


def own_address(href: str, base_url: str) -> tuple[PageKey | AttachmentKey, str] | None:
    """The page or file of this site that an address leads to, and the place on it, if it does."""
    try:
        address, base = urlsplit(href.strip()), urlsplit(base_url)
    except ValueError:
        return None
    if address.scheme not in ("", "http", "https"):
        return None
    if address.netloc and address.netloc.lower() != base.netloc.lower():
        return None
    context = base.path.rstrip("/")
    path = address.path
    if context and path.startswith(f"{context}/"):
        path = path[len(context) :]
    elif context and address.netloc:
        return None
    target = _target(path, parse_qs(address.query))
    return None if target is None else (target, unquote(address.fragment))


def _target(path: str, query: dict[str, list[str]]) -> PageKey | AttachmentKey | None:
    if (by_id := _PAGE_BY_ID.fullmatch(path) or _REST.fullmatch(path)) is not None:
        return PageKey(content_id=by_id[1])
    if path.endswith(".action"):
        return _action_target(query)
    if (display := _DISPLAY.fullmatch(path)) is not None:
        title = (display[3] or "").rpartition("/")[2]
        return PageKey(
            space_key=unquote(display[1]),
            title=unquote_plus(title),
            posting_day=display[2] or "",
        )
    if (tiny := _TINY.fullmatch(path)) is not None:
        content_id = tiny_content_id(tiny[1])
        return PageKey(content_id=content_id) if content_id else None
    if (download := _DOWNLOAD.fullmatch(path)) is not None:
        page = PageKey(content_id=download[1])
        return AttachmentKey(name=unquote_plus(download[2]), page=page)
    if (space := _SPACE.fullmatch(path)) is not None:
        return PageKey(space_key=unquote(space[1]))
    return None


def _action_target(query: dict[str, list[str]]) -> PageKey | None:
    if page_id := query.get("pageId", [""])[0]:
        return PageKey(content_id=page_id) if page_id.isdigit() else None
    space_key, title = query.get("spaceKey", [""])[0], query.get("title", [""])[0]
    return PageKey(space_key=space_key, title=title) if space_key and title else None


def tiny_content_id(tiny: str) -> str:
    """The content id in a short address `/x/…`, or nothing if it holds none."""
    text = tiny.replace("-", "/").replace("_", "+")
    try:
        packed = base64.b64decode(text.ljust(-(-len(text) // 4) * 4, "A"))
    except (binascii.Error, ValueError):
        return ""
    number = int.from_bytes(packed[:8], "little")
    return str(number) if number else ""
