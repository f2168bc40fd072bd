"""What the test server promises to the tests that stand on it."""

import base64
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.confluence_server import (
    ATTACHMENTS,
    DOWNLOADS,
    LISTINGS,
    PAGES,
    ConfluenceServer,
    Content,
    Endpoint,
    Fault,
    FaultKind,
    Site,
    SpacePlan,
    deep_chain,
    generate_space,
    huge_body,
)
from tests.confluence_server.documents import tiny_id
from tests.confluence_server.faults import EDITS, LISTING_ONLY

LOGIN = {"Authorization": "Basic " + base64.b64encode(b"user:pass").decode()}


@pytest.fixture
async def server() -> AsyncIterator[ConfluenceServer]:
    confluence = ConfluenceServer(Site(context="/confluence"))
    generate_space(confluence.site.content, SpacePlan(pages=230))
    async with confluence.running():
        yield confluence


@pytest.fixture
async def cloud() -> AsyncIterator[ConfluenceServer]:
    confluence = ConfluenceServer(Site(flavour="cloud", context="/wiki"))
    generate_space(confluence.site.content, SpacePlan(pages=30))
    async with confluence.running():
        yield confluence


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(headers=LOGIN) as client:
        yield client


async def read(session: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    async with session.get(url) as response:
        body: dict[str, Any] = await response.json()
        return body


async def listed(session: aiohttp.ClientSession, server: ConfluenceServer, first: str) -> list[str]:
    """Every id of a list, by following its links."""
    ids: list[str] = []
    url: str | None = server.url + first
    while url is not None:
        body = await read(session, url)
        ids.extend(item["id"] for item in body["results"])
        following = body["_links"].get("next")
        url = body["_links"]["base"] + following if following else None
    return ids


@pytest.mark.parametrize(
    ("first", "requests"),
    [
        ("/rest/api/content?spaceKey=DOCS&limit=1000&expand=body.storage", 3),
        ("/rest/api/content?spaceKey=DOCS&limit=1000", 1),
        ("/rest/api/content/scan?spaceKey=DOCS&limit=100", 3),
        (
            '/rest/api/content/search?cql=space="DOCS" AND type=page&limit=200&expand=body.storage',
            5,
        ),
        ("/rest/api/space/DOCS/content/page?limit=150", 2),
    ],
)
async def test_a_list_is_whole_when_its_links_are_followed(
    session: aiohttp.ClientSession, server: ConfluenceServer, first: str, requests: int
) -> None:
    ids = await listed(session, server, first)
    assert ids == [str(page_id) for page_id in server.site.content.pages]
    assert server.requests.total() == requests


async def test_children_at_once_are_always_twenty_five(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    content = server.site.content
    home = content.spaces["DOCS"].homepage_id
    for number in range(40):
        content.add_page("DOCS", f"Child {number}", parent_id=home)
    body = await read(session, f"{server.url}/rest/api/content/{home}/child?expand=page&limit=100")
    assert body["page"]["size"] == 25
    below = await listed(session, server, f"/rest/api/content/{home}/descendant/page?limit=500")
    assert len(below) == 269


async def test_what_cannot_be_seen_answers_as_what_never_was(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    content = server.site.content
    trashed, restricted, archived, *_ = list(content.pages.values())[10:]
    trashed.status, restricted.restricted, archived.status = "trashed", True, "archived"
    messages = set()
    for page_id in (trashed.id, restricted.id, archived.id, 77):
        body = await read(session, f"{server.url}/rest/api/content/{page_id}")
        assert (body["statusCode"], body["reason"]) == (404, "Not Found")
        messages.add(body["message"].replace(str(page_id), "N"))
    assert messages == {"No content found with id: ContentId{id=N}"}
    listing = await listed(session, server, "/rest/api/content?spaceKey=DOCS&limit=500")
    assert not {str(trashed.id), str(restricted.id), str(archived.id)} & set(listing)
    probed = await read(session, f"{server.url}/rest/api/content/{trashed.id}?status=any")
    assert probed["status"] == "trashed"


async def test_an_unknown_space_is_named_and_an_unknown_title_is_an_empty_list(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    body = await read(session, f"{server.url}/rest/api/content?spaceKey=x")
    assert body["message"] == "No space with key : x"
    found = await read(session, f"{server.url}/rest/api/content?spaceKey=DOCS&title=Nothing")
    assert found["results"] == []


async def test_ancestors_come_root_first_with_folders_and_without_the_restricted(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    content = server.site.content
    folder = content.add_folder("DOCS", "A folder")
    hidden = content.add_page("DOCS", "Hidden", parent_id=folder.id)
    hidden.restricted = True
    shown = content.add_page("DOCS", "Shown", parent_id=hidden.id)
    leaf = content.add_page("DOCS", "Leaf", parent_id=shown.id)
    body = await read(session, f"{server.url}/rest/api/content/{leaf.id}?expand=ancestors")
    assert [(one["type"], one["title"]) for one in body["ancestors"]] == [
        ("folder", "A folder"),
        ("page", "Shown"),
    ]
    assert (await read(session, f"{server.url}/rest/api/content/{folder.id}"))["statusCode"] == 404


async def test_a_cycle_of_ancestors_is_told_and_ends(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    content = server.site.content
    first = content.add_page("DOCS", "First")
    second = content.add_page("DOCS", "Second", parent_id=first.id)
    first.parent_id = second.id
    body = await read(session, f"{server.url}/rest/api/content/{first.id}?expand=ancestors")
    assert [one["title"] for one in body["ancestors"]] == ["First", "Second"]


async def test_attachments_can_come_with_the_page(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    content = server.site.content
    page = content.add_page("DOCS", "Files")
    for number in range(30):
        content.add_attachment(page, f"{number}.txt", b"x")
    content.add_attachment(page, "3.txt", b"again")
    url = f"{server.url}/rest/api/content/{page.id}?expand=children.attachment.version"
    nested = (await read(session, url))["children"]["attachment"]
    assert nested["size"] == 25
    assert nested["results"][3]["version"]["number"] == 2
    assert nested["_links"]["next"].endswith("start=25")


async def test_the_cloud_redirects_downloads_to_another_host_that_wants_no_login(
    session: aiohttp.ClientSession, cloud: ConfluenceServer
) -> None:
    page = next(iter(cloud.site.content.pages.values()))
    file = page.attachments[0]
    url = f"{cloud.url}/rest/api/content/{page.id}/child/attachment/{file.id}/download"
    async with session.get(url) as response:
        assert await response.read() == file.body
        assert response.url.host == "localhost"
    async with session.get(response.url, headers=LOGIN) as refused:
        assert refused.status == 400
    assert cloud.leaked_authorization == 1


async def test_bad_credentials_get_html_from_a_data_center_and_json_from_the_cloud(
    server: ConfluenceServer, cloud: ConfluenceServer
) -> None:
    wrong = {"Authorization": "Basic " + base64.b64encode(b"user:wrong").decode()}
    async with aiohttp.ClientSession(headers=wrong) as stranger:
        async with stranger.get(f"{server.url}/rest/api/space") as refused:
            assert (refused.status, refused.content_type) == (401, "text/html")
            assert refused.headers["X-Seraph-LoginReason"] == "AUTHENTICATED_FAILED"
        async with stranger.get(f"{cloud.url}/rest/api/space") as refused:
            assert (refused.status, refused.content_type) == (403, "application/json")
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {server.site.token}"}) as holder,
        holder.get(f"{server.url}/rest/api/space") as admitted,
    ):
        assert admitted.status == 200


async def test_good_answers_of_a_data_center_say_how_much_budget_is_left(
    session: aiohttp.ClientSession, server: ConfluenceServer, cloud: ConfluenceServer
) -> None:
    async with session.get(f"{server.url}/rest/api/space") as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (200, "0")
    async with session.get(f"{cloud.url}/rest/api/space") as answer:
        assert "Retry-After" not in answer.headers


async def outcome(
    session: aiohttp.ClientSession, url: str, *, patience: float = 30
) -> tuple[Any, ...]:
    """What a plain client makes of an answer."""
    timeout = aiohttp.ClientTimeout(total=patience)
    try:
        async with session.get(url, allow_redirects=False, timeout=timeout) as response:
            wait = response.headers.get("Retry-After")
            return response.status, response.content_type, await response.read(), wait
    except TimeoutError:
        return ("too slow",)
    except aiohttp.ClientPayloadError:
        return ("cut",)


def addresses(server: ConfluenceServer) -> dict[frozenset[Endpoint], str]:
    page = list(server.site.content.pages.values())[3]
    return {
        LISTINGS: f"{server.url}/rest/api/content?spaceKey=DOCS&limit=20&start=20",
        PAGES: f"{server.url}/rest/api/content/{page.id}?expand=body.storage,version",
        ATTACHMENTS: f"{server.url}/rest/api/content/{page.id}/child/attachment",
        DOWNLOADS: f"{server.url}/download/attachments/{page.id}/{page.attachments[0].name}",
    }


def fits(kind: FaultKind, endpoints: frozenset[Endpoint]) -> bool:
    if kind in LISTING_ONLY:
        return endpoints == LISTINGS
    if kind in EDITS:
        return kind is FaultKind.EDITED_BEFORE and endpoints == PAGES
    return kind is not FaultKind.REDIRECTED or endpoints == DOWNLOADS


@pytest.mark.parametrize(
    ("kind", "endpoints"),
    [
        (kind, endpoints)
        for kind in FaultKind
        for endpoints in (LISTINGS, PAGES, ATTACHMENTS, DOWNLOADS)
        if fits(kind, endpoints)
    ],
    ids=lambda value: value if isinstance(value, str) else "+".join(sorted(value)),
)
async def test_each_fault_strikes_as_often_as_it_was_told_to(
    session: aiohttp.ClientSession,
    server: ConfluenceServer,
    kind: FaultKind,
    endpoints: frozenset[Endpoint],
) -> None:
    url = addresses(server)[endpoints]
    healthy = await outcome(session, url)
    server.faults.switch_on(Fault(kind=kind, on=endpoints, after=1, times=1))
    assert await outcome(session, url) == healthy
    # A client that nobody helps waits for the rest of a garbled answer, too.
    waits = kind in (FaultKind.HELD, FaultKind.GARBLED)
    broken = await outcome(session, url, patience=0.2 if waits else 30)
    assert broken != healthy
    assert server.faults.fired(kind) == 1
    if kind is not FaultKind.EDITED_BEFORE:
        assert await outcome(session, url) == healthy


async def test_a_fault_can_be_kept_to_one_page_and_never_end(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    one, other, *_ = server.site.content.pages
    fault = Fault(kind=FaultKind.NOT_FOUND, on=PAGES, only=frozenset({str(one)}), times=None)
    server.faults.switch_on(fault)
    for _ in range(5):
        assert (await outcome(session, f"{server.url}/rest/api/content/{one}"))[0] == 404
    assert (await outcome(session, f"{server.url}/rest/api/content/{other}"))[0] == 200


async def test_a_short_page_leads_past_what_it_left_out(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    server.faults.switch_on(Fault(kind=FaultKind.SHORT_PAGE, on=LISTINGS))
    body = await read(session, f"{server.url}/rest/api/content?spaceKey=DOCS&limit=100")
    assert body["size"] == 50
    assert "start=100" in body["_links"]["next"]


async def test_a_large_file_is_made_up_while_it_is_sent(
    session: aiohttp.ClientSession, server: ConfluenceServer
) -> None:
    page = next(iter(server.site.content.pages.values()))
    server.site.content.add_attachment(page, "big.bin", size_bytes=3_000_001)
    async with session.get(f"{server.url}/download/attachments/{page.id}/big.bin") as response:
        assert len(await response.read()) == 3_000_001


def test_spaces_come_deep_huge_and_without_a_home() -> None:
    content = Content()
    space = generate_space(content, SpacePlan(pages=20, with_homepage=False))
    assert space.homepage_id is None
    assert len([page for page in content.pages.values() if page.parent_id is None]) == 6
    chain = deep_chain(content, "DOCS", depth=40)
    assert len(content.ancestors(chain[-1])) == 39
    assert len(huge_body()) > 1_000_000


@pytest.mark.parametrize(("content_id", "tiny"), [(576585864, "iABeIg"), (393219, "AwAG")])
def test_short_addresses_are_made_as_confluence_makes_them(content_id: int, tiny: str) -> None:
    assert tiny_id(content_id) == tiny
