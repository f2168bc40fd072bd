"""An HTML page as Markdown: decode, choose the content, prepare it, write it."""

from markmirror.convert import tree
from markmirror.convert.admonitions import prepare_admonitions
from markmirror.convert.code import prepare_code
from markmirror.convert.content import choose_content
from markmirror.convert.decode import read_page
from markmirror.convert.definitions import prepare_definitions
from markmirror.convert.escapes import relax
from markmirror.convert.furniture import remove_furniture
from markmirror.convert.inline import prepare_inline, prepare_media
from markmirror.convert.links import base_of, prepare_links
from markmirror.convert.lists import prepare_lists, settle_lists
from markmirror.convert.math import prepare_math
from markmirror.convert.metadata import read_metadata
from markmirror.convert.stash import Stash
from markmirror.convert.tables import prepare_tables
from markmirror.model import Document, Recipe


def convert_html(body: bytes, *, url: str, content_type: str, recipe: Recipe) -> Document:
    """The content of an HTML page as Markdown, with links made absolute against `url`.

    Takes any bytes and never raises; what had to be made good is named in `notes`.
    """
    decoded = read_page(body, content_type=content_type)
    page = decoded.page
    base = base_of(page, url)
    about = read_metadata(page, url=url, base=base)
    stash = Stash()
    notes = decoded.notes
    markdown = ""
    if page.root is not None:
        prepare_math(page.root, stash)
    choice = choose_content(page, recipe)
    if choice is not None:
        notes = (*notes, *choice.notes)
        remove_furniture(choice.element)
        markdown = write(choice.element, url=url, base=base, stash=stash, furnished=True)
    return Document(
        markdown=markdown,
        title=about.title,
        description=about.description,
        language=about.language,
        canonical=about.canonical,
        refresh=about.refresh,
        notes=notes,
    )


def convert_fragment(
    html: str,
    *,
    base_url: str,
    recipe: Recipe | None = None,  # noqa: ARG001 -- one way to call every converter
) -> str:
    """An HTML fragment as Markdown: all of it is content, nothing is taken out."""
    stash = Stash()
    content = tree.fragment(html)
    prepare_math(content, stash)
    return write(content, url=base_url, base=base_url, stash=stash, furnished=False)


def check_selector(css: str) -> str | None:
    """A sentence that says what is wrong with a CSS selector, or None if it can be used."""
    fault = tree.selector_fault(css)
    return None if fault is None else f"The selector cannot be read: {fault}."


def write(content: tree.Element, *, url: str, base: str, stash: Stash, furnished: bool) -> str:
    """The content's Markdown, each kind of element prepared in the order they depend on."""
    prepare_links(content, url=url, base=base, stash=stash, furnished=furnished)
    prepare_media(content)
    prepare_admonitions(content)
    prepare_code(content, stash)
    prepare_inline(content, stash)
    prepare_definitions(content)
    prepare_tables(content, stash)
    prepare_lists(content)
    markdown = settle_lists(relax(tree.markdown_of(content)))
    markdown = stash.restore(markdown)
    return markdown + "\n" if markdown else ""
