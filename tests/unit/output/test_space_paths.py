"""Names in a space's tree: safe, unique, and the same each time."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.output.paths import path_key
from markmirror.output.space_paths import (
    Node,
    attachment_names,
    place_all,
    safe_file_name,
    slug_of,
    space_directory,
)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Getting Started", "getting-started"),
        ("A/B", "a-b"),
        ("  ..  ", ""),
        ("General\u200b", "general"),
        ("Reports\u3164", "reports"),
        ("U\u0308bersicht", "übersicht"),
        ("日本語 ページ", "日本語-ページ"),
        ("C++ & C#", "c-c"),
        ("_state.db", "state-db"),
        ("🎉", ""),
    ],
)
def test_a_slug_keeps_words_of_any_script(title: str, slug: str) -> None:
    """FR-008."""
    assert slug_of(title) == slug


@given(st.text(max_size=300))
def test_a_slug_is_short_composed_and_without_separators(title: str) -> None:
    slug = slug_of(title)
    assert len(slug.encode()) <= 180
    assert not set(slug) & set('/\\:*?"<>|. \0')
    assert unicodedata.is_normalized("NFC", slug)


@given(st.lists(st.text(max_size=8), max_size=12), st.randoms())
def test_every_page_has_a_file_of_its_own_whatever_the_order(titles: list[str], chance) -> None:  # type: ignore[no-untyped-def]
    nodes = [
        Node(id=1000 + number, title=title, parent=1000 + number // 2 if number > 1 else None)
        for number, title in enumerate(titles)
    ]
    places = place_all(nodes, top="KEY/", held={})
    keys = [path_key(place.file) for place in places.values()]
    assert len(set(keys)) == len(nodes)
    shuffled = list(nodes)
    chance.shuffle(shuffled)
    assert place_all(shuffled, top="KEY/", held={}) == places
    assert place_all(nodes, top="KEY/", held=places) == places


def test_a_page_named_like_the_folder_of_attachments_gets_another_name() -> None:
    places = place_all([Node(id=123456, title="Assets", parent=None)], top="KEY/", held={})
    assert places[123456].file == "KEY/assets--123456.md"


def test_a_circle_of_parents_is_cut() -> None:
    nodes = [Node(id=1, title="A", parent=2), Node(id=2, title="B", parent=1)]
    places = place_all(nodes, top="KEY/", held={})
    assert {place.file for place in places.values()} == {"KEY/a.md", "KEY/a/b.md"}


def test_a_very_deep_tree_stays_within_what_a_disk_can_hold() -> None:
    nodes = [
        Node(id=100_000 + level, title="x" * 100, parent=100_000 + level - 1 if level else None)
        for level in range(600)
    ]
    places = place_all(nodes, top="KEY/", held={})
    assert len({place.file for place in places.values()}) == 600
    assert max(len(place.file.encode()) for place in places.values()) < 3_300


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("plan.pdf", "plan.pdf"),
        ("a/b\\c:d.txt", "a_b_c_d.txt"),
        ("..", "att1"),
        ("CON.txt", "_CON.txt"),
        ("u\u0308.png", "ü.png"),
    ],
)
def test_a_file_name_is_made_harmless(name: str, safe: str) -> None:
    assert safe_file_name(name, "att1") == safe


def test_a_long_file_name_keeps_its_extension() -> None:
    name = safe_file_name("ä" * 300 + ".tar.gz", "att1")
    assert name.endswith(".gz")
    assert len(name.encode()) <= 200


def test_names_of_attachments_stay_when_a_rival_comes() -> None:
    held = {"att1": "report.pdf"}
    names = attachment_names([("att1", "report.pdf"), ("att2", "Report.PDF")], held=held)
    assert names == {"att1": "report.pdf", "att2": "Report--att2.PDF"}


@pytest.mark.parametrize(("key", "name"), [("DOCS", "DOCS"), ("~ada", "~ada"), ("a/b", "a_b")])
def test_a_space_has_a_folder_of_its_own(key: str, name: str) -> None:
    assert space_directory(key) == name
