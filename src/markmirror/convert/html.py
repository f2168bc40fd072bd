"""An HTML page as Markdown: decode, choose the content, prepare it, write it."""

from markmirror.convert import tree
from markmirror.convert.addresses import base_of
from markmirror.convert.admonitions import prepare_admonitions
from markmirror.convert.classes import Classed
from markmirror.convert.code import prepare_code, prepare_diagrams
from markmirror.convert.content import choose_content, framed, restore_title
from markmirror.convert.decode import read_page
from markmirror.convert.definitions import prepare_definitions
from markmirror.convert.docutils import prepare_docutils
from markmirror.convert.escapes import plain_spaces, relax, without_empty_headings
from markmirror.convert.footnotes import write_footnotes
from markmirror.convert.furniture import remove_furniture
from markmirror.convert.inline import prepare_inline
from markmirror.convert.labels import prepare_details, prepare_labels
from markmirror.convert.links import prepare_links
from markmirror.convert.lists import dissolve_section_lists, prepare_lists, settle_lists
from markmirror.convert.math import prepare_formulas, prepare_math
from markmirror.convert.media import prepare_media
from markmirror.convert.metadata import read_metadata
from markmirror.convert.raw_math import mark_formulas, may_hold_formulas
from markmirror.convert.signs import without_signs
from markmirror.convert.spacing import part_rows, part_titles, prepare_badges, prepare_run_in
from markmirror.convert.stash import Stash
from markmirror.convert.survey import Survey
from markmirror.convert.tables import prepare_tables, restore_grids
from markmirror.convert.tabs import prepare_tabs
from markmirror.model import Document, Recipe

OUTPUT_BOUNDED = "output-bounded"
# Indentation and copies can make more of a page than there was. Past this it is an attack.
_MAX_GROWTH = 8
_ALWAYS_ALLOWED = 100_000


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
    if page.root is not None:
        if may_hold_formulas(body, page):
            mark_formulas(page.root)
        prepare_math(page, stash)
    choice = choose_content(page, recipe)
    if choice is None:
        markdown = _written(framed(page), url=url, base=base, stash=stash, furnished=False)
    else:
        notes = (*notes, *choice.notes)
        if choice.is_marked:
            restore_title(page, choice.element)
        prepare_code(choice.element, stash)
        prepare_tabs(choice.element)
        classed = Classed(choice.element)
        remove_furniture(choice.element, classed.of("furniture"), classed.of("contents"), stash)
        # What went as furniture is prepared in vain.
        _prepare_classed(classed, stash)
        markdown = _written(choice.element, url=url, base=base, stash=stash, furnished=True)
        if len(markdown) > _MAX_GROWTH * len(body) + _ALWAYS_ALLOWED:
            markdown = choice.element.text.strip() + "\n"
            notes = (*notes, OUTPUT_BOUNDED)
    return Document(
        markdown=markdown,
        title=about.title,
        description=about.description,
        language=about.language,
        canonical=about.canonical,
        refresh=about.refresh,
        notes=notes,
    )


def _prepare_classed(classed: Classed, stash: Stash) -> None:
    """Turn what its class makes something else than text into plain HTML, or keep it aside."""
    prepare_admonitions(classed.of("box"))
    prepare_labels(classed.of("label"))
    prepare_docutils(classed.of("docutils"))
    prepare_formulas(classed.of("formula"), stash)
    prepare_diagrams(classed.of("diagram"), stash)
    part_rows(classed.of("row"))
    prepare_badges(classed.of("badge"))
    prepare_run_in(classed.of("run-in"))


def _finished(node: tree.Element, stash: Stash, *, furnished: bool) -> str:
    written = plain_spaces(tree.markdown_of(node))
    if furnished:
        written = without_empty_headings(written)
    return stash.restore(settle_lists(relax(written)))


def convert_fragment(html: str, *, base_url: str) -> str:
    """An HTML fragment as Markdown: all of it is content, nothing is taken out."""
    stash = Stash()
    content = tree.fragment(without_signs(html))
    prepare_math(content, stash)
    prepare_code(content, stash)
    _prepare_classed(Classed(content), stash)
    return _written(content, url=base_url, base=base_url, stash=stash, furnished=False)


def check_selector(css: str) -> str | None:
    """A sentence that says what is wrong with a CSS selector, or None if it can be used."""
    fault = tree.selector_fault(css)
    return None if fault is None else f"The selector cannot be read: {fault}."


def _written(content: tree.Element, *, url: str, base: str, stash: Stash, furnished: bool) -> str:
    """The content's Markdown, each kind of element prepared in the order they depend on."""
    survey = Survey(content)
    dissolve_section_lists(survey)
    restore_grids(survey)
    footnotes = prepare_links(survey, url=url, base=base, stash=stash, furnished=furnished)
    prepare_media(survey, base=base)
    prepare_details(survey)
    prepare_inline(survey, stash)
    part_titles(survey)
    prepare_definitions(survey)
    prepare_tables(survey, stash)
    prepare_lists(survey)
    if footnotes:
        write_footnotes(footnotes, stash, lambda note: _finished(note, stash, furnished=furnished))
    markdown = _finished(content, stash, furnished=furnished)
    return markdown + "\n" if markdown else ""
