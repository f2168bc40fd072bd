"""`markmirror which` for exported pages and their files."""

from pathlib import Path

import pytest

from markmirror.api import look_up
from markmirror.errors import UsageError
from tests.confluence_server import Endpoint, Fault, FaultKind
from tests.confluence_server.documents import tiny_id
from tests.runs.command import markmirror
from tests.runs.confluence.wiki import Wiki, wiki_at


async def test_a_page_is_found_by_every_address_it_has(wiki: Wiki) -> None:
    home = wiki.content.add_page("DOCS", "Welcome", "<p>x</p>")
    wiki.content.spaces["DOCS"].homepage_id = home.id
    page = wiki.content.add_page("DOCS", "Set up & run", "<p>x</p>", parent_id=home.id)
    await wiki.export_here()
    site, file = wiki.server.url, str(wiki.file(page))
    for address in (
        "/display/DOCS/Set+up+%26+run#Some-heading",
        "/display/docs/set%20up%20%26%20RUN",
        f"/pages/viewpage.action?pageId={page.id}&focusedCommentId=7",
        "/pages/viewpage.action?spaceKey=DOCS&title=Set+up+%26+run",
        f"/spaces/DOCS/pages/{page.id}/Set+up+run",
        f"/spaces/DOCS/pages/{page.id}",
        f"/x/{tiny_id(page.id)}",
        f"/rest/api/content/{page.id}",
    ):
        assert look_up(site + address, output=wiki.output) == file
    for address in ("/display/DOCS", "/spaces/DOCS/overview", "/spaces/DOCS"):
        assert look_up(site + address, output=wiki.output) == str(wiki.file(home))


async def test_the_address_of_a_file_is_that_of_its_page(wiki: Wiki) -> None:
    page = wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    await wiki.export_here()
    address = f"{wiki.server.url}/display/DOCS/Page"
    assert look_up(str(wiki.file(page)), output=wiki.output) == address
    assert look_up("spaces/DOCS/page.md", output=wiki.output) == address
    assert look_up("DOCS/page.md", output=wiki.output) == address
    assert look_up(address, output=wiki.output) == str(wiki.file(page))


async def test_attachments_are_found_too(wiki: Wiki) -> None:
    page = wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    wiki.content.add_attachment(page, "plan v2.pdf", b"%PDF")
    wiki.content.add_attachment(page, "broken.pdf", b"%PDF")
    wiki.server.faults.switch_on(
        Fault(
            kind=FaultKind.FORBIDDEN,
            on=frozenset({Endpoint.DOWNLOAD}),
            times=None,
            only=frozenset({page.attachments[1].id}),
        )
    )
    await wiki.export_here()
    file = wiki.folder / "assets" / str(page.id) / "plan v2.pdf"
    address = f"{wiki.server.url}/download/attachments/{page.id}/"
    assert look_up(f"{address}plan%20v2.pdf?version=1", output=wiki.output) == str(file)
    assert look_up(str(file), output=wiki.output).startswith(f"{address}plan")
    with pytest.raises(UsageError, match="has no file: denied: HTTP 403"):
        look_up(f"{address}broken.pdf", output=wiki.output)


async def test_a_page_without_a_file_is_told_with_its_fate(wiki: Wiki) -> None:
    pages = [wiki.content.add_page("DOCS", f"Page {n}", "<p>x</p>") for n in range(2)]
    await wiki.export_here(limit=1)
    with pytest.raises(UsageError, match="has no file: left"):
        look_up(f"{wiki.server.url}/display/DOCS/Page+1", output=wiki.output)
    unknown = (
        f"{wiki.server.url}/display/DOCS/Never",
        f"{wiki.server.url}/pages/viewpage.action?pageId={pages[1].id}{'9' * 30}",
        "http://elsewhere.example/display/DOCS/Page+0",
        f"{wiki.server.url}/display/DOCS",
        "spaces/DOCS/never.md",
        str(wiki.folder),
    )
    for target in unknown:
        with pytest.raises(UsageError, match="No mirror"):
            look_up(target, output=wiki.output)


async def test_a_page_of_another_space_is_found_where_it_has_a_file(wiki: Wiki) -> None:
    wiki.content.add_space("AAA", "First in the alphabet")
    wiki.content.add_page("AAA", "One", "<p>x</p>")
    two = wiki.content.add_page("AAA", "Two", "<p>x</p>")
    wiki.content.add_page(
        "DOCS",
        "Near",
        '<p><ac:link><ri:page ri:space-key="AAA" ri:content-title="Two"/></ac:link></p>',
    )
    await wiki.export_here(space="AAA", limit=1)
    await wiki.export_here()
    assert look_up(f"{wiki.server.url}/display/AAA/Two", output=wiki.output) == str(wiki.file(two))


async def test_the_cloud_under_its_context_path_has_its_own_addresses(tmp_path: Path) -> None:
    with wiki_at(tmp_path, flavour="cloud", context="/wiki") as wiki:
        home = wiki.content.add_page("DOCS", "Home", "<p>x</p>")
        wiki.content.spaces["DOCS"].homepage_id = home.id
        page = wiki.content.add_page("DOCS", "Page", "<p>x</p>", parent_id=home.id)
        await wiki.export_here()
        for found, address in (
            (home, "/spaces/DOCS/overview"),
            (page, f"/spaces/DOCS/pages/{page.id}/Page"),
            (page, f"/spaces/DOCS/pages/edit-v2/{page.id}"),
        ):
            file = look_up(wiki.server.url + address, output=tmp_path)
            assert file == str(wiki.file(found))


def test_which_finds_an_export_where_the_export_puts_it_by_default(wiki: Wiki) -> None:
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    assert wiki.export().code == 0
    address = f"{wiki.server.url}/display/DOCS/Page"
    said = markmirror("which", address, cwd=wiki.output)
    assert (said.code, said.out) == (0, "spaces/DOCS/page.md\n")
    assert markmirror("which", "spaces/DOCS/page.md", cwd=wiki.output).out == f"{address}\n"
    said = markmirror("which", f"{address}s", cwd=wiki.output)
    assert said.code == 2
    assert said.err.startswith(f"markmirror: No mirror in output or . knows {address}s. ")
