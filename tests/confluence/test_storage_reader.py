"""Reading storage format: as XML where it is XML, and somehow where it is not."""

import re
import time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.convert.storage_format import (
    PageLink,
    StorageContext,
    read_storage,
    storage_to_document,
)
from markmirror.convert.storage_format.reader import MAX_DEPTH, Element
from tests.confluence.storage_cases import CASES, macro, rich
from tests.confluence.structure import words

CONTEXT = StorageContext(
    base_url="https://wiki.test/wiki",
    page_id="1",
    children={"1": (PageLink(content_id="1", title="Itself", path="itself.md"),)},
)

TAGS = "p li ul ol td tr table h2 strong em pre code a ac:link ac:image ac:structured-macro ac:task"
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12)


def escaped(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


trees = st.recursive(
    texts.map(escaped) | texts.map(lambda text: f"<![CDATA[{text.replace(']]>', '')}]]>"),
    lambda inner: st.builds(
        lambda tag, value, parts: f'<{tag} ac:name="{escaped(value)}">{"".join(parts)}</{tag}>',
        st.sampled_from(TAGS.split()),
        texts,
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)
fragments = st.sampled_from(
    [
        *(f"<{tag}>" for tag in TAGS.split()),
        *(f"</{tag}>" for tag in TAGS.split()),
        '<ac:structured-macro ac:name="',
        '<ac:structured-macro ac:name="children"/>',
        '<ri:page ri:content-title="x"/>',
        '<ri:attachment ri:filename="">',
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?",
        "&nbsp;",
        "&#xD800;",
        "&#0;",
        "&unknown;",
        "<",
        ">",
        '"',
        "`",
        "\x1c",
        "\x00",
        "\ud800",
        "\ue0f0",
        "\ue200",
        ",",
        "|",
        "https://local.invalid/7",
    ]
)
broken = st.lists(fragments | st.text(max_size=8), max_size=30).map("".join)


def outline(element: Element) -> tuple[object, ...]:
    """A tree as nested tuples, neighbouring texts joined."""
    parts: list[object] = []
    for child in element.children:
        if isinstance(child, Element):
            parts.append(outline(child))
        elif parts and isinstance(parts[-1], str):
            parts[-1] += child
        else:
            parts.append(child)
    return (element.name, element.attributes, *[part for part in parts if part != ""])


def strict_outline(element: ElementTree.Element) -> tuple[object, ...]:
    parts: list[object] = [element.text or ""]
    for child in element:
        parts += [strict_outline(child), child.tail or ""]
    name = re.sub(r"^\{(\w+)\}", r"\1:", element.tag)
    attributes = {re.sub(r"^\{(\w+)\}", r"\1:", key): value for key, value in element.items()}
    return (name, attributes, *[part for part in parts if part != ""])


@given(trees)
def test_what_is_well_formed_is_read_as_any_xml_parser_reads_it(body: str) -> None:
    strict = ElementTree.fromstring(f'<root xmlns:ac="ac" xmlns:ri="ri">{body}</root>')
    read = read_storage(body)
    assert not read.repaired
    assert outline(read.root)[2:] == strict_outline(strict)[2:]


@given(broken)
def test_no_body_is_refused(body: str) -> None:
    """Seed 003: conversion never raises, however broken a body is."""
    storage_to_document(body, context=CONTEXT)


@given(st.lists(st.sampled_from([case.storage for case in CASES]), max_size=3), st.floats(0, 1))
def test_no_real_body_is_refused_wherever_it_is_cut(bodies: list[str], share: float) -> None:
    body = "".join(bodies)
    place = int(len(body) * share)
    storage_to_document(body[place:] + body[:place], context=CONTEXT)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a &nbsp; &bogus; & b", "a \xa0 &bogus; & b"),
        ("<p>a <b>b</p> c</b>", "a b c"),
        ("<td>a<ac:layout-cell>b</td>c</ac:layout-cell>", "abc"),
        ("1 < 2 <p title='a>b'>x</p", "1 < 2 x</p"),
        ('<p class="unclosed>text</p>', '<p class="unclosed>text'),
        ("a<br>b<br/>c</br>d", "abcd"),
        ("<!-- gone -->a<?pi gone?>b<!DOCTYPE x [<!ENTITY y 'z'>]>c", "abc"),
        ("a <!-- not closed", "a <!-- not closed"),
        ("<![CDATA[a <b> ]]]]><![CDATA[> c", "a <b> ]]> c"),
        ("&#0;&#xD800;&#x110000;&#65;", "\ufffd\ufffd\ufffdA"),
        ("a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_text_survives_what_no_parser_would_take(body: str, text: str) -> None:
    assert read_storage(body).root.text() == text


@pytest.mark.parametrize("tag", ["div", "strong", "ul", "ac:layout", "blockquote", "u"])
def test_ten_thousand_levels_are_flattened_and_keep_their_words(tag: str) -> None:
    body = "".join(f"<{tag}>word{level} " for level in range(10_000)) + f"</{tag}>" * 10_000
    markdown = storage_to_document(body, context=CONTEXT).markdown
    assert set(re.findall(r"word\d+", markdown)) == {f"word{level}" for level in range(10_000)}


def test_macros_nested_to_the_limit_are_rendered() -> None:
    body = "<p>inside</p>"
    for _ in range(MAX_DEPTH):
        body = macro("panel", rich(body))
    assert "inside" in words(storage_to_document(body, context=CONTEXT).markdown)


@pytest.mark.parametrize(
    "piece",
    [
        "<p>Some <strong>text</strong> with a <a href='/x/FA'>link</a>.</p>",
        "<",
        "<p ",
        '<p class="',
        "<!--",
        "<![CDATA[",
        "</p>",
        "<p>",
        "&amp",
        "<u>x</u>",
        "[x](#y) ",
        "`",
        "\n# h\n",
        macro("anchor", default="a"),
    ],
)
def test_time_grows_with_the_size_alone(piece: str) -> None:
    """Seed 003: Large pages exceeding size limits (e.g., >1MB of content)."""

    def seconds(size: int) -> float:
        body = piece * (size // len(piece))
        begun = time.process_time()
        storage_to_document(body, context=CONTEXT)
        return time.process_time() - begun

    small, large = seconds(30_000), seconds(240_000)
    # Eight times the size: linear is eight, quadratic sixty-four.
    assert large < max(24 * small, 1.0)
