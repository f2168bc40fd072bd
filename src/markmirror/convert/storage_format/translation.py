"""The walk over a page's tree: each element goes to the function that its name stands for."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final, Literal
from unicodedata import normalize
from urllib.parse import quote

from markmirror.convert.storage_format.marks import Marks
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.references import (
    AttachmentKey,
    PageKey,
    PageReference,
    ReferenceLog,
    ReferenceSource,
    StorageContext,
)

# Inside these, what could stand as a block of its own stays in the line.
_LINE_ELEMENTS = """
p h1 h2 h3 h4 h5 h6 a strong b em i u s del sub sup code span small big li td th summary
ac:link-body ac:task-body ac:caption ac:inline-comment-marker
"""
_IN_A_LINE = frozenset(_LINE_ELEMENTS.split())
_FORMS: Final[tuple[Literal["NFC", "NFD"], ...]] = ("NFC", "NFD")


@dataclass(slots=True)
class Translation:
    """One page being turned into HTML, with what was found on the way."""

    context: StorageContext
    handlers: Mapping[str, "Handler"]
    marks: Marks
    log: ReferenceLog = field(default_factory=ReferenceLog)
    unknown_macros: dict[str, None] = field(default_factory=dict)
    footnotes: list[str] = field(default_factory=list)
    _path: list[str] = field(default_factory=list)

    def html(self, node: Element | str) -> str:
        """One node as HTML. An element nobody knows is what is inside it."""
        if isinstance(node, str):
            return escape(node, quote=False)
        handler = self.handlers.get(node.name)
        return self.inside(node) if handler is None else handler(self, node)

    def inside(self, element: Element) -> str:
        """What is inside an element, as HTML."""
        self._path.append(element.name)
        html = "".join([self.html(child) for child in element.children])
        self._path.pop()
        return html

    def wrapped(self, tag: str, element: Element, attributes: str = "") -> str:
        return f"<{tag}{attributes}>{self.inside(element)}</{tag}>"

    def standing(self, html: str) -> str:
        """Inline HTML as a paragraph of its own, unless it stands within a line."""
        return html if self._path and self._path[-1] in _IN_A_LINE else f"<p>{html}</p>"

    def page_target(self, page: PageKey, source: ReferenceSource, fragment: str = "") -> str:
        """Where a link to a page leads: to its file, or to the page itself if it has none."""
        self.log.pages[PageReference(page=page, source=source)] = None
        known = self.context.pages.get(page)
        anchor = f"#{destination(fragment)}" if fragment else ""
        if known is None:
            return self.context.page_address(page) + anchor
        return self.marks.target(destination(known.path) + anchor)

    def page_title(self, page: PageKey) -> str:
        """What a link to a page is called when nothing else is said."""
        known = self.context.pages.get(page)
        if known is not None:
            return known.title
        return page.title or page.space_key or page.content_id

    def attachment_target(self, attachment: AttachmentKey) -> str:
        """Where a file is: beside the page, or on the server."""
        if attachment.page is not None and self._is_this_page(attachment.page):
            attachment = AttachmentKey(name=attachment.name)
        self.log.attachments[attachment] = None
        path = self.attachment_path(attachment)
        if path is None:
            return self.context.attachment_address(attachment)
        return self.marks.target(destination(path))

    def attachment_path(self, attachment: AttachmentKey) -> str | None:
        """A file's path. The same name may come composed in one place and decomposed in another."""
        spellings = (attachment.name, *(normalize(form, attachment.name) for form in _FORMS))
        known = self.context.attachments
        found = (known.get(replace(attachment, name=name)) for name in spellings)
        return next((path for path in found if path is not None), None)

    def _is_this_page(self, page: PageKey) -> bool:
        context = self.context
        if page.content_id:
            return page.content_id == context.page_id
        here = page.space_key in ("", context.space_key)
        return here and bool(page.title) and page.title == context.page_title

    def mention(self, key: str) -> str:
        """A person's name, or the key if nobody knows the name."""
        self.log.users[key] = None
        home = PageKey(space_key=f"~{key}")
        self.log.pages[PageReference(page=home, source="mention")] = None
        return f"@{self.context.users.get(key, key)}"


Handler = Callable[[Translation, Element], str]

_UNSAFE = re.compile(r"""[\x00-\x20"#%()*<>?\[\\\]`{|}\x7f]""")


def destination(path: str) -> str:
    """A path as a Markdown link takes it: only what would break one is escaped."""
    return _UNSAFE.sub(lambda found: quote(found[0], safe=""), path)


def link(href: str, label_html: str) -> str:
    return f'<a href="{escape(href)}">{label_html}</a>'


def image(source: str, alt: str, title: str = "") -> str:
    tooltip = f' title="{escape(title)}"' if title else ""
    return f'<img src="{escape(source)}" alt="{escape(alt)}"{tooltip}>'
