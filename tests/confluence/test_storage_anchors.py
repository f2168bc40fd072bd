"""Links to places keep working when a page has become Markdown."""

import pytest

from markmirror.convert.storage_format import (
    PageAnchors,
    page_anchors,
    resolve_anchors,
    storage_to_document,
)
from tests.confluence.storage_cases import CONTEXT, macro


@pytest.mark.parametrize(
    "fragment",
    ["Getting Started!", "Getting-Started!", "MyPage-GettingStarted!", "getting-started"],
)
def test_every_way_to_name_a_heading_leads_to_it(fragment: str) -> None:
    storage = (
        f'<h2>Getting Started!</h2><p><ac:link ac:anchor="{fragment}"><ac:link-body>up'
        f'</ac:link-body></ac:link> <a href="#{fragment}">again</a></p>'
    )
    markdown = storage_to_document(storage, context=CONTEXT).markdown
    assert "[up](#getting-started) [again](#getting-started)" in markdown


def test_the_second_heading_of_a_name_has_its_own_address() -> None:
    storage = (
        "<h2>Setup</h2><h3>Setup</h3>"
        '<p><a href="#MyPage-Setup">1</a> <a href="#MyPage-Setup.1">2</a></p>'
    )
    markdown = storage_to_document(storage, context=CONTEXT).markdown
    assert "[1](#setup) [2](#setup-1)" in markdown


def test_a_place_named_by_its_author_is_kept_and_found() -> None:
    here = macro("anchor", default="the spot")
    link = '<ac:link ac:anchor="the spot"><ac:link-body>y</ac:link-body></ac:link>'
    storage = f"<p>{here}x</p><p>{link}</p>"
    markdown = storage_to_document(storage, context=CONTEXT).markdown
    assert '<a id="the spot"></a>x' in markdown
    assert "[y](#the%20spot)" in markdown


def test_a_name_that_the_heading_makes_itself_is_left_out() -> None:
    storage = (
        f"<h2>{macro('anchor', default='intro')}Intro</h2><h2>{macro('anchor', default='x')}B</h2>"
    )
    markdown = storage_to_document(storage, context=CONTEXT).markdown
    assert markdown == '## Intro\n\n## <a id="x"></a>B\n'


def test_links_are_resolved_again_after_headings_have_changed() -> None:
    once = resolve_anchors("## The -- Plan\n\n[x](#The----Plan)\n")
    assert "[x](#the----plan)" in once
    cleaned = once.replace("## The -- Plan", "## The — Plan")
    assert "[x](#the--plan)" in resolve_anchors(cleaned)


def test_places_on_other_pages_are_looked_up_by_the_path_of_the_link() -> None:
    places = page_anchors("# Deep Thought\n", title="Other")
    asked: list[str] = []

    def anchors_of(path: str) -> PageAnchors | None:
        asked.append(path)
        return places if path == "other.md" else None

    markdown = "[a](other.md#Other-DeepThought) [b](gone.md#x) [c](https://a.test/b#DeepThought)"
    resolved = resolve_anchors(markdown, anchors_of=anchors_of)
    assert resolved == "[a](other.md#deep-thought) [b](gone.md#x) [c](https://a.test/b#DeepThought)"
    assert asked == ["other.md", "gone.md"]


def test_code_is_never_rewritten() -> None:
    markdown = "# A B\n\n`[x](#A-B)` [y](#A-B)\n\n```\n# C\n[z](#A-B)\n```\n"
    resolved = resolve_anchors(markdown)
    assert resolved == markdown.replace("[y](#A-B)", "[y](#a-b)")
    assert page_anchors(markdown).slugs == {"a-b"}


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Use `code_x` *and* **more**", "use-code_x-and-more"),
        ("[A link](https://a.test/b_c) here", "a-link-here"),
        ("snake_case stays", "snake_case-stays"),
        (r"Escaped \*stars\* & more", "escaped-stars--more"),
        ("Árvíztűrő 漢字", "árvíztűrő-漢字"),
        ("Closed ##", "closed"),
    ],
)
def test_headings_get_the_addresses_that_readers_of_markdown_give_them(
    heading: str, slug: str
) -> None:
    assert page_anchors(f"> - ## {heading}\n").slugs == {slug}
