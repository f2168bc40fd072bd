"""Pages and spaces as the API tells of them, read once into values; what is missing is empty."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markmirror.sources.confluence.addresses import ConfluenceSite
from markmirror.sources.confluence.downloads import AttachmentRecord, read_attachment


@dataclass(frozen=True, slots=True, kw_only=True)
class AncestorRecord:
    """What a page stands under: a page, or a folder, whiteboard or database."""

    content_id: str
    title: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """A page. Empty parts were not asked for, or the server left them out.

    `ancestors` come root first. `modified` is as the server wrote it. `attachments` is None when
    it was not told, or not told in full.
    """

    page_id: str
    title: str
    space_key: str
    status: str
    version: int
    modified: str
    author: str
    position: int | None
    ancestors: tuple[AncestorRecord, ...]
    labels: tuple[str, ...]
    web_url: str
    storage: str | None
    attachments: tuple[AttachmentRecord, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceRecord:
    """A space. It may have no home page."""

    key: str
    name: str
    homepage_id: str


def read_page(site: ConfluenceSite, document: Mapping[str, Any]) -> PageRecord | None:
    """A page from its JSON, or None if that is no page."""
    page_id = _text(document, "id")
    if not page_id or document.get("type") not in ("page", "blogpost"):
        return None
    version = _mapping(document, "version")
    number = version.get("number")
    position = _mapping(document, "extensions").get("position")
    storage = _mapping(_mapping(document, "body"), "storage").get("value")
    webui = _text(_mapping(document, "_links"), "webui")
    return PageRecord(
        page_id=page_id,
        title=_text(document, "title"),
        space_key=_space_key(document),
        status=_text(document, "status"),
        version=number if isinstance(number, int) else 0,
        modified=_text(version, "when"),
        author=_text(_mapping(version, "by"), "displayName"),
        # At home the position of a page nobody moved is the word "none".
        position=position if isinstance(position, int) else None,
        ancestors=_ancestors(page_id, document),
        labels=_labels(document),
        web_url=f"{site.base_url}{webui}" if webui else "",
        storage=storage if isinstance(storage, str) else None,
        attachments=_attachments(site, page_id, document),
    )


def read_space(document: Mapping[str, Any]) -> SpaceRecord | None:
    """A space from its JSON, or None if that is no space."""
    key = _text(document, "key")
    if not key:
        return None
    home = _text(_mapping(document, "homepage"), "id")
    if not home:
        home = _text(_mapping(document, "_expandable"), "homepage").rpartition("/")[2]
    return SpaceRecord(key=key, name=_text(document, "name"), homepage_id=home)


def _space_key(document: Mapping[str, Any]) -> str:
    key = _text(_mapping(document, "space"), "key")
    return key or _text(_mapping(document, "_expandable"), "space").rpartition("/")[2]


def _ancestors(page_id: str, document: Mapping[str, Any]) -> tuple[AncestorRecord, ...]:
    """The chain above a page. A damaged one that comes back to where it was is cut there."""
    chain: dict[str, AncestorRecord] = {}
    for one in _list(document, "ancestors"):
        content_id = _text(one, "id")
        if content_id and content_id != page_id and content_id not in chain:
            chain[content_id] = AncestorRecord(
                content_id=content_id, title=_text(one, "title"), type=_text(one, "type")
            )
    return tuple(chain.values())


def _labels(document: Mapping[str, Any]) -> tuple[str, ...]:
    labels = _mapping(_mapping(document, "metadata"), "labels")
    return tuple(name for one in _list(labels, "results") if (name := _text(one, "name")))


def _attachments(
    site: ConfluenceSite, page_id: str, document: Mapping[str, Any]
) -> tuple[AttachmentRecord, ...] | None:
    told = _mapping(_mapping(document, "children"), "attachment")
    if "results" not in told or "next" in _mapping(told, "_links"):
        return None
    read = (read_attachment(site, page_id, one) for one in _list(told, "results"))
    return tuple(record for record in read if record is not None)


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    return value if isinstance(value, str) else ""


def _mapping(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    return value if isinstance(value, Mapping) else {}


def _list(document: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = document.get(name)
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, Mapping)]
