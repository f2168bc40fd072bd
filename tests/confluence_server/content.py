"""What a Confluence holds: spaces, pages, folders, attachments, users. Edited freely by tests."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

Flavour = Literal["data-center", "cloud"]
PageStatus = Literal["current", "trashed", "archived", "draft"]
ContainerType = Literal["folder", "whiteboard", "database", "embed"]

EPOCH = datetime(2024, 1, 1, 12, 0, tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class User:
    key: str
    name: str
    display_name: str


@dataclass(slots=True, kw_only=True)
class Attachment:
    """A file on a page. With `size_bytes` set, that many bytes are made up while they are sent.

    The API may be made to lie: to announce another size, or to tell none. `sent_bytes` counts what
    was sent of it in all.
    """

    id: str
    name: str
    body: bytes = b""
    size_bytes: int | None = None
    media_type: str = "application/octet-stream"
    version: int = 1
    comment: str = ""
    announced_bytes: int | None = None
    is_size_told: bool = True
    sent_bytes: int = 0

    @property
    def size(self) -> int:
        return len(self.body) if self.size_bytes is None else self.size_bytes


@dataclass(slots=True, kw_only=True)
class Page:
    """A page or blog post. `view` is its rendered body where that differs from the storage."""

    id: int
    title: str
    space_key: str
    body: str = ""
    parent_id: int | None = None
    view: str | None = None
    labels: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    version: int = 1
    modified: datetime = EPOCH
    author: str = "editor"
    status: PageStatus = "current"
    restricted: bool = False
    position: int | None = None
    type: Literal["page", "blogpost"] = "page"

    def edit(self, body: str, *, minutes: int = 1) -> None:
        """Save a new version of the body."""
        self.body = body
        self.view = None
        self.version += 1
        self.modified += timedelta(minutes=minutes)


@dataclass(slots=True, kw_only=True)
class Folder:
    """A parent that is no page: it shows up among ancestors and in no listing of pages."""

    id: int
    title: str
    space_key: str
    parent_id: int | None = None
    type: ContainerType = "folder"


@dataclass(slots=True, kw_only=True)
class Space:
    id: int
    key: str
    name: str
    homepage_id: int | None = None
    description: str = ""
    type: str = "global"
    status: str = "current"


Node = Page | Folder


@dataclass(slots=True)
class Content:
    """Everything one Confluence holds, with the questions its API has to answer."""

    spaces: dict[str, Space] = field(default_factory=dict)
    pages: dict[int, Page] = field(default_factory=dict)
    folders: dict[int, Folder] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)

    def add_space(self, key: str, name: str, *, type: str = "global") -> Space:  # noqa: A002
        space = Space(id=98304 + len(self.spaces), key=key, name=name, type=type)
        self.spaces[key] = space
        return space

    def add_page(
        self,
        space_key: str,
        title: str,
        body: str = "",
        *,
        parent_id: int | None = None,
        position: int | None = None,
        labels: tuple[str, ...] = (),
        type: Literal["page", "blogpost"] = "page",  # noqa: A002
    ) -> Page:
        """Add a page with the next free id. What else a page can be is set on it afterwards."""
        page = Page(
            id=self.next_id(),
            space_key=space_key,
            title=title,
            body=body,
            parent_id=parent_id,
            position=position,
            labels=list(labels),
            type=type,
        )
        self.pages[page.id] = page
        return page

    def add_folder(
        self,
        space_key: str,
        title: str,
        *,
        parent_id: int | None = None,
        type: ContainerType = "folder",  # noqa: A002
    ) -> Folder:
        folder = Folder(
            id=self.next_id(), space_key=space_key, title=title, parent_id=parent_id, type=type
        )
        self.folders[folder.id] = folder
        return folder

    def add_attachment(
        self,
        page: Page,
        name: str,
        body: bytes = b"",
        *,
        size_bytes: int | None = None,
        media_type: str = "application/octet-stream",
    ) -> Attachment:
        """Attach a file; a name the page already has becomes a new version of that file."""
        for attachment in page.attachments:
            if attachment.name == name:
                attachment.body = body
                attachment.version += 1
                return attachment
        attachment = Attachment(
            id=f"att{page.id * 1000 + len(page.attachments) + 1}",
            name=name,
            body=body,
            size_bytes=size_bytes,
            media_type=media_type,
        )
        page.attachments.append(attachment)
        return attachment

    def revise(self, page: Page) -> None:
        """A new version of a page, as people make them: more text, with a new file in it."""
        number = page.version + 1
        name = f"added-in-version-{number}.txt"
        self.add_attachment(page, name, b"content")
        page.edit(
            f"{page.body}<p>Edited into version {number}.</p>"
            f'<p><ac:link><ri:attachment ri:filename="{name}"/></ac:link></p>'
        )

    def add_user(self, key: str, name: str, display_name: str) -> User:
        user = User(key=key, name=name, display_name=display_name)
        self.users[key] = user
        return user

    def next_id(self) -> int:
        taken = [*self.pages, *self.folders]
        # Ids on a real site are six digits and more; a test that mistakes one for an index fails.
        return max(taken, default=393_215) + 4

    def node(self, node_id: int) -> Node | None:
        return self.pages.get(node_id) or self.folders.get(node_id)

    def ancestors(self, node: Node) -> list[Node]:
        """Root first, parent last; restricted ones are left out, a cycle ends where it closes."""
        chain: list[Node] = []
        seen: set[int] = set()
        parent_id = node.parent_id
        while parent_id is not None and parent_id not in seen:
            seen.add(parent_id)
            parent = self.node(parent_id)
            if parent is None:
                break
            if not (isinstance(parent, Page) and parent.restricted):
                chain.append(parent)
            parent_id = parent.parent_id
        chain.reverse()
        return chain

    def listed(self, space_key: str | None = None, *, status: str = "current") -> list[Page]:
        """What a listing shows: the visible, by id, of all spaces if no key is given."""
        return [
            page
            for page in sorted(self.pages.values(), key=lambda page: page.id)
            if not page.restricted
            and (space_key is None or page.space_key == space_key)
            and status in ("any", page.status)
        ]

    def children(self, node_id: int) -> list[Page]:
        """A node's visible child pages in the order people gave them."""
        found = [page for page in self.listed() if page.parent_id == node_id]
        return sorted(
            found, key=lambda page: (page.position is None, page.position or 0, page.title)
        )

    def descendants(self, node_id: int) -> list[Page]:
        """The visible pages below a node, by id, through folders too."""
        below: dict[int | None, list[Node]] = {}
        nodes: list[Node] = [*self.pages.values(), *self.folders.values()]
        for node in nodes:
            below.setdefault(node.parent_id, []).append(node)
        found: dict[int, Page] = {}
        seen = {node_id}
        waiting = [node_id]
        while waiting:
            for node in below.get(waiting.pop(), ()):
                if node.id in seen:
                    continue
                seen.add(node.id)
                waiting.append(node.id)
                if isinstance(node, Page) and not node.restricted and node.status == "current":
                    found[node.id] = node
        return [found[page_id] for page_id in sorted(found)]

    def page_titled(self, space_key: str, title: str) -> Page | None:
        for page in self.pages.values():
            if page.title == title and page.space_key == space_key and page.status == "current":
                return None if page.restricted else page
        return None
