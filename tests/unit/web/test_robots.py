"""robots.txt by RFC 9309, and by what sites make of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.web.robots import MAX_ROBOTS_BYTES, RobotsTxt

H = "https://example.com"
BOT = "markmirror"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        pytest.param("", "/x", True, id="an empty file allows everything"),
        pytest.param("Disallow: /", "/x", True, id="a rule without a group is none"),
        pytest.param("User-agent: *\nDisallow:", "/x", True, id="an empty rule forbids nothing"),
        pytest.param("User-agent: *\nDisallow: /", "/", False, id="the root is a prefix of all"),
        pytest.param("User-agent: *\nDisallow: /p", "/page", False, id="a rule is a prefix"),
        pytest.param("User-agent: *\nDisallow: /p", "/P", True, id="paths have case"),
        pytest.param("user-AGENT: MarkMirror\ndisALLOW: /", "/x", False, id="names have none"),
        pytest.param(
            "User-agent: *\nDisallow: /\nUser-agent: markmirror\nAllow: /",
            "/x",
            True,
            id="our own group takes the place of the one for all",
        ),
        pytest.param(
            "User-agent: markmirror\nDisallow: /a\nUser-agent: *\nDisallow: /b\n"
            "User-agent: markmirror\nDisallow: /c",
            "/c",
            False,
            id="groups of one name are one group",
        ),
        pytest.param(
            "User-agent: markmirror\nDisallow: /a\nUser-agent: *\nDisallow: /b\n"
            "User-agent: markmirror\nDisallow: /c",
            "/b",
            True,
            id="and the group for all is not among them",
        ),
        pytest.param(
            "User-agent: a\nUser-agent: markmirror\nUser-agent: b\nDisallow: /x",
            "/x",
            False,
            id="one group can have many names",
        ),
        pytest.param(
            "User-agent: markmirror\n\n\nDisallow: /x",
            "/x",
            False,
            id="a blank line does not end a group",
        ),
        pytest.param(
            "User-agent: markmirror\nUnknown: y\nUser-agent: other\nDisallow: /x",
            "/x",
            False,
            id="a record nobody defined does not end a list of names",
        ),
        pytest.param(
            "User-agent: markmirror\nCrawl-delay: 3\nUser-agent: other\nDisallow: /x",
            "/x",
            False,
            id="nor does a crawl delay",
        ),
        pytest.param(
            "User-agent: markmirror\nSitemap: https://example.com/s.xml\nDisallow: /x",
            "/x",
            False,
            id="nor does a sitemap",
        ),
        pytest.param(
            "User-agent: mark\nDisallow: /\nUser-agent: *\nAllow: /",
            "/x",
            True,
            id="a name that ours begins with is not ours",
        ),
        pytest.param(
            "User-agent: markmirror-images\nDisallow: /",
            "/x",
            True,
            id="nor one that begins with it",
        ),
        pytest.param(
            "User-agent: markmirror/2.0\nDisallow: /", "/x", False, id="a version does not count"
        ),
        pytest.param(
            "User-agent:\nDisallow: /", "/x", True, id="a group without a name is nobody's"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True, id="the longest match wins"
        ),
        pytest.param(
            "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", False, id="whichever it is"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /a\nAllow: /a", "/a", True, id="in a tie we are allowed"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /*.pdf", "/a/b.pdf?x", False, id="a star is any text"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /*.pdf$", "/a.pdf?x", True, id="a dollar is the end"
        ),
        pytest.param("User-agent: *\nDisallow: /*.pdf$", "/a.pdf", False, id="and nothing but it"),
        pytest.param(
            "User-agent: *\nDisallow: /a$b", "/a$b", False, id="a dollar inside is itself"
        ),
        pytest.param("User-agent: *\nDisallow: /%2A", "/*", False, id="an escaped star is itself"),
        pytest.param(
            "User-agent: *\nDisallow: /a?b=", "/a?b=1", False, id="queries are matched too"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /é", "/%C3%A9", False, id="letters and escapes agree"
        ),
        pytest.param("User-agent: *\nDisallow: /%c3%a9", "/%C3%A9", False, id="in any case"),
        pytest.param("User-agent: *\nDisallow: /%7Eme", "/~me", False, id="needless escapes too"),
        pytest.param("User-agent: *\nDisallow: /a%2Fb", "/a/b", True, id="but a slash is a slash"),
        pytest.param("User-agent: *\nDisallow: /", "/robots.txt", True, id="the file itself"),
        pytest.param("\ufeffUser-agent: *\nDisallow: /", "/x", False, id="a mark is no letter"),
        pytest.param("User-agent: *\rDisallow: /\r\n", "/x", False, id="any line end"),
        pytest.param("User-agent: * # all\nDisallow: /x # no", "/x", False, id="comments"),
        pytest.param("User-agent *\nDisallow /x", "/x", False, id="a colon forgotten"),
        pytest.param("User-agent: *\nDissallow: /x", "/x", False, id="a letter too many"),
        pytest.param("  User-agent : *  \n  Disallow : /x  ", "/x", False, id="space around"),
    ],
)
def test_a_rule_is_read_as_the_standard_says(text: str, path: str, allowed: bool) -> None:
    for body in (text, text.encode()):
        robots = RobotsTxt.parse(body, f"{H}/robots.txt")
        assert robots.allows(H + path, BOT) is allowed
        assert robots.allows(H + path, f"{BOT}/1.0 (+https://example.org)") is allowed


def test_at_least_500_kib_are_read_and_no_more() -> None:
    filler = "# " + "x" * 997 + "\n"
    inside = "User-agent: *\nDisallow: /a\n" + filler * 500 + "Disallow: /b\n"
    outside = filler * (MAX_ROBOTS_BYTES // len(filler) + 1) + "User-agent: *\nDisallow: /c\n"
    assert not RobotsTxt.parse(inside, H).allows(f"{H}/b", BOT)
    assert RobotsTxt.parse(outside, H).allows(f"{H}/c", BOT)


@pytest.mark.parametrize("behind", ["private\n", "\nDisallow: /y\n"])
def test_a_rule_across_the_end_of_500_kib_is_not_read_by_half(behind: str) -> None:
    start, end = "User-agent: *\nDisallow: /x\n#", "\nDisallow: /"
    filler = "x" * (MAX_ROBOTS_BYTES - len(start) - len(end))
    robots = RobotsTxt.parse(start + filler + end + behind, H)
    assert not robots.allows(f"{H}/x", BOT)
    assert robots.allows(f"{H}/z", BOT) is (behind == "private\n")


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: 1\nUser-agent: markmirror\nCrawl-delay: 7", 7.0),
        ("User-agent: *\nCrawl-delay: 1\nUser-agent: markmirror\nDisallow: /x", None),
        ("User-agent: bing\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x", None),
        ("User-agent: *\nCrawl-delay: soon", None),
        ("User-agent: *\nCrawl-delay: -1", None),
        ("User-agent: *\nCrawl-delay: nan", None),
        ("Crawl-delay: 5", None),
        ("User-agent: *\nCrawl-delay: 5\nCrawl-delay: x", 5.0),
        ("User-agent: *\nCrawl-delay: 0", 0.0),
    ],
)
def test_a_crawl_delay_is_told_to_those_it_is_meant_for(text: str, delay: float | None) -> None:
    assert RobotsTxt.parse(text, H).crawl_delay(BOT) == delay


def test_an_agent_without_a_name_is_held_to_the_rules_for_all() -> None:
    robots = RobotsTxt.parse("User-agent: 360\nAllow: /\nUser-agent: *\nDisallow: /", H)
    assert not robots.allows(f"{H}/x", "123")
    assert not robots.allows(f"{H}/x", "")


def test_thousands_of_names_for_thousands_of_rules_cost_no_more_than_their_lines() -> None:
    names = "".join(f"User-agent: {'a' * (n % 50)}{'b' * (n // 50)}\n" for n in range(2500))
    rules = "".join(f"Disallow: /{n}\n" for n in range(20_000))
    robots = RobotsTxt.parse(names + "User-agent: markmirror\n" + rules, H)
    assert not robots.allows(f"{H}/19999", BOT)
    assert robots.allows(f"{H}/x", BOT)
    assert robots.allows(f"{H}/1", "other")


def test_sitemaps_are_named_once_absolute_and_in_order() -> None:
    robots = RobotsTxt.parse(
        "SITEMAP: https://cdn.example.org/b.xml\nUser-agent: x\nSitemap: /a.xml#x\nDisallow: /\n"
        "Sitemap:\nsitemap: HTTPS://cdn.example.org/b.xml\nSitemap: ftp://example.com/c.xml\n"
        "Sitemap: /d.xml?x=1",
        f"{H}/robots.txt",
    )
    assert robots.sitemaps == (
        "https://cdn.example.org/b.xml",
        f"{H}/a.xml",
        f"{H}/d.xml?x=1",
    )


def test_a_missing_file_allows_and_an_unreachable_one_forbids() -> None:
    assert RobotsTxt.allow_all().allows(f"{H}/x", BOT)
    assert not RobotsTxt.disallow_all().allows(f"{H}/x", BOT)
    assert RobotsTxt.disallow_all().allows(f"{H}/robots.txt", BOT)
    assert RobotsTxt.disallow_all().crawl_delay(BOT) is None


LINES = st.lists(
    st.sampled_from(
        [
            *("User-agent: *", "user-agent:markmirror", "Disallow: /", "Allow: $*%", "#", ":", ""),
            *(
                "crawl-delay: x",
                "Sitemap: //",
                "\x85Disallow: /",
                "Disallow\x0b:",
                "Allow: %zz%e9*",
            ),
        ]
    )
).map("\n".join)


@given(st.one_of(st.binary(), st.text(), LINES), st.text(), st.text())
def test_no_file_makes_it_raise(body: bytes | str, path: str, agent: str) -> None:
    robots = RobotsTxt.parse(body, f"{H}/robots.txt")
    assert robots.allows(f"{H}/{path}", agent) in (True, False)
    delay = robots.crawl_delay(agent)
    assert delay is None or delay >= 0
