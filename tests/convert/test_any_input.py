"""No page, however broken or hostile, stops the converter or makes it run away."""

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markmirror.convert import convert_fragment, convert_html
from markmirror.model import Document, Recipe

TAGS = (
    *("a", "p", "div", "ul", "ol", "li", "table", "tr", "td", "th", "pre", "code", "dl", "dt"),
    *("dd", "h1", "h2", "blockquote", "details", "summary", "img", "math", "main", "article"),
    *("sup", "nav", "br", "aside", "section", "iframe", "ruby", "rt", "frameset", "select"),
)
ATTRIBUTES = (
    *(' href="#a"', ' id="a"', ' class="admonition note"', ' class="language-py"', " hidden"),
    *(' href="http://["', " colspan=9", " rowspan=7", ' class="toc"', ' src="x"', ' role="main"'),
    *(' class="footnote-reference"', ' style="display:none"', ' start="7"', ' align="right"'),
    *(' href="javascript:0"', ' href=""', ' class="toc mermaid"', ' class="mwe-math-element"'),
)
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
    st.text(max_size=8),
    st.text(alphabet=string.punctuation + " \n\ue0f0\ue0f1\ue0f2\ue0f31", max_size=8),
)


def convert(body: bytes, content_type: str = "text/html") -> Document:
    return convert_html(
        body, url="https://example.org/a", content_type=content_type, recipe=Recipe()
    )


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=300)
def test_no_markup_raises(html: str) -> None:
    convert(html.encode("utf-8", "surrogatepass"))
    convert_fragment(html, base_url="https://example.org/")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<a href="javascript:0"><p>words</p></a>', "words\n"),
        ('<a href=""><div>words</div></a>', "words\n"),
        ('<p>words</p><div class="toc mermaid">a</div>', "words\n"),
        ('<p class="mwe-math-element"><math>a</math><math>b</math></p>', "$a$\n"),
    ],
)
def test_what_is_gone_is_not_taken_out_again(html: str, markdown: str) -> None:
    assert convert(f"<main>{html}</main>".encode()).markdown == markdown


@given(st.binary(max_size=200), st.text(max_size=30))
@settings(max_examples=300)
def test_no_bytes_and_no_header_raise(body: bytes, charset: str) -> None:
    convert(body, f"text/html; charset={charset}")


@given(st.text(max_size=60), st.text(max_size=30))
@settings(max_examples=200)
def test_no_address_and_no_selector_raise(url: str, selector: str) -> None:
    convert_html(
        b"<base href='//['><a href='x'>y</a><img data-src='//['>",
        url=url,
        content_type="",
        recipe=Recipe(selector=selector),
    )


def test_a_link_back_to_a_footnote_mark_that_was_replaced_does_no_harm() -> None:
    html = (
        '<p>Text<sup id="r"><a id="x" class="footnote-ref" href="#f">1</a></sup></p>'
        '<ol><li id="f">Note <a href="#r">back</a></li></ol>'
    )
    assert "[^1]: Note" in convert(html.encode()).markdown


HOSTILE = {
    "10,000 nested boxes": "<div>" * 10_000 + "x",
    "10,000 nested lists": "<ul><li>x" * 10_000,
    "10,000 nested quotes": "<blockquote>x" * 10_000,
    "10,000 nested tables": "<table><tr><td>x" * 10_000,
    "10,000 nested definitions": "<dl><dt>t<dd>" * 10_000,
    "10,000 nested notes": "<div class='admonition note'><p class=admonition-title>N</p>" * 10_000,
    "a line of 1 MB": "<p>" + "word_x *a* " * 90_000,
    "1 MB of brackets": "<p>" + "[" * 1_000_000,
    "1 MB of tildes": "<p>" + "~ " * 500_000,
    "1 MB of stars": "<p>" + "\\\\* " * 300_000,
    "50,000 cells": "<table>" + ("<tr>" + "<td>c</td>" * 10) * 5_000,
    "cells that claim to be huge": "<table>" + "<tr><td colspan=1000 rowspan=65534>c" * 5_000,
    "50,000 code blocks": "<pre>x</pre>" * 50_000,
    "everything unclosed": "<p><b><i><a href=x><ul><li><table><tr><td><pre><code><h1><dl><dt>"
    * 3_000,
    "forged signs": "<p>\ue0f01\ue0f1&#xe0f0;1&#57585;" * 10_000 + "<pre>x</pre>",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_page_is_converted_within_its_bounds(case: str) -> None:
    body = HOSTILE[case].encode()
    start = time.process_time()
    document = convert(body)
    # The bar is 1 s; a shared machine gets some grace.
    assert time.process_time() - start < 3
    assert len(document.markdown) <= 8 * len(body) + 100_000


def test_a_page_that_would_grow_too_much_is_written_as_text_and_counted() -> None:
    document = convert(b"<blockquote>x" * 10_000)
    assert "output-bounded" in document.notes
    assert document.markdown.strip() == "x" * 10_000
