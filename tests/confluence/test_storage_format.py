"""Everything Confluence can store, as Markdown."""

import pytest

from markmirror.convert.storage_format import (
    AttachmentKey,
    PageKey,
    PageReference,
    StorageContext,
    references_in,
    storage_to_document,
)
from tests.confluence.storage_cases import CASES, CONTEXT, Case, macro, rich


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_storage_format_becomes_markdown(case: Case) -> None:
    """FR-003, FR-004."""
    assert storage_to_document(case.storage, context=CONTEXT).markdown == f"{case.markdown}\n"


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_nothing_at_all_becomes_nothing() -> None:
    document = storage_to_document("", context=CONTEXT)
    assert (document.markdown, document.notes) == ("", ())


def test_everything_a_page_refers_to_is_told_once() -> None:
    """Seed 003: FR-035, pages are discovered through links, macros and mentions."""
    storage = (
        '<p><ac:link><ri:page ri:content-title="A"/></ac:link>'
        '<ac:link><ri:page ri:content-title="A"/><ac:link-body>again</ac:link-body></ac:link>'
        '<a href="https://wiki.test/wiki/pages/viewpage.action?pageId=77">b</a>'
        '<ac:link><ri:user ri:account-id="u-9"/></ac:link></p>'
        + macro(
            "include", default='<ac:link><ri:page ri:space-key="X" ri:content-title="C"/></ac:link>'
        )
        + '<p><ac:image><ri:attachment ri:filename="d.png"/></ac:image>'
        '<ac:link><ri:attachment ri:filename="e.pdf"><ri:page ri:content-title="A"/>'
        "</ri:attachment></ac:link></p>"
    )
    references = references_in(storage, context=StorageContext(base_url="https://wiki.test/wiki"))
    assert references.pages == (
        PageReference(page=PageKey(title="A"), source="link"),
        PageReference(page=PageKey(content_id="77"), source="link"),
        PageReference(page=PageKey(space_key="~u-9"), source="mention"),
        PageReference(page=PageKey(space_key="X", title="C"), source="macro"),
    )
    assert references.attachments == (
        AttachmentKey(name="d.png"),
        AttachmentKey(name="e.pdf", page=PageKey(title="A")),
    )
    assert references.users == ("u-9",)
    assert references == storage_to_document(storage, context=CONTEXT).references


def test_children_shown_by_a_macro_are_referred_to_by_it() -> None:
    references = references_in(macro("children", all="true"), context=CONTEXT)
    assert [(one.page.content_id, one.source) for one in references.pages] == [
        ("20", "macro"),
        ("21", "macro"),
        ("22", "macro"),
    ]


def test_the_pages_that_lists_begin_with_are_told() -> None:
    root = '<ac:link><ri:page ri:content-title="A"/></ac:link>'
    own = macro("children") + macro("childpages") + macro("PageTree", root=root)
    references = references_in(own, context=StorageContext(base_url="https://wiki.test/wiki"))
    assert references.trees == (None, PageKey(title="A"))
    assert references_in(macro("toc"), context=CONTEXT).trees == ()


def test_a_macro_that_nobody_knows_is_named_in_the_result() -> None:
    storage = macro("mystery", rich("<p>kept</p>")) + macro("riddle") + macro("mystery")
    document = storage_to_document(storage, context=CONTEXT)
    assert document.unknown_macros == ("mystery", "riddle")
    assert "kept" in document.markdown


def test_a_body_that_had_to_be_repaired_is_said_to_be() -> None:
    document = storage_to_document("<p>a <b>b</p> c</b> & d < e", context=CONTEXT)
    assert document.notes == ("malformed-storage",)
    assert document.markdown == "a **b**\n\nc & d < e\n"


def test_marks_of_the_converter_in_the_text_are_text() -> None:
    storage = "<p>,\ue2000\ue201, https://local.invalid/0 &#xE202; <u>x</u></p>"
    document = storage_to_document(storage, context=CONTEXT)
    assert document.markdown == (",\ue2000\ue201, https://local.invalid/0 \ue202 <u>x</u>\n")


def test_pieces_kept_aside_take_the_indentation_of_their_place() -> None:
    body = "<ac:plain-text-body><![CDATA[- a\n- b]]></ac:plain-text-body>"
    storage = macro("panel", rich(macro("markdown", body)))
    assert storage_to_document(storage, context=CONTEXT).markdown == "> - a\n> - b\n"
