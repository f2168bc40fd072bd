"""Bytes are read as a browser reads them, and better where a label lies."""

import codecs

import pytest

from markmirror.convert import convert_html
from markmirror.model import Document, Recipe

RUSSIAN = "Русский текст про документацию и про то, как её читают."
JAPANESE = "日本語のドキュメントを読むための長い文章です。これは十分に長いはずです。"
KOREAN = "한국어 문서를 읽기 위한 긴 문장입니다. 이것은 충분히 길어야 합니다."
CHINESE = "这是一个用于测试编码检测的足够长的中文句子，包含常用的汉字。"
GERMAN = "Größe, Übung, Straße – alles ganz natürlich und schön."


def convert(body: bytes, content_type: str = "text/html") -> Document:
    return convert_html(
        body, url="https://example.org/", content_type=content_type, recipe=Recipe()
    )


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("euc-kr", KOREAN),
        ("shift_jis", JAPANESE),
        ("euc-jp", JAPANESE),
        ("big5", "這是一個用於測試編碼檢測的足夠長的中文句子"),
        ("gb18030", CHINESE),
        ("koi8-r", RUSSIAN),
        ("windows-1251", RUSSIAN),
        ("windows-1252", GERMAN),
        ("iso-8859-1", "Größe, Übung, Straße"),
        ("utf-8", RUSSIAN),
        ("utf-16le", RUSSIAN),
    ],
)
def test_the_header_names_the_encoding(encoding: str, text: str) -> None:
    document = convert(f"<p>{text}</p>".encode(encoding), f"text/html; charset={encoding}")
    assert document.markdown == text + "\n"
    assert document.notes == ("content-scored",)


def test_a_byte_order_mark_comes_before_the_header() -> None:
    document = convert(codecs.BOM_UTF8 + b"<p>\xc3\xa9</p>", "text/html; charset=koi8-r")
    assert document.markdown == "é\n"


@pytest.mark.parametrize("padding", [0, 2000])
def test_a_meta_element_names_the_encoding_however_late_it_comes(padding: int) -> None:
    head = f"<!-- {'x' * padding} --><meta charset='koi8-r'>"
    assert convert(head.encode() + f"<p>{RUSSIAN}</p>".encode("koi8-r")).markdown == RUSSIAN + "\n"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("windows-1251", RUSSIAN), ("shift_jis", JAPANESE), ("euc-kr", KOREAN), ("utf-8", CHINESE)],
)
def test_an_encoding_that_nobody_names_is_detected(encoding: str, text: str) -> None:
    assert convert(f"<p>{text * 3}</p>".encode(encoding)).markdown == text * 3 + "\n"


def test_a_label_that_gives_replacement_signs_is_not_believed_and_counted() -> None:
    body = f"<meta charset=utf-8><p>{RUSSIAN * 3}</p>".encode("windows-1251")
    document = convert(body, "text/html; charset=utf-8")
    assert document.markdown == RUSSIAN * 3 + "\n"
    assert "charset-mislabelled" in document.notes


def test_utf_8_that_is_called_something_else_is_still_utf_8() -> None:
    document = convert(f"<p>{GERMAN}</p>".encode(), "text/html; charset=iso-8859-1")
    assert document.markdown == GERMAN + "\n"
    assert "charset-mislabelled" in document.notes


def test_an_unknown_label_is_passed_over() -> None:
    document = convert(f"<p>{GERMAN}</p>".encode(), "text/html; charset=martian")
    assert document.markdown == GERMAN + "\n"
