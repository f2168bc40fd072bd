"""What stands in the way of one page or file costs that one; the others are exported."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from markmirror.errors import ExitCode
from tests.confluence_server import Endpoint
from tests.runs.confluence.wiki import Wiki


class Acting(Counter[Endpoint]):
    """Counts requests, and acts when a file is asked for."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__()
        self._act = act

    def __setitem__(self, endpoint: Endpoint, count: int) -> None:
        super().__setitem__(endpoint, count)
        if endpoint is Endpoint.DOWNLOAD:
            self._act()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def put_in_the_way(path: Path, target: Path | None) -> None:
    """A link to the target, or a file if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if target is not None:
        path.symlink_to(target)
    else:
        path.write_bytes(b"mine")


def replace_by_a_link(folder: Path, target: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(target)


@pytest.mark.parametrize("kind", ["a symbolic link", "a file where a folder is needed"])
async def test_a_page_whose_folder_is_blocked_fails_by_name_and_the_others_are_written(
    wiki: Wiki, outside: Path, kind: str
) -> None:
    """FR-010."""
    parent = wiki.content.add_page("DOCS", "Parent", "<p>x</p>")
    child = wiki.content.add_page("DOCS", "Child", "<p>x</p>", parent_id=parent.id)
    wiki.content.add_page("DOCS", "Other", "<p>x</p>")
    blocked = wiki.folder / "parent"
    put_in_the_way(blocked, outside if "link" in kind else None)
    for _ in range(2):
        report = await wiki.export_here()
        assert report.exit_code is ExitCode.CONTENT_FAILURE
        (failure,) = report.failures
        assert failure.startswith(f"Child ({child.id}): parent in the mirror is {kind}.")
        assert wiki.files() == ["DOCS/other.md", "DOCS/parent.md"]
        assert wiki.row(child)["status"] == "failed"
    assert list(outside.iterdir()) == []

    blocked.unlink()
    assert (await wiki.export_here()).exit_code is ExitCode.SUCCESS
    assert "DOCS/parent/child.md" in wiki.files()


@pytest.mark.parametrize("kind", ["a symbolic link", "a file where a folder is needed"])
async def test_an_attachment_whose_folder_is_blocked_fails_by_name_and_its_page_is_written(
    wiki: Wiki, outside: Path, kind: str
) -> None:
    """FR-006."""
    page = wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    other = wiki.content.add_page("DOCS", "Other", "<p>x</p>")
    for holder in (page, other):
        wiki.content.add_attachment(holder, "a.txt", b"content")
    blocked = wiki.folder / "assets" / str(page.id)
    put_in_the_way(blocked, outside if "link" in kind else None)
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    (failure,) = report.attachment_failures
    way = f"assets/{page.id}"
    assert failure.startswith(f"a.txt of Page: {way} in the mirror is {kind}.")
    assert wiki.files() == ["DOCS/other.md", "DOCS/page.md"]
    assert list(outside.iterdir()) == []

    blocked.unlink()
    assert (await wiki.export_here()).attachment_failures == ()
    assert (wiki.folder / way / "a.txt").read_bytes() == b"content"


async def test_a_file_that_lost_its_owner_behind_a_link_does_not_hold_up_the_export(
    wiki: Wiki, outside: Path
) -> None:
    old = wiki.content.add_page("DOCS", "Old", "<p>x</p>")
    page = wiki.content.add_page("DOCS", "Page", "<p>x</p>", parent_id=old.id)
    await wiki.export_here()
    (outside / "page.md").write_bytes(b"mine")
    replace_by_a_link(wiki.folder / "old", outside)
    page.parent_id = None
    page.edit("<p>y</p>")
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert wiki.manifest["job"]["phase"] == "finished"
    assert wiki.files() == ["DOCS/old.md", "DOCS/page.md"]
    assert (outside / "page.md").read_bytes() == b"mine"


async def test_a_heading_of_a_page_behind_a_link_does_not_hold_up_the_export(
    wiki: Wiki, outside: Path
) -> None:
    old = wiki.content.add_page("DOCS", "Old", "<p>x</p>")
    target = wiki.content.add_page("DOCS", "Target", "<h1>Part</h1>", parent_id=old.id)
    link = '<ac:link ac:anchor="Part"><ri:page ri:content-title="Target"/></ac:link>'
    page = wiki.content.add_page("DOCS", "Page", f"<p>{link}</p>")
    await wiki.export_here()
    replace_by_a_link(wiki.folder / "old", outside)
    page.edit(f"<p>y {link}</p>")
    report = await wiki.export_here()
    assert [failure.split(" (")[0] for failure in report.failures] == [target.title]
    assert wiki.manifest["job"]["phase"] == "finished"
    assert "y [" in wiki.text(page)


async def test_a_page_whose_body_was_taken_away_fails_and_is_fetched_by_the_next_run(
    wiki: Wiki,
) -> None:
    """FR-010."""
    for number in range(12):
        page = wiki.content.add_page("DOCS", f"Page {number}", "<p>x</p>")
        wiki.content.add_attachment(page, "a.txt", b"content")

    def take_away() -> None:
        for bodies in wiki.folder.glob("_state.db-bodies-*"):
            bodies.unlink()

    wiki.server.requests = Acting(take_away)
    report = await wiki.export_here(concurrency=1)
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert report.failures
    assert all("bodies" in failure for failure in report.failures)
    assert len(wiki.files()) + len(report.failures) == 12

    wiki.server.requests = Counter()
    assert (await wiki.export_here()).exit_code is ExitCode.SUCCESS
    assert len(wiki.files()) == 12
