"""Pages that references lead to: followed as far as the options of this run say."""

from tests.runs.confluence.wiki import Wiki

FOREIGN = '<p><ac:link><ri:page ri:space-key="OTHER" ri:content-title="{}"/></ac:link></p>'


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
