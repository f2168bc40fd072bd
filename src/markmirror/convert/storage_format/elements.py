"""The elements of storage format, each with the function that turns it into plain HTML."""

import re
from html import escape

from markmirror.convert.storage_format.adf import adf_extension, adf_node
from markmirror.convert.storage_format.emoticons import emoticon
from markmirror.convert.storage_format.links import (
    attachment_key,
    confluence_link,
    own_address,
    resource_link,
    web_link,
)
from markmirror.convert.storage_format.macros import macro
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.references import AttachmentKey
from markmirror.convert.storage_format.translation import Handler, Translation, image

_ALIGNED = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)


def _same(translation: Translation, element: Element) -> str:
    return translation.wrapped(element.name, element)


def _void(translation: Translation, element: Element) -> str:  # noqa: ARG001
    return f"<{element.name}>"


def _nothing(translation: Translation, element: Element) -> str:  # noqa: ARG001
    return ""


def _stacked(translation: Translation, element: Element) -> str:
    return translation.wrapped("div", element)


def _raw_html(translation: Translation, element: Element) -> str:
    """What Markdown has no sign for stays HTML."""
    opening = translation.marks.inline(f"<{element.name}>")
    closing = translation.marks.inline(f"</{element.name}>")
    inside = translation.inside(element)
    return f"{opening}{inside}{closing}" if inside.strip() else inside


def _struck(translation: Translation, element: Element) -> str:
    return translation.wrapped("del", element)


def _ordered_list(translation: Translation, element: Element) -> str:
    start = element.attribute("start")
    attribute = f' start="{start}"' if start.isdecimal() and start != "1" else ""
    return translation.wrapped("ol", element, attribute)


def _item(translation: Translation, element: Element) -> str:
    """A list item. Editors wrap each in a paragraph, which alone makes no list a loose one."""
    paragraphs = [child for child in element.elements() if child.name == "p"]
    others = {child.name for child in element.elements()} - {"p"}
    loose = len(paragraphs) != 1 or not others <= {"ul", "ol", "ac:task-list"}
    if loose or any(isinstance(child, str) and child.strip() for child in element.children):
        return translation.wrapped("li", element)
    parts = [
        translation.inside(child) if child is paragraphs[0] else translation.html(child)
        for child in element.children
    ]
    return f"<li>{''.join(parts)}</li>"


def _cell(translation: Translation, element: Element) -> str:
    attributes = ""
    for name in ("colspan", "rowspan"):
        if element.attribute(name).isdecimal():
            attributes += f' {name}="{element.attribute(name)}"'
    aligned = _ALIGNED.search(element.attribute("style"))
    if aligned is not None:
        attributes += f' align="{aligned[1].lower()}"'
    return translation.wrapped(element.name, element, attributes)


def _preformatted(translation: Translation, element: Element) -> str:  # noqa: ARG001
    return f"<pre><code>{escape(_lines(element), quote=False)}</code></pre>"


def _lines(element: Element) -> str:
    parts: list[str] = []
    for child in element.children:
        if isinstance(child, str):
            parts.append(child)
        else:
            parts.append("\n" if child.name == "br" else _lines(child))
    return "".join(parts)


def _time(translation: Translation, element: Element) -> str:
    day = escape(element.attribute("datetime"))
    shown = translation.inside(element)
    return f"{shown} ({day})" if shown.strip() and day else shown + day


def _web_image(translation: Translation, element: Element) -> str:
    """An `<img>` pasted into the page; an emoticon of old editors is one too."""
    source = element.attribute("src")
    alt = element.attribute("alt")
    if not source:
        return escape(alt, quote=False)
    own = own_address(source, translation.context.base_url)
    if own is not None and isinstance(own[0], AttachmentKey):
        source = translation.attachment_target(own[0])
    return image(source, alt, element.attribute("title"))


def _image(translation: Translation, element: Element) -> str:
    """An `ac:image` with its caption in a line of its own below."""
    caption_element = element.first("ac:caption")
    caption = _in_one_line(translation, caption_element) if caption_element is not None else ""
    resource = element.first("ri:attachment", "ri:url")
    if resource is None:
        return translation.standing(f"<em>{caption}</em>") if caption else ""
    if resource.name == "ri:attachment":
        attachment = attachment_key(resource)
        source, name = translation.attachment_target(attachment), attachment.name
    else:
        source = resource.attribute("ri:value")
        name = source.rpartition("/")[2]
    if not source:
        return ""
    words = caption_element.text().strip() if caption_element is not None else ""
    alt = element.attribute("ac:alt") or words or name
    shown = image(source, alt, element.attribute("ac:title"))
    if not caption:
        return translation.standing(shown)
    return translation.standing(f"{shown}<br><em>{caption}</em>")


def _in_one_line(translation: Translation, element: Element) -> str:
    """What is inside, its paragraphs one after the other."""
    parts = [
        f"{translation.inside(child)} "
        if isinstance(child, Element) and child.name == "p"
        else translation.html(child)
        for child in element.children
    ]
    return "".join(parts).strip()


def _task_list(translation: Translation, element: Element) -> str:
    return translation.wrapped("ul", element)


def _task(translation: Translation, element: Element) -> str:
    status = element.first("ac:task-status")
    done = status is not None and status.text().strip() == "complete"
    body = element.first("ac:task-body")
    text = translation.inside(body) if body is not None else ""
    checked = " checked" if done else ""
    return f'<li><input type="checkbox"{checked}> {text}</li>'


_SAME_IN_HTML = """
h1 h2 h3 h4 h5 h6 p div blockquote ul dl dt dd table thead tbody tfoot tr caption
strong b em i del ins code kbd samp var q cite details summary figure figcaption
"""

# In this order: what only Confluence has, what HTML has and Markdown has not, and HTML itself.
ELEMENTS: dict[str, Handler] = {
    "ac:structured-macro": macro,
    "ac:macro": macro,
    "ac:link": confluence_link,
    "ac:image": _image,
    "ac:task-list": _task_list,
    "ac:task": _task,
    "ac:emoticon": emoticon,
    "ac:adf-extension": adf_extension,
    "ac:adf-node": adf_node,
    "ac:placeholder": _nothing,
    "ac:parameter": _nothing,
    "ac:layout": _stacked,
    "ac:layout-section": _stacked,
    "ac:layout-cell": _stacked,
    "ac:rich-text-body": _stacked,
    "ri:page": resource_link,
    "ri:blog-post": resource_link,
    "ri:attachment": resource_link,
    "ri:user": resource_link,
    "ri:url": resource_link,
    "a": web_link,
    "img": _web_image,
    "time": _time,
    "u": _raw_html,
    "sub": _raw_html,
    "sup": _raw_html,
    "s": _struck,
    "strike": _struck,
    "pre": _preformatted,
    "ol": _ordered_list,
    "li": _item,
    "td": _cell,
    "th": _cell,
    "colgroup": _nothing,
    "script": _nothing,
    "style": _nothing,
    "br": _void,
    "hr": _void,
    **dict.fromkeys(_SAME_IN_HTML.split(), _same),
}
