"""Sphinx with the themes and extensions of today, as their pages come from the generator."""

import pytest

from markmirror.convert import convert_fragment
from tests.convert.test_generators import markdown_of

BOOK = """<main id="main-content"><div class="bd-content"><div class="bd-article-container">
<div id="jb-print-docs-body" class="onlyprint"><h1>Boxes</h1><div id="print-main-content">
<div id="jb-print-toc"><div><h2> Contents </h2></div><nav aria-label="Page"><ul>
<li class="toc-h2"><a class="reference internal" href="#notes">Notes</a></li></ul></nav></div></div>
</div><article class="bd-article"><section id="boxes"><h1>Boxes<a class="headerlink" href="#boxes"
title="Link to this heading">#</a></h1><section id="notes"><h2>Notes</h2><p>A note.</p></section>
</section></article></div></div></main>"""
FURO = """<div class="main"><div class="content"><div class="article-container">
<a href="#" class="back-to-top muted-link"><span>Back to top</span></a>
<div class="content-icon-container"><div class="view-this-page"><a class="muted-link"
href="https://git.example/docs/short.rst" title="View this page">
<span class="visually-hidden">View this page</span></a></div></div>
<article role="main" id="furo-main-content"><h1>Short</h1><p>Just this.</p></article></div></div>
<aside class="toc-drawer"><div>A drawer. {}</div></aside></div>"""


def test_what_a_page_repeats_on_paper_is_not_written() -> None:
    assert markdown_of(BOOK) == "# Boxes\n\n## Notes\n\nA note.\n"


def test_the_heading_of_contents_beside_the_page_goes_with_them() -> None:
    page = """<main><div class="bd-toc"><div class="tocsection onthispage pt-5 pb-3">
<i class="fas fa-list"></i> Contents
</div><nav id="bd-toc-nav"><ul><li><a href="#a">A</a></li></ul></nav></div>
<div class="section" id="a"><h1>Stages</h1><p>There are some.</p></div></main>"""
    assert markdown_of(page) == "# Stages\n\nThere are some.\n"


def test_the_address_of_a_picture_is_no_text_for_it() -> None:
    pictures = (
        '<img alt="../_images/flow.png" src="../_images/flow.png">'
        '<img alt="A flow" src="../_images/flow.png">'
    )
    assert convert(pictures) == (
        "![](https://docs.example.org/_images/flow.png)"
        "![A flow](https://docs.example.org/_images/flow.png)\n"
    )


def test_a_short_page_of_furo_comes_without_its_tools() -> None:
    page = FURO.format("It says far more than the page does. " * 20)
    assert markdown_of(page) == "# Short\n\nJust this.\n"


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://docs.example.org/guide/page.html")


DESIGN_TABS = """<div class="sd-tab-set docutils"><input checked id="i0" name="s" type="radio">
<label class="sd-tab-label" for="i0">
Linux</label><div class="sd-tab-content docutils" id="i0-content"><p>One.</p></div>
<input id="i1" name="s" type="radio"><label class="sd-tab-label" for="i1">
Mac</label><div class="sd-tab-content docutils" id="i1-content"><p>Two.</p></div></div>"""
INLINE_TABS = """<div class="tab-set docutils"><input checked="True" class="tab-input" id="i0"
name="s" type="radio"><label class="tab-label" for="i0">Linux</label><div class="tab-content">
<p>One.</p></div><input class="tab-input" id="i1" name="s" type="radio"><label class="tab-label"
for="i1">Mac</label><div class="tab-content"><p>Two.</p></div></div>"""


@pytest.mark.parametrize("html", [DESIGN_TABS, INLINE_TABS])
def test_every_tab_stands_below_its_label(html: str) -> None:
    page = f"<main><p>Install it.</p>{html}</main>"
    assert markdown_of(page) == "Install it.\n\n**Linux**\n\nOne.\n\n**Mac**\n\nTwo.\n"


CARD = """<div class="sd-card sd-sphinx-override docutils"><div class="sd-card-body docutils">
<div class="sd-card-title sd-font-weight-bold docutils">
User guide</div><p class="sd-card-text">How to use it.</p></div>
<a class="sd-stretched-link sd-hide-link-text reference internal" href="use.html">
<span class="doc">Using it</span></a></div>"""


def test_the_title_of_a_card_leads_where_the_card_does() -> None:
    assert convert(CARD) == (
        "[**User guide**](https://docs.example.org/guide/use.html)\n\nHow to use it.\n"
    )


def test_a_card_without_a_title_keeps_its_link() -> None:
    card = CARD.replace("sd-card-title", "sd-card-header")
    assert "[Using it](https://docs.example.org/guide/use.html)" in convert(card)


@pytest.mark.parametrize(
    "label",
    [
        '<p class="rubric">Notes</p>',
        '<p class="topic-title">Notes</p>',
        '<p class="sidebar-title">Notes</p>',
        '<p class="caption" role="heading"><span class="caption-text">Notes</span></p>',
    ],
)
def test_a_line_that_is_shown_as_a_heading_is_bold(label: str) -> None:
    assert convert(f"{label}<p>Mind the gap.</p>") == "**Notes**\n\nMind the gap.\n"


def test_the_caption_of_a_figure_is_a_text() -> None:
    assert convert('<p class="caption">A wing.</p>') == "A wing.\n"


def test_the_parameters_of_a_long_signature_stand_on_its_line() -> None:
    html = """<dl class="py function"><dt class="sig sig-object py" id="fly">
<span class="sig-name descname"><span class="pre">fly</span></span><span class="sig-paren">(</span>

<dl>
<dd><em class="sig-param"><span class="n">wing</span></em>,</dd>
<dd><em class="sig-param"><span class="n">to</span>=<span class="default_value">1</span></em>,</dd>
</dl>

<span class="sig-paren">)</span> <span class="sig-return">→ bool</span></dt>
<dd><p>Fly somewhere.</p></dd></dl>"""
    assert convert(html) == "- **fly(*wing*, *to=1*) → bool**\n\n  Fly somewhere.\n"


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("<em>float</em><em>, </em><em>optional</em>", "*float, optional*"),
        (
            '<a href="w.html"><em>Wing</em></a><em>, </em><em>optional</em>',
            "[*Wing*](https://docs.example.org/guide/w.html), *optional*",
        ),
        ("<em>list</em><em>[</em><em>int</em><em>]</em>", "*list[int]*"),
        ("<em>a</em> or <em>b</em>", "*a* or *b*"),
    ],
)
def test_a_type_is_emphasised_as_a_whole(shown: str, written: str) -> None:
    html = (
        '<dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span>'
        f'</dt><dd class="field-odd"><p><strong>x</strong> ({shown}) – It.</p></dd></dl>'
    )
    assert convert(html) == f"- **Parameters:**\n\n  **x** ({written}) – It.\n"


def test_the_signs_between_kinds_of_parameters_are_not_emphasised() -> None:
    html = (
        '<dl class="py function"><dt class="sig sig-object py"><span class="sig-name">f</span>('
        '<em class="sig-param"><span class="n">a</span></em>, <em class="sig-param">'
        '<span class="o"><span class="pre">/</span></span></em>, <em class="sig-param">'
        '<span class="o"><span class="pre">*</span></span></em>, <em class="sig-param">'
        '<span class="n">b</span></em>)</dt><dd></dd></dl>'
    )
    assert convert(html) == "- **f(*a*, /, \\*, *b*)**\n"


def test_no_space_stands_between_an_anchor_and_the_text_it_leads() -> None:
    html = (
        '<p>See <a href="#os.dup">dup</a> and <a href="#b">b</a>.</p><dl class="py function">'
        '<dt class="sig" id="os.dup">\n<span class="sig-name">dup</span>()</dt><dd>It.</dd></dl>'
        '<p>a<span id="b"> b</span></p>'
    )
    assert convert(html) == (
        'See [dup](#os.dup) and [b](#b).\n\n- **<a id="os.dup"></a>dup()**\n\n  It.\n\n'
        'a<a id="b"></a> b\n'
    )


def test_the_lines_of_a_block_stay_lines() -> None:
    html = (
        '<div class="line-block"><div class="line">Roses are red,</div><div class="line-block">'
        '<div class="line">violets are <em>blue</em>,</div></div><div class="line"><br></div>'
        '<div class="line">and so on.</div></div><p>Next.</p>'
    )
    assert convert(html) == ("Roses are red,\\\nviolets are *blue*,\n\nand so on.\n\nNext.\n")


@pytest.mark.parametrize("backrefs", ["", '<span class="backrefs">(<a href="#id3">1</a>)</span>'])
def test_a_citation_begins_with_its_label(backrefs: str) -> None:
    html = (
        '<p>As <a class="reference internal" href="#cit" id="id3"><span>[CIT]</span></a> says.</p>'
        '<div role="list" class="citation-list"><div class="citation" id="cit" '
        'role="doc-biblioentry"><span class="label"><span class="fn-bracket">[</span>'
        '<a role="doc-backlink" href="#id3">CIT</a><span class="fn-bracket">]</span></span>'
        f"{backrefs}\n<p>A book.</p></div></div>"
    )
    assert convert(html) == 'As [[CIT]](#cit) says.\n\n<a id="cit"></a>[CIT] A book.\n'
