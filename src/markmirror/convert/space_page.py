"""One Confluence page as the file that will be written: the unit of work of a worker process."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from markmirror.convert.cleanup import CleanupResult, MarkdownCleanupConfig, clean
from markmirror.convert.front_matter import front_matter
from markmirror.convert.storage_format import (
    References,
    StorageContext,
    references_in,
    resolve_anchors,
    storage_to_document,
)
from markmirror.model import CleanupIntensity

REQUIRED = ("title", "pageId", "sourceUrl", "lastModified", "exportTimestamp")
_PLACE_ELSEWHERE = re.compile(r"\]\([^()\s#]+\.md#")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpacePageJob:
    """A body and all that rendering has to be told. `fields` become the front matter."""

    storage: str
    context: StorageContext
    fields: Mapping[str, str]
    cleanup: CleanupIntensity
    acronyms: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedSpacePage:
    """The bytes of the file. The hash is of the Markdown alone, `head_hash` of what stands above
    it but for the time of the export."""

    file: bytes
    content_hash: str
    head_hash: str
    cleanup: CleanupResult | None
    unknown_macros: tuple[str, ...]
    notes: tuple[str, ...]
    links_to_places: bool


def explore_space_page(job: SpacePageJob) -> References:
    """What the body refers to, for a context to be made of it."""
    return references_in(job.storage, context=job.context)


def render_space_page(job: SpacePageJob) -> RenderedSpacePage:
    """Convert a body, clean it, make its links to headings work, and put front matter on top."""
    document = storage_to_document(job.storage, context=job.context)
    markdown, cleaned = document.markdown, None
    if job.cleanup != "off":
        config = MarkdownCleanupConfig.for_intensity(job.cleanup, acronyms=job.acronyms)
        cleaned = clean(markdown, config)
        markdown = resolve_anchors(cleaned.text, title=job.context.page_title)
    content = (markdown.strip("\n") + "\n").encode("utf-8", "replace")
    lasting = {name: text for name, text in job.fields.items() if name != "exportTimestamp"}
    head = front_matter(job.fields).encode("utf-8", "replace")
    return RenderedSpacePage(
        file=head + content,
        content_hash=hashlib.sha256(content).hexdigest(),
        head_hash=hashlib.sha256(repr(sorted(lasting.items())).encode()).hexdigest(),
        cleanup=None if cleaned is None else cleaned.without_text(),
        unknown_macros=document.unknown_macros,
        notes=document.notes,
        links_to_places=_PLACE_ELSEWHERE.search(markdown) is not None,
    )


def faults_of(fields: Mapping[str, str]) -> list[str]:
    """What is wrong with a page's front matter; nothing is written of a page that has a fault."""
    faults = [f"{name} is empty" for name in REQUIRED if not fields.get(name, "").strip()]
    for name in ("lastModified", "exportTimestamp"):
        text = fields.get(name, "")
        try:
            datetime.fromisoformat(text)
        except ValueError:
            if text.strip():
                faults.append(f"{name} is not an ISO 8601 time: {text}")
    return faults
