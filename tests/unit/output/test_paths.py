import random
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.output.page_urls import EXACT, HOSTILE, LONG, md5

from markmirror.output.paths import (
    OWN_NAMES,
    is_own_name,
    page_path,
    path_key,
    placeholder_name,
    with_suffix,
)

EXAMPLE = "https://example.com/"


def place(url: str) -> str:
    found = page_path(url)
    return f"{found.host_dir}/{found.path}"


def assert_safe(full_path: str) -> None:
    host, *folders, name = full_path.split("/")
    assert name.endswith(".md")
    for component in (host, *folders, name):
        assert component not in ("", ".", ".."), full_path
        assert len(component.encode()) <= 200
        assert not component.endswith((".", " "))
        assert not set(component) & set('<>:"\\|?*'), full_path
        assert component == unicodedata.normalize("NFC", component)
        assert all(unicodedata.category(char)[0] not in "CZ" for char in component), full_path
        assert path_key(component) != ".git"
        assert component.partition(".")[0].upper() not in {"CON", "PRN", "AUX", "NUL", "COM1"}
    for folder in folders:
        assert not path_key(folder).endswith(".md")
    assert not is_own_name((*folders, name)[0])
    assert len("/".join([*folders, name]).encode()) <= 1024


def assign(urls: Iterable[str], settled: Mapping[str, str]) -> dict[str, str]:
    """The rule a ledger follows: who is settled stays, then the smallest URL has the first call."""
    taken = {path_key(path) for path in settled.values()}
    wanted = {url: place(url) for url in sorted(set(urls)) if url not in settled}
    first: dict[str, str] = {}
    for url, path in wanted.items():
        if path_key(path) not in taken:
            first.setdefault(path_key(path), url)
    result = {**settled, **{url: wanted[url] for url in first.values()}}
    taken.update(first)
    waiting = [url for url in wanted if url not in result]
    digits = 8
    while waiting:
        named = {url: with_suffix(wanted[url], url, digits) for url in waiting}
        claims = Counter(path_key(path) for path in named.values())
        granted = {
            url: path
            for url, path in named.items()
            if claims[path_key(path)] == 1 and path_key(path) not in taken
        }
        result.update(granted)
        taken.update(path_key(path) for path in granted.values())
        waiting = [url for url in waiting if url not in granted]
        digits += 8
        assert digits <= 40
    return result


def test_the_table_of_urls_is_long_enough() -> None:
    assert len(set(EXACT) | set(HOSTILE)) >= 200


@pytest.mark.parametrize(("url", "expected"), EXACT.items())
def test_a_url_has_its_place(url: str, expected: str) -> None:
    """Seed 000: Standard URL path mapping."""
    assert place(url) == expected


@pytest.mark.parametrize("url", [*EXACT, *HOSTILE])
def test_no_url_leads_out_of_its_folder(url: str) -> None:
    """Seed 000: Parent directory traversal."""
    assert_safe(place(url))
    assert_safe(with_suffix(place(url), url))


def test_a_query_becomes_the_hash_in_the_name() -> None:
    """Seed 000: Query string handling."""
    found = page_path("https://example.com/search?q=test&page=2")
    assert found.path == f"search__q_{md5('q=test&page=2')}.md"


def test_a_fragment_does_not_matter() -> None:
    """Seed 000: Fragment stripping."""
    assert page_path("https://example.com/docs#installation").path == "docs/index.md"


@pytest.mark.parametrize("name", ["x" * 201, "x" * 5000, "é" * 101, "😀" * 51, "e\u0301" * 200])
@pytest.mark.parametrize("ending", ["", "/", ".html", "?q=1"])
def test_a_long_name_is_cut_and_keeps_its_hash(name: str, ending: str) -> None:
    """Seed 000: Filename length enforcement."""
    path = page_path(f"{EXAMPLE}{name}{ending}").path
    component = path.split("/")[0]
    assert len(component) <= 200
    assert 150 <= len(component.encode()) <= 200
    assert component.removesuffix(".md")[-9] == "_"
    assert path != page_path(f"{EXAMPLE}{name}y{ending}").path
    assert_safe(place(f"{EXAMPLE}{name}{ending}"))


def test_a_cut_does_not_part_an_accent_from_its_letter() -> None:
    # No composed form exists for this letter and accent, so they are two characters.
    letter = "q\u0301"
    component = page_path(f"{EXAMPLE}x{letter * 100}").path.split("/")[0]
    assert component[:-9] == "x" + letter * 63


def test_a_path_that_is_too_long_keeps_its_beginning_and_its_last_name() -> None:
    path = page_path(f"{EXAMPLE}{'section/' * 200}page.html").path
    assert path.startswith("section/section/")
    assert path.split("/")[-1].startswith("page_")
    assert 900 < len(path.encode()) <= 1024
    assert path != page_path(f"{EXAMPLE}{'section/' * 201}page.html").path


@pytest.mark.parametrize("name", sorted(OWN_NAMES))
def test_a_page_never_takes_a_name_of_the_program(name: str) -> None:
    for url in (f"{EXAMPLE}{name}", f"{EXAMPLE}{name.upper()}/x", f"{EXAMPLE}{name}.html"):
        assert not is_own_name(page_path(url).path.split("/")[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("About", "about"),
        ("caf%C3%A9.html", "CAFE%CC%81.html"),
        ("stra%C3%9Fe", "STRASSE"),
        ("%E2%84%AAelvin", "kelvin"),
        ("%CE%A3", "%CF%82"),
        ("a%20b", "a_b"),
        ("a", "a/"),
        ("", "index.html"),
        ("page.html", "page.php"),
        ("a%2Fb", "a%5Cb"),
        ("I", "%C4%B1"),
    ],
)
def test_pages_that_a_disk_could_confuse_have_equal_keys_and_different_suffixes(
    one: str, other: str
) -> None:
    first, second = EXAMPLE + one, EXAMPLE + other
    assert path_key(place(first)) == path_key(place(second))
    assigned = assign([first, second], {})
    assert path_key(assigned[first]) != path_key(assigned[second])


def test_the_key_of_every_letter_is_that_of_its_other_cases_and_forms() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x20000)):
        char = chr(code)
        decomposed = unicodedata.normalize("NFD", char)
        for form in {char.upper(), char.lower(), char.casefold(), decomposed} - {char}:
            assert path_key(form) == path_key(char), hex(code)


@pytest.mark.parametrize(
    ("one", "other"), [("a", "b"), ("a/b", "a_b"), ("a//b", "a/b"), ("x?a", "x?A"), ("é", "e")]
)
def test_pages_that_no_disk_confuses_have_different_keys(one: str, other: str) -> None:
    assert path_key(place(EXAMPLE + one)) != path_key(place(EXAMPLE + other))


def test_the_suffix_stands_before_the_extension_and_fits() -> None:
    url = f"{EXAMPLE}docs/About"
    assert with_suffix("docs/About/index.md", url) == f"docs/About/index__u_{md5(url)}.md"
    assert len(with_suffix("a.md", url, 16)) == len("a__u_.md") + 16
    assert len(with_suffix(f"{'x' * 197}.md", url).encode()) == 200


def test_a_settled_page_keeps_its_path_against_a_smaller_url() -> None:
    settled = {f"{EXAMPLE}about": "example.com/about/index.md"}
    assigned = assign([f"{EXAMPLE}About", f"{EXAMPLE}about"], settled)
    assert assigned[f"{EXAMPLE}about"] == "example.com/about/index.md"
    assert "__u_" in assigned[f"{EXAMPLE}About"]


def test_a_page_named_like_a_suffix_does_not_lose_its_place() -> None:
    loser = f"{EXAMPLE}page.php"
    mimic = f"{EXAMPLE}page__u_{md5(loser)}.html"
    assigned = assign([f"{EXAMPLE}page.html", loser, mimic], {})
    assert assigned[mimic] == place(mimic)
    assert len(set(assigned.values())) == 3


def test_a_placeholder_is_named_after_its_url() -> None:
    assert placeholder_name(EXAMPLE) == placeholder_name(EXAMPLE)
    assert placeholder_name(EXAMPLE) != placeholder_name(f"{EXAMPLE}#")
    assert len(placeholder_name(LONG)) == 19


def test_a_relative_url_is_refused() -> None:
    with pytest.raises(ValueError, match="absolute"):
        page_path("/docs")


@given(st.text(), st.text(), st.one_of(st.none(), st.text()))
def test_any_url_is_contained_bounded_and_stable(host: str, path: str, query: str | None) -> None:
    url = f"https://{host}/{path}" + ("" if query is None else f"?{query}")
    assert_safe(place(url))
    assert_safe(with_suffix(place(url), url))
    assert place(url) == place(url)


segments = st.sampled_from(
    [
        *("a", "A", "%41", "%C3%A4", "a%CC%88", "%C3%84", "a%20", "a_", "a.", "", ".", ".."),
        *("a.html", "A.HTML", "a.php", "a.md", "index", "index.html", "index.md", "CON", "_con"),
        *("_failed", "__failed", "_index.html", ".git", "_.git", "x" * 201, "x" * 205),
        *("%00", "%FF", "%2F", "%5C", "a%2Fb", "\u202e", "%E2%80%AE", "ß", "ss", "SS"),
    ]
)
urls = st.builds(
    lambda host, parts, query: f"https://{host}/{'/'.join(parts)}{query}",
    st.sampled_from(["e.com", "e.com:8", "e.com_8", "[::1]"]),
    st.lists(segments, max_size=4),
    st.sampled_from(["", "?", "?x", "?X", "?x=%20"]),
)


@given(st.lists(urls, unique=True, max_size=30), st.randoms(use_true_random=False))
def test_no_two_urls_share_a_file_whatever_the_order(
    listed: list[str], chance: random.Random
) -> None:
    assigned = assign(listed, {})
    files = {path_key(path) for path in assigned.values()}
    assert len(files) == len(listed)
    folders = {
        path_key(path).rsplit("/", depth)[0] for path in assigned.values() for depth in (1, 2)
    }
    assert not files & folders
    for path in assigned.values():
        assert_safe(path)
    shuffled = listed[:]
    chance.shuffle(shuffled)
    assert assign(shuffled, {}) == assigned
    half = {url: assigned[url] for url in shuffled[: len(shuffled) // 2]}
    assert half.items() <= assign(shuffled, half).items()
