"""The edge cases of the Confluence export, through the real command."""

from pathlib import Path

import pytest

from markmirror.errors import ExitCode
from tests.confluence_server import Endpoint, Fault, FaultKind, deep_chain, huge_body
from tests.runs.command import markmirror, start_markmirror
from tests.runs.confluence.wiki import Wiki, wiki_at
from tests.runs.damage import scribble_over

SEARCH = frozenset({Endpoint.SEARCH})
PAGE = frozenset({Endpoint.PAGE})


def one_by_one(wiki: Wiki) -> None:
    """Make the server refuse searches, so that each page is fetched on its own."""
    wiki.server.faults.switch_on(Fault(kind=FaultKind.FORBIDDEN, on=SEARCH, times=None))


def test_a_tree_of_forty_levels_is_exported(wiki: Wiki) -> None:
    """Seed 003: Space contains extremely deep hierarchy (>7 levels)."""
    chain = deep_chain(wiki.content, "DOCS", depth=40)
    assert wiki.export().code == 0
    assert len(wiki.files()) == 40
    assert wiki.text(chain[-1]) == "At level 40.\n"
    assert wiki.file(chain[2]).parent == wiki.file(chain[1]).with_suffix("")


def test_pages_that_refer_to_each_other_are_fetched_once(wiki: Wiki) -> None:
    """Seed 003: Circular-like link references. FR-012. FR-037."""
    wiki.content.add_space("OTHER", "Other")
    link = '<p><ac:link><ri:page ri:space-key="{}" ri:content-title="{}"/></ac:link></p>'
    a = wiki.content.add_page("DOCS", "A", link.format("OTHER", "B"))
    b = wiki.content.add_page("OTHER", "B", link.format("OTHER", "C"))
    c = wiki.content.add_page("OTHER", "C", link.format("DOCS", "A") + link.format("OTHER", "B"))
    assert wiki.export().code == 0
    assert wiki.files() == ["DOCS/a.md", "OTHER/b.md", "OTHER/c.md"]
    bodies = [path for path in wiki.server.paths if "body.storage" in path]
    for page in (a, b, c):
        assert sum(str(page.id) in path for path in bodies) == 1
    assert wiki.dead_links() == []


def test_a_page_of_more_than_a_megabyte_comes_whole(wiki: Wiki) -> None:
    """Seed 003: Large pages exceeding size limits."""
    page = wiki.content.add_page("DOCS", "Huge", huge_body())
    assert len(page.body) > 1_000_000
    assert wiki.export().code == 0
    text = wiki.text(page)
    assert "Paragraph 0 of a very long page." in text
    assert "Paragraph 24999 of a very long page." in text


def test_a_restricted_page_is_skipped_with_a_warning(wiki: Wiki) -> None:
    """Seed 003: Pages with restricted permissions. FR-010."""
    hidden = wiki.content.add_page("DOCS", "Secret plans", "<p>Hidden.</p>")
    wiki.content.add_page("DOCS", "Open", "<p>Open.</p>")
    one_by_one(wiki)
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.FORBIDDEN, on=PAGE, times=None, only=frozenset({str(hidden.id)}))
    )
    ended = wiki.export()
    assert ended.code == 0
    assert "Secret plans" in ended.err
    assert "access_denied" in ended.err
    assert wiki.row(hidden)["status"] == "access_denied"
    assert wiki.files() == ["DOCS/open.md"]


async def test_a_page_that_only_the_pages_below_it_tell_of_is_named_and_they_are_exported(
    wiki: Wiki,
) -> None:
    """Seed 003: Pages with restricted permissions. FR-010."""
    pages = {
        status: wiki.content.add_page("DOCS", f"Above {status}", "<p>x</p>")
        for status in ("archived", "access_denied", "missing_or_restricted")
    }
    for status, page in pages.items():
        wiki.content.add_page("DOCS", f"Below {status}", "<p>x</p>", parent_id=page.id)
        page.status = "archived"
    for status, kind in (
        ("access_denied", FaultKind.FORBIDDEN),
        ("missing_or_restricted", FaultKind.NOT_FOUND),
    ):
        it = frozenset({str(pages[status].id)})
        wiki.server.faults.switch_on(Fault(kind=kind, on=PAGE, times=None, only=it))
    for _ in range(2):
        report = await wiki.export_here()
        assert report.exit_code is ExitCode.SUCCESS
        assert {name.partition(" (")[0] for name in report.skipped} == {
            page.title for page in pages.values()
        }
        assert all(wiki.row(page)["status"] == status for status, page in pages.items())
        assert len(wiki.files()) == 3
    assert "DOCS/above-archived/below-archived.md" in wiki.files()
    wiki.server.faults.clear()
    for page in pages.values():
        page.status = "current"
    assert (await wiki.export_here()).delta.added == 3


async def test_a_page_above_others_that_cannot_be_asked_for_is_no_success(wiki: Wiki) -> None:
    """Seed 003: Pages with restricted permissions. FR-010."""
    above = wiki.content.add_page("DOCS", "Above", "<p>x</p>")
    wiki.content.add_page("DOCS", "Below", "<p>x</p>", parent_id=above.id)
    above.status = "archived"
    wiki.server.faults.switch_on(Fault(kind=FaultKind.SERVER_ERROR, on=PAGE, times=6))
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "'Above' above others" in " ".join(report.sentences())
    assert (await wiki.export_here()).exit_code is ExitCode.SUCCESS


def test_a_page_deleted_after_it_was_listed_is_named_and_not_fatal(wiki: Wiki) -> None:
    """Seed 003: Deleted pages encountered in index vs API delivering stale references."""
    gone = wiki.content.add_page("DOCS", "Just deleted", "<p>Gone.</p>")
    wiki.content.add_page("DOCS", "Here", "<p>Here.</p>")
    one_by_one(wiki)
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.NOT_FOUND, on=PAGE, times=None, only=frozenset({str(gone.id)}))
    )
    ended = wiki.export()
    assert ended.code == 0
    assert "Just deleted" in ended.err
    assert "file kept" not in ended.err
    assert wiki.row(gone)["status"] == "missing_or_restricted"
    assert wiki.files() == ["DOCS/here.md"]


def test_titles_that_would_share_a_file_each_get_their_own(wiki: Wiki) -> None:
    """Seed 003: Non-ASCII characters in titles → filesystem-safe slug collisions. FR-008."""
    titles = ["A/B", "A:B", "General", "General\u200b", "GENERAL", "Übersicht", "概要 説明", "🎉"]
    pages = {title: wiki.content.add_page("DOCS", title, f"<p>{title}</p>") for title in titles}
    assert wiki.export().code == 0
    assert len(wiki.files()) == len(titles)
    names = {title: wiki.file(page).name for title, page in pages.items()}
    fragment = {title: str(page.id)[-6:] for title, page in pages.items()}
    assert names["A/B"] == f"a-b--{fragment['A/B']}.md"
    assert names["A:B"] == f"a-b--{fragment['A:B']}.md"
    assert names["General"] == f"general--{fragment['General']}.md"
    assert names["General\u200b"].startswith("general--")
    assert names["Übersicht"] == "übersicht.md"
    assert names["概要 説明"] == "概要-説明.md"
    assert names["🎉"] == f"{pages['🎉'].id}.md"


def test_a_name_once_given_stays_when_a_rival_comes_or_goes(wiki: Wiki) -> None:
    """Seed 003: FR-020."""
    first = wiki.content.add_page("DOCS", "Guide", "<p>1</p>")
    assert wiki.export().code == 0
    assert wiki.file(first).name == "guide.md"
    second = wiki.content.add_page("DOCS", "Guide!", "<p>2</p>")
    assert wiki.export().code == 0
    assert wiki.file(first).name == "guide.md"
    suffixed = wiki.file(second).name
    assert suffixed == f"guide--{str(second.id)[-6:]}.md"
    first.status = "trashed"
    wiki.content.add_page("DOCS", "Third", "<p>3</p>")
    wiki.content.add_page("DOCS", "Fourth", "<p>4</p>")
    assert wiki.export().code == 0
    assert wiki.file(second).name == suffixed
    assert "DOCS/guide.md" not in wiki.files()


def test_attachments_that_would_share_a_file_each_get_their_own(wiki: Wiki) -> None:
    """Seed 003: Attachment filename collisions."""
    page = wiki.content.add_page("DOCS", "Files")
    for name, body in (("Report.PDF", b"1"), ("report.pdf", b"2"), ("a:b.txt", b"3")):
        wiki.content.add_attachment(page, name, body)
    wiki.content.add_attachment(page, "a?b.txt", b"4")
    page.body = (
        '<p><ac:link><ri:attachment ri:filename="Report.PDF"/></ac:link></p>'
        '<p><ac:link><ri:attachment ri:filename="report.pdf"/></ac:link></p>'
    )
    assert wiki.export().code == 0
    files = list((wiki.folder / "assets" / str(page.id)).iterdir())
    assert sorted(file.read_bytes() for file in files) == [b"1", b"2", b"3", b"4"]
    assert len({file.name.casefold() for file in files}) == 4
    assert wiki.dead_links() == []


@pytest.mark.parametrize(
    "kind", [FaultKind.THROTTLED_SECONDS, FaultKind.THROTTLED_DATE, FaultKind.THROTTLED_BARE]
)
def test_a_throttled_export_waits_and_comes_whole(wiki: Wiki, kind: FaultKind) -> None:
    """Seed 003: Rate limiting / API throttling. FR-013."""
    for number in range(3):
        page = wiki.content.add_page("DOCS", f"Page {number}", "<p>Text.</p>")
        wiki.content.add_attachment(page, "a.txt", b"x")
    for endpoint in (Endpoint.LISTING, Endpoint.SEARCH, Endpoint.DOWNLOAD):
        wiki.server.faults.switch_on(Fault(kind=kind, on=frozenset({endpoint})))
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert len(wiki.files()) == 3
    assert wiki.dead_links() == []


def test_discovery_ends_at_its_limit_and_says_so(wiki: Wiki) -> None:
    """Seed 003: Download queue grows exponentially due to deeply interconnected page references."""
    wiki.content.add_space("OTHER", "Other")
    titles = [f"Far {number}" for number in range(20)]
    links = "".join(
        f'<p><ac:link><ri:page ri:space-key="OTHER" ri:content-title="{title}"/></ac:link></p>'
        for title in titles
    )
    wiki.content.add_page("DOCS", "Hub", links)
    for title in titles:
        wiki.content.add_page("OTHER", title, links)
    ended = wiki.export("--max-discovered", 5)
    assert ended.code == 0
    assert "--max-discovered" in ended.err
    assert len(wiki.files()) == 6
    assert wiki.dead_links() == []


@pytest.mark.parametrize("how", ["garbage", "missing", "cut"])
def test_a_damaged_ledger_is_rebuilt_from_the_plain_files(wiki: Wiki, how: str) -> None:
    """Seed 003: Queue persistence corruption during write operations. FR-034. FR-039."""
    for number in range(5):
        page = wiki.content.add_page("DOCS", f"Page {number}", f"<p>Text {number}.</p>")
        wiki.content.add_attachment(page, "a.txt", b"x" * 10)
    assert wiki.export().code == 0
    tree = wiki.tree()
    _damage(wiki.folder / "_state.db", how)
    wiki.forget_requests()
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert wiki.tree() == tree
    assert wiki.manifest["delta"]["unchanged"] == 5
    assert wiki.requests(Endpoint.DOWNLOAD) == 0
    if how != "missing":
        assert (wiki.folder / "_state.db.corrupt").exists()


def _damage(path: Path, how: str) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    match how:
        case "garbage":
            path.write_bytes(b"not a database at all" * 500)
        case "cut":
            path.write_bytes(path.read_bytes()[:3000])
        case _:
            path.unlink()


@pytest.mark.parametrize("table", ["pages", "entries", "space_pages", "attachments"])
def test_damage_found_in_the_middle_of_an_export_is_repaired_by_the_next(
    wiki: Wiki, table: str
) -> None:
    """FR-039."""
    for number in range(5):
        page = wiki.content.add_page("DOCS", f"Page {number}", f"<p>Text {number}.</p>")
        wiki.content.add_attachment(page, "a.txt", b"x" * 10)
    assert wiki.export().code == 0
    tree = wiki.tree()
    scribble_over(wiki.folder / "_state.db", table)
    ended = wiki.export()
    assert "Traceback" not in ended.err
    assert (ended.code, "Run the same command again" in ended.err) == (1, True)
    ended = wiki.export("--resume")
    assert ended.code == 0, ended.err
    assert (wiki.folder / "_state.db.corrupt").exists()
    assert wiki.tree() == tree


def test_a_queue_file_that_was_cut_gives_back_what_it_holds(wiki: Wiki) -> None:
    """Seed 003: Queue persistence corruption during write operations. FR-039."""
    for number in range(5):
        wiki.content.add_page("DOCS", f"Page {number}", f"<p>Text {number}.</p>")
    assert wiki.export().code == 0
    tree = wiki.tree()
    _damage(wiki.folder / "_state.db", "garbage")
    (wiki.folder / "manifest.json").unlink()
    queues = (wiki.folder / "queues.json").read_bytes()
    (wiki.folder / "queues.json").write_bytes(queues[: len(queues) * 3 // 4])
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert wiki.tree() == tree
    assert wiki.manifest["delta"]["unchanged"] + wiki.manifest["delta"]["added"] == 5


def test_a_killed_export_is_known_as_one_though_its_ledger_is_lost(wiki: Wiki) -> None:
    """Seed 003: Queue persistence corruption during write operations. FR-034. FR-038."""
    for number in range(3):
        wiki.content.add_page("DOCS", f"Page {number}", f"<p>Text {number}.</p>")
    wiki.server.faults.switch_on(Fault(kind=FaultKind.HELD, on=SEARCH, times=None))
    held = wiki.server.when_asked(Endpoint.SEARCH, times=1)
    running = start_markmirror(
        "confluence", "DOCS", "-o", wiki.output, environment=wiki.environment
    )
    assert held.wait(60)
    running.kill()
    running.communicate(timeout=60)
    wiki.server.faults.clear()
    waiting = [(item["queueType"], item["status"]) for item in wiki.queues["items"]]
    assert waiting == [("download", "pending")] * 3
    _damage(wiki.folder / "_state.db", "garbage")
    assert wiki.export().code == 4
    assert wiki.export("--resume").code == 0
    assert len(wiki.files()) == 3


def test_titles_and_ids_that_no_database_takes_are_exported_all_the_same(wiki: Wiki) -> None:
    address = f"{wiki.server.url}/pages/viewpage.action?pageId="
    link = f"<p><a href='{address}{'9' * 30}'>a</a> <a href='{address}²'>b</a></p>"
    page = wiki.content.add_page("DOCS", "Half \ud83d of a face", f"<p>\udc4d</p>{link}")
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert wiki.files() == ["DOCS/half-of-a-face.md"]
    assert f"page {'9' * 30} on Half ? of a face" in ended.err
    assert "?" in wiki.text(page)


def test_folders_keep_their_level_as_a_directory(wiki: Wiki) -> None:
    """Seed 003: FR-002."""
    top = wiki.content.add_page("DOCS", "Top", "<p>Top.</p>")
    folder = wiki.content.add_folder("DOCS", "Design Drafts", parent_id=top.id)
    board = wiki.content.add_folder("DOCS", "Board", parent_id=folder.id, type="whiteboard")
    wiki.content.add_page("DOCS", "Under a board", "<p>x</p>", parent_id=board.id)
    hidden = wiki.content.add_page("DOCS", "Hidden parent", "<p>x</p>")
    hidden.restricted = True
    wiki.content.add_page("DOCS", "Orphan", "<p>x</p>", parent_id=hidden.id)
    assert wiki.export().code == 0
    assert wiki.files() == [
        "DOCS/orphan.md",
        "DOCS/top.md",
        "DOCS/top/design-drafts/board/under-a-board.md",
    ]


def test_the_cloud_under_its_context_path_is_exported(tmp_path: Path) -> None:
    with wiki_at(tmp_path, flavour="cloud", context="/wiki") as wiki:
        for number in range(450):
            wiki.content.add_page("DOCS", f"Page {number:03d}", f"<p>Text {number}.</p>")
        page = wiki.content.add_page(
            "DOCS", "Files", '<ac:image><ri:attachment ri:filename="a.png"/></ac:image>'
        )
        wiki.content.add_attachment(page, "a.png", b"png")
        # As API tokens are answered at the old address.
        wiki.server.faults.switch_on(
            Fault(kind=FaultKind.UNAUTHORIZED, on=frozenset({Endpoint.DOWNLOAD}), times=1)
        )
        ended = wiki.export()
        assert ended.code == 0, ended.err
        assert len(wiki.files()) == 451
        assert (wiki.folder / "assets" / str(page.id) / "a.png").read_bytes() == b"png"
        assert wiki.requests(Endpoint.MEDIA) == 1
        assert wiki.server.leaked_authorization == 0


def test_the_cloud_behind_its_gateway_is_told_by_the_addresses_people_know(tmp_path: Path) -> None:
    """FR-004. FR-005."""
    site = "https://acme.atlassian.net/wiki"
    gateway = "/ex/confluence/0a1b/wiki"
    with wiki_at(tmp_path, flavour="cloud", context=gateway, read_at=site) as wiki:
        target = wiki.content.add_page("DOCS", "Target", "<p>x</p>")
        address = f"/spaces/DOCS/pages/{target.id}/Target"
        page = wiki.content.add_page(
            "DOCS",
            "Page",
            f'<p><a href="{site}{address}">whole</a> <a href="/wiki{address}">short</a> '
            '<ac:link><ri:page ri:content-title="Nowhere"/></ac:link></p>',
        )
        wiki.content.add_attachment(page, "a.txt", b"text")
        ended = wiki.export()
        assert ended.code == 0, ended.err
        assert wiki.text(page).split() == [
            "[whole](target.md)",
            "[short](target.md)",
            f"[Nowhere]({site}/display/DOCS/Nowhere)",
        ]
        assert wiki.row(target)["sourceUrl"] == f"{site}{address}"
        assert wiki.manifest["space"]["baseUrl"] == site
        assert (wiki.folder / "assets" / str(page.id) / "a.txt").read_bytes() == b"text"
        said = markmirror("which", f"{site}{address}", "-o", tmp_path, cwd=None)
        assert said.out.strip() == str(wiki.file(target))
