"""Pages that references lead to: followed as far as the options of this run say."""

from typing import Any

import pytest

from tests.confluence_server import Endpoint
from tests.runs.confluence.wiki import Wiki

FOREIGN = '<p><ac:link><ri:page ri:space-key="OTHER" ri:content-title="{}"/></ac:link></p>'


@pytest.mark.parametrize(
    "narrowed",
    [
        {"discover": "none"},
        {"max_discovered": 0},
        {"discover": "none", "fresh": True},
        {"max_discovered": 0, "fresh": True},
    ],
)
async def test_what_may_no_longer_be_found_goes_and_comes_back_when_it_may(
    wiki: Wiki, narrowed: dict[str, Any]
) -> None:
    """FR-035."""
    wiki.content.add_space("OTHER", "Other")
    home = wiki.content.add_page("DOCS", "Home", FOREIGN.format("Far"))
    wiki.content.add_page("OTHER", "Far", "<p>far</p>")
    await wiki.export_here()
    assert "(../OTHER/far.md)" in wiki.text(home)
    for _ in range(2):
        await wiki.export_here(**narrowed)
        assert wiki.files() == ["DOCS/home.md"]
        assert f"({wiki.server.url}/" in wiki.text(home)
    await wiki.export_here()
    assert "(../OTHER/far.md)" in wiki.text(home)
    assert wiki.dead_links() == []


async def test_the_limit_of_discovery_holds_in_reruns_and_can_be_raised(wiki: Wiki) -> None:
    """FR-035."""
    wiki.content.add_space("OTHER", "Other")
    titles = [f"Far {number}" for number in range(4)]
    home = wiki.content.add_page("DOCS", "Home", "".join(map(FOREIGN.format, titles)))
    for title in titles:
        wiki.content.add_page("OTHER", title, "<p>far</p>")
    await wiki.export_here(max_discovered=2)
    before = wiki.files()
    assert len(before) == 3
    wiki.forget_requests()
    await wiki.export_here(max_discovered=2)
    assert wiki.files() == before
    assert wiki.requests(Endpoint.PAGE) == 0
    home.edit("<p>Now.</p>" + home.body)
    await wiki.export_here(max_discovered=2)
    assert wiki.files() == before
    await wiki.export_here(max_discovered=3)
    assert len(wiki.files()) == 4
    await wiki.export_here(max_discovered=1)
    assert len(wiki.files()) == 2
    assert wiki.dead_links() == []


async def test_a_fresh_export_keeps_the_pages_that_references_still_lead_to(wiki: Wiki) -> None:
    """FR-035."""
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("DOCS", "Home", FOREIGN.format("Far"))
    far = wiki.content.add_page("OTHER", "Far", FOREIGN.format("Farther"))
    wiki.content.add_page("OTHER", "Farther", "<p>farther</p>")
    await wiki.export_here()
    files = wiki.files()
    far.labels.append("new")
    report = await wiki.export_here(fresh=True)
    assert (wiki.files(), report.delta.removed, report.delta.added) == (files, 0, 0)
    assert 'labels: "new"' in wiki.file(far).read_text()


async def test_a_page_that_is_linked_again_comes_back_under_its_name(wiki: Wiki) -> None:
    """FR-020."""
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("DOCS", "Home", "<p>Text.</p>")
    reader = wiki.content.add_page("DOCS", "Reader", FOREIGN.format("Far"))
    above = wiki.content.add_page("OTHER", "Above", "<p>above</p>")
    wiki.content.add_page("OTHER", "Far", "<p>far</p>", parent_id=above.id)
    for _ in range(3):
        reader.edit(FOREIGN.format("Far"))
        await wiki.export_here()
        assert "OTHER/above/far.md" in wiki.files()
        reader.edit("<p>No link.</p>")
        await wiki.export_here()
        assert wiki.files() == ["DOCS/home.md", "DOCS/reader.md"]
