"""Confluence's storage format as Markdown. No I/O: what rendering must know is told beforehand."""

from markmirror.convert.storage_format.anchors import PageAnchors, page_anchors, resolve_anchors
from markmirror.convert.storage_format.document import (
    StorageDocument,
    references_in,
    storage_to_document,
)
from markmirror.convert.storage_format.reader import read_storage
from markmirror.convert.storage_format.references import (
    AttachmentKey,
    PageKey,
    PageLink,
    PageReference,
    References,
    StorageContext,
)

__all__ = [
    "AttachmentKey",
    "PageAnchors",
    "PageKey",
    "PageLink",
    "PageReference",
    "References",
    "StorageContext",
    "StorageDocument",
    "page_anchors",
    "read_storage",
    "references_in",
    "resolve_anchors",
    "storage_to_document",
]
