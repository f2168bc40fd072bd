"""An HTML page as Markdown."""

import turbohtml

from markmirror.model import Document, Recipe


def convert_html(body: bytes, *, url: str, content_type: str, recipe: Recipe) -> Document:
    """The content of an HTML page as Markdown, with links made absolute against `url`."""
    page = turbohtml.parse(body)
    title = page.title or ""
    return Document(markdown=page.to_markdown(), title=title)
