"""Every generator's footnotes become `[^1]` and a note that says nothing but its text."""

import pytest

from markmirror.convert import convert_html
from markmirror.model import Recipe


def convert(html: str) -> str:
    return convert_html(
        f"<main>{html}</main>".encode(),
        url="https://example.org/docs/page.html",
        content_type="text/html; charset=utf-8",
        recipe=Recipe(),
    ).markdown


DOCBOOK = """<p>A value<a href="#ftn.id-1.5" class="footnote"><sup class="footnote" id="id-1.5">[1]
</sup></a> counts.</p><div class="footnotes"><div id="ftn.id-1.5" class="footnote"><p>
<a href="#id-1.5" class="para"><sup class="para">[1] </sup></a>The note.</p></div></div>"""
MDBOOK = """<p>A value<sup class="footnote-reference"><a href="#structtype">1</a></sup> counts.</p>
<div class="footnote-definition" id="structtype"><sup class="footnote-definition-label">1</sup>
<p>The note.</p></div>"""
ASCIIDOCTOR = """<p>A value<sup class="footnote">[<a id="_footnoteref_1" class="footnote"
href="#_footnotedef_1" title="View footnote.">1</a>]</sup> counts.</p><div id="footnotes">
<div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. The note.</div></div>"""
OLDER_SPHINX = """<p>A value<a class="footnote-reference brackets" href="#id2" id="id1">1</a>
counts.</p><dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets">
<a class="fn-backref" href="#id1">1</a></span></dt><dd><p>The note.</p></dd></dl>"""


@pytest.mark.parametrize("html", [DOCBOOK, MDBOOK, ASCIIDOCTOR, OLDER_SPHINX])
def test_a_note_has_its_mark_and_neither_its_label_nor_the_way_back(html: str) -> None:
    assert convert(html) == "A value[^1] counts.\n\n[^1]: The note.\n"


def test_a_number_in_a_note_is_no_label() -> None:
    html = MDBOOK.replace("The note.", 'x<sup>1</sup> and <a href="https://x.org/#1">1</a>')
    assert convert(html).endswith("[^1]: x<sup>1</sup> and [1](https://x.org/#1)\n")
