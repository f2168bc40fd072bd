"""Lists are read whole, or are known not to be, whatever the server does wrong."""

import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from markmirror.sources.confluence.addresses import read_base_url
from markmirror.sources.confluence.answers import Meaning, read_reply
from markmirror.sources.confluence.listing import (
    Listing,
    all_spaces,
    attachments_of_page,
    pages_of_space,
)
from markmirror.sources.confluence.records import read_page
from tests.confluence_server import (
    LISTINGS,
    ConfluenceServer,
    Fault,
    FaultKind,
    Site,
    SpacePlan,
    generate_space,
)


@pytest.fixture
async def server() -> AsyncIterator[ConfluenceServer]:
    confluence = ConfluenceServer(Site(context="/confluence"))
    generate_space(confluence.site.content, SpacePlan(pages=95))
    async with confluence.running():
        yield confluence


async def read_through(server: ConfluenceServer, listing: Listing) -> tuple[Listing, list[str]]:
    """Run a listing as the engine will: ask, judge, take, and ask for less when told to."""
    ids: dict[str, None] = {}
    headers = {"Authorization": f"Bearer {server.site.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        while not listing.done:
            async with session.get(listing.url) as response:
                reply = read_reply(response.status, response.headers, await response.read())
            if reply.verdict.meaning is Meaning.GOOD:
                listing, items = listing.take(reply.body)
                ids.update({str(item["id"]): None for item in items})
            elif reply.verdict.ask_for_less:
                listing = listing.asking_for_less()
    return listing, list(ids)


def pages(server: ConfluenceServer, *, limit: int = 20, scan: bool = False) -> Listing:
    site = read_base_url(server.url)
    return pages_of_space(site, "DOCS", expand="version", limit=limit, scan=scan)


def all_ids(server: ConfluenceServer) -> list[str]:
    return [str(page_id) for page_id in server.site.content.pages]


@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("limit", [2, 5, 19, 20, 94, 95, 96, 1000])
async def test_a_list_is_read_to_its_end(server: ConfluenceServer, limit: int, scan: bool) -> None:
    listing, ids = await read_through(server, pages(server, limit=limit, scan=scan))
    assert ids == all_ids(server)
    assert listing.trusted


@pytest.mark.parametrize("times", [1, 2, None])
@pytest.mark.parametrize("after", [0, 1, 3])
@pytest.mark.parametrize(
    "kind",
    [
        FaultKind.SHORT_PAGE,
        FaultKind.EMPTY_PAGE,
        FaultKind.SHIFTED_BY_CREATE,
        FaultKind.SHIFTED_BY_DELETE,
    ],
)
async def test_what_a_fault_hides_is_found_or_known_to_be_missing(
    server: ConfluenceServer, kind: FaultKind, after: int, times: int | None
) -> None:
    """Seed 003: FR-001, all pages of a space."""
    server.faults.switch_on(Fault(kind=kind, on=LISTINGS, after=after, times=times))
    listing, ids = await read_through(server, pages(server))
    whole = sorted(ids) == sorted(all_ids(server))
    assert whole or not listing.trusted
    if times == 1 or kind is FaultKind.SHORT_PAGE:
        assert whole
        assert listing.trusted


@pytest.mark.parametrize(
    "kind", [FaultKind.SERVER_ERROR, FaultKind.BAD_GATEWAY, FaultKind.TRUNCATED]
)
async def test_a_list_goes_on_where_it_failed(server: ConfluenceServer, kind: FaultKind) -> None:
    server.faults.switch_on(Fault(kind=kind, on=LISTINGS, after=2, times=2))
    listing, ids = await read_through(server, pages(server))
    assert ids == all_ids(server)
    assert listing.limit == (20 if kind is FaultKind.TRUNCATED else 5)


async def test_pages_deleted_meanwhile_hide_no_other(server: ConfluenceServer) -> None:
    content = server.site.content
    listing = pages(server)
    ids: list[str] = []
    early = list(content.pages)[:2]
    headers = {"Authorization": f"Bearer {server.site.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        while not listing.done:
            async with session.get(listing.url) as response:
                listing, items = listing.take(await response.json())
            ids.extend(str(item["id"]) for item in items)
            if early:
                del content.pages[early.pop()]
    assert set(ids) >= set(all_ids(server))
    assert listing.trusted


async def test_the_files_of_a_page_and_the_spaces_of_a_site_are_lists_too(
    server: ConfluenceServer,
) -> None:
    content = server.site.content
    page = content.add_page("DOCS", "Many files")
    for number in range(57):
        content.add_attachment(page, f"{number}.txt", b"x")
    for number in range(30):
        content.add_space(f"S{number}", "Same name")
    site = read_base_url(server.url)
    _, files = await read_through(server, attachments_of_page(site, str(page.id), limit=25))
    assert files == [file.id for file in page.attachments]
    _, spaces = await read_through(server, all_spaces(site, limit=10))
    assert len(spaces) == 31


def read_by_number(listing: Listing, answer: Callable[[int, int], dict[str, Any]]) -> Listing:
    """Read a list to its end; the ids that came stay in `_seen`, whichever the way."""
    ids: set[str] = set()
    for _ in range(1000):
        if listing.done:
            return replace(listing, _seen=frozenset(ids))
        query = parse_qs(urlsplit(listing.url).query)
        start = int(query.get("start", ["0"])[0])
        listing, items = listing.take(answer(start, listing.limit))
        ids.update(str(item["id"]) for item in items)
    raise AssertionError("it does not end")


@pytest.mark.parametrize("is_filled", [False, True])
@pytest.mark.parametrize(
    "hidden", [{3}, {3, 4, 50}, {*range(18, 41)}, {*range(30, 99)}, {*range(60)}]
)
def test_pages_that_are_hidden_but_counted_hide_no_other(hidden: set[int], is_filled: bool) -> None:
    """Seed 003: FR-001. The first numbers of the pages may be those of pages we may not see."""
    rows = range(150)

    def answer(start: int, limit: int) -> dict[str, Any]:
        end = start + limit
        shown = [n for n in rows[start:end] if n not in hidden]
        while is_filled and len(shown) < limit and end < len(rows):
            shown += [end] if end not in hidden else []
            end += 1
        links = {"next": f"/rest/api/content?start={start + limit}"} if end < len(rows) else {}
        return {"results": [{"id": str(n)} for n in shown], "_links": links}

    site = read_base_url("https://wiki.test")
    whole = {str(n) for n in rows if n not in hidden}
    listing = Listing(site=site, path="content", query={}, limit=40)
    assert read_by_number(listing, answer)._seen == whole


@pytest.mark.parametrize("lap", [1, 3])
def test_a_server_that_does_not_count_comes_to_an_end(lap: int) -> None:
    asked = itertools.count()

    def answer(_start: int, limit: int) -> dict[str, Any]:
        first = next(asked) % lap * limit
        results = [{"id": str(n)} for n in range(first, first + limit)]
        return {"results": results, "_links": {"next": "/rest/api/content?start=1"}}

    site = read_base_url("https://wiki.test")
    listing = Listing(site=site, path="content", query={}, limit=20)
    assert not read_by_number(listing, answer).trusted


def test_an_answer_that_leads_in_a_circle_ends_and_is_not_trusted() -> None:
    site = read_base_url("https://wiki.test")
    listing = Listing(site=site, path="content/search", query={"cql": "x"}, limit=10)
    circle = {"results": [{"id": "1"}], "_links": {"next": "/rest/api/content/search?cursor=a"}}
    listing, _ = listing.take(circle)
    assert "cursor=a" in listing.url
    listing, _ = listing.take(circle)
    assert listing.done
    assert not listing.trusted


async def test_a_list_can_tell_all_that_planning_needs(server: ConfluenceServer) -> None:
    site = read_base_url(server.url)
    expand = "version,ancestors,metadata.labels,children.attachment.version"
    listing = pages_of_space(site, "DOCS", expand=expand, limit=3, scan=True)
    headers = {"Authorization": f"Bearer {server.site.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(listing.url) as response,
    ):
        _, items = listing.take(await response.json())
    page = read_page(site, items[2])
    assert page is not None
    assert (page.title, page.version, page.labels) == ("Page 00002", 1, ("label-2",))
    assert [one.title for one in page.ancestors] == ["Documentation Home"]
    assert page.attachments is not None
    assert page.attachments[0].size_bytes == 512
