"""What a rerun notices, moves, rewrites and removes, and what it leaves alone."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from markmirror.errors import ExitCode, UsageError
from markmirror.state.space import SpaceStore
from tests.confluence_server import Endpoint, Fault, FaultKind, SpacePlan, generate_space
from tests.confluence_server.content import Page
from tests.runs.confluence.wiki import Wiki, wiki_at

LINK = '<p><ac:link><ri:page ri:content-title="{}"/></ac:link></p>'
BY_ID = '<p><a href="/pages/viewpage.action?pageId={}">x</a></p>'
CHILDREN = '<ac:structured-macro ac:name="children"/>'
ROOTS = ("@self", "@parent", "@home")
TREE = (
    '<ac:structured-macro ac:name="pagetree"><ac:parameter ac:name="root"><ac:link>'
    '<ri:page ri:content-title="{}"/></ac:link></ac:parameter></ac:structured-macro>'
)
FOREIGN = '<p><ac:link><ri:page ri:space-key="OTHER" ri:content-title="{}"/></ac:link></p>'


def plain_pages(wiki: Wiki, count: int) -> list[Page]:
    return [wiki.content.add_page("DOCS", f"Page {n}", f"<p>Text {n}.</p>") for n in range(count)]


async def test_an_unchanged_rerun_asks_once_for_the_space_and_once_per_two_hundred_pages(
    wiki: Wiki,
) -> None:
    """FR-011. FR-012."""
    wiki.content.spaces.clear()
    generate_space(wiki.content, SpacePlan(pages=450))
    await wiki.export_here()
    wiki.forget_requests()
    report = await wiki.export_here()
    assert report.delta.unchanged == 450
    assert sum(wiki.server.requests.values()) == 1 + 3


async def test_a_new_version_of_an_attachment_is_fetched_though_the_page_has_none(
    wiki: Wiki,
) -> None:
    page = wiki.content.add_page("DOCS", "Files", "<p>x</p>")
    wiki.content.add_attachment(page, "a.txt", b"old")
    wiki.content.add_attachment(page, "b.txt", b"other")
    await wiki.export_here()
    wiki.content.add_attachment(page, "a.txt", b"new")
    page.attachments.pop()
    wiki.content.add_attachment(page, "c.txt", b"added")
    wiki.forget_requests()
    report = await wiki.export_here()
    assert report.delta.updated == 1
    files = {path.name: path.read_bytes() for path in (wiki.folder / "assets").rglob("*.txt")}
    assert files == {"a.txt": b"new", "c.txt": b"added"}
    assert wiki.requests(Endpoint.DOWNLOAD) == 2


async def test_labels_show_in_the_front_matter_and_their_change_is_noticed(wiki: Wiki) -> None:
    page = wiki.content.add_page("DOCS", "Labelled", "<p>x</p>", labels=("draft",))
    await wiki.export_here()
    page.labels.append("reviewed")
    report = await wiki.export_here()
    assert report.delta.updated == 1
    assert 'labels: "draft, reviewed"' in wiki.file(page).read_text()


async def test_a_renamed_page_moves_with_all_below_it_and_links_follow(wiki: Wiki) -> None:
    """FR-004. FR-011."""
    parent = wiki.content.add_page("DOCS", "Old name", "<p>x</p>")
    child = wiki.content.add_page("DOCS", "Child", "<p>y</p>", parent_id=parent.id)
    reader = wiki.content.add_page("DOCS", "Reader", LINK.format("Child"))
    others = plain_pages(wiki, 3)
    await wiki.export_here()
    assert "(old-name/child.md)" in wiki.text(reader)
    parent.title = "New name"
    wiki.forget_requests()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert report.delta.moved == 2
    assert report.delta.unchanged == len(others)
    assert wiki.file(child).relative_to(wiki.folder).as_posix() == "new-name/child.md"
    assert "(new-name/child.md)" in wiki.text(reader)
    assert not (wiki.folder / "old-name.md").exists()
    assert not (wiki.folder / "old-name").exists()
    assert wiki.dead_links() == []


@pytest.mark.parametrize("fate", ["failed", "left", "missing_or_restricted"])
async def test_a_page_of_which_only_the_links_were_brought_up_to_date_is_no_exported_one(
    wiki: Wiki, fate: str
) -> None:
    """FR-010. FR-041. Its old body is written again, because what it links to has moved."""
    first, *_ = plain_pages(wiki, 5)
    moving = wiki.content.add_page("DOCS", "Moving", "<p>m</p>")
    page = wiki.content.add_page("DOCS", "Written", f"<p>Old.</p>{BY_ID.format(moving.id)}")
    await wiki.export_here()
    moving.title = "Moved"
    page.edit(f"<p>New.</p>{BY_ID.format(moving.id)}")
    if fate == "missing_or_restricted":
        page.restricted = True
        first.edit(BY_ID.format(page.id))
    if fate == "failed":
        it = frozenset({str(page.id)})
        wiki.server.faults.switch_on(
            Fault(kind=FaultKind.FORBIDDEN, on=frozenset({Endpoint.SEARCH}), times=None),
            Fault(kind=FaultKind.SERVER_ERROR, on=frozenset({Endpoint.PAGE}), times=None, only=it),
        )
    report = await wiki.export_here(limit=1 if fate == "left" else None)
    assert wiki.row(page)["status"] == fate
    assert (report.exit_code is ExitCode.SUCCESS) == (fate != "failed")
    assert wiki.text(page) == "Old.\n\n[x](moved.md)\n"


async def test_two_pages_may_exchange_their_names(wiki: Wiki) -> None:
    one = wiki.content.add_page("DOCS", "One", "<p>first</p>")
    two = wiki.content.add_page("DOCS", "Two", "<p>second</p>")
    await wiki.export_here()
    one.title, two.title = "Two", "One"
    await wiki.export_here()
    assert wiki.files() == ["DOCS/one.md", "DOCS/two.md"]
    assert wiki.text(one) == "first\n"
    assert wiki.file(one).name == "two.md"
    assert wiki.text(two) == "second\n"


@pytest.mark.parametrize("fate", ["failed", "left", "missing_or_restricted"])
async def test_a_page_that_cannot_be_fetched_is_not_lost_to_one_that_takes_its_name(
    wiki: Wiki, fate: str
) -> None:
    """FR-010. FR-041."""
    one = wiki.content.add_page("DOCS", "One", "<p>first</p>")
    two = wiki.content.add_page("DOCS", "Two", "<p>second</p>")
    plain_pages(wiki, 3)
    await wiki.export_here()
    one.title, two.title = "Two", "One"
    kept = one if fate == "left" else two
    other = two if fate == "left" else one
    if fate != "left":
        kind = FaultKind.SERVER_ERROR if fate == "failed" else FaultKind.NOT_FOUND
        on, only = frozenset({Endpoint.PAGE}), frozenset({str(kept.id)})
        wiki.server.faults.switch_on(
            Fault(kind=FaultKind.FORBIDDEN, on=frozenset({Endpoint.SEARCH}), times=None),
            Fault(kind=kind, on=on, times=None, only=only),
        )
    await wiki.export_here(limit=1 if fate == "left" else None)
    assert (wiki.row(kept)["status"], wiki.row(other)["status"]) == (fate, "exported")
    assert (wiki.text(one), wiki.text(two)) == ("first\n", "second\n")


async def test_a_list_of_children_follows_the_tree(wiki: Wiki) -> None:
    parent = wiki.content.add_page("DOCS", "Parent", CHILDREN)
    wiki.content.add_page("DOCS", "Beta", "<p>b</p>", parent_id=parent.id, position=2)
    await wiki.export_here()
    assert wiki.text(parent) == "- [Beta](parent/beta.md)\n"
    wiki.content.add_page("DOCS", "Alpha", "<p>a</p>", parent_id=parent.id, position=1)
    await wiki.export_here()
    assert wiki.text(parent) == "- [Alpha](parent/alpha.md)\n- [Beta](parent/beta.md)\n"


async def test_pages_nobody_put_in_order_are_listed_by_title_whatever_its_case(wiki: Wiki) -> None:
    parent = wiki.content.add_page("DOCS", "Parent", CHILDREN)
    for title in ("beta", "Gamma", "alpha", "Beta 2"):
        wiki.content.add_page("DOCS", title, "<p>x</p>", parent_id=parent.id)
    await wiki.export_here()
    assert re.findall(r"\[(.+)\]", wiki.text(parent)) == ["alpha", "beta", "Beta 2", "Gamma"]


@pytest.mark.parametrize(
    "name", ["children", "childpages", "Children", "pagetree", "PageTree", "content-tree"]
)
async def test_every_macro_that_lists_pages_is_given_them(wiki: Wiki, name: str) -> None:
    parent = wiki.content.add_page("DOCS", "Parent", f'<ac:structured-macro ac:name="{name}"/>')
    wiki.content.add_page("DOCS", "Child", "<p>x</p>", parent_id=parent.id)
    await wiki.export_here()
    assert wiki.text(parent) == "- [Child](parent/child.md)\n"


async def test_a_list_below_another_page_follows_that_tree(wiki: Wiki) -> None:
    parent = wiki.content.add_page("DOCS", "Parent", "<p>x</p>")
    child = wiki.content.add_page("DOCS", "Child", "<p>x</p>", parent_id=parent.id)
    root = '<ac:parameter ac:name="root"><ac:link><ri:page ri:content-title="Parent"/></ac:link>'
    tree = f'<ac:structured-macro ac:name="pagetree">{root}</ac:parameter></ac:structured-macro>'
    lister = wiki.content.add_page("DOCS", "Lister", tree)
    await wiki.export_here()
    assert wiki.text(lister) == "- [Child](parent/child.md)\n"
    wiki.content.add_page("DOCS", "Grandchild", "<p>x</p>", parent_id=child.id)
    await wiki.export_here()
    below = "  - [Grandchild](parent/child/grandchild.md)\n"
    assert wiki.text(lister) == f"- [Child](parent/child.md)\n{below}"


@pytest.mark.parametrize("above", ["page", "folder"])
async def test_a_list_may_begin_at_the_page_its_parent_or_the_home_page(
    wiki: Wiki, above: str
) -> None:
    add = wiki.content.add_page if above == "page" else wiki.content.add_folder
    home = wiki.content.add_page("DOCS", "Home", "<p>x</p>")
    wiki.content.spaces["DOCS"].homepage_id = home.id
    parent = add("DOCS", "Parent", parent_id=home.id)
    trees = "".join(f"<p>From {root}:</p>{TREE.format(root)}" for root in ROOTS)
    page = wiki.content.add_page("DOCS", "Page", trees, parent_id=parent.id)
    wiki.content.add_page("DOCS", "Below", "<p>x</p>", parent_id=page.id)
    wiki.content.add_page("DOCS", "Child of home", "<p>x</p>", parent_id=home.id)
    await wiki.export_here()
    shown = dict(zip(ROOTS, wiki.text(page).split("From @")[1:], strict=True))
    assert re.findall(r"\[(.*?)\]", shown["@self"]) == ["Below"]
    assert re.findall(r"\[(.*?)\]", shown["@parent"]) == ["Page", "Below"]
    assert "[Child of home]" in shown["@home"]
    assert wiki.manifest["unresolvedReferences"] == []
    assert wiki.dead_links() == []


async def test_the_tree_is_read_as_often_for_many_lists_of_pages_as_for_few(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[int] = []
    read = SpaceStore.tree_digest

    def counted(store: SpaceStore, run: int) -> str:
        passes.append(run)
        return read(store, run)

    monkeypatch.setattr(SpaceStore, "tree_digest", counted)
    for total in (5, 40):
        for number in range(len(wiki.content.pages), total):
            wiki.content.add_page("DOCS", f"Page {number}", CHILDREN)
        await wiki.export_here(fresh=True)
    assert passes.count(1) == passes.count(2) == 2


async def test_a_list_made_while_the_tree_changes_is_made_again(wiki: Wiki) -> None:
    wiki.content.add_space("OTHER", "Other")
    top = wiki.content.add_page("OTHER", "Top", CHILDREN)
    below = wiki.content.add_page("OTHER", "Below", "<p>x</p>", parent_id=top.id)
    lister = wiki.content.add_page("DOCS", "Lister", FOREIGN.format("Top"))
    wiki.content.add_page("DOCS", "Reader", FOREIGN.format("Below"), parent_id=lister.id)
    await wiki.export_here(concurrency=1)
    assert wiki.text(top) == "- [Below](top/below.md)\n"
    assert wiki.text(below) == "x\n"


async def test_a_page_in_the_trash_or_in_another_space_is_removed(wiki: Wiki) -> None:
    """FR-011."""
    pages = plain_pages(wiki, 6)
    wiki.content.add_attachment(pages[0], "a.txt", b"x")
    wiki.content.add_space("OTHER", "Other")
    await wiki.export_here()
    pages[0].status = "trashed"
    pages[1].space_key = "OTHER"
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert report.delta.removed == 2
    assert len(wiki.files()) == 4
    assert not (wiki.folder / "assets").exists()


async def test_a_page_that_only_cannot_be_seen_is_kept_for_three_runs(wiki: Wiki) -> None:
    """FR-011."""
    pages = plain_pages(wiki, 4)
    await wiki.export_here()
    pages[0].restricted = True
    for run in (1, 2):
        report = await wiki.export_here()
        assert report.exit_code is ExitCode.SUCCESS
        assert wiki.row(pages[0])["status"] == "missing_or_restricted"
        assert wiki.row(pages[0])["missingRuns"] == run
        assert pages[0].title in " ".join(report.sentences())
        assert len(wiki.files()) == 4
    report = await wiki.export_here()
    assert report.delta.removed == 1
    assert len(wiki.files()) == 3


async def test_prune_removes_it_at_once(wiki: Wiki) -> None:
    pages = plain_pages(wiki, 4)
    await wiki.export_here()
    pages[0].restricted = True
    report = await wiki.export_here(prune=True)
    assert report.delta.removed == 1


async def test_the_space_of_another_site_with_the_same_key_touches_nothing(
    wiki: Wiki, tmp_path: Path
) -> None:
    """FR-011. FR-020. What one site has deleted says nothing about the pages of another."""
    pages = plain_pages(wiki, 3)
    await wiki.export_here()
    before = wiki.tree()
    with wiki_at(tmp_path / "out") as other:
        other.content.pages |= {page.id: replace(page, status="trashed") for page in pages}
        other.content.add_page("DOCS", "Another", "<p>x</p>")
        for options in ({}, {"dry_run": True}):
            with pytest.raises(UsageError, match="holds the export of"):
                await other.export_here(**options)
        assert wiki.tree() == before
        assert (await wiki.export_here()).delta.unchanged == 3
        assert (await other.export_here(fresh=True)).exit_code is ExitCode.SUCCESS
    assert wiki.files() == ["DOCS/another.md"]


async def test_nothing_is_removed_after_an_incomplete_list(wiki: Wiki) -> None:
    """FR-011."""
    pages = plain_pages(wiki, 6)
    await wiki.export_here()
    pages[0].status = "trashed"
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.EMPTY_PAGE, on=frozenset({Endpoint.LISTING}), times=None)
    )
    with pytest.raises(Exception, match="holds no page"):
        await wiki.export_here()
    assert len(wiki.files()) == 6


async def test_more_than_half_gone_at_once_removes_nothing_and_says_why(wiki: Wiki) -> None:
    pages = plain_pages(wiki, 6)
    await wiki.export_here()
    for page in pages[:4]:
        page.status = "trashed"
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "4 of 6" in report.message
    assert len(wiki.files()) == 6
    report = await wiki.export_here(fresh=True)
    assert report.exit_code is ExitCode.SUCCESS
    assert len(wiki.files()) == 2


async def test_a_page_found_in_another_space_is_refreshed_and_goes_with_the_last_reference(
    wiki: Wiki,
) -> None:
    """FR-035."""
    wiki.content.add_space("OTHER", "Other")
    far = wiki.content.add_page("OTHER", "Far away", "<p>First.</p>")
    near = wiki.content.add_page("DOCS", "Near", FOREIGN.format("Far away"))
    plain_pages(wiki, 3)
    await wiki.export_here()
    assert wiki.row(far)["path"] == "../OTHER/far-away.md"
    far.edit("<p>Second.</p>")
    report = await wiki.export_here()
    assert report.delta.updated == 1
    assert wiki.text(far) == "Second.\n"
    near.edit("<p>No link any more.</p>")
    report = await wiki.export_here()
    assert report.delta.removed == 1
    assert not (wiki.output / "spaces" / "OTHER" / "far-away.md").exists()


async def test_without_discovery_links_to_other_spaces_lead_to_their_source(wiki: Wiki) -> None:
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("OTHER", "Far away", "<p>First.</p>")
    near = wiki.content.add_page("DOCS", "Near", FOREIGN.format("Far away"))
    report = await wiki.export_here(discover="none")
    assert report.exit_code is ExitCode.SUCCESS
    assert wiki.files() == ["DOCS/near.md"]
    assert f"({wiki.server.url}/display/OTHER/Far+away)" in wiki.text(near)


async def test_a_found_page_that_fails_is_named_and_links_lead_to_its_source(wiki: Wiki) -> None:
    wiki.content.add_space("OTHER", "Other")
    far = wiki.content.add_page("OTHER", "Far away", "<p>First.</p>")
    near = wiki.content.add_page("DOCS", "Near", FOREIGN.format("Far away"))
    wiki.server.faults.switch_on(
        Fault(
            kind=FaultKind.SERVER_ERROR,
            on=frozenset({Endpoint.PAGE}),
            times=None,
            only=frozenset({str(far.id)}),
        )
    )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "Far away" in " ".join(report.sentences())
    assert "](http" in wiki.text(near)
    assert wiki.dead_links() == []
    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert "](../OTHER/far-away.md)" in wiki.text(near)


async def test_a_heading_elsewhere_is_reached_although_cleanup_renamed_it(wiki: Wiki) -> None:
    target = wiki.content.add_page("DOCS", "Target", "<h2>how to begin</h2><p>Like this.</p>")
    source = wiki.content.add_page(
        "DOCS",
        "Aaa source",
        '<p><ac:link ac:anchor="how to begin"><ri:page ri:content-title="Target"/></ac:link></p>',
    )
    await wiki.export_here()
    assert "## How to Begin" in wiki.text(target)
    assert "(target.md#how-to-begin)" in wiki.text(source)


async def test_a_file_somebody_deleted_or_changed_in_size_is_written_again(wiki: Wiki) -> None:
    pages = plain_pages(wiki, 3)
    wiki.content.add_attachment(pages[2], "a.txt", b"content")
    await wiki.export_here()
    tree = wiki.tree()
    wiki.file(pages[0]).unlink()
    wiki.file(pages[1]).write_text("scribbled")
    (wiki.folder / "assets" / str(pages[2].id) / "a.txt").write_bytes(b"")
    await wiki.export_here()
    assert wiki.tree() == tree


async def test_a_strangers_file_is_never_overwritten(wiki: Wiki) -> None:
    page = plain_pages(wiki, 1)[0]
    wiki.folder.mkdir(parents=True)
    (wiki.folder / "page-0.md").write_text("my own notes")
    await wiki.export_here()
    assert (wiki.folder / "page-0.md").read_text() == "my own notes"
    assert wiki.file(page).name == f"page-0--{str(page.id)[-6:]}.md"


async def test_a_page_of_a_space_that_is_exported_too_is_left_to_that_export(wiki: Wiki) -> None:
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("OTHER", "Far away", "<p>First.</p>")
    near = wiki.content.add_page("DOCS", "Near", FOREIGN.format("Far away"))
    plain_pages(wiki, 3)
    await wiki.export_here()
    await wiki.export_here(space="OTHER")
    assert "OTHER/far-away.md" in wiki.files()
    near.edit("<p>No link any more.</p>")
    await wiki.export_here()
    assert "OTHER/far-away.md" in wiki.files()


async def test_a_user_or_page_that_cannot_be_looked_up_is_named_and_asked_for_again(
    wiki: Wiki,
) -> None:
    wiki.content.add_user("8a7f", "ada", "Ada Lovelace")
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("OTHER", "Far away", "<p>First.</p>")
    mention = '<p><ac:link><ri:user ri:userkey="8a7f"/></ac:link></p>'
    page = wiki.content.add_page("DOCS", "Page", mention + FOREIGN.format("Far away"))
    for endpoint in (Endpoint.USER, Endpoint.LISTING):
        wiki.server.faults.switch_on(
            Fault(
                kind=FaultKind.SERVER_ERROR,
                on=frozenset({endpoint}),
                times=None,
                after=endpoint is Endpoint.LISTING,
            )
        )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "the user 8a7f on Page" in " ".join(report.sentences())
    assert "'Far away' in OTHER on Page" in " ".join(report.sentences())
    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert "@Ada Lovelace" in wiki.text(page)
    assert "(../OTHER/far-away.md)" in wiki.text(page)


async def test_people_are_called_by_the_names_they_have_when_their_page_is_written(
    wiki: Wiki,
) -> None:
    """FR-011."""
    mention = '<p><ac:link><ri:user ri:userkey="u-1"/></ac:link></p>'
    page = wiki.content.add_page("DOCS", "Page", mention)
    await wiki.export_here()
    assert wiki.text(page) == "@u-1\n"
    wiki.content.add_user("u-1", "ada", "Ada Byron")
    page.edit(mention)
    await wiki.export_here()
    assert wiki.text(page) == "@Ada Byron\n"
    wiki.content.add_user("u-1", "ada", "Ada Lovelace")
    assert (await wiki.export_here(fresh=True)).delta.updated == 1
    assert wiki.text(page) == "@Ada Lovelace\n"


async def test_links_to_pages_that_are_hidden_or_gone_stay_links_and_are_named(wiki: Wiki) -> None:
    """Seed 003: Pages with restricted permissions. FR-004. FR-010."""
    wiki.content.add_space("OTHER", "Other")
    hidden = wiki.content.add_page("DOCS", "Hidden", "<p>x</p>")
    hidden.restricted = True
    denied = wiki.content.add_page("OTHER", "Denied", "<p>x</p>")
    wiki.server.faults.switch_on(
        Fault(
            kind=FaultKind.FORBIDDEN,
            on=frozenset({Endpoint.PAGE}),
            times=None,
            only=frozenset({str(denied.id)}),
        )
    )
    address = f"{wiki.server.url}/pages/viewpage.action?pageId="
    page = wiki.content.add_page(
        "DOCS",
        "Page",
        LINK.format("Hidden")
        + f"<p><a href='{address}{hidden.id}'>a</a> <a href='{address}{denied.id}'>b</a></p>"
        + FOREIGN.format("Never written")
        + '<p><ac:link><ri:space ri:space-key="SECRET"/></ac:link></p>'
        + '<p><ac:link><ri:user ri:userkey="nobody"/></ac:link></p>',
    )
    expected = {
        "'Hidden' in DOCS": "missing_or_restricted",
        "'Never written' in OTHER": "missing_or_restricted",
        f"page {hidden.id}": "missing_or_restricted",
        f"page {denied.id}": "access_denied",
        "the space SECRET": "missing_or_restricted",
    }
    for _ in range(2):
        report = await wiki.export_here()
        assert report.exit_code is ExitCode.SUCCESS
        assert f"({wiki.server.url}/display/DOCS/Hidden)" in wiki.text(page)
        assert sorted(report.unseen) == sorted(
            f"{reference} on Page: {reason}" for reference, reason in expected.items()
        )
        assert all(name in " ".join(report.sentences()) for name in report.unseen)
        rows = wiki.manifest["unresolvedReferences"]
        assert {row["pageId"] for row in rows} == {str(page.id)}
        assert {row["reference"]: row["error"] for row in rows} == expected

    page.edit("<p>No link any more.</p>")
    report = await wiki.export_here()
    assert report.unseen == ()
    assert wiki.manifest["unresolvedReferences"] == []


async def test_links_to_a_page_that_can_be_seen_now_lead_to_its_file(wiki: Wiki) -> None:
    """Seed 003: Pages with restricted permissions. FR-010. FR-011."""
    hidden = wiki.content.add_page("DOCS", "Hidden", "<p>x</p>")
    hidden.restricted = True
    address = f"{wiki.server.url}/pages/viewpage.action?pageId={hidden.id}"
    by_title = wiki.content.add_page("DOCS", "By title", LINK.format("hidden"))
    by_id = wiki.content.add_page("DOCS", "By id", f"<p><a href='{address}'>a</a></p>")
    assert len((await wiki.export_here()).unseen) == 2

    hidden.restricted = False
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert report.unseen == ()
    assert "(hidden.md)" in wiki.text(by_title)
    assert "(hidden.md)" in wiki.text(by_id)
    assert wiki.manifest["unresolvedReferences"] == []


async def test_a_page_with_the_title_of_a_blog_post_is_not_taken_for_it(wiki: Wiki) -> None:
    post = '<ri:blog-post ri:content-title="{}" ri:posting-day="2026/01/02"/>'
    address = f"{wiki.server.url}/display/DOCS/2026/01/02/News"
    wiki.content.add_page("DOCS", "News", "<p>A page.</p>")
    links = [f"<ac:link>{post.format(title)}</ac:link>" for title in ("News", "Other news")]
    page = wiki.content.add_page(
        "DOCS", "Page", f'<p>{" ".join(links)} <a href="{address}">the post</a></p>'
    )
    report = await wiki.export_here()
    assert "news.md" not in wiki.text(page)
    assert wiki.text(page).count(f"({address})") == 2
    assert report.unseen == ()


async def test_what_discovery_leaves_out_is_not_named_as_hidden(wiki: Wiki) -> None:
    wiki.content.add_space("OTHER", "Other")
    wiki.content.add_page("OTHER", "Far away", "<p>First.</p>")
    wiki.content.add_page("DOCS", "Near", FOREIGN.format("Far away") + LINK.format("Nowhere"))
    report = await wiki.export_here(discover="none")
    assert report.unseen == ("'Nowhere' in DOCS on Near: missing_or_restricted",)


async def test_a_missing_page_that_cannot_be_checked_is_kept_and_no_success(wiki: Wiki) -> None:
    pages = plain_pages(wiki, 4)
    await wiki.export_here()
    pages[0].status = "trashed"
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.SERVER_ERROR, on=frozenset({Endpoint.PAGE}), times=None)
    )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "whether it is still there on Page 0" in " ".join(report.sentences())
    assert len(wiki.files()) == 4
