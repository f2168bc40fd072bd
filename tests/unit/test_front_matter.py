import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from markmirror.convert.front_matter import front_matter, read_front_matter

NASTY = [
    "plain",
    'a "quoted" title',
    "back\\slash",
    "trailing backslash\\",
    "---",
    "\n---\n",
    "a: b # c",
    "- item",
    "null",
    "yes",
    "1.0",
    "2024-01-01",
    "{{ template }}",
    "&anchor *alias !tag |literal >folded %directive @at `tick`",
    "tab\there",
    "line\r\nend",
    "\x00\x07\x1b[31m\x7f",
    "next\x85line\u2028separator\u2029paragraph",
    "\ufeffbom",
    "lone \ud800 surrogate",
    "two \ud83d\ude00 surrogates",
    "😀 你好 عربى",
    "\u202eright to left",
    "\ufffe\uffff",
    "\\u0041 is no escape of ours",
    "\U000e0041 hidden tag",
    " spaces around ",
]
any_text = st.text(st.characters(codec=None, exclude_categories=()), min_size=1)


def test_the_block_looks_as_a_person_would_write_it() -> None:
    block = front_matter({"title": "Käse & mehr", "url": "https://e.com/a?b=c", "lastmod": None})
    assert block == '---\ntitle: "Käse & mehr"\nurl: "https://e.com/a?b=c"\n---\n\n'


def test_fields_without_text_are_left_out_and_so_is_an_empty_block() -> None:
    assert front_matter({"title": "", "url": "u"}) == '---\nurl: "u"\n---\n\n'
    assert front_matter({"title": "", "lastmod": None}) == ""


def test_a_field_name_that_is_no_name_is_refused() -> None:
    with pytest.raises(ValueError, match="not a name"):
        front_matter({"a: b\nc": "x"})


@pytest.mark.parametrize("text", NASTY)
def test_text_from_outside_cannot_break_the_block(text: str) -> None:
    block = front_matter({"title": text, "url": "https://e.com/"})
    assert read_front_matter(block.encode()) == {"title": text, "url": "https://e.com/"}
    assert yaml.safe_load(block.split("---\n")[1]) == {"title": text, "url": "https://e.com/"}


@given(any_text, any_text)
def test_any_text_comes_back_as_it_was(title: str, url: str) -> None:
    block = front_matter({"title": title, "url": url})
    opening, *fields, closing, blank, end = block.split("\n")
    assert (opening, closing, blank, end) == ("---", "---", "", "")
    assert len(fields) == 2
    for line in fields:
        assert re.fullmatch(r'[a-z]+: "(?:[^"\\\x00-\x1f\x7f-\x9f]|\\.)*"', line)
    assert read_front_matter(f"{block}body".encode()) == {"title": title, "url": url}
    assert yaml.safe_load("\n".join(fields)) == {"title": title, "url": url}


@given(st.binary())
def test_reading_never_fails(head: bytes) -> None:
    read_front_matter(head)
    read_front_matter(b"---\n" + head + b"\n---\n")


@pytest.mark.parametrize("head", [b"", b"# Title", b"---", b'---\ntitle: "cut off', b"--- \n---\n"])
def test_a_page_without_a_whole_block_has_none(head: bytes) -> None:
    assert read_front_matter(head) is None


def test_a_block_that_a_person_edited_is_still_read() -> None:
    head = b'\xef\xbb\xbf---\r\ntitle: "A"\r\ntags: [x, y]\r\nurl: "u\\Uffffffff"\r\n---\r\nbody'
    assert read_front_matter(head) == {"title": "A", "url": "u\\Uffffffff"}
