"""The API's ways, without the network: addresses, answers, records, links."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.errors import UsageError
from markmirror.sources.confluence.addresses import ConfluenceSite, read_base_url
from markmirror.sources.confluence.answers import Meaning, judge, read_reply
from markmirror.sources.confluence.downloads import (
    is_own,
    read_attachment,
    vetted_link,
)
from markmirror.sources.confluence.records import read_page, read_space

HOME = ConfluenceSite(base_url="https://wiki.test/confluence", cloud=False)
CLOUD = ConfluenceSite(base_url="https://x.atlassian.net/wiki", cloud=True)
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("given_url", "base_url", "cloud"),
    [
        ("https://wiki.test", "https://wiki.test", False),
        ("https://wiki.test/", "https://wiki.test", False),
        ("http://127.0.0.1:8090/confluence/", "http://127.0.0.1:8090/confluence", False),
        ("https://wiki.test/confluence/display/DOC/Home", "https://wiki.test/confluence", False),
        ("https://wiki.test/spaces/DOC/pages/7/x", "https://wiki.test", False),
        ("https://wiki.test/c/rest/api", "https://wiki.test/c", False),
        ("https://X.atlassian.net", "https://x.atlassian.net/wiki", True),
        ("https://x.atlassian.net/wiki/spaces/DOC/overview", "https://x.atlassian.net/wiki", True),
        (
            "https://api.atlassian.com/ex/confluence/1-2",
            "https://api.atlassian.com/ex/confluence/1-2/wiki",
            True,
        ),
        ("http://[::1]:80/c", "http://[::1]/c", False),
        ("https://wiki.test:443/c", "https://wiki.test/c", False),
        ("http://wiki.test:443/c", "http://wiki.test:443/c", False),
    ],
)
def test_the_site_is_found_at_any_of_its_addresses(
    given_url: str, base_url: str, cloud: bool
) -> None:
    assert read_base_url(given_url) == ConfluenceSite(base_url=base_url, cloud=cloud)


@pytest.mark.parametrize(
    "text", ["wiki.test", "ftp://wiki.test", "https://", "http://[", "http://a:b", ""]
)
def test_what_is_no_base_url_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"base URL .*https://"):
        read_base_url(text)


def test_credentials_in_the_base_url_are_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as refused:
        read_base_url("https://user:hunter2@wiki.test")
    assert "hunter2" not in str(refused.value)


def test_addresses_are_built_under_the_context_path() -> None:
    assert HOME.space("~ada") == "https://wiki.test/confluence/rest/api/space/~ada?expand=homepage"
    assert HOME.page("7", expand="version,ancestors", any_status=True) == (
        "https://wiki.test/confluence/rest/api/content/7?status=any&expand=version%2Cancestors"
    )
    assert HOME.user("k").endswith("/user?key=k")
    assert CLOUD.user("k").endswith("/user?accountId=k")


def error(message: str) -> bytes:
    return json.dumps({"statusCode": 1, "message": message}).encode()


@pytest.mark.parametrize(
    ("status", "headers", "body", "meaning"),
    [
        (200, JSON, b"{}", Meaning.GOOD),
        (200, {"Content-Type": "image/png"}, b"<form", Meaning.GOOD),
        (
            200,
            {"Content-Type": "text/html;charset=UTF-8"},
            b"<form SAMLRequest",
            Meaning.LOGIN_REFUSED,
        ),
        (200, {"Content-Type": "text/html"}, b"<p>maintenance</p>", Meaning.LATER),
        (302, {}, b"", Meaning.REFUSED),
        (400, JSON, error("bad cql"), Meaning.REFUSED),
        (401, {"Content-Type": "text/html"}, b"<html>", Meaning.LOGIN_REFUSED),
        (403, JSON, error("User not permitted to view content"), Meaning.FORBIDDEN),
        (403, JSON, error("Current user not permitted to use Confluence"), Meaning.LOGIN_REFUSED),
        (403, {"X-RateLimit-Remaining": "0"}, b"", Meaning.THROTTLED),
        (404, JSON, error("No content found with id: ContentId{id=7}"), Meaning.MISSING),
        (410, {}, b"", Meaning.MISSING),
        (413, {}, b"", Meaning.REFUSED),
        (429, {}, b"", Meaning.THROTTLED),
        (500, JSON, error("java.lang.NullPointerException"), Meaning.LATER),
        (502, {}, b"", Meaning.LATER),
        (503, {}, b"", Meaning.LATER),
        (504, {}, b"", Meaning.LATER),
        (599, {}, b"", Meaning.LATER),
    ],
)
def test_every_answer_means_one_thing(
    status: int, headers: dict[str, str], body: bytes, meaning: Meaning
) -> None:
    """FR-013."""
    assert judge(status, headers, body).meaning is meaning


def test_the_wish_to_wait_counts_only_where_there_is_reason_to_wait() -> None:
    """FR-013."""
    wish = {"Retry-After": "7"}
    assert judge(429, wish).retry_after == "7"
    assert judge(503, wish).retry_after == "7"
    assert judge(200, {**JSON, "Retry-After": "0"}, b"{}").retry_after is None
    assert judge(404, wish).retry_after is None


def test_an_error_is_told_in_the_servers_words() -> None:
    assert judge(404, JSON, error("No space\n with key : x")).reason == (
        "HTTP 404: No space with key : x"
    )
    v2 = b'{"errors":[{"status":400,"code":"BAD_REQUEST","title":"A title"}]}'
    assert judge(400, JSON, v2).reason == "HTTP 400: A title"
    seraph = {"X-Seraph-LoginReason": "AUTHENTICATED_FAILED"}
    assert judge(401, seraph, b"<html>").reason == "HTTP 401: AUTHENTICATED_FAILED"


def test_half_an_answer_is_asked_for_again() -> None:
    reply = read_reply(200, JSON, b'{"results": [')
    assert (reply.verdict.meaning, reply.body) == (Meaning.LATER, {})
    assert read_reply(200, JSON, b'{"size": 1}').body == {"size": 1}


def test_a_list_that_was_too_long_to_make_may_be_asked_for_in_parts() -> None:
    assert judge(504, {}).ask_for_less
    assert not judge(429, {}).ask_for_less


@given(st.integers(100, 599), st.binary(max_size=200), st.sampled_from(["", "text/html", "a/json"]))
def test_no_answer_is_too_odd_to_be_judged(status: int, body: bytes, media_type: str) -> None:
    read_reply(status, {"Content-Type": media_type}, body)


@pytest.mark.parametrize(
    ("link", "whole"),
    [
        (
            "/download/attachments/7/a.png?v=1",
            "https://wiki.test/confluence/download/attachments/7/a.png?v=1",
        ),
        ("download/a", "https://wiki.test/confluence/download/a"),
        ("/confluence/download/a", "https://wiki.test/confluence/download/a"),
        ("https://wiki.test/confluence/download/a", "https://wiki.test/confluence/download/a"),
        ("https://evil.test/confluence/download/a", ""),
        ("//evil.test/download/a", ""),
        ("http://wiki.test/confluence/download/a", ""),
        ("https://wiki.test:8443/confluence/download/a", ""),
        ("https://wiki.test@evil.test/confluence/a", ""),
        ("https://wiki.test/other/a", ""),
        ("/confluence/../admin", ""),
        ("/confluence/%2e%2e/admin", ""),
        ("javascript:alert(1)", ""),
        ("https://[", ""),
    ],
)
def test_links_of_answers_are_believed_within_the_site_only(link: str, whole: str) -> None:
    assert vetted_link(HOME, link) == whole


def test_credentials_are_for_the_site_alone() -> None:
    assert is_own(HOME, "https://WIKI.test/confluence/rest/api/space")
    assert not is_own(HOME, "https://api.media.atlassian.com/file/1")
    assert not is_own(HOME, "https://wiki.test/confluence-evil/x")
    assert not is_own(HOME, "http://wiki.test/confluence/rest/api/space")
    assert not is_own(HOME, "https://user:pw@wiki.test/confluence/rest/api/space")


def test_a_file_is_fetched_by_the_way_its_site_has() -> None:
    """FR-006."""
    document = {
        "id": "att9",
        "title": "a b.png",
        "extensions": {"fileSize": 12, "mediaType": "image/png"},
        "version": {"number": 3},
        "_links": {"download": "/download/attachments/7/a%20b.png?version=3"},
    }
    home, cloud = read_attachment(HOME, "7", document), read_attachment(CLOUD, "7", document)
    assert home is not None
    assert cloud is not None
    assert (home.name, home.version, home.size_bytes) == ("a b.png", 3, 12)
    assert home.url == "https://wiki.test/confluence/download/attachments/7/a%20b.png?version=3"
    assert cloud.url == (
        "https://x.atlassian.net/wiki/rest/api/content/7/child/attachment/att9/download"
    )
    assert read_attachment(HOME, "7", {"id": "att9"}) is None


def test_a_page_is_read_with_folders_above_it_and_without_a_cycle() -> None:
    page = read_page(
        HOME,
        {
            "id": "7",
            "type": "page",
            "status": "current",
            "title": "T",
            "extensions": {"position": "none"},
            "ancestors": [
                {"id": "1", "type": "folder", "title": "F"},
                {"id": "7", "type": "page", "title": "T"},
                {"id": "1", "type": "folder", "title": "F"},
            ],
            "_expandable": {"space": "/rest/api/space/DOC"},
            "_links": {"webui": "/display/DOC/T"},
        },
    )
    assert page is not None
    assert [(one.content_id, one.type) for one in page.ancestors] == [("1", "folder")]
    assert (page.space_key, page.position, page.attachments) == ("DOC", None, None)
    assert page.web_url == "https://wiki.test/confluence/display/DOC/T"


FIELDS = """
id type title space ancestors version body storage value metadata labels results name children
attachment _links next webui extensions position key homepage number when by fileSize
"""
odd_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(FIELDS.split()), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(FIELDS.split()), odd_json))
def test_no_document_is_too_odd_to_be_read(document: dict[str, object]) -> None:
    read_page(HOME, {"type": "page", **document})
    read_space(document)
    read_attachment(HOME, "7", document)
