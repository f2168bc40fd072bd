"""Spaces, pages, attachments and users as the JSON of API v1, expanded as asked."""

import base64
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote, quote_plus

from tests.confluence_server.content import (
    Attachment,
    Content,
    Flavour,
    Folder,
    Node,
    Page,
    Space,
)
from tests.confluence_server.rendered import view_html

Json = dict[str, Any]

SERVER_ZONE = timezone(timedelta(hours=10))
NESTED_LIMIT = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """Writes answers for one flavour of server under one base URL."""

    content: Content
    flavour: Flavour
    base_url: str
    context: str

    @property
    def cloud(self) -> bool:
        return self.flavour == "cloud"

    def date(self, moment: datetime) -> str:
        """UTC with a Z in the cloud, the server's own offset at home."""
        if self.cloud:
            return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        return moment.astimezone(SERVER_ZONE).isoformat(timespec="milliseconds")

    def user(self, key: str) -> Json:
        user = self.content.users.get(key)
        shown = user.display_name if user else key
        identity: Json = (
            {"accountId": key, "accountType": "atlassian", "publicName": shown, "email": ""}
            if self.cloud
            else {"username": user.name if user else key, "userKey": key}
        )
        return {
            "type": "known",
            **identity,
            "displayName": shown,
            "profilePicture": {"path": "/images/icons/profilepics/default.svg"},
            "_links": {"self": f"{self.base_url}/rest/api/user?key={quote(key)}"},
            "_expandable": {"status": ""},
        }

    def space(self, space: Space, expand: frozenset[str]) -> Json:
        home = self.content.pages.get(space.homepage_id or 0)
        body: Json = {
            "id": space.id,
            "key": space.key,
            "name": space.name,
            "type": space.type,
            "status": space.status,
            "_links": {
                "webui": f"/spaces/{space.key}" if self.cloud else f"/display/{space.key}",
                "self": f"{self.base_url}/rest/api/space/{quote(space.key)}",
            },
            "_expandable": {"metadata": "", "icon": "", "description": ""},
        }
        if home is not None and "homepage" in expand:
            body["homepage"] = self.page(home, frozenset())
        elif home is not None:
            body["_expandable"]["homepage"] = f"/rest/api/content/{home.id}"
        if "description.plain" in expand:
            plain = {"value": space.description, "representation": "plain", "embeddedContent": []}
            body["description"] = {"plain": plain, "_expandable": {"view": ""}}
        return body

    def page(self, page: Page, expand: frozenset[str]) -> Json:
        """A page as an item of a list; a single answer adds to its `_links` what `single` does."""
        body = self._node(page, page.type, page.status)
        extensions: Json = {"position": "none" if page.position is None else page.position}
        body["extensions"] = extensions
        if "version" in expand:
            body["version"] = self.version(page.version, page.modified, page.author)
        if "space" in expand:
            body["space"] = self.space(self.content.spaces[page.space_key], frozenset())
        if "history" in expand or "history.createdBy" in expand:
            body["history"] = {
                "latest": True,
                "createdBy": self.user(page.author),
                "createdDate": self.date(page.modified),
            }
        if "ancestors" in expand:
            body["ancestors"] = [self._ancestor(node) for node in self.content.ancestors(page)]
        self._expand_bodies(body, page, expand)
        self._expand_metadata(body, page, expand)
        if any(name.startswith("children.attachment") for name in expand):
            body["children"] = {"attachment": self._nested_attachments(page)}
        return body

    def single(self, document: Json) -> Json:
        """What only an answer about one thing carries."""
        document["_links"] |= {
            "collection": "/rest/api/content",
            "base": self.base_url,
            "context": self.context,
        }
        return document

    def attachment(self, page: Page, attachment: Attachment, expand: frozenset[str]) -> Json:
        extensions: Json = {
            "mediaType": attachment.media_type,
            "comment": attachment.comment,
            "mediaTypeDescription": "File",
        }
        if attachment.is_size_told:
            lie = attachment.announced_bytes
            extensions["fileSize"] = attachment.size if lie is None else lie
        if self.cloud:
            extensions |= {
                "fileId": f"00000000-0000-4000-8000-{int(attachment.id[3:]) % 10**12:012d}",
                "collectionName": f"contentId-{page.id}",
            }
        path = f"/download/attachments/{page.id}/{quote(attachment.name)}"
        query = f"version={attachment.version}&modificationDate={int(page.modified.timestamp())}000"
        body: Json = {
            "id": attachment.id,
            "type": "attachment",
            "status": "current",
            "title": attachment.name,
            "metadata": {"comment": attachment.comment, "mediaType": attachment.media_type},
            "extensions": extensions,
            "_expandable": {"space": f"/rest/api/space/{page.space_key}", "version": ""},
            "_links": {
                "webui": f"/pages/viewpageattachments.action?pageId={page.id}",
                "self": f"{self.base_url}/rest/api/content/{attachment.id}",
                "download": f"{path}?{query}&cacheVersion=1&api=v2",
            },
        }
        if any(name.split(".")[-1] == "version" for name in expand):
            body["version"] = self.version(attachment.version, page.modified, page.author)
        if any(name.startswith("container") for name in expand):
            body["container"] = self.page(page, frozenset({"ancestors"}))
        return body

    def labels(self, page: Page) -> list[Json]:
        return [
            {"prefix": "global", "name": name, "id": str(700_000 + number), "label": name}
            for number, name in enumerate(page.labels)
        ]

    def version(self, number: int, moment: datetime, author: str) -> Json:
        return {
            "by": self.user(author),
            "when": self.date(moment),
            "friendlyWhen": "только что",  # in the language of whoever asks
            "message": "",
            "number": number,
            "minorEdit": False,
            "hidden": False,
        }

    def _node(self, node: Node, kind: str, status: str) -> Json:
        links = {
            "webui": self._webui(node),
            "tinyui": f"/x/{tiny_id(node.id)}",
            "self": f"{self.base_url}/rest/api/content/{node.id}",
        }
        return {
            "id": str(node.id),
            "type": kind,
            "status": status,
            "title": node.title,
            "macroRenderedOutput": {},
            "_links": links,
            "_expandable": {
                "container": f"/rest/api/space/{node.space_key}",
                "children": f"/rest/api/content/{node.id}/child",
                "descendants": f"/rest/api/content/{node.id}/descendant",
                "history": f"/rest/api/content/{node.id}/history",
                "metadata": "",
                "body": "",
                "version": "",
                "ancestors": "",
                # Clients take the space key from here.
                "space": f"/rest/api/space/{node.space_key}",
            },
        }

    def _ancestor(self, node: Node) -> Json:
        kind, status = (
            (node.type, "current") if isinstance(node, Folder) else (node.type, node.status)
        )
        return {**self._node(node, kind, status), "extensions": {"position": 0}}

    def _webui(self, node: Node) -> str:
        space = self.content.spaces.get(node.space_key)
        if not self.cloud:
            plain = re.fullmatch(r"[\w .-]+", node.title, re.ASCII)
            if plain and isinstance(node, Page):
                return f"/display/{node.space_key}/{quote_plus(node.title)}"
            return f"/pages/viewpage.action?pageId={node.id}"
        if space is not None and space.homepage_id == node.id:
            return f"/spaces/{node.space_key}/overview"
        kind = node.type if isinstance(node, Folder) else "pages"
        words = quote_plus(re.sub(r"[^\w .-]", "", node.title, flags=re.ASCII).strip())
        return f"/spaces/{node.space_key}/{kind}/{node.id}" + (f"/{words}" if words else "")

    def _expand_bodies(self, body: Json, page: Page, expand: frozenset[str]) -> None:
        bodies: Json = {}
        if "body.storage" in expand:
            bodies["storage"] = {"value": page.body, "representation": "storage"}
        for name in ("view", "export_view", "styled_view"):
            if f"body.{name}" in expand:
                rendered = view_html(self.content, page, self.base_url)
                bodies[name] = {"value": rendered, "representation": name}
        if "body.editor2" in expand:
            bodies["editor2"] = {"value": "", "representation": "editor2"}
        if bodies:
            body["body"] = {**bodies, "_expandable": {"editor": "", "anonymous_export_view": ""}}

    def _expand_metadata(self, body: Json, page: Page, expand: frozenset[str]) -> None:
        metadata: Json = {}
        if "metadata.labels" in expand:
            found = self.labels(page)
            metadata["labels"] = {"results": found, "start": 0, "limit": 200, "size": len(found)}
        if any(name.startswith("metadata.properties") for name in expand):
            metadata["properties"] = {"_links": {}}
        if metadata:
            body["metadata"] = metadata

    def _nested_attachments(self, page: Page) -> Json:
        path = f"/rest/api/content/{page.id}/child/attachment"
        shown = page.attachments[:NESTED_LIMIT]
        expand = frozenset({"version"})
        links = {"self": f"{self.base_url}{path}"}
        if len(page.attachments) > NESTED_LIMIT:
            links["next"] = f"{path}?limit={NESTED_LIMIT}&start={NESTED_LIMIT}"
        return {
            "results": [self.attachment(page, item, expand) for item in shown],
            "start": 0,
            "limit": NESTED_LIMIT,
            "size": len(shown),
            "_links": links,
        }


def tiny_id(content_id: int) -> str:
    """The short form of an id in `/x/…` addresses."""
    packed = content_id.to_bytes(8, "little").rstrip(b"\0")
    text = base64.b64encode(packed.ljust(3 * -(-len(packed) // 3), b"\0")).decode()
    return text.rstrip("A=").replace("/", "-").replace("+", "_")
