"""What a person may ask of an export, and the exit codes it answers with."""

import itertools
import json
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from markmirror.errors import ExitCode, SourceUnavailable, UsageError
from markmirror.state.space_queues import SpaceQueues
from tests.confluence_server import Endpoint, Fault, FaultKind
from tests.runs.command import markmirror, read_until, start_markmirror
from tests.runs.confluence.wiki import Wiki
from tests.web_server import WebServer

DOWNLOAD = frozenset({Endpoint.DOWNLOAD})
# More than the buffers between a server and a client hold.
LARGE = 100_000_000
SECRET = "hunter2-very-secret"
TOKEN = "tok-0123456789-secret"


async def test_a_space_is_found_by_its_name(wiki: Wiki) -> None:
    """FR-016."""
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    report = await wiki.export_here(space="Documentation")
    assert report.exit_code is ExitCode.SUCCESS
    assert wiki.files() == ["DOCS/page.md"]


async def test_a_name_that_several_spaces_bear_is_refused(wiki: Wiki) -> None:
    """FR-016."""
    wiki.content.add_space("DOCS2", "Documentation")
    with pytest.raises(UsageError, match="DOCS, DOCS2"):
        await wiki.export_here(space="Documentation")


def test_an_unknown_space_ends_with_seven_and_leaves_nothing(wiki: Wiki) -> None:
    """FR-019."""
    ended = wiki.export(space="NOPE")
    assert ended.code == 7
    assert "NOPE" in ended.err
    assert not wiki.output.exists()


def test_refused_credentials_end_with_seven_after_one_request(wiki: Wiki) -> None:
    """FR-019."""
    wiki.server.site.password = "another"
    ended = markmirror(
        "confluence",
        "DOCS",
        "-o",
        wiki.output,
        cwd=None,
        **(wiki.environment | {"CONFLUENCE_PASSWORD": "x"}),
    )
    assert ended.code == 7
    assert len(wiki.server.paths) == 1


def test_a_variable_that_a_pipeline_left_empty_is_none(wiki: Wiki) -> None:
    """NFR-005."""
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    empty = {"CONFLUENCE_TOKEN": "", "MARKMIRROR_USERNAME": "", "MARKMIRROR_LIMIT": ""}
    ended = markmirror(
        "confluence", "DOCS", "-o", wiki.output, cwd=None, **(wiki.environment | empty)
    )
    assert ended.code == 0
    assert wiki.files() == ["DOCS/page.md"]


def test_a_wrong_base_url_is_told_with_what_to_check(wiki: Wiki) -> None:
    ended = wiki.export("--base-url", f"{wiki.server.url}/elsewhere")
    assert ended.code == 7
    assert "/elsewhere does not give us the list of spaces: HTTP 404" in ended.err
    assert "Check --base-url, which ends in a context path" in ended.err
    ended = wiki.export("--base-url", "wiki.example.com")
    assert ended.code == 2
    assert "must begin with http:// or https://" in ended.err
    assert not ended.err.rstrip().endswith("..")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--resume", "--fresh"),
        ("--limit", "-1"),
        ("--cleanup-intensity", "wild"),
        ("--discover", "links,rumours"),
        ("--max-attachment-size", "huge"),
        ("--no-such-flag",),
    ],
)
def test_wrong_usage_ends_with_two_before_anything_is_asked(
    wiki: Wiki, arguments: tuple[str, ...]
) -> None:
    """FR-019. Seed 003: INVALID_USAGE."""
    ended = wiki.export(*arguments)
    assert ended.code == 2
    assert not wiki.output.exists()
    assert wiki.server.paths == []


def test_an_address_that_is_no_confluence_is_named(web: WebServer, tmp_path: Path) -> None:
    ended = markmirror("confluence", "DOCS", "--base-url", web.url, "-o", tmp_path / "out")
    assert ended.code == 7
    assert ended.err.startswith(f"markmirror: {web.url} does not give us the list of spaces")
    assert "context path" in ended.err


def test_an_address_that_was_not_given_is_asked_for_by_every_name_it_has(tmp_path: Path) -> None:
    """Seed 003: INVALID_USAGE."""
    ended = markmirror("confluence", "DOCS", cwd=tmp_path)
    assert ended.code == 2
    assert (
        ended.err == "markmirror: --base-url is required, or CONFLUENCE_URL in the environment.\n"
    )


async def test_only_the_pages_below_the_root_are_exported(wiki: Wiki) -> None:
    """FR-017."""
    top = wiki.content.add_page("DOCS", "Top", "<p>x</p>")
    root = wiki.content.add_page("DOCS", "Root", "<p>x</p>", parent_id=top.id)
    wiki.content.add_page("DOCS", "Leaf", "<p>x</p>", parent_id=root.id)
    wiki.content.add_page("DOCS", "Aside", "<p>x</p>", parent_id=top.id)
    for wanted in ("Root", str(root.id)):
        await wiki.export_here(root_page=wanted)
        assert wiki.files() == ["DOCS/top/root.md", "DOCS/top/root/leaf.md"]
    await wiki.export_here()
    assert len(wiki.files()) == 4
    await wiki.export_here(root_page="Root")
    assert len(wiki.files()) == 4
    fates = {page["title"]: page["status"] for page in wiki.manifest["pages"]}
    assert fates == {"Root": "unchanged", "Leaf": "unchanged", "Top": "kept", "Aside": "kept"}
    with pytest.raises(SourceUnavailable, match="Nowhere"):
        await wiki.export_here(root_page="Nowhere")


def test_a_dry_run_lists_what_would_be_done_and_writes_nothing(wiki: Wiki) -> None:
    """FR-014."""
    page = wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    wiki.content.add_page("DOCS", "Below", "<p>x</p>", parent_id=page.id)
    ended = wiki.export("--dry-run")
    assert ended.code == 0
    assert ended.out.splitlines() == ["add\tDOCS/page.md", "add\tDOCS/page/below.md"]
    assert not wiki.output.exists()
    wiki.export()
    page.edit("<p>y</p>")
    before = everything_in(wiki.output)
    ended = wiki.export("--dry-run")
    assert ended.out.splitlines() == ["update\tDOCS/page.md", "unchanged\tDOCS/page/below.md"]
    assert "--resume" not in ended.err
    assert "Changes: 0 added, 1 updated, 0 moved, 0 removed, 1 unchanged." in ended.err
    assert "Nothing was written" in ended.err
    assert everything_in(wiki.output) == before


def everything_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_a_dry_run_sees_what_a_run_under_way_has_written_down(wiki: Wiki) -> None:
    """FR-014."""
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    await wiki.export_here()
    with closing(sqlite3.connect(wiki.folder / "_state.db", isolation_level=None)) as under_way:
        under_way.execute("PRAGMA wal_autocheckpoint = 0")
        under_way.execute("UPDATE entries SET path = 'DOCS/elsewhere.md'")
        before = (wiki.folder / "_state.db").read_bytes()
        report = await wiki.export_here(dry_run=True)
        assert report.planned == ("move\tDOCS/page.md\t(from DOCS/elsewhere.md)",)
        assert (wiki.folder / "_state.db").read_bytes() == before


async def test_a_dry_run_leaves_the_files_in_the_making_of_another_space(wiki: Wiki) -> None:
    """FR-014."""
    wiki.content.add_space("OTHER", "Other")
    link = '<ac:link><ri:page ri:space-key="OTHER" ri:content-title="There"/></ac:link>'
    wiki.content.add_page("DOCS", "Page", f"<p>{link}</p>")
    there = wiki.content.add_page("OTHER", "There", "<p>x</p>")
    await wiki.export_here()
    making = wiki.output / "spaces" / "OTHER" / "_tmp" / ".markmirror-1-1.tmp"
    making.parent.mkdir()
    making.write_bytes(b"half")
    await wiki.export_here(dry_run=True)
    assert making.read_bytes() == b"half"
    there.edit("<p>y</p>")
    await wiki.export_here()
    assert not making.exists()


@pytest.mark.parametrize("how", ["lost", "damaged"])
async def test_a_dry_run_without_a_ledger_goes_by_the_plain_files(wiki: Wiki, how: str) -> None:
    """FR-014."""
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    await wiki.export_here()
    ledger = wiki.folder / "_state.db"
    ledger.unlink()
    if how == "damaged":
        ledger.write_bytes(b"not a database at all" * 500)
    before = everything_in(wiki.output)
    assert (await wiki.export_here(dry_run=True)).planned == ("unchanged\tDOCS/page.md",)
    assert everything_in(wiki.output) == before


async def test_the_limit_caps_only_the_first_wave(wiki: Wiki) -> None:
    """FR-041."""
    pages = [wiki.content.add_page("DOCS", f"Page {n}", f"<p>{n}</p>") for n in range(10)]
    link = f'<p><ac:link><ri:page ri:content-title="{pages[9].title}"/></ac:link></p>'
    pages[0].body = link
    report = await wiki.export_here(limit=3)
    assert report.exit_code is ExitCode.SUCCESS
    names = {Path(path).stem for path in wiki.files()}
    assert names == {"page-0", "page-1", "page-2", "page-9"}
    assert "6 pages were left by --limit 3" in " ".join(report.sentences())
    assert wiki.dead_links() == []
    assert "1 page was left by --limit 5." in (await wiki.export_here(limit=5)).sentences()


async def interrupted(wiki: Wiki, **options: object) -> None:
    """An export whose credentials expire once it is planned."""
    refused = Fault(kind=FaultKind.HTML_UNAUTHORIZED, on=frozenset({Endpoint.SEARCH}), times=None)
    wiki.server.faults.switch_on(refused)
    await wiki.export_here(**options)
    wiki.server.faults.clear()


async def test_the_limit_holds_when_an_interrupted_export_goes_on(wiki: Wiki) -> None:
    """FR-041. FR-021."""
    for number in range(10):
        wiki.content.add_page("DOCS", f"Page {number}", "<p>x</p>")
    await interrupted(wiki, limit=3)
    report = await wiki.export_here(limit=3, resume=True)
    assert len(wiki.files()) == 3
    assert "7 pages were left by --limit 3." in report.sentences()
    await interrupted(wiki, limit=3)
    await wiki.export_here(resume=True)
    assert len(wiki.files()) == 10


async def test_an_export_that_goes_on_with_another_cleanup_makes_all_its_pages_by_that(
    wiki: Wiki,
) -> None:
    """FR-021."""
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    wiki.content.add_page("DOCS", "Other", "<p>x</p>")
    await wiki.export_here()
    wiki.take_back_the_end()
    await wiki.export_here(resume=True, cleanup_intensity="light")
    assert {row["recipe"] for row in wiki.manifest["pages"]} == {"storage-1-light-"}


async def test_an_interrupted_export_goes_on_with_no_other_root(wiki: Wiki) -> None:
    """FR-017. FR-021."""
    root = wiki.content.add_page("DOCS", "Here", "<p>x</p>")
    wiki.content.add_page("DOCS", "Below", "<p>x</p>", parent_id=root.id)
    wiki.content.add_page("DOCS", "There", "<p>x</p>")
    await interrupted(wiki, root_page="Here")
    for other in ("There", "Nowhere"):
        with pytest.raises(UsageError, match=f"--root-page '{other}'"):
            await wiki.export_here(root_page=other, resume=True)
    await wiki.export_here(root_page=str(root.id), resume=True)
    assert wiki.files() == ["DOCS/here.md", "DOCS/here/below.md"]


def test_progress_counts_the_pages_that_the_limit_lets_through_and_those_they_lead_to(
    wiki: Wiki,
) -> None:
    """FR-009. FR-041."""
    pages = [wiki.content.add_page("DOCS", f"Page {n}", f"<p>{n}</p>") for n in range(10)]
    pages[0].body = f'<p><ac:link><ri:page ri:content-title="{pages[9].title}"/></ac:link></p>'
    ended = wiki.export("--limit", 3)
    shown = re.findall(r"^\[(\d+/\d+)\] Processing", ended.err, re.MULTILINE)
    assert shown == ["1/3", "2/3", "3/3", "4/4"]
    ended = wiki.export("--limit", 5)
    shown = re.findall(r"^\[(\d+/\d+)\] Processing", ended.err, re.MULTILINE)
    assert shown == ["5/9", "6/9", "7/9", "8/9", "9/9"]


async def test_failures_can_be_allowed(wiki: Wiki) -> None:
    """FR-010."""
    page = wiki.content.add_page("DOCS", "Bad", "<p>x</p>")
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.SERVER_ERROR, on=frozenset({Endpoint.PAGE}), times=None)
    )
    assert (await wiki.export_here()).exit_code is ExitCode.CONTENT_FAILURE
    report = await wiki.export_here(allow_failures=True)
    assert report.exit_code is ExitCode.SUCCESS
    assert page.title in " ".join(report.sentences())


async def test_a_page_without_a_title_is_invalid_and_ends_with_five(wiki: Wiki) -> None:
    """FR-015. FR-019."""
    wiki.content.add_page("DOCS", "", "<p>x</p>")
    wiki.content.add_page("DOCS", "Good", "<p>x</p>")
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.VALIDATION_ERROR
    assert "title is empty" in " ".join(report.sentences())
    assert wiki.files() == ["DOCS/good.md"]
    assert (await wiki.export_here(allow_failures=True)).exit_code is ExitCode.SUCCESS


@pytest.mark.parametrize(
    ("files", "failing", "code"), [(30, 7, 1), (30, 6, 0), (5, 2, 1), (5, 1, 0), (1, 1, 1)]
)
async def test_too_large_a_share_of_failed_attachments_fails_the_run(
    wiki: Wiki, files: int, failing: int, code: int
) -> None:
    """FR-006."""
    page = wiki.content.add_page("DOCS", "Files", "<p>x</p>")
    made = [wiki.content.add_attachment(page, f"{n}.txt", b"x") for n in range(files)]
    broken = frozenset(attachment.id for attachment in made[:failing])
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.SERVER_ERROR, on=DOWNLOAD, times=None, only=broken)
    )
    report = await wiki.export_here()
    assert report.exit_code == code
    if code:
        assert f"{failing} of {files} attachments failed, more than 20%" in report.message


async def test_more_than_twenty_five_failed_attachments_fail_the_run(wiki: Wiki) -> None:
    """FR-006."""
    page = wiki.content.add_page("DOCS", "Files", "<p>x</p>")
    made = [wiki.content.add_attachment(page, f"{n}.txt", b"x") for n in range(200)]
    broken = frozenset(attachment.id for attachment in made[:26])
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.NOT_FOUND, on=DOWNLOAD, times=None, only=broken)
    )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "26 attachments failed, more than 25" in report.message


async def test_large_attachments_can_be_left_out(wiki: Wiki) -> None:
    page = wiki.content.add_page("DOCS", "Files", "<p>x</p>")
    wiki.content.add_attachment(page, "big.bin", size_bytes=3_000_000)
    wiki.content.add_attachment(page, "small.bin", b"x")
    report = await wiki.export_here(max_attachment_size="1MB")
    assert report.exit_code is ExitCode.SUCCESS
    assert [path.name for path in (wiki.folder / "assets").rglob("*.bin")] == ["small.bin"]
    assert wiki.manifest["attachments"]["tooLarge"] == 1


@pytest.mark.parametrize("announced", [None, 10, 1_000_000])
async def test_an_attachment_larger_than_announced_is_left_out_at_the_limit(
    wiki: Wiki, announced: int | None
) -> None:
    page = wiki.content.add_page("DOCS", "Files", "<p>x</p>")
    big = wiki.content.add_attachment(page, "big.bin", size_bytes=LARGE)
    big.is_size_told, big.announced_bytes = announced is not None, announced
    small = wiki.content.add_attachment(page, "small.bin", b"x")
    small.is_size_told = False
    report = await wiki.export_here(max_attachment_size="1MB")
    assert report.exit_code is ExitCode.SUCCESS
    assert [path.name for path in (wiki.folder / "assets").rglob("*.bin")] == ["small.bin"]
    told = wiki.manifest["attachments"]
    assert (told["tooLarge"], told["failed"], told["saved"]) == (1, 0, 1)
    assert wiki.requests(Endpoint.DOWNLOAD) == 2
    assert big.sent_bytes < LARGE / 2


async def test_an_attachment_is_received_no_further_than_was_announced(wiki: Wiki) -> None:
    page = wiki.content.add_page("DOCS", "Files", "<p>x</p>")
    big = wiki.content.add_attachment(page, "big.bin", size_bytes=LARGE)
    big.announced_bytes = 10
    report = await wiki.export_here()
    reason = "more bytes came than the 10 that were announced"
    assert report.attachment_failures == (f"big.bin of Files: {reason}",)
    assert big.sent_bytes < LARGE
    assert not list(wiki.output.rglob("*.tmp"))


async def test_cleanup_is_heavy_unless_told_otherwise(wiki: Wiki) -> None:
    """FR-022. FR-029. FR-032."""
    body = '<h2>a heading of words</h2><p>"Quoted" text...</p>'
    page = wiki.content.add_page("DOCS", "Page", body)
    await wiki.export_here()
    assert wiki.text(page) == "## A Heading of Words\n\n“Quoted” text…\n"
    await wiki.export_here(disable_cleanup=True)
    assert wiki.text(page) == '## a heading of words\n\n"Quoted" text...\n'


async def test_people_can_add_spellings_that_headings_keep(wiki: Wiki) -> None:
    """FR-023."""
    page = wiki.content.add_page("DOCS", "Page", "<h2>the gmbh and kubectl</h2><p>The text.</p>")
    await wiki.export_here(acronyms=("GmbH", "kubectl"))
    assert wiki.text(page).startswith("## The GmbH and kubectl\n")


async def test_the_queues_are_kept_as_json_with_every_field(wiki: Wiki) -> None:
    """FR-038. FR-040."""
    for number in range(3):
        wiki.content.add_page("DOCS", f"Page {number}", "<p>x</p>")
    report = await wiki.export_here()
    items = wiki.queues["items"]
    assert len(items) == 6
    for item in items:
        assert item["queueType"] in ("download", "processing")
        assert item["discoverySource"] == "initial"
        assert item["status"] == "completed"
        assert item["retries"] == 0
        assert item["discoveryTimestamp"] <= item["lastTransitionTimestamp"]
        if item["queueType"] == "processing":
            assert item["contentHash"]
            assert item["outputPath"].startswith("DOCS/")
    metrics = wiki.manifest["metrics"]
    assert metrics["downloadQueue"] == {
        "pending": 0,
        "inProgress": 0,
        "completed": 3,
        "failed": 0,
        "discoveredThisRun": 3,
    }
    assert metrics["processingQueue"]["completed"] == 3
    assert metrics["avgTransitionLatency"] >= 0
    assert metrics["newlyDiscovered"] == 0
    assert "transitionThroughput" in metrics
    assert report.metrics == metrics


async def test_the_queues_are_written_again_every_hundred_pages(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-038."""
    written: list[list[dict[str, Any]]] = []
    items = SpaceQueues.items

    def noted(queues: SpaceQueues, *, aborted: bool) -> Iterator[str]:
        found = list(items(queues, aborted=aborted))
        written.append([json.loads(item) for item in found])
        yield from found

    monkeypatch.setattr(SpaceQueues, "items", noted)
    for number in range(250):
        wiki.content.add_page("DOCS", f"Page {number}", "<p>x</p>")
    await wiki.export_here()
    done = [sum(item["status"] == "completed" for item in found) for found in written]
    assert done[0] == 0
    assert done[-1] == 500
    assert all(after - before <= 100 for before, after in itertools.pairwise(done))


async def test_pages_are_fetched_breadth_first(wiki: Wiki) -> None:
    """FR-036."""
    a = wiki.content.add_page("DOCS", "A", "<p>x</p>")
    deep = wiki.content.add_page("DOCS", "Deep", "<p>x</p>", parent_id=a.id)
    deeper = wiki.content.add_page("DOCS", "Deeper", "<p>x</p>", parent_id=deep.id)
    late_root = wiki.content.add_page("DOCS", "Late root", "<p>x</p>")
    await wiki.export_here()
    (asked,) = [path for path in wiki.server.paths if "body.storage" in path]
    places = [asked.index(str(page.id)) for page in (a, late_root, deep, deeper)]
    assert places == sorted(places)


def interrupted_once(wiki: Wiki, *arguments: object, on: Endpoint, after: int) -> None:
    """An export that got one Ctrl-C when so many answers had come from there."""
    fault = Fault(kind=FaultKind.HELD, on=frozenset({on}), times=None, after=after)
    wiki.server.faults.switch_on(fault)
    held = wiki.server.when_asked(on, times=after + 1)
    running = start_markmirror(
        "confluence",
        "DOCS",
        "-o",
        wiki.output,
        "--log-format",
        "json",
        "--workers",
        "0",
        *arguments,
        environment=wiki.environment,
    )
    assert held.wait(60)
    searches = wiki.requests(Endpoint.SEARCH)
    running.send_signal(signal.SIGINT)
    said = read_until(running, "graceful shutdown phase 1")
    assert "graceful shutdown phase 1" in json.loads(said)["message"]
    wiki.server.let_go()
    running.communicate(timeout=60)
    assert running.returncode == 3
    assert wiki.requests(Endpoint.SEARCH) <= searches + 2


def test_the_first_interrupt_lets_fetched_pages_come_to_their_end(wiki: Wiki) -> None:
    """FR-042."""
    for number in range(120):
        page = wiki.content.add_page("DOCS", f"Page {number}", f"<p>Text {number}.</p>")
        wiki.content.add_attachment(page, "a.txt", b"x")
    interrupted_once(wiki, on=Endpoint.DOWNLOAD, after=2)
    items = {(item["pageId"], item["queueType"]): item["status"] for item in wiki.queues["items"]}
    processed = [status for (_, queue), status in items.items() if queue == "processing"]
    assert processed
    assert set(processed) == {"completed"}
    assert wiki.export("--resume", "--quiet").code == 0
    assert len(wiki.files()) == 120


def test_what_conversion_had_to_do_is_counted_across_an_interruption(wiki: Wiki) -> None:
    body = '<p>A <b>b</p><ac:structured-macro ac:name="odd"/>'
    for number in range(120):
        wiki.content.add_page("DOCS", f"Page {number}", body)
    interrupted_once(wiki, "--concurrency", 1, on=Endpoint.SEARCH, after=1)
    for pages, again in ((100, "--resume"), (120, "--fresh"), (120, "--quiet")):
        assert wiki.manifest["cleanup"]["documents"] == pages
        assert wiki.manifest["unknownMacros"] == {"odd": pages}
        assert wiki.manifest["conversionNotes"] == {"malformed-storage": pages}
        wiki.server.faults.clear()
        assert wiki.export(again).code == 0
    assert wiki.manifest["cleanup"]["documents"] == 0
    assert wiki.manifest["conversionNotes"] == {}


def test_logs_are_lines_of_json_with_the_required_fields(wiki: Wiki) -> None:
    """NFR-004. FR-009."""
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    ended = wiki.export("--log-format", "json")
    lines = [*ended.err.splitlines(), *(wiki.folder / "_log.jsonl").read_text().splitlines()]
    assert lines
    for line in lines:
        assert {"level", "timestamp", "message", "context"} <= json.loads(line).keys()
    assert any("report" in json.loads(line)["context"] for line in lines)


@pytest.mark.parametrize("login", ["password", "token"])
def test_no_secret_reaches_a_file_a_log_or_an_error(wiki: Wiki, login: str) -> None:
    """NFR-005."""
    wiki.server.site.password, wiki.server.site.token = SECRET, TOKEN
    page = wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    wiki.content.add_attachment(page, "a.txt", b"x")
    bad = wiki.content.add_page("DOCS", "", "<p>x</p>")
    assert bad.title == ""
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.REDIRECTED, on=DOWNLOAD, times=None),
        Fault(kind=FaultKind.NOT_FOUND, on=frozenset({Endpoint.MEDIA}), times=None),
    )
    credentials = (
        {"CONFLUENCE_USERNAME": "user", "CONFLUENCE_PASSWORD": SECRET}
        if login == "password"
        else {"CONFLUENCE_TOKEN": TOKEN}
    )
    environment = {"CONFLUENCE_URL": wiki.server.url, **credentials}
    said = ""
    for arguments in (("--log-format", "json"), ("--fresh",), ("--fresh", "--limit", "wrong")):
        ended = markmirror(
            "confluence",
            "DOCS",
            "-o",
            wiki.output,
            "--workers",
            0,
            *arguments,
            cwd=None,
            **environment,
        )
        assert ended.code in (1, 2)
        said += ended.out + ended.err
    wiki.server.site.password = wiki.server.site.token = "changed"
    ended = markmirror("confluence", "DOCS", "-o", wiki.output, cwd=None, **environment)
    assert ended.code == 7
    said += ended.out + ended.err
    written = b"".join(path.read_bytes() for path in wiki.output.rglob("*") if path.is_file())
    for secret in (SECRET, TOKEN, "dXNlcjpodW50ZXIy", "eyJhbGciOi"):
        assert secret not in said
        assert secret.encode() not in written


def test_a_second_export_of_the_same_space_is_kept_out(wiki: Wiki) -> None:
    wiki.content.add_page("DOCS", "Page", "<p>x</p>")
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.HELD, on=frozenset({Endpoint.LISTING}), times=1)
    )
    held = wiki.server.when_asked(Endpoint.LISTING)
    first = start_markmirror("confluence", "DOCS", "-o", wiki.output, environment=wiki.environment)
    try:
        assert held.wait(60)
        ended = wiki.export()
        assert ended.code == 2
        assert str(first.pid) in ended.err
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
