"""Pages and spaces as the API tells of them, read once into values; what is missing is empty."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markmirror.sources.confluence.addresses import ConfluenceSite
from markmirror.sources.confluence.downloads import AttachmentRecord, read_attachment
from markmirror.sources.confluence.fields import (
    content_id,
    is_content_id,
    mapping,
    mappings,
    number,
    text,
)


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
    """A space. It may have no home page. `site_url` is where people read its site."""

    key: str
    name: str
    homepage_id: str
    site_url: str


def read_page(site: ConfluenceSite, document: Mapping[str, Any]) -> PageRecord | None:
    """A page from its JSON, or None if that is no page."""
    page_id = content_id(document)
    if not page_id or document.get("type") not in ("page", "blogpost"):
        return None
    version = mapping(document, "version")
    storage = mapping(mapping(document, "body"), "storage").get("value")
    webui = text(mapping(document, "_links"), "webui")
    return PageRecord(
        page_id=page_id,
        title=text(document, "title"),
        space_key=_space_key(document),
        status=text(document, "status"),
        version=number(version, "number") or 0,
        modified=text(version, "when"),
        author=text(mapping(version, "by"), "displayName"),
        # At home the position of a page nobody moved is the word "none".
        position=number(mapping(document, "extensions"), "position"),
        ancestors=_ancestors(page_id, document),
        labels=_labels(document),
        web_url=f"{site.web_url}{webui}" if webui else "",
        storage=storage if isinstance(storage, str) else None,
        attachments=_attachments(site, page_id, document),
    )


def read_space(document: Mapping[str, Any]) -> SpaceRecord | None:
    """A space from its JSON, or None if that is no space."""
    key = text(document, "key")
    if not key:
        return None
    home = content_id(mapping(document, "homepage"))
    if not home:
        named = text(mapping(document, "_expandable"), "homepage").rpartition("/")[2]
        home = named if is_content_id(named) else ""
    return SpaceRecord(
        key=key,
        name=text(document, "name"),
        homepage_id=home,
        site_url=text(mapping(document, "_links"), "base"),
    )


def _space_key(document: Mapping[str, Any]) -> str:
    key = text(mapping(document, "space"), "key")
    return key or text(mapping(document, "_expandable"), "space").rpartition("/")[2]


def _ancestors(page_id: str, document: Mapping[str, Any]) -> tuple[AncestorRecord, ...]:
    """The chain above a page. A damaged one that comes back to where it was is cut there."""
    chain: dict[str, AncestorRecord] = {}
    for one in mappings(document, "ancestors"):
        above = content_id(one)
        if above and above != page_id and above not in chain:
            chain[above] = AncestorRecord(
                content_id=above, title=text(one, "title"), type=text(one, "type")
            )
    return tuple(chain.values())


def _labels(document: Mapping[str, Any]) -> tuple[str, ...]:
    labels = mapping(mapping(document, "metadata"), "labels")
    return tuple(name for one in mappings(labels, "results") if (name := text(one, "name")))


def _attachments(
    site: ConfluenceSite, page_id: str, document: Mapping[str, Any]
) -> tuple[AttachmentRecord, ...] | None:
    told = mapping(mapping(document, "children"), "attachment")
    if "results" not in told or "next" in mapping(told, "_links"):
        return None
    read = (read_attachment(site, page_id, one) for one in mappings(told, "results"))
    return tuple(record for record in read if record is not None)
