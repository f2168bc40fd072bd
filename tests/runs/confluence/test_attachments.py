"""What a rerun does about the files of pages: those it could not have, and those that are gone."""

import pytest

from markmirror.errors import ExitCode
from tests.confluence_server import Endpoint, Fault, FaultKind
from tests.runs.confluence.wiki import Wiki

DOWNLOAD = frozenset({Endpoint.DOWNLOAD})
FILE_LINK = '<p><ac:link><ri:attachment ri:filename="{}"/></ac:link></p>'

FAR_FILE_LINK = (
    '<p><ac:link><ri:attachment ri:filename="{}"><ri:page ri:content-title="{}"/>'
    "</ri:attachment></ac:link></p>"
)


async def test_a_file_we_may_see_now_is_fetched_by_the_next_run(wiki: Wiki) -> None:
    """FR-006. FR-011."""
    page = wiki.content.add_page("DOCS", "Page", FILE_LINK.format("a.txt"))
    wiki.content.add_page("DOCS", "Other", "<p>Text.</p>")
    wiki.content.add_attachment(page, "a.txt", b"x")
    wiki.server.faults.switch_on(Fault(kind=FaultKind.FORBIDDEN, on=DOWNLOAD, times=None))
    await wiki.export_here()
    wiki.forget_requests()
    report = await wiki.export_here()
    assert (report.delta.unchanged, wiki.requests(Endpoint.DOWNLOAD)) == (2, 1)
    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.delta.updated == 1
    assert f"(assets/{page.id}/a.txt)" in wiki.text(page)


async def test_a_file_left_out_for_its_size_is_fetched_once_the_limit_allows_it(wiki: Wiki) -> None:
    """FR-006. FR-011."""
    page = wiki.content.add_page("DOCS", "Page", FILE_LINK.format("a.txt"))
    wiki.content.add_attachment(page, "a.txt", b"x" * 2000)
    await wiki.export_here(max_attachment_size="1KB")
    wiki.forget_requests()
    await wiki.export_here(max_attachment_size="1500")
    assert wiki.requests(Endpoint.SEARCH, Endpoint.PAGE, Endpoint.DOWNLOAD) == 0
    await wiki.export_here(max_attachment_size="2KB")
    assert f"(assets/{page.id}/a.txt)" in wiki.text(page)


async def test_links_to_a_file_of_another_page_follow_it(wiki: Wiki) -> None:
    """FR-005. FR-006."""
    holder = wiki.content.add_page("DOCS", "Holder", "<p>Text.</p>")
    reader = wiki.content.add_page("DOCS", "Reader", FAR_FILE_LINK.format("a.txt", "Holder"))
    file = wiki.content.add_attachment(holder, "a.txt", b"x")
    await wiki.export_here()
    assert f"(assets/{holder.id}/a.txt)" in wiki.text(reader)
    holder.attachments.remove(file)
    await wiki.export_here()
    assert "](http" in wiki.text(reader)
    assert wiki.dead_links() == []
    wiki.content.add_attachment(holder, "a.txt", b"y")
    await wiki.export_here()
    assert f"(assets/{holder.id}/a.txt)" in wiki.text(reader)
    wiki.forget_requests()
    assert (await wiki.export_here()).delta.unchanged == 2


async def test_a_file_that_moved_to_another_page_leaves_nothing_behind(wiki: Wiki) -> None:
    """FR-006. FR-011."""
    taker = wiki.content.add_page("DOCS", "Taker", FILE_LINK.format("a.txt"))
    giver = wiki.content.add_page("DOCS", "Giver", "<p>Text.</p>")
    wiki.content.add_attachment(giver, "a.txt", b"x")
    await wiki.export_here()
    taker.attachments.append(giver.attachments.pop())
    await wiki.export_here()
    assert f"(assets/{taker.id}/a.txt)" in wiki.text(taker)
    assert list(wiki.folder.rglob("*.txt")) == [wiki.folder / f"assets/{taker.id}/a.txt"]


async def test_a_file_that_did_not_survive_a_crash_is_fetched_when_the_export_goes_on(
    wiki: Wiki,
) -> None:
    """FR-006. FR-021."""
    page = wiki.content.add_page("DOCS", "Page", FILE_LINK.format("a.txt"))
    wiki.content.add_attachment(page, "a.txt", b"x")
    await wiki.export_here()
    wiki.take_back_the_end()
    file = wiki.folder / f"assets/{page.id}/a.txt"
    file.write_bytes(b"")
    report = await wiki.export_here(resume=True)
    assert (report.exit_code, file.read_bytes()) == (ExitCode.SUCCESS, b"x")


async def test_a_link_to_a_file_of_another_page_that_cannot_be_had_leads_to_its_source(
    wiki: Wiki,
) -> None:
    """FR-005. FR-006."""
    wiki.content.add_page("DOCS", "Aaa reader", FAR_FILE_LINK.format("a.txt", "Holder"))
    holder = wiki.content.add_page("DOCS", "Holder", "<p>Text.</p>")
    wiki.content.add_attachment(holder, "a.txt", b"x")
    wiki.server.faults.switch_on(Fault(kind=FaultKind.FORBIDDEN, on=DOWNLOAD, times=None))
    await wiki.export_here()
    assert wiki.dead_links() == []
    wiki.server.faults.clear()
    await wiki.export_here()
    assert f"(assets/{holder.id}/a.txt)" in (wiki.folder / "aaa-reader.md").read_text()


@pytest.mark.parametrize(
    ("failing", "code"), [(1, ExitCode.SUCCESS), (2, ExitCode.CONTENT_FAILURE)]
)
async def test_more_than_a_fifth_of_few_files_failing_is_no_success(
    wiki: Wiki, failing: int, code: ExitCode
) -> None:
    """FR-006."""
    page = wiki.content.add_page("DOCS", "Page", "<p>Text.</p>")
    files = [wiki.content.add_attachment(page, f"{number}.txt", b"x") for number in range(5)]
    lost = frozenset(file.id for file in files[:failing])
    fault = Fault(kind=FaultKind.NOT_FOUND, on=DOWNLOAD, times=None, only=lost)
    wiki.server.faults.switch_on(fault)
    report = await wiki.export_here()
    assert report.exit_code is code
    assert (wiki.manifest["attachments"]["threshold"] is None) == (code is ExitCode.SUCCESS)
