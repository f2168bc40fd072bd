"""Which URL owns which file, whoever arrives first."""

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from markmirror.output.paths import path_key
from markmirror.state.claims import Claims
from markmirror.state.database import Database

SEGMENT = st.sampled_from(["a", "A", "b", "%41", "index", "index.html", "c.html", "é", "e%CC%81"])
URL = st.lists(SEGMENT, max_size=3).map(lambda parts: "https://x.org/" + "/".join(parts))


def claims_in(folder: Path, foreign: frozenset[str] = frozenset()) -> Claims:
    database = Database(folder / "claims.db")
    return Claims(database, is_foreign=lambda path, url: path in foreign)


def assigned(urls: list[str]) -> dict[str, str]:
    claims = Claims(Database(Path(":memory:")), is_foreign=lambda path, url: False)
    for url in urls:
        claims.take(url)
    return {url: claims.of(url) or "" for url in urls}


@given(st.sets(URL, min_size=1, max_size=12), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_names_are_unique_and_do_not_depend_on_the_order(
    urls: set[str], chance: random.Random
) -> None:
    """Seed 002: D1."""
    in_order = sorted(urls)
    shuffled = list(in_order)
    chance.shuffle(shuffled)
    names = assigned(in_order)
    assert names == assigned(shuffled)
    assert len({path_key(path) for path in names.values()}) == len(urls)


def test_the_smaller_url_gets_the_plain_name_even_if_it_comes_last(tmp_path: Path) -> None:
    claims = claims_in(tmp_path)
    assert claims.take("https://x.org/docs/")[0] == "x.org/docs/index.md"
    path, ousted = claims.take("https://x.org/docs")
    assert path == "x.org/docs/index.md"
    assert ousted is not None
    assert (ousted.url, ousted.old_path) == ("https://x.org/docs/", "x.org/docs/index.md")
    assert ousted.new_path == claims.of("https://x.org/docs/")
    assert ousted.new_path.startswith("x.org/docs/index__u_")


def test_many_names_are_given_at_once_and_the_contested_are_told(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, foreign=frozenset({"x.org/f/index.md"}))
    urls = ["https://x.org/a", "https://x.org/a/", "https://x.org/b", "https://x.org/f"]
    assert claims.take_uncontested(urls) == ["https://x.org/a/", "https://x.org/f"]
    assert claims.of("https://x.org/a") == "x.org/a/index.md"
    assert claims.of("https://x.org/b") == "x.org/b/index.md"


def test_a_settled_name_is_never_taken_away(tmp_path: Path) -> None:
    claims = claims_in(tmp_path)
    claims.take("https://x.org/docs/")
    with claims._database.transaction() as connection:
        connection.execute("UPDATE claims SET settled = 1")
    path, ousted = claims.take("https://x.org/docs")
    assert ousted is None
    assert path != claims.of("https://x.org/docs/") == "x.org/docs/index.md"


def test_a_plain_name_can_be_had_when_it_has_become_free(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, foreign=frozenset({"x.org/f/index.md"}))
    for url in ("https://x.org/a", "https://x.org/a/", "https://x.org/f"):
        claims.take(url)
    assert claims.suffixed() == ["https://x.org/a/", "https://x.org/f"]
    assert claims.take_plain("https://x.org/a/") is None
    claims.release("https://x.org/a")
    renamed = claims.take_plain("https://x.org/a/")
    assert renamed is not None
    assert renamed.old_path.startswith("x.org/a/index__u_")
    assert renamed.new_path == claims.of("https://x.org/a/") == "x.org/a/index.md"
    assert claims.take_plain("https://x.org/f") is None
    assert claims.suffixed() == ["https://x.org/f"]


def test_a_file_that_is_not_ours_keeps_its_name(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, foreign=frozenset({"x.org/a/index.md"}))
    assert claims.take("https://x.org/a")[0].startswith("x.org/a/index__u_")


def test_files_and_urls_find_each_other(tmp_path: Path) -> None:
    """Seed 000: Standard URL path mapping."""
    claims = claims_in(tmp_path)
    path, _ = claims.take("https://x.org/api/users/create")
    assert path == "x.org/api/users/create/index.md"
    assert claims.holder(path) == "https://x.org/api/users/create"
    assert claims.holder(path.upper()) == "https://x.org/api/users/create"
    claims.release("https://x.org/api/users/create")
    assert claims.holder(path) is None
