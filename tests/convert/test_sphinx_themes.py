"""Sphinx with the themes and extensions of today, as their pages come from the generator."""

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


def test_a_short_page_of_furo_comes_without_its_tools() -> None:
    page = FURO.format("It says far more than the page does. " * 20)
    assert markdown_of(page) == "# Short\n\nJust this.\n"
