"""Javadoc lays its pages out with lists and grids; a reader sees sections and tables."""

from markmirror.convert import convert_html
from markmirror.model import Recipe


def convert(html: str) -> str:
    return convert_html(
        html.encode(),
        url="https://example.org/api/Copy.html",
        content_type="text/html; charset=utf-8",
        recipe=Recipe(),
    ).markdown


def test_a_list_of_sections_becomes_the_sections() -> None:
    html = """<main><h2>Class Copy</h2><ul class="blockList"><li class="blockList"><hr>
<p>Copies.</p></li></ul>
<ul class="blockList"><li class="blockList"><!-- METHODS --><section role="region">
<ul class="blockList"><li class="blockList"><a id="methods"><!-- --></a><h3>Method Detail</h3>
<ul class="blockListLast"><li class="blockList"><h4>copy</h4><p>Copies once.</p>
<ul><li>one</li><li>two</li></ul></li></ul></li></ul></section></li></ul></main>"""
    assert convert(html) == (
        "## Class Copy\n\n---\n\nCopies.\n\n### Method Detail\n\n#### copy\n\nCopies once.\n\n"
        "- one\n- two\n"
    )


def test_the_place_before_a_section_is_marked_in_its_heading() -> None:
    html = """<main><h2>Class Copy</h2><p><a href="#copy(int)">copy</a></p>
<a id="copy(int)"><!-- --></a><!-- --><ul class="blockList"><li><h4>copy</h4></li></ul></main>"""
    assert convert(html) == (
        '## Class Copy\n\n[copy](#copy(int))\n\n#### <a id="copy(int)"></a>copy\n'
    )


def test_a_list_of_an_author_stays_a_list_whatever_its_items_open_with() -> None:
    html = "<main><ul><li><h3>One</h3></li><li><h3>Two</h3></li></ul></main>"
    assert convert(html) == "- ### One\n- ### Two\n"


def test_a_grid_of_a_summary_becomes_a_table() -> None:
    html = """<body class="class-declaration-page"><main><ul class="summary-list"><li>
<section class="method-summary"><h2>Method Summary</h2>
<div class="summary-table three-column-summary">
<div class="table-header col-first">Modifier and Type</div>
<div class="table-header col-second">Method</div>
<div class="table-header col-last">Description</div>
<div class="col-first even-row-color"><code>static void</code></div>
<div class="col-second even-row-color"><code>copy()</code></div>
<div class="col-last even-row-color"><div class="block">Copies once.</div></div>
<div class="col-first odd-row-color"><code>int</code></div>
<div class="col-second odd-row-color"><code>size()</code></div>
<div class="col-last odd-row-color">Counts.</div>
</div></section></li></ul></main></body>"""
    assert convert(html) == (
        "## Method Summary\n\n| Modifier and Type | Method | Description |\n| --- | --- | --- |\n"
        "| `static void` | `copy()` | Copies once. |\n| `int` | `size()` | Counts. |\n"
    )


def test_the_name_of_a_class_of_javadoc_8_stands_above_what_is_said_about_it() -> None:
    markdown = convert(
        '<body><div class="topNav"><a href="index.html">Overview</a></div><div class="header">'
        '<div class="subTitle">org.example</div><h2 class="title">Class Copy</h2></div>'
        '<div class="contentContainer"><p>Copies files.</p><h3>Methods</h3></div></body>'
    )
    assert markdown == "org.example\n\n## Class Copy\n\nCopies files.\n\n### Methods\n"
