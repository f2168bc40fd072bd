"""The acceptance scenarios of the Confluence export, through the real command."""

import re
import signal

from tests.confluence_server import Endpoint, Fault, FaultKind
from tests.runs.command import read_until, start_markmirror
from tests.runs.confluence.wiki import Wiki

RICH = """<h1>Top</h1><h2>Second level</h2><p>Some <strong>bold</strong> and <em>italic</em>.</p>
<ul><li>one<ul><li>nested</li></ul></li><li>two</li></ul><ol><li>first</li><li>second</li></ol>
<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">python</ac:parameter>
<ac:plain-text-body><![CDATA[print("x")  # 'kept'  as it is]]></ac:plain-text-body>
</ac:structured-macro><p><a href="https://example.org/">outside</a></p>
<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>
<ac:structured-macro ac:name="info"><ac:rich-text-body><p>Mind this.</p></ac:rich-text-body>
</ac:structured-macro>"""


def test_the_folders_match_the_hierarchy_of_the_space(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 1. FR-001. FR-002. FR-005. FR-007."""
    home = wiki.content.add_page("DOCS", "Welcome Home", "<p>Hello.</p>")
    wiki.content.spaces["DOCS"].homepage_id = home.id
    guide = wiki.content.add_page("DOCS", "User Guide", "<p>Guide.</p>", parent_id=home.id)
    wiki.content.add_page("DOCS", "Set-up & Install", "<p>How.</p>", parent_id=guide.id)
    wiki.content.add_page("DOCS", "Second Root", "<p>Another.</p>")
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert wiki.files() == [
        "DOCS/second-root.md",
        "DOCS/welcome-home.md",
        "DOCS/welcome-home/user-guide.md",
        "DOCS/welcome-home/user-guide/set-up-install.md",
    ]
    head = wiki.file(guide).read_text().partition("\n---\n")[0]
    assert 'title: "User Guide"' in head
    assert f'pageId: "{guide.id}"' in head
    assert f'sourceUrl: "{wiki.server.url}/display/DOCS/User+Guide"' in head
    assert 'lastModified: "2024-01-01T22:00:00.000+10:00"' in head
    assert re.search(r'exportTimestamp: "\d{4}-\d\d-\d\dT', head)
    rows = {row["pageId"]: row["path"] for row in wiki.manifest["pages"]}
    assert rows[str(guide.id)] == "welcome-home/user-guide.md"
    assert len(rows) == 4


def test_rich_text_keeps_its_structure(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 2. FR-003."""
    page = wiki.content.add_page("DOCS", "Rich", RICH)
    wiki.content.add_attachment(page, "logo.png", b"\x89PNG")
    page.body += '<ac:image ac:alt="Logo"><ri:attachment ri:filename="logo.png"/></ac:image>'
    assert wiki.export().code == 0
    text = wiki.text(page)
    for part in (
        "# Top\n",
        "## Second Level\n",
        "**bold**",
        "*italic*",
        "- one\n  - nested\n- two",
        "1. first\n2. second",
        "```python\nprint(\"x\")  # 'kept'  as it is\n```",
        "[outside](https://example.org/)",
        "| A | B |",
        "> **Info:**",
        f"![Logo](assets/{page.id}/logo.png)",
    ):
        assert part in text


def test_links_between_pages_are_relative_and_lead_to_their_files(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 3. FR-004."""
    link = '<ac:link><ri:page ri:content-title="{}"/></ac:link>'
    a = wiki.content.add_page("DOCS", "Page A", f"<p>{link.format('Page B')}</p>")
    b = wiki.content.add_page("DOCS", "Page B", parent_id=a.id)
    b.body = (
        f"<p>{link.format('Page A')}</p><p><a href='{wiki.server.url}/pages/viewpage.action"
        f"?pageId={a.id}'>by id</a></p><p><ac:link ac:anchor='Some Place'>"
        "<ri:page ri:content-title='Page A'/></ac:link></p>"
    )
    a.body += "<h2>Some place</h2><p>There.</p>"
    assert wiki.export().code == 0
    assert "[Page B](page-a/page-b.md)" in wiki.text(a)
    assert "[Page A](../page-a.md)" in wiki.text(b)
    assert "[by id](../page-a.md)" in wiki.text(b)
    assert "(../page-a.md#some-place)" in wiki.text(b)
    assert wiki.dead_links() == []


def test_a_rerun_fetches_only_what_has_changed(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 4. FR-011. FR-012. FR-020."""
    pages = [wiki.content.add_page("DOCS", f"Page {n}", f"<p>Text {n}.</p>") for n in range(6)]
    assert wiki.export().code == 0
    untouched = wiki.file(pages[0]).stat().st_mtime_ns
    gone = wiki.file(pages[5])
    pages[1].edit("<p>Another text.</p>")
    pages[5].status = "trashed"
    new = wiki.content.add_page("DOCS", "A new page", "<p>New.</p>")
    wiki.forget_requests()
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert wiki.manifest["delta"] == {
        "added": 1,
        "updated": 1,
        "moved": 0,
        "removed": 1,
        "unchanged": 4,
    }
    assert "1 added, 1 updated, 0 moved, 1 removed, 4 unchanged" in ended.err
    assert "Another text." in wiki.text(pages[1])
    assert wiki.text(new) == "New.\n"
    assert not gone.exists()
    assert wiki.file(pages[0]).stat().st_mtime_ns == untouched
    asked = [path for path in wiki.server.paths if "body.storage" in path]
    assert len(asked) == 1
    assert str(pages[1].id) in asked[0]
    assert str(pages[0].id) not in asked[0]


def test_after_an_interruption_the_person_must_choose(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 5. FR-021. FR-042."""
    for number in range(30):
        page = wiki.content.add_page("DOCS", f"Page {number}", f"<p>Text {number}.</p>")
        wiki.content.add_attachment(page, "a.txt", b"x" * 50)
    download = frozenset({Endpoint.DOWNLOAD})
    wiki.server.faults.switch_on(Fault(kind=FaultKind.HELD, on=download, times=None, after=2))
    held = wiki.server.when_asked(Endpoint.DOWNLOAD, times=3)
    running = start_markmirror(
        "confluence", "DOCS", "-o", wiki.output, environment=wiki.environment
    )
    assert held.wait(60)
    running.send_signal(signal.SIGINT)
    read_until(running, "graceful shutdown phase 1")
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    assert running.returncode == 3
    aborted = [item for item in wiki.queues["items"] if item["status"] == "aborted"]
    assert aborted
    assert wiki.manifest["job"]["exitCode"] == 3
    wiki.server.faults.clear()
    before = wiki.tree()
    state = (wiki.folder / "manifest.json").read_bytes(), (wiki.folder / "queues.json").read_bytes()

    refused = wiki.export()
    assert refused.code == 4
    assert "--resume" in refused.err
    assert "--fresh" in refused.err
    assert wiki.tree() == before
    assert state == (
        (wiki.folder / "manifest.json").read_bytes(),
        (wiki.folder / "queues.json").read_bytes(),
    )

    wiki.forget_requests()
    assert wiki.export("--resume").code == 0
    assert wiki.requests(Endpoint.DOWNLOAD) < 30
    assert wiki.requests(Endpoint.SEARCH, Endpoint.PAGE) == 0
    assert len(wiki.files()) == 30
    assert wiki.dead_links() == []


def test_fresh_starts_over_and_fetches_everything(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 5. FR-021."""
    pages = [wiki.content.add_page("DOCS", f"Page {n}", f"<p>Text {n}.</p>") for n in range(5)]
    assert wiki.export().code == 0
    files = wiki.tree()
    wiki.forget_requests()
    assert wiki.export("--fresh").code == 0
    asked = [path for path in wiki.server.paths if "body.storage" in path]
    assert all(str(page.id) in asked[0] for page in pages)
    assert wiki.tree() == files


def test_attachments_are_downloaded_and_referred_to_by_relative_paths(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 6. FR-006."""
    a = wiki.content.add_page("DOCS", "With files")
    wiki.content.add_attachment(a, "plan v2.pdf", b"%PDF")
    wiki.content.add_attachment(a, "photo.png", b"\x89PNG")
    wiki.content.add_attachment(a, "unused.bin", b"\0\1\2")
    a.body = (
        '<p><ac:link><ri:attachment ri:filename="plan v2.pdf"/></ac:link></p>'
        '<ac:image><ri:attachment ri:filename="photo.png"/></ac:image>'
    )
    b = wiki.content.add_page(
        "DOCS",
        "Borrower",
        '<ac:image><ri:attachment ri:filename="photo.png">'
        '<ri:page ri:content-title="With files"/></ri:attachment></ac:image>',
        parent_id=a.id,
    )
    assert wiki.export().code == 0
    assets = wiki.folder / "assets" / str(a.id)
    assert (assets / "plan v2.pdf").read_bytes() == b"%PDF"
    assert (assets / "photo.png").read_bytes() == b"\x89PNG"
    assert (assets / "unused.bin").read_bytes() == b"\0\1\2"
    assert f"(assets/{a.id}/plan%20v2.pdf)" in wiki.text(a)
    assert f"(../assets/{a.id}/photo.png)" in wiki.text(b)
    assert wiki.dead_links() == []


def test_pages_that_macros_and_mentions_refer_to_are_found_and_exported(wiki: Wiki) -> None:
    """Seed 003: Acceptance scenario 7. FR-033. FR-035. FR-036. FR-038."""
    wiki.content.add_space("OTHER", "Other space")
    wiki.content.add_user("8a7f", "ada", "Ada Lovelace")
    personal = wiki.content.add_space("~ada", "Ada's space", type="personal")
    desk = wiki.content.add_page("~ada", "Ada's desk", "<p>Mine.</p>")
    personal.homepage_id = desk.id
    included = wiki.content.add_page("OTHER", "Included page", "<p>Shown elsewhere.</p>")
    deeper = wiki.content.add_page("OTHER", "Deeper", "<p>End of the chain.</p>")
    included.body += '<p><ac:link><ri:page ri:content-title="Deeper"/></ac:link></p>'
    parent = wiki.content.add_page("DOCS", "Parent")
    child = wiki.content.add_page("DOCS", "Child", "<p>Child.</p>", parent_id=parent.id)
    parent.body = (
        '<ac:structured-macro ac:name="children"/>'
        '<ac:structured-macro ac:name="include"><ac:parameter ac:name="">'
        '<ac:link><ri:page ri:space-key="OTHER" ri:content-title="Included page"/></ac:link>'
        "</ac:parameter></ac:structured-macro>"
        '<p>Ask <ac:link><ri:user ri:userkey="8a7f"/></ac:link>.</p>'
    )
    ended = wiki.export()
    assert ended.code == 0, ended.err
    assert "[Child](parent/child.md)" in wiki.text(parent)
    assert "[Included page](../OTHER/included-page.md)" in wiki.text(parent)
    assert "@Ada Lovelace" in wiki.text(parent)
    assert wiki.row(included)["discovered_from"] == str(parent.id)
    assert wiki.row(included)["discoverySource"] == "macro"
    assert wiki.row(deeper)["discovered_from"] == str(included.id)
    assert wiki.row(desk)["path"] == "../~ada/ada-s-desk.md"
    assert wiki.text(deeper) == "End of the chain.\n"
    assert wiki.dead_links() == []
    items = {(item["pageId"], item["queueType"]): item for item in wiki.queues["items"]}
    assert items[str(deeper.id), "download"]["discoverySource"] == "reference"
    processed = items[str(deeper.id), "processing"]
    assert processed["status"] == "completed"
    assert processed["contentHash"] == wiki.row(deeper)["hash"]
    assert processed["outputPath"] == "OTHER/deeper.md"
    assert child.title in wiki.file(child).read_text()
