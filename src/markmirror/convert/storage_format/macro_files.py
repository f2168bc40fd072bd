"""Macros that show files: lists of attachments, single files, diagrams drawn elsewhere."""

from html import escape

from markmirror.convert.storage_format.links import attachment_key, resource_link
from markmirror.convert.storage_format.parameters import parameter, parameter_text, resource_in
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.references import AttachmentKey, PageKey
from markmirror.convert.storage_format.translation import Translation, image, link

_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp")


def attachments(translation: Translation) -> str:
    """A list of the page's own files."""
    own = [key for key in translation.context.attachments if key.page is None]
    items = [link(translation.attachment_target(key), escape(key.name)) for key in own]
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else ""


def gallery(translation: Translation) -> str:
    """The page's own pictures."""
    own = [key for key in translation.context.attachments if key.page is None]
    pictures = [key for key in own if key.name.lower().endswith(_IMAGES)]
    return "".join(
        f"<p>{image(translation.attachment_target(key), key.name)}</p>" for key in pictures
    )


def one_file(translation: Translation, macro: Element) -> str:
    """A link to the file that the macro would have shown."""
    resource = resource_in(macro, "ri:attachment")
    if resource is None:
        name = parameter_text(macro, "name", "")
        if not name:
            return ""
        key = AttachmentKey(name=name)
        return translation.standing(link(translation.attachment_target(key), escape(name)))
    key = attachment_key(resource)
    holder = resource_in(parameter(macro, "page"), "ri:page")
    if holder is not None and key.page is None:
        # Old editors name the file's page in a parameter of its own.
        resource.children.append(holder)
    return translation.standing(resource_link(translation, resource))


def diagram(translation: Translation, macro: Element) -> str:
    """A diagram's picture, and below it a link to what it was drawn with."""
    name = parameter_text(macro, "diagramName", "filename", "name", "")
    if not name:
        return ""
    page_id = parameter_text(macro, "pageId")
    foreign = page_id.isdecimal() and page_id != translation.context.page_id
    page = PageKey(content_id=page_id) if foreign else None
    source = AttachmentKey(name=name, page=page)
    picture = name if name.lower().endswith(_IMAGES) else f"{name}.png"
    preview = AttachmentKey(name=picture, page=page)
    shown = link(translation.attachment_target(source), escape(name))
    if translation.attachment_path(preview) is not None:
        shown = f"{image(translation.attachment_target(preview), name)}<br>{shown}"
    else:
        translation.log.attachments[preview] = None
    return translation.standing(shown)
