"""What a rerun still knows when the ledger was lost or damaged."""

import pytest

from markmirror.errors import ExitCode
from tests.confluence_server import Endpoint, Fault, FaultKind
from tests.confluence_server.content import Page
from tests.runs.confluence.wiki import Wiki

CHILDREN = '<ac:structured-macro ac:name="children"/>'
LINK = '<p><ac:link><ri:page ri:content-title="{}"/></ac:link></p>'
LINK_BY_ID = '<p><ac:link><ri:content-entity ri:content-id="{}"/></ac:link></p>'
FOREIGN = '<p><ac:link><ri:page ri:space-key="OTHER" ri:content-title="{}"/></ac:link></p>'


def lose_the_ledger(wiki: Wiki) -> None:
    (wiki.folder / "_state.db").write_bytes(b"not a database at all" * 500)


def refuse_the_body_of(wiki: Wiki, page: Page) -> None:
    for fault in (
        Fault(kind=FaultKind.FORBIDDEN, on=frozenset({Endpoint.SEARCH}), times=None),
        Fault(
            kind=FaultKind.SERVER_ERROR,
            on=frozenset({Endpoint.PAGE}),
            times=None,
            only=frozenset({str(page.id)}),
        ),
    ):
        wiki.server.faults.switch_on(fault)


def all_bytes(wiki: Wiki) -> dict[str, bytes]:
    spaces = wiki.output / "spaces"
    return {path: (spaces / path).read_bytes() for path in wiki.files()}


async def test_a_page_that_another_refers_to_outlives_the_ledger_and_links_still_follow(
    wiki: Wiki,
) -> None:
    """FR-039."""
    wiki.content.add_space("OTHER", "Other")
    home = wiki.content.add_page("DOCS", "Home", CHILDREN)
    target = wiki.content.add_page("DOCS", "Target", "<p>t</p>", parent_id=home.id)
    links = LINK_BY_ID.format(target.id) + FOREIGN.format("Far") + LINK.format("Nowhere")
    reader = wiki.content.add_page("DOCS", "Reader", links, parent_id=home.id)
    wiki.content.add_page("OTHER", "Far", "<p>far</p>")
    await wiki.export_here()
    before, unseen = all_bytes(wiki), wiki.manifest["unresolvedReferences"]
    assert len(unseen) == 1
    lose_the_ledger(wiki)
    report = await wiki.export_here()
    assert (report.exit_code, report.delta.unchanged) == (ExitCode.SUCCESS, 4)
    assert all_bytes(wiki) == before
    assert wiki.manifest["unresolvedReferences"] == unseen
    target.title = "Renamed"
    await wiki.export_here()
    assert "(renamed.md)" in wiki.text(reader)
    assert "(home/renamed.md)" in wiki.text(home)
    assert wiki.dead_links() == []


async def test_a_link_to_a_heading_elsewhere_does_not_make_its_page_a_changed_one(
    wiki: Wiki,
) -> None:
    """FR-039."""
    wiki.content.add_page("DOCS", "Target", "<h2>how to begin</h2><p>Like this.</p>")
    link = '<p><ac:link ac:anchor="how to begin"><ri:page ri:content-title="Target"/></ac:link></p>'
    wiki.content.add_page("DOCS", "Aaa source", link)
    await wiki.export_here()
    before = all_bytes(wiki)
    lose_the_ledger(wiki)
    assert (await wiki.export_here()).delta.unchanged == 2
    assert all_bytes(wiki) == before


@pytest.mark.parametrize("why", ["it fails", "it is left by the limit"])
async def test_nothing_is_removed_while_a_page_that_may_refer_to_it_is_unread(
    wiki: Wiki, why: str
) -> None:
    """FR-039."""
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("DOCS", "Home", "<p>Text.</p>")
    reader = wiki.content.add_page("DOCS", "Reader", FOREIGN.format("Far"))
    wiki.content.add_page("OTHER", "Far", "<p>far</p>")
    await wiki.export_here()
    lose_the_ledger(wiki)
    if why == "it fails":
        refuse_the_body_of(wiki, reader)
    await wiki.export_here(limit=1 if why == "it is left by the limit" else None)
    assert "OTHER/far.md" in wiki.files()
    wiki.server.faults.clear()
    reader.edit("<p>No link any more.</p>")
    await wiki.export_here()
    assert "OTHER/far.md" not in wiki.files()
