"""URLs in one spelling, and the hosts of a mirror."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from markmirror.errors import UsageError
from markmirror.web.urls import Scope, host_of, normalise_url, origin_of, path_of

H = "https://example.com"


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        (f"{H}/", f"{H}/"),
        (H, f"{H}/"),
        ("HTTPS://EXAMPLE.COM/Path", f"{H}/Path"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", f"{H}/"),
        ("https://example.com:80/", f"{H}:80/"),
        ("https://example.com:/", f"{H}/"),
        ("https://example.com:08443/x", f"{H}:8443/x"),
        ("https://example.com./x", f"{H}/x"),
        (f"{H}/a/b/../c/./d", f"{H}/a/c/d"),
        (f"{H}/a/%2e%2E/b/%2e", f"{H}/b/"),
        (f"{H}/../../x", f"{H}/x"),
        (f"{H}/a/..", f"{H}/"),
        (f"{H}/.well-known/x", f"{H}/.well-known/x"),
        (f"{H}/a//b/", f"{H}/a//b/"),
        (f"{H}/...", f"{H}/..."),
        (f"{H}/x#fragment", f"{H}/x"),
        (f"{H}/x?#fragment", f"{H}/x"),
        (f"{H}/x?", f"{H}/x"),
        (f"{H}?q=1", f"{H}/?q=1"),
        (f"{H}/x??", f"{H}/x??"),
        (f"{H}/x?a=/../b", f"{H}/x?a=/../b"),
        (f"{H}/%7euser/%41%2f%c3%a9", f"{H}/~user/A%2F%C3%A9"),
        (f"{H}/100%", f"{H}/100%25"),
        (f"{H}/%zz%4", f"{H}/%25zz%254"),
        (f"{H}/%%34%31", f"{H}/%2541"),
        (f"{H}/é ü?q=ä b", f"{H}/%C3%A9%20%C3%BC?q=%C3%A4%20b"),
        (f'{H}/"<>`{{}}|^[]', f"{H}/%22%3C%3E%60%7B%7D%7C%5E%5B%5D"),
        (f"{H}/a'b(c)*!,;=:@&$+~", f"{H}/a'b(c)*!,;=:@&$+~"),
        (f"  {H}/x\n", f"{H}/x"),
        (f"{H}/a\n\tb\r/c", f"{H}/ab/c"),
        ("https:\\\\example.com\\a\\b?c\\d", f"{H}/a/b?c%5Cd"),
        ("https:///example.com/x", f"{H}/x"),
        ("https://münchen.de/", "https://xn--mnchen-3ya.de/"),
        ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("https://xn--mnchen-3ya.de/", "https://xn--mnchen-3ya.de/"),
        ("https://i❤.ws/", "https://xn--i-7iq.ws/"),
        ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("https://ex%61mple.com/", f"{H}/"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("http://[::1]:8000/x", "http://[::1]:8000/x"),
        ("http://[0:0::1]/", "http://[::1]/"),
        ("http://localhost:65535/", "http://localhost:65535/"),
        ("https://a_b-c.example.com/", "https://a_b-c.example.com/"),
        ("https://1and1.com/", "https://1and1.com/"),
        ("https://x.a1/", "https://x.a1/"),
        (f"{H}/caf\udce9", f"{H}/caf%E9"),
    ],
)
def test_a_url_has_one_spelling(written: str, normal: str) -> None:
    assert normalise_url(written) == normal
    assert normalise_url(normal) == normal


@pytest.mark.parametrize(
    "written",
    [
        "",
        " ",
        "x",
        "/x",
        "//example.com/",
        "ftp://example.com/",
        "mailto:me@example.com",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https:",
        "https://",
        "https:///",
        "https:example.com",
        "https:/example.com",
        "https://?x",
        "https://:80/",
        "https://me@example.com/",
        "https://me:secret@example.com/",
        "https://@example.com/",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://example.com:x/",
        "https://example.com:٣/",
        "https://example.com:-1/",
        "https://exa mple.com/",
        "https://example..com/",
        "https://.example.com/",
        "https://exa<mple.com/",
        "https://example.com%2Fx/",
        "https://%ff.com/",
        "https://256.1.1.1/",
        "https://1.2.3/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://a.0xab/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[x]/",
        f"{H}/a\x00b",
        f"{H}/a\x1fb",
        f"{H}/a\x7fb",
        f"{H}/\ud800",
        f"{H}/" + "x" * 8192,
        f"{H}/" + "é" * 4000,
        "https://" + "ü" * 300 + ".de/",
    ],
)
def test_what_is_no_web_address_is_none(written: str) -> None:
    assert normalise_url(written) is None


@pytest.mark.parametrize(
    ("written", "resolved"),
    [
        ("x", f"{H}/a/x"),
        ("/x", f"{H}/x"),
        ("../x", f"{H}/x"),
        ("./", f"{H}/a/"),
        ("..", f"{H}/"),
        ("?n=1", f"{H}/a/b?n=1"),
        ("#top", f"{H}/a/b?q=1"),
        ("", f"{H}/a/b?q=1"),
        ("?", f"{H}/a/b"),
        ("//cdn.example.com/x", "https://cdn.example.com/x"),
        ("\\\\cdn.example.com\\x", "https://cdn.example.com/x"),
        ("http://other.org", "http://other.org/"),
        ("x:y", None),
        ("./x:y", f"{H}/a/x:y"),
    ],
)
def test_a_reference_is_resolved_against_its_base(written: str, resolved: str | None) -> None:
    assert normalise_url(written, f"{H}/a/b?q=1#f") == resolved


def test_a_reference_without_a_usable_base_is_none() -> None:
    assert normalise_url("x", "ftp://example.com/") is None


URL_PARTS = st.lists(
    st.sampled_from(
        [
            "http://",
            "https://",
            "example.com",
            "É.de",
            "127.0.0.1",
            "[::1]",
            ":80",
            ":8080",
            "/",
            "//",
            ".",
            "..",
            "%2e",
            "%2F",
            "%",
            "%c3",
            "é",
            " ",
            "?",
            "#",
            "&",
            "a",
            "A",
            "\\",
            "\n",
            "@",
            "0x1",
            "\udce9",
        ]
    ),
    max_size=12,
).map("".join)


@given(st.one_of(st.text(), URL_PARTS, URL_PARTS.map("https://example.com/".__add__)))
@example("https://a.0xab/")
def test_normalising_never_raises_and_changes_nothing_the_second_time(text: str) -> None:
    once = normalise_url(text, "https://example.com/base")
    if once is not None:
        assert once.isascii()
        assert normalise_url(once) == once
        assert "#" not in once
        assert path_of(once).startswith("/")


@given(st.text())
def test_parts_can_be_taken_from_any_text(text: str) -> None:
    assert isinstance(host_of(text) + origin_of(text) + path_of(text), str)


def test_the_parts_of_a_url() -> None:
    url = "https://docs.example.com:8443/a/b?c=/d"
    assert host_of(url) == "docs.example.com:8443"
    assert origin_of(url) == "https://docs.example.com:8443"
    assert path_of(url) == "/a/b"
    assert path_of("https://example.com?x") == "/"
    assert host_of("https://me@Example.com") == "example.com"


@pytest.mark.parametrize(
    ("start", "url", "allowed"),
    [
        (H, f"{H}/x", True),
        (H, "http://example.com/x", True),
        (H, "https://www.example.com/", True),
        (H, "https://a.b.example.com/", True),
        (H, "https://notexample.com/", False),
        (H, "https://example.com.evil.org/", False),
        (H, "https://example.org/", False),
        (H, f"{H}:8443/", False),
        (H, "https://docs.example.com:8443/", False),
        ("https://www.example.com", f"{H}/", True),
        ("https://www.example.com", "https://docs.example.com/", True),
        ("https://docs.example.com", f"{H}/", False),
        ("https://docs.example.com", "https://www.example.com/", False),
        ("https://www.com", "https://other.com/", False),
        ("http://localhost:8000/x", "http://localhost:8000/y", True),
        ("http://localhost:8000/x", "http://localhost:8001/y", False),
        ("http://localhost:8000/x", "http://localhost/y", False),
        ("http://localhost:8000/x", "http://docs.localhost:8000/", True),
        ("http://localhost:8000/x", "http://docs.localhost/", True),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/x", True),
        ("http://127.0.0.1/", "http://1.127.0.0.1/", False),
        ("http://[::1]:8000/", "http://[::1]:8000/x", True),
        (H, "https://cdn.org/x", True),
        (H, "http://cdn.org:9000/x", True),
        (H, "https://www.cdn.org/x", False),
        (H, "http://other.net:9000/", True),
        (H, "http://other.net:9001/", False),
        (H, "https://secure.net/", True),
        (H, "https://xn--mnchen-3ya.de/", True),
    ],
)
def test_a_scope_is_the_site_and_what_was_allowed_besides(
    start: str, url: str, allowed: bool
) -> None:
    scope = Scope.of(start, ["cdn.org", "other.net:9000", "secure.net:443", "München.de"])
    assert scope.allows(url) is allowed
    assert scope.allows(url) is allowed


@pytest.mark.parametrize(
    ("start", "url", "trusted"),
    [
        ("https://example.com", "https://docs.example.com/x", True),
        ("https://example.com", "http://example.com/x", False),
        ("http://example.com", "http://example.com/x", True),
        ("http://example.com", "https://example.com/x", True),
        ("https://example.com", "https://elsewhere.org/", False),
    ],
)
def test_secrets_for_a_site_with_https_are_not_told_in_the_clear(
    start: str, url: str, trusted: bool
) -> None:
    assert Scope.of(start).is_trusted(url) is trusted


def test_a_scope_forgets_old_hosts_and_not_its_mind() -> None:
    scope = Scope.of(H)
    assert not any(scope.allows(f"https://host{number}.org/") for number in range(20_001))
    assert scope.allows(f"{H}/")


@pytest.mark.parametrize("host", ["", "a b", "cdn.org/path", "https://", "x@y"])
def test_a_host_that_is_none_is_named_in_an_error(host: str) -> None:
    with pytest.raises(UsageError, match="is not a host"):
        Scope.of(H, [host])


def test_a_start_that_is_no_url_is_named_in_an_error() -> None:
    with pytest.raises(UsageError, match="not-a-url"):
        Scope.of("not-a-url")
