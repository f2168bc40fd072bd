"""What a page refers to, and what rendering has to be told about those things."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote, quote_plus

ReferenceSource = Literal["link", "macro", "mention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKey:
    """A page as links name it: by its id, or by title within a space; a space alone is its home.

    No space key means the space of the page the link is on. A blog post is also named by the day
    it was posted on, such as 2026/01/02: a title may come again on another day.
    """

    content_id: str = ""
    space_key: str = ""
    title: str = ""
    posting_day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReference:
    """A page that another one refers to, and how. A mention refers to the home of its person's
    own space, `~` and the person's key."""

    page: PageKey
    source: ReferenceSource


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentKey:
    """A file by its name, on another page if one is given."""

    name: str
    page: PageKey | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """Where an exported page is. `path` is relative to the page being rendered."""

    content_id: str
    title: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageContext:
    """Everything rendering may ask, answered beforehand: rendering itself fetches nothing.

    `pages` is looked up by exactly what `PageReference.page` says; `attachments` likewise, and
    those without a page are the page's own, in the order lists of them show. `children` holds,
    by page id and in their order, the child pages of each page that a list may have to show.
    """

    base_url: str
    space_key: str = ""
    page_id: str = ""
    page_title: str = ""
    parent_id: str = ""
    pages: Mapping[PageKey, PageLink] = field(default_factory=dict)
    attachments: Mapping[AttachmentKey, str] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[str, tuple[PageLink, ...]] = field(default_factory=dict)
    jira_url: str = ""

    def page_address(self, page: PageKey) -> str:
        """Where a page that was not exported can be read."""
        if page.content_id:
            return f"{self.base_url}/pages/viewpage.action?pageId={quote(page.content_id)}"
        space_key = quote(page.space_key or self.space_key, safe="~")
        day = f"/{quote(page.posting_day)}" if page.posting_day else ""
        title = f"/{quote_plus(page.title)}" if page.title else ""
        return f"{self.base_url}/display/{space_key}{day}{title}"

    def attachment_address(self, attachment: AttachmentKey) -> str:
        """Where a file that was not exported can be had."""
        page = attachment.page
        if page is None or page.content_id:
            page_id = page.content_id if page else self.page_id
            return f"{self.base_url}/download/attachments/{page_id}/{quote(attachment.name)}"
        return self.page_address(page)


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Everything a page refers to, each once, in the order of its first appearance.

    `trees` are the pages that lists of pages on it begin with, None being the page itself.
    """

    pages: tuple[PageReference, ...] = ()
    attachments: tuple[AttachmentKey, ...] = ()
    users: tuple[str, ...] = ()
    trees: tuple[PageKey | None, ...] = ()


@dataclass(slots=True)
class ReferenceLog:
    """Gathers references while a page is rendered."""

    pages: dict[PageReference, None] = field(default_factory=dict)
    attachments: dict[AttachmentKey, None] = field(default_factory=dict)
    users: dict[str, None] = field(default_factory=dict)
    trees: dict[PageKey | None, None] = field(default_factory=dict)

    def frozen(self) -> References:
        return References(
            pages=tuple(self.pages),
            attachments=tuple(self.attachments),
            users=tuple(self.users),
            trees=tuple(self.trees),
        )
