"""One downloaded body as the file that will be written: the unit of work of a worker process."""

import hashlib
from dataclasses import dataclass

from markmirror.convert.cleanup import CleanupResult, MarkdownCleanupConfig, clean
from markmirror.convert.front_matter import front_matter
from markmirror.convert.html import convert_html
from markmirror.model import Document, Recipe
from markmirror.web.urls import normalise_url


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJob:
    """A body and what has to be known to convert it. `url` names the page, `final_url` its base."""

    url: str
    final_url: str
    content_type: str
    body: bytes
    lastmod: str | None
    fetched_at: str
    recipe: Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """The bytes of the file. The hash is of the Markdown alone, without the front matter.

    `canonical` and `refresh` are absolute and normalised, or None.
    """

    file: bytes
    content_hash: str
    title: str
    canonical: str | None
    refresh: str | None
    notes: tuple[str, ...]
    cleanup: CleanupResult | None


def content_hash_of(file: bytes) -> str:
    """The content hash of a file as `render_page` made it: of what follows the front matter."""
    if file.startswith(b"---\n"):
        file = file.partition(b"\n---\n\n")[2] or file
    return hashlib.sha256(file).hexdigest()


def render_page(job: PageJob) -> RenderedPage:
    """Convert a body, clean it up if that was asked for, and put its front matter on top."""
    document = convert_html(
        job.body, url=job.final_url, content_type=job.content_type, recipe=job.recipe
    )
    cleaned = _cleaned(document, job.recipe)
    markdown = (cleaned.text if cleaned else document.markdown).strip("\n") + "\n"
    content = markdown.encode("utf-8", "replace")
    content_hash = hashlib.sha256(content).hexdigest()
    head = ""
    if job.recipe.front_matter:
        head = front_matter(
            {
                "title": document.title,
                "description": document.description,
                "language": document.language,
                "url": job.url,
                "canonical": document.canonical if document.canonical != job.url else None,
                "lastmod": job.lastmod,
                "fetched_at": job.fetched_at,
                "content_hash": content_hash,
            }
        )
    return RenderedPage(
        file=head.encode("utf-8", "replace") + content,
        content_hash=content_hash,
        title=document.title,
        canonical=_absolute(document.canonical, job.final_url),
        refresh=_absolute(document.refresh, job.final_url),
        notes=document.notes,
        cleanup=cleaned.without_text() if cleaned else None,
    )


def _absolute(reference: str | None, base: str) -> str | None:
    return normalise_url(reference, base) if reference else None


def _cleaned(document: Document, recipe: Recipe) -> CleanupResult | None:
    if recipe.cleanup == "off":
        return None
    config = MarkdownCleanupConfig.for_intensity(
        recipe.cleanup, language=document.language, acronyms=recipe.acronyms
    )
    return clean(document.markdown, config)
