"""Files: which address they may be fetched from, and who may see the credentials."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from markmirror.sources.confluence.addresses import ConfluenceSite
from markmirror.sources.confluence.fields import mapping, number


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentRecord:
    """A file as the API tells of it. `url` is empty where it names no address that can be used."""

    attachment_id: str
    page_id: str
    name: str
    version: int
    size_bytes: int | None
    media_type: str
    url: str


def read_attachment(
    site: ConfluenceSite, page_id: str, document: Mapping[str, Any]
) -> AttachmentRecord | None:
    """A file from its JSON, or None if that names none."""
    attachment_id, name = document.get("id"), document.get("title")
    if not isinstance(attachment_id, str) or not isinstance(name, str) or not name:
        return None
    extensions = mapping(document, "extensions")
    return AttachmentRecord(
        attachment_id=attachment_id,
        page_id=page_id,
        name=name,
        version=number(mapping(document, "version"), "number") or 0,
        size_bytes=number(extensions, "fileSize"),
        media_type=str(extensions.get("mediaType", "")),
        url=_download_url(site, page_id, attachment_id, mapping(document, "_links")),
    )


def _download_url(
    site: ConfluenceSite, page_id: str, attachment_id: str, links: Mapping[str, Any]
) -> str:
    if site.cloud:
        # The address in the answer no longer takes API tokens.
        return site.download(page_id, attachment_id)
    stated = links.get("download")
    return vetted_link(site, stated) if isinstance(stated, str) else ""


def vetted_link(site: ConfluenceSite, link: str) -> str:
    """An address of the API's answers, made whole; empty if it leads out of the site.

    Such links are relative to the base URL, context path included, though they begin with a slash.
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc:
        return link if is_own(site, link) else ""
    path = link if link.startswith("/") else f"/{link}"
    context = urlsplit(site.base_url).path
    whole = f"{site.base_url.removesuffix(context)}{path}"
    if context and not path.startswith(f"{context}/"):
        whole = f"{site.base_url}{path}"
    return whole if is_own(site, whole) else ""


def is_own(site: ConfluenceSite, url: str) -> bool:
    """Whether an address is on the site itself: only there are the credentials shown."""
    try:
        asked, own = urlsplit(url), urlsplit(site.base_url)
        same = (asked.scheme, asked.hostname, asked.port) == (own.scheme, own.hostname, own.port)
    except ValueError:
        return False
    inside = own.path.rstrip("/") + "/"
    return same and "@" not in asked.netloc and _resolved(asked.path).startswith(inside)


def _resolved(path: str) -> str:
    """A path without `..`, however spelled, as a server would read it."""
    return urlsplit(urljoin("http://x/", unquote(path))).path
