"""Every fault on every kind of request: complete, or not 0 with everything concerned named.

Two fates are no failures by the seed's own word and end with 0, named in the report all the same:
a page or file we may not see, and single attachments below the thresholds.
"""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from markmirror.errors import ExitCode, SourceUnavailable
from markmirror.space_report import SpaceReport
from tests.confluence_server import Endpoint, Fault, FaultKind, Page
from tests.confluence_server.faults import EDITS, LISTING_ONLY
from tests.runs.command import read_until, start_markmirror
from tests.runs.confluence.wiki import KEY, Wiki, wiki_at
from tests.web_server import serving
from tests.web_server.misdeeds import MisbehavingServer, dripping

LISTING = frozenset({Endpoint.LISTING})
SEARCH = frozenset({Endpoint.SEARCH})
PAGE = frozenset({Endpoint.PAGE})
FILES = frozenset({Endpoint.DOWNLOAD, Endpoint.ATTACHMENTS})
# How many requests of each kind are answered before one is held back.
HOLDABLE = {
    Endpoint.LISTING: 1,
    Endpoint.SEARCH: 0,
    Endpoint.PAGE: 2,
    Endpoint.ATTACHMENTS: 0,
    Endpoint.DOWNLOAD: 2,
}
EDITED_WHILE = (
    Endpoint.LISTING,
    Endpoint.SEARCH,
    Endpoint.PAGE,
    Endpoint.ATTACHMENTS,
    Endpoint.DOWNLOAD,
)
TRANSIENT = [
    FaultKind.THROTTLED_SECONDS,
    FaultKind.THROTTLED_DATE,
    FaultKind.THROTTLED_BARE,
    FaultKind.SERVER_ERROR,
    FaultKind.BAD_GATEWAY,
    FaultKind.UNAVAILABLE,
    FaultKind.CUT,
    FaultKind.GARBLED,
    FaultKind.TRUNCATED,
    FaultKind.HELD,
]
PAGES = 25
VICTIM = 7
# How long a client waits that meets answers held back for ever.
TIMEOUT_SECONDS = 0.5


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    """A list of three pages; the first ten of its items with a file, one with thirty."""
    with wiki_at(tmp_path / "out", listing_cap=10) as running:
        for number in range(PAGES):
            page = running.content.add_page("DOCS", f"Page {number:03d}", f"<p>{number}</p>")
            for index in range(30 if number == VICTIM else 1 if number < 10 else 0):
                running.content.add_attachment(page, f"file-{number}-{index}.txt", b"content")
        yield running


def one_by_one(wiki: Wiki) -> None:
    wiki.server.faults.switch_on(Fault(kind=FaultKind.FORBIDDEN, on=SEARCH, times=None))


async def export(wiki: Wiki, kind: FaultKind) -> SpaceReport:
    if kind is FaultKind.HELD:
        return await wiki.export_here(timeout=TIMEOUT_SECONDS)
    return await wiki.export_here()


def is_complete(wiki: Wiki) -> bool:
    assets = list((wiki.folder / "assets").rglob("*.txt"))
    whole_files = all(path.read_bytes() == b"content" for path in assets)
    return len(wiki.files()) == PAGES and len(assets) == 39 and whole_files


def named(report: SpaceReport) -> str:
    return " ".join(report.sentences())


@pytest.mark.parametrize("kind", TRANSIENT)
@pytest.mark.parametrize("on", [LISTING, SEARCH, PAGE, FILES], ids=["list", "many", "page", "file"])
async def test_a_fault_that_passes_leaves_a_complete_export(
    wiki: Wiki, kind: FaultKind, on: frozenset[Endpoint]
) -> None:
    """FR-013."""
    if on == PAGE:
        one_by_one(wiki)
    wiki.server.faults.switch_on(Fault(kind=kind, on=on, times=2, after=on == LISTING))
    report = await export(wiki, kind)
    assert wiki.server.faults.fired(kind) == 2
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)


@pytest.mark.parametrize("kind", TRANSIENT)
async def test_a_list_that_cannot_be_read_to_its_end_is_no_success(
    wiki: Wiki, kind: FaultKind
) -> None:
    """FR-010. FR-011."""
    wiki.server.faults.switch_on(Fault(kind=kind, on=LISTING, times=None, after=1))
    report = await export(wiki, kind)
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert "could not be read to its end" in named(report)
    assert wiki.manifest["job"]["listingComplete"] is False
    assert len(wiki.files()) == 10


@pytest.mark.parametrize("kind", TRANSIENT)
async def test_a_page_that_keeps_failing_is_named_and_no_success(
    wiki: Wiki, kind: FaultKind
) -> None:
    """FR-010. FR-013."""
    one_by_one(wiki)
    victim = sorted(wiki.content.pages.values(), key=lambda page: page.id)[VICTIM]
    wiki.server.faults.switch_on(
        Fault(kind=kind, on=PAGE, times=None, only=frozenset({str(victim.id)}))
    )
    report = await export(wiki, kind)
    assert wiki.server.faults.fired(kind) == 6
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    assert victim.title in named(report)
    assert wiki.row(victim)["status"] == "failed"
    assert len(wiki.files()) == PAGES - 1

    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)


@pytest.mark.parametrize("kind", [*TRANSIENT, FaultKind.NOT_FOUND, FaultKind.UNAUTHORIZED])
async def test_an_attachment_that_keeps_failing_is_named_and_tried_again(
    wiki: Wiki, kind: FaultKind
) -> None:
    """FR-006."""
    victim = sorted(wiki.content.pages.values(), key=lambda page: page.id)[VICTIM]
    attachment = victim.attachments[3]
    wiki.server.faults.switch_on(
        Fault(
            kind=kind,
            on=frozenset({Endpoint.DOWNLOAD}),
            times=None,
            only=frozenset({attachment.id}),
        )
    )
    report = await export(wiki, kind)
    assert report.exit_code is ExitCode.SUCCESS
    assert f"{attachment.name} of {victim.title}" in named(report)
    assert len(wiki.files()) == PAGES
    failed = [row for row in wiki.row(victim)["attachments"] if row["status"] == "failed"]
    assert [row["name"] for row in failed] == [attachment.name]

    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)


@pytest.mark.parametrize("kind", sorted(LISTING_ONLY))
async def test_a_list_that_lies_once_loses_no_page(wiki: Wiki, kind: FaultKind) -> None:
    wiki.server.faults.switch_on(Fault(kind=kind, on=LISTING, times=1, after=1))
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)


@pytest.mark.parametrize("kind", sorted(LISTING_ONLY))
async def test_a_list_that_always_lies_is_complete_or_no_success(
    wiki: Wiki, kind: FaultKind
) -> None:
    wiki.server.faults.switch_on(Fault(kind=kind, on=LISTING, times=None, after=1))
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE or is_complete(wiki)


@pytest.mark.parametrize("kind", [FaultKind.LOGIN_PAGE, FaultKind.HTML_UNAUTHORIZED])
@pytest.mark.parametrize("on", [SEARCH, PAGE], ids=["many", "page"])
async def test_a_refused_login_stops_the_export_at_once_and_keeps_it_resumable(
    wiki: Wiki, kind: FaultKind, on: frozenset[Endpoint]
) -> None:
    if on == PAGE:
        one_by_one(wiki)
    wiki.server.faults.switch_on(Fault(kind=kind, on=on, times=None, after=2 * (on == PAGE)))
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SOURCE_UNAVAILABLE
    assert wiki.server.faults.fired(kind) <= 8
    assert "does not let us in" in named(report)
    wiki.server.faults.clear()
    report = await wiki.export_here(resume=True)
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)


@pytest.mark.parametrize("kind", [FaultKind.LOGIN_PAGE, FaultKind.HTML_UNAUTHORIZED])
async def test_credentials_that_expire_while_files_are_fetched_are_no_fault_of_the_files(
    wiki: Wiki, kind: FaultKind
) -> None:
    """FR-006. FR-021."""
    expired = frozenset({Endpoint.DOWNLOAD, Endpoint.SPACES})
    wiki.server.faults.switch_on(Fault(kind=kind, on=expired, times=None, after=35))
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SOURCE_UNAVAILABLE
    assert report.attachment_failures == ()
    wiki.server.faults.clear()
    report = await wiki.export_here(resume=True)
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)


@pytest.mark.parametrize("kind", [FaultKind.LOGIN_PAGE, FaultKind.HTML_UNAUTHORIZED])
async def test_a_login_refused_from_the_start_leaves_nothing_behind(
    wiki: Wiki, kind: FaultKind
) -> None:
    wiki.server.faults.switch_on(Fault(kind=kind, on=LISTING, times=None))
    with pytest.raises(SourceUnavailable):
        await wiki.export_here()
    assert not wiki.output.exists()
    assert wiki.server.faults.fired(kind) == 1


async def test_an_attachment_may_be_a_redirect_to_another_host_which_gets_no_secret(
    wiki: Wiki,
) -> None:
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.REDIRECTED, on=frozenset({Endpoint.DOWNLOAD}), times=None)
    )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert is_complete(wiki)
    assert wiki.requests(Endpoint.MEDIA) == 39
    assert wiki.server.leaked_authorization == 0


async def test_files_we_may_not_see_are_named_and_count_as_no_failures(wiki: Wiki) -> None:
    """FR-006."""
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.FORBIDDEN, on=frozenset({Endpoint.DOWNLOAD}), times=None)
    )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert len(report.attachments_denied) == 39
    assert wiki.manifest["attachments"]["denied"] == 39
    assert len(wiki.files()) == PAGES


@pytest.mark.parametrize("on", list(HOLDABLE), ids=str)
@pytest.mark.parametrize("stops", [1, 2], ids=["let go", "stopped at once"])
def test_an_export_interrupted_while_an_answer_is_held_back_accounts_for_all_and_resumes(
    wiki: Wiki, on: Endpoint, stops: int
) -> None:
    """FR-042."""
    if on is Endpoint.PAGE:
        one_by_one(wiki)
    before = HOLDABLE[on]
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.HELD, on=frozenset({on}), times=None, after=before)
    )
    held = wiki.server.when_asked(on, times=before + 1)
    running = start_markmirror(
        *("confluence", "DOCS", "-o", wiki.output, "--workers", 0), environment=wiki.environment
    )
    assert held.wait(60)
    running.send_signal(signal.SIGINT)
    read_until(running, "graceful shutdown phase 1")
    if stops == 1:
        wiki.server.let_go()
    else:
        running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    assert running.returncode == 3
    job = wiki.manifest["job"]
    assert job["exitCode"] == 3
    if on in (Endpoint.LISTING, Endpoint.ATTACHMENTS):
        assert job["phase"] == "discovering"
    else:
        assert job["pagesSucceeded"] + job["pagesPending"] == PAGES
    statuses = {item["status"] for item in wiki.queues["items"]}
    assert statuses <= {"completed", "pending" if stops == 1 else "aborted"}

    wiki.server.faults.clear()
    assert wiki.export("--resume").code == 0
    assert is_complete(wiki)


def version_on_disk(wiki: Wiki, page: Page) -> int:
    """Which version of a page was written; it must be all of it and nothing else."""
    written = wiki.file(page).read_text()
    (version,) = re.findall(r'^version: "(\d+)"$', written, re.MULTILINE)
    later = [str(number) for number in range(2, int(version) + 1)]
    assert re.findall(r"Edited into version (\d+)", written) == later
    assert re.findall(r"\(assets/\d+/added-in-version-(\d+)\.txt\)", written) == later
    return int(version)


@pytest.mark.parametrize("kind", sorted(EDITS))
@pytest.mark.parametrize("on", EDITED_WHILE, ids=str)
async def test_a_page_edited_while_it_is_exported_is_one_whole_version_and_soon_the_newest(
    wiki: Wiki, kind: FaultKind, on: Endpoint
) -> None:
    """FR-011."""
    if on is Endpoint.PAGE:
        one_by_one(wiki)
    wiki.server.faults.switch_on(Fault(kind=kind, on=frozenset({on}), times=1))
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    pages = wiki.content.pages.values()
    assert any(page.version > 1 for page in pages)
    assert all(version_on_disk(wiki, page) <= page.version for page in pages)
    assert wiki.dead_links() == []

    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert all(version_on_disk(wiki, page) == page.version for page in pages)
    assert wiki.dead_links() == []
    report = await wiki.export_here()
    assert report.delta.unchanged == PAGES


async def test_an_edited_page_that_cannot_be_asked_about_again_is_named_and_no_success(
    wiki: Wiki,
) -> None:
    """FR-010."""
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.EDITED_AFTER, on=LISTING, times=1),
        Fault(kind=FaultKind.SERVER_ERROR, on=PAGE, times=None),
    )
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.CONTENT_FAILURE
    edited = [page for page in wiki.content.pages.values() if page.version > 1]
    assert len(edited) == 10
    assert all(f"on {page.title}" in named(report) for page in edited)

    wiki.server.faults.clear()
    report = await wiki.export_here()
    assert report.exit_code is ExitCode.SUCCESS
    assert all(version_on_disk(wiki, page) == page.version for page in edited)


async def test_waits_grow_as_agreed_and_obey_the_server(wiki: Wiki) -> None:
    """FR-013."""
    wiki.server.faults.switch_on(
        Fault(kind=FaultKind.SERVER_ERROR, on=frozenset({Endpoint.SPACE}), times=None)
    )
    with pytest.raises(SourceUnavailable):
        await wiki.export_here()
    assert len(wiki.clock.slept) == 5
    for wait, base in zip(wiki.clock.slept, (0.5, 1, 2, 4, 8), strict=True):
        assert base <= wait <= base * 1.5
    wiki.server.faults.clear()
    wiki.clock.slept.clear()
    wiki.server.faults.switch_on(
        Fault(
            kind=FaultKind.THROTTLED_SECONDS,
            on=frozenset({Endpoint.SPACE}),
            times=1,
            retry_after_seconds=17,
        ),
        Fault(
            kind=FaultKind.UNAVAILABLE,
            on=frozenset({Endpoint.SPACE}),
            times=1,
            after=1,
            retry_after_seconds=90,
        ),
    )
    await wiki.export_here(limit=0)
    assert wiki.clock.slept[0] == 17
    assert 30 in wiki.clock.slept
    assert 90 not in wiki.clock.slept


@pytest.mark.parametrize("head", [b"X-Slow: ", b"Content-Length: 9000000\r\n\r\n"])
async def test_an_answer_that_drips_in_for_ever_is_given_up(wiki: Wiki, head: bytes) -> None:
    """Files may take as long as they keep coming; an answer may not."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + head
    question = f"/rest/api/space/{KEY}?expand=homepage"
    server = MisbehavingServer()
    server.serve(question, dripping(head, seconds_between=0.02))
    with serving(server), pytest.raises(SourceUnavailable, match="did not answer in time"):
        await wiki.export_here(base_url=server.url, timeout=0.1)
    assert server.count(question) == 6
