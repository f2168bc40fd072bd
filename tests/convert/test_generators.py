"""Small pages in the markup of real generators: all of their text is kept, and nothing else."""

import pytest

from markmirror.convert import convert_html
from markmirror.model import Recipe

URL = "https://docs.example.org/guide/page.html"
CODE = "".join(f"int answer_{number} = {number};\n" for number in range(30))


def markdown_of(body: str, *, title: str = "Page", kind: str = "") -> str:
    page = f'<!doctype html><html><head><title>{title}</title></head><body class="{kind}">{body}'
    document = convert_html(
        page.encode(), url=URL, content_type="text/html; charset=utf-8", recipe=Recipe()
    )
    return document.markdown


def test_the_container_of_doxygen_is_no_table_of_contents() -> None:
    markdown = markdown_of(
        '<div id="doc-content"><div class="header"><div class="headertitle">'
        '<div class="title">foo.h</div></div></div><div class="contents"><div class="fragment">'
        '<div class="line"> int a;</div><div class="line"> int b;</div></div></div></div>'
    )
    assert " int a;\n int b;\n" in markdown


def test_the_table_of_contents_of_docutils_goes_beside_its_text() -> None:
    markdown = markdown_of(
        '<div role="main"><h1>Guide</h1><div class="contents topic" id="contents">'
        '<p class="topic-title">Contents</p><ul><li><a href="#a" id="id1">First</a></li></ul></div>'
        '<div class="section" id="a"><h2><a class="toc-backref" href="#id1">First</a></h2>'
        f"<p>{'A sentence. ' * 9}</p></div></div>"
    )
    assert markdown.startswith("# Guide\n\n## First\n\nA sentence.")


def test_a_table_of_contents_goes_beside_code_too() -> None:
    entries = "".join(f'<li><a href="#e{number}">Entry {number}</a></li>' for number in range(9))
    markdown = markdown_of(
        f'<main><h1>Header</h1><div class="toc"><ul>{entries}</ul></div><pre>{CODE}</pre></main>'
    )
    assert markdown == f"# Header\n\n```\n{CODE}```\n"


def test_a_cell_that_holds_only_room_is_empty() -> None:
    markdown = markdown_of(
        '<main><table class="informaltable"><tbody>'
        '<tr><td class="parameter_name"><p>filename</p></td>'
        '<td class="parameter_description"><p>a filename</p></td>'
        '<td class="parameter_annotations">\xa0</td></tr>'
        '<tr><td class="parameter_name"><p>data</p></td>'
        '<td class="parameter_description">\xa0</td>'
        '<td class="parameter_annotations">\xa0</td></tr>'
        "</tbody></table></main>"
    )
    assert markdown == "|  |  |\n| --- | --- |\n| filename | a filename |\n| data |  |\n"


def test_a_reference_that_an_author_shows_is_no_room() -> None:
    cell = "<code>&amp;#160;</code> is &amp;#160;"
    markdown = markdown_of(f"<main><table><tr><th>{cell}</th></tr></table><p>{cell}</p></main>")
    assert markdown == "| `&#160;` is \\&#160; |\n| --- |\n\n`&#160;` is \\&#160;\n"


def test_the_indentation_of_a_template_is_no_reason_to_keep_its_navigation() -> None:
    entries = "".join(f'{" " * 40}\n<li><a href="{n}.html">Page {n}</a></li>' for n in range(20))
    markdown = markdown_of(
        f'<div class="chapters"><ul>{entries}</ul></div><div class="body">'
        f"<p>A short page says what it has to say in one sentence.</p></div>{' ' * 400}"
    )
    assert markdown == "A short page says what it has to say in one sentence.\n"


def test_a_main_element_is_believed_however_short() -> None:
    search = "<div><span>Loading…</span><span>Searching…</span><span>No Matches</span></div>"
    markdown = markdown_of(f"<div>{search}</div><main><h1>Types</h1></main>")
    assert markdown == "# Types\n"


def test_a_heading_whose_id_is_main_is_not_the_content() -> None:
    menu = '<div><ul><li><a href="faq.html">FAQ</a></li></ul></div>'
    prose = "<p>What the page says about its main configuration file.</p>"
    markdown = markdown_of(f'{menu}<div><h2 id="main">Main Files</h2>{prose}</div>')
    assert markdown == "## Main Files\n\nWhat the page says about its main configuration file.\n"


APACHE = """<div id="page-header"><p class="menu">
<a href="./mod/index.html">Modules</a> | <a href="./sitemap.html">Sitemap</a></p></div>
<div id="page-content"><div id="preamble"><h1>mod_example</h1><div class="toplang">
<p><span>Available Languages: </span><a href="../fr/">&nbsp;fr&nbsp;</a></p></div>
<p>This module is an example of the modules that the server comes with.</p></div>
<div id="quickview"><h3>Topics</h3><ul id="topics"><li><a href="#use">Use</a></li></ul>
<h3 class="directives">Directives</h3><ul id="toc"><li><a href="#a">A</a></li></ul>
<h3>See also</h3><ul class="seealso"><li><a href="core.html">core</a></li>
<li><a href="https://bugs.example.org/">Report a bug</a></li></ul></div>
<div class="top"><a href="#page-header"><img alt="top" src="../images/up.gif"></a></div>
<div class="section"><h2 id="use">Use</h2><table class="related">
<tr><th>Related Modules</th><th>Related Directives</th></tr>
<tr><td>core</td><td>A</td></tr></table></div></div>
<div class="bottomlang"><p>Available Languages: <a href="../fr/">&nbsp;fr&nbsp;</a></p></div>"""


def test_a_page_of_apache_comes_without_languages_contents_and_ways_up() -> None:
    assert markdown_of(APACHE) == (
        "# mod_example\n\nThis module is an example of the modules that the server comes with.\n\n"
        "### See also\n\n- [core](https://docs.example.org/guide/core.html)\n\n"
        "## Use\n\n| Related Modules | Related Directives |\n| --- | --- |\n| core | A |\n"
    )


def test_a_heading_over_a_table_of_contents_stays_where_smaller_ones_follow() -> None:
    text = "<p>What is said about it takes more room than the table of contents does.</p>"
    markdown = markdown_of(
        '<main><h2>Functions</h2><ul id="toc"><li><a href="#open">open</a></li></ul>'
        f'<h3 id="open">open</h3>{text}</main>'
    )
    assert markdown.startswith("## Functions\n\n### open\n\nWhat is said")


def test_a_page_of_node_is_its_text_without_the_index_of_the_site() -> None:
    markdown = markdown_of(
        '<div id="content" class="clearfix"><div id="column2" class="interior"><ul>'
        '<li><a href="assert.html" class="nav-assert">Assertion testing</a></li></ul></div>'
        '<div id="column1" data-id="path" class="interior"><header class="header">'
        '<h1>Node.js documentation</h1></header><div id="apicontent">'
        '<h2>Path<span><a class="mark" href="#path" id="path">#</a></span></h2>'
        "<p>Paths of files.</p></div></div></div>"
    )
    assert markdown == "## Path\n\nPaths of files.\n"


def test_a_method_of_rdoc_has_its_name_without_advice() -> None:
    markdown = markdown_of(
        '<main role="main"><div class="method-heading"><span class="method-name">new</span>'
        '<span class="method-args">(parent)</span>'
        '<span class="method-click-advice">click to toggle source</span></div></main>'
    )
    assert markdown == "new(parent)\n"


HEADER = """<div id="header"><h1>git-gc(1) Manual Page</h1><h2>NAME</h2><div class="sectionbody">
<p>git-gc - Cleanup unnecessary files</p></div></div><div id="content"><div class="sect1">
<h2 id="_description">DESCRIPTION</h2><div class="sectionbody">
<p>Runs a number of housekeeping tasks within the current repository.</p></div></div></div>"""


def test_a_manual_page_of_asciidoc_begins_with_its_name() -> None:
    assert markdown_of(HEADER, kind="manpage", title="git-gc(1)") == (
        "# git-gc(1) Manual Page\n\n## NAME\n\ngit-gc - Cleanup unnecessary files\n\n"
        "## DESCRIPTION\n\nRuns a number of housekeeping tasks within the current repository.\n"
    )


def test_the_header_of_a_site_is_no_header_of_asciidoc() -> None:
    page = (
        '<div id="header"><h1>Our Company</h1><p>Best in town.</p></div>'
        '<div id="content"><h2>Prices</h2><p>All of our prices are fair ones.</p></div>'
    )
    assert markdown_of(page) == "## Prices\n\nAll of our prices are fair ones.\n"


DOXYGEN = """<div id="doc-content"><div class="header"><div class="summary">
<a href="#pub-methods">Public Member Functions</a></div><div class="headertitle">
<div class="title">Stream Class Reference<div class="ingroups"><a href="g.html">Streams</a>
</div></div></div></div><div class="contents"><table class="memberdecls"><tr class="heading">
<td colspan="2"><h2 class="groupheader"><a id="pub-methods"></a>Public Member Functions</h2></td>
</tr><tr class="memitem:1"><td class="memItemLeft" align="right">size_t&#160;</td>
<td class="memItemRight"><a class="el" href="s.html#1">FileSize</a> () const override</td></tr>
<tr class="memdesc:1"><td class="mdescLeft">&#160;</td>
<td class="mdescRight">Get size of file.<br /></td></tr>
<tr class="separator:1"><td class="memSeparator" colspan="2">&#160;</td></tr>
</table></div></div>"""


def test_a_page_of_doxygen_has_its_title_as_heading_and_each_member_on_a_line() -> None:
    assert markdown_of(DOXYGEN) == (
        "# Stream Class Reference\n\n[Streams](https://docs.example.org/guide/g.html)\n\n"
        "[Public Member Functions](#pub-methods)\n\n"
        '## <a id="pub-methods"></a>Public Member Functions\n\n'
        "size_t\xa0[FileSize](https://docs.example.org/guide/s.html#1) () const override\n\n"
        "Get size of file.\n"
    )


SHORT_DOCUSAURUS = """<main class="docMainContainer_TBSr"><div class="container"><div class="row">
<div class="col docItemCol_n6xZ"><div class="theme-doc-version-banner alert alert--warning"
role="alert"><div>This is unreleased documentation for Heron.</div></div><article>
<nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z_bl" aria-label="Breadcrumbs">
<ul class="breadcrumbs"><li class="breadcrumbs__item"><a class="breadcrumbs__link" href="/docs">
Guides</a></li></ul></nav><span class="theme-doc-version-badge badge">Version: Next</span>
<div class="theme-doc-markdown markdown"><header><h1>Short</h1></header><p>One line.</p></div>
<footer class="theme-doc-footer"><a class="theme-edit-this-page">Edit this page</a>
<span class="theme-last-updated">Last updated on <b>Nov 16, 2026</b></span></footer></article>
<nav class="docusaurus-mt-lg pagination-nav"><a class="pagination-nav__link" href="/docs/a">
<div class="pagination-nav__label">Previous</div></a></nav></div></div></div></main>"""


def test_a_short_page_of_docusaurus_loses_its_furniture_too() -> None:
    assert markdown_of(SHORT_DOCUSAURUS) == "# Short\n\nOne line.\n"


def test_an_aside_of_starlight_keeps_the_title_that_its_label_says() -> None:
    markdown = markdown_of(
        "<main><h1>Page</h1><p>A sentence of the page.</p>"
        '<aside aria-label="Mind the gap" class="starlight-aside starlight-aside--caution">'
        '<p class="starlight-aside__title" aria-hidden="true"><svg></svg>Mind the <b>gap</b></p>'
        '<div class="starlight-aside__content"><p>It is wide.</p></div></aside></main>'
    )
    assert markdown.endswith("A sentence of the page.\n\n> **Mind the gap:** It is wide.\n")


VITEPRESS_HOME = """<header class="VPNav"><a href="/">Heron</a></header>
<div class="VPContent is-home" id="VPContent"><div class="VPHome"><div class="VPHero"><div
class="main"><h1 class="heading"><span class="name clip">Heron</span><span class="text">A queue
</span></h1><p class="tagline">It waits.</p></div></div><div class="VPFeatures"><div class="items">
<div class="item"><article class="box"><h2 class="title">Light</h2><p class="details">One file, no
daemon, no configuration.</p></article></div><div class="item"><article class="box"><h2
class="title">Patient</h2><p class="details">Messages wait until they are asked for.</p></article>
</div></div></div><div class="vp-doc container"><h2 id="why">Why</h2><p>Why not?</p></div></div>
</div><footer class="VPFooter"><p>Released under MIT.</p></footer>"""


def test_the_home_page_of_vitepress_is_more_than_its_cards() -> None:
    assert markdown_of(VITEPRESS_HOME) == (
        "# Heron A queue\n\nIt waits.\n\n"
        "## Light\n\nOne file, no daemon, no configuration.\n\n"
        "## Patient\n\nMessages wait until they are asked for.\n\n## Why\n\nWhy not?\n"
    )


def test_a_page_of_one_line_is_its_main_element_among_menus_of_any_size() -> None:
    menus = "".join(
        f'<section><h2>Part {part}</h2><div class="item" role="button">Open</div></section>'
        for part in range(20)
    )
    markdown = markdown_of(
        f"<aside><nav>{menus}</nav></aside><div>Menu</div><main><h1>Short</h1></main>"
    )
    assert markdown == "# Short\n"


def test_the_cards_and_buttons_of_starlight_are_set_apart() -> None:
    markdown = markdown_of(
        '<main><h1>Page</h1><div class="sl-flex actions"><a class="sl-link-button" href="/a">Go'
        '</a><a class="sl-link-button" href="/b">Code</a></div><div class="card-grid">'
        '<article class="card sl-flex"><p class="title sl-flex"><svg></svg><span>Fast</span></p>'
        '<div class="body">It is fast.</div></article><div class="sl-link-card">'
        '<span class="sl-flex stack"><a href="/c"><span class="title">Guide</span></a>'
        '<span class="description">How to start.</span></span></div></div></main>'
    )
    assert markdown == (
        "# Page\n\n[Go](https://docs.example.org/a) [Code](https://docs.example.org/b)\n\n"
        "**Fast**\n\nIt is fast.\n\n[Guide](https://docs.example.org/c) How to start.\n"
    )


def test_a_tag_of_docusaurus_is_set_apart_from_the_number_of_its_pages() -> None:
    markdown = markdown_of(
        '<main><h1>Tags</h1><ul><li class="tag_Nnez"><a rel="tag" class="tag_zVej '
        'tagWithCount_h2kH" href="/tags/birds">birds<span>1</span></a></li></ul></main>'
    )
    assert markdown == "# Tags\n\n- [birds 1](https://docs.example.org/tags/birds)\n"


def test_banners_icons_and_playgrounds_of_docusaurus_and_starlight_are_taken_out() -> None:
    markdown = markdown_of(
        '<main><div class="sl-banner">Version 2 is out!</div><div class="theme-admonition alert '
        'theme-unlisted-banner">This page is unlisted.</div><h1>Page</h1><article>'
        '<a class="card" href="/a"><h2 title="A"><span class="theme-doc-card-icon">📄️</span>'
        '<span class="theme-doc-card-title">Guide</span></h2><p>How to start.</p></a></article>'
        '<div class="playgroundContainer_XwyR"><div class="playgroundHeader_EIHj">Live Editor</div>'
        '<pre class="prism-code language-tsx">go();</pre><div class="playgroundHeader_EIHj">Result'
        '</div><div class="playgroundPreview_bb8I"><div>Loading...</div></div></div></main>'
    )
    assert markdown == (
        "# Page\n\n## [Guide](https://docs.example.org/a)\n\nHow to start.\n\n```tsx\ngo();\n```\n"
    )


def test_footnotes_stand_without_the_heading_that_only_a_screen_reader_finds() -> None:
    markdown = markdown_of(
        '<main><h1>Page</h1><p>A bird.<sup><a href="#user-content-fn-1" id="user-content-fnref-1" '
        'data-footnote-ref aria-describedby="footnote-label">1</a></sup></p><section '
        'data-footnotes class="footnotes"><div class="sl-heading-wrapper level-h2"><h2 '
        'class="sr-only" id="footnote-label">Footnotes</h2><a class="sl-anchor-link" '
        'href="#footnote-label"><span class="sr-only">Section titled “Footnotes”</span></a></div>'
        '<ol><li id="user-content-fn-1"><p>Grey. <a href="#user-content-fnref-1" '
        'data-footnote-backref="">↩</a></p></li></ol></section></main>'
    )
    assert markdown == "# Page\n\nA bird.[^1]\n\n[^1]: Grey.\n"


HERO = """<header class="hero hero--primary heroBanner_qdFl"><div class="container">
<h1 class="hero__title">Heron</h1><p class="hero__subtitle">A queue</p><div class="buttons_AeoN">
<a class="button button--lg" href="/docs/intro">Tutorial</a></div></div>"""


def test_the_home_page_of_docusaurus_says_what_the_project_is() -> None:
    markdown = markdown_of(f"{HERO}</header><main><h3>Light</h3><p>One file.</p></main>")
    assert markdown == (
        "# Heron\n\nA queue\n\n[Tutorial](https://docs.example.org/docs/intro)\n\n"
        "### Light\n\nOne file.\n"
    )


def test_a_header_that_was_never_closed_is_no_hero() -> None:
    markdown = markdown_of(f"{HERO}<main><h3>Light</h3><p>One file.</p></main>", title="Heron")
    assert markdown == "# Heron\n\n### Light\n\nOne file.\n"


TYPEDOC = """<div class="container container-main"><div class="col-content">
<div class="tsd-page-title"><ul class="tsd-breadcrumb" aria-label="Breadcrumb">
<li><a href="index.html">index</a></li><li><a href="" aria-current="page">size</a></li></ul>
<h1>Variable size<code class="tsd-tag">Const</code></h1></div>
<div class="tsd-signature">size: <a href="">Size</a></div>
<div class="tsd-alert tsd-alert-note"><div class="tsd-alert-title"><svg></svg><span>Note</span>
</div><p>In bytes.</p></div></div><div class="col-sidebar"><div class="page-menu">
<div class="tsd-navigation settings"><details><summary><h3>Settings</h3></summary>
<div>Member Visibility</div><ul><li>Protected</li><li>Inherited</li></ul></details></div>
</div></div></div>"""


def test_a_page_of_typedoc_comes_without_its_sidebar_however_short() -> None:
    assert markdown_of(TYPEDOC) == (
        "# Variable size `Const`\n\nsize: Size\n\n> **Note:** In bytes.\n"
    )


def test_a_badge_does_not_run_into_the_name_beside_it() -> None:
    markdown = markdown_of(
        '<main><h4>add(opts<span class="signature-attributes">opt</span>, name)</h4>'
        '<p><code class="tsd-tag">Optional</code><code class="tsd-tag">Readonly</code>name</p>'
        '<p>Search (<span class="badge">new</span>)</p></main>'
    )
    assert markdown == ("#### add(opts opt, name)\n\n`Optional` `Readonly` name\n\nSearch (new)\n")


def test_the_words_of_a_list_item_start_right_behind_its_marker() -> None:
    markdown = markdown_of(
        "<main><ul>\n<li>\n  <i>a</i>\n <div><p>First.</p></div></li>\n"
        "<li>\n <span>\n <i>b</i></span>\n <div><p>Second.</p></div></li>\n</ul></main>"
    )
    assert markdown == "- *a*\n\n  First.\n- *b*\n\n  Second.\n"


YARD = """<div id="main"><div id="content"><h1>Class: Queue</h1>
<h2>Instance Method Summary <small><a href="#" class="summary_toggle">collapse</a></small></h2>
<p class="tag_title">Parameters:</p><ul class="param"><li><span class="name">size</span>
<span class="type">(<tt>Integer</tt>)</span> &mdash; <div class="inline"><p>how many</p></div>
</li></ul><table class="source_code"><tr><td><pre class="lines">

42</pre></td><td><pre class="code"><span class="info file"># File 'a.rb', line 42</span>

def size; end</pre></td></tr></table></div></div>"""


def test_a_page_of_yard_has_what_is_said_of_a_parameter_behind_it() -> None:
    assert markdown_of(YARD) == (
        "# Class: Queue\n\n## Instance Method Summary\n\nParameters:\n\n"
        "- size (`Integer`) — how many\n\n"
        "```\n# File 'a.rb', line 42\n\ndef size; end\n```\n"
    )


def test_what_docsy_does_not_print_is_not_kept() -> None:
    markdown = markdown_of(
        '<main><h1>Page</h1><p class="reading-time">2 minute read</p><p>Text.</p>'
        '<div class="d-print-none"><h2 class="feedback--title">Feedback</h2>'
        '<p class="feedback--question">Was this page helpful?</p></div></main>'
    )
    assert markdown == "# Page\n\nText.\n"


REDOC = """<div id="redoc"><div class="menu-content"><ul role="menu"><li>List jobs</li></ul>
<a href="https://redocly.com/redoc/">API docs by Redocly</a></div><div class="api-content">
<h2>List jobs</h2><table><tbody><tr><td kind="field"><button aria-label="expand properties">
<span class="property-name">retry</span></button></td><td>object</td></tr></tbody></table>
<h3>Responses</h3><div><button><svg></svg><strong>200 </strong><span><p>The jobs.</p></span>
</button></div><div><button><span class="http-verb get">get</span><span>/jobs</span></button></div>
<div><button><div>Copy</div></button><button> Expand all </button></div><div class="redoc-json">
<code><button class="collapser"></button><span>[</span><ul class="collapsible"><li><div>
<span>{</span><ul class="obj collapsible"><li><div><span class="property">"id"</span>: <span>1
</span></div></li></ul><span>}</span></div></li></ul><span>]</span></code></div></div></div>"""


def test_a_page_of_redoc_says_which_requests_get_which_answers() -> None:
    page = REDOC.replace("\n", "")
    assert markdown_of(page) == (
        "## List jobs\n\n|  |  |\n| --- | --- |\n| retry | object |\n\n"
        "### Responses\n\n**200**\n\nThe jobs.\n\nget /jobs\n\n"
        '```json\n[\n  {\n    "id": 1\n  }\n]\n```\n'
    )


def test_a_heading_that_is_a_button_stays() -> None:
    markdown = markdown_of(
        '<main><h3><button aria-expanded="false">Does it float?</button></h3><p>Yes.</p>'
        "<h3>Title<button>Copy</button></h3></main>"
    )
    assert markdown == "### Does it float?\n\nYes.\n\n### Title\n"


def test_a_page_of_mdbook_does_not_begin_with_the_title_of_the_book() -> None:
    markdown = markdown_of(
        '<div id="mdbook-menu-bar"><h1 class="menu-title">The Book</h1></div>'
        '<main><h2 id="hello">Hello</h2></main>',
        title="Hello - The Book",
    )
    assert markdown == "## Hello\n"


def test_a_page_of_rustdoc_has_neither_the_signs_nor_the_separators_of_its_links() -> None:
    markdown = markdown_of(
        '<main><h1>Enum Option</h1><span class="sub-heading"><span class="since">1.0.0</span> · '
        '<a class="src" href="../src/option.rs.html">Source</a> </span>'
        '<h4>pub fn iter(&amp;self) <a href="#" class="tooltip">ⓘ</a></h4><dl><dt>'
        '<a href="kind.html">Kind</a><wbr><span class="stab unstable">Experimental</span></dt></dl>'
        "</main>"
    )
    assert markdown == (
        "# Enum Option\n\n1.0.0\n\n#### pub fn iter(&self)\n\n"
        "- **[Kind](https://docs.example.org/guide/kind.html) Experimental**\n"
    )


SCALADOC = """<div id="definition"><p id="owner"><a href="package.html">scala</a></p>
<h1>Option</h1></div><div id="comment"><div class="comment cmt">{comment}</div></div>
<div id="mbrsel"><div id="order"><span class="filtertype">Ordering</span><ol>
<li>Alphabetic</li></ol></div></div><div id="template"><ol><li><h4>def get: A</h4>
<p class="shortcomment cmt">Gets it.</p><div class="fullcomment"><div class="comment cmt">
<p>Gets it. Or not.</p></div></div></li><li><h4>def size: Int</h4>
<p class="shortcomment cmt">How many.</p><div class="fullcomment"></div></li></ol>{members}</div>"""


def test_a_page_of_scaladoc_keeps_its_title_and_says_each_comment_once() -> None:
    comment = "<p>" + "Represents an optional value. " * 30 + "</p>"
    members = "<p>" + "What is said about its many members. " * 1500 + "</p>"
    markdown = markdown_of(SCALADOC.format(comment=comment, members=members))
    assert "# Option\n\nRepresents an optional value." in markdown
    assert "1. #### def get: A\n\n   Gets it. Or not.\n" in markdown
    assert "2. #### def size: Int\n\n   How many.\n" in markdown
    assert "Alphabetic" not in markdown


def test_the_table_of_contents_of_kramdown_goes_beside_its_text() -> None:
    markdown = markdown_of(
        '<main><ul id="markdown-toc"><li><a href="#a" id="markdown-toc-a">Code</a></li></ul>'
        '<h2 id="a">Code</h2><p>What is said about code takes more room than that.</p></main>'
    )
    assert markdown.startswith("## Code\n")


NEXTRA = """<main><h1>Guide</h1><div class="nextra-callout x:flex x:border-yellow-700"><div
class="x:select-none">⚠️</div><div class="x:w-full">Mind the gap.</div></div>
<div class="nextra-callout x:flex x:border-blue-700"><div><svg></svg></div><div><b>Note</b>
<p>It is wide.</p></div></div><div class="nextra-cards"><a class="nextra-card" href="/a">A picture.
<span title="One"><span class="_truncate">One</span></span></a><a class="nextra-card"
href="/b"><span title="Two"><svg></svg><span class="_truncate">Two</span></span></a></div>
<ul class="nextra-filetree"><li><button type="button"><svg></svg>content</button>
<ul><li><svg></svg>a.mdx</li></ul></li></ul></main>"""


def test_a_page_of_nextra_has_callouts_cards_and_trees_of_files() -> None:
    assert markdown_of(NEXTRA) == (
        "# Guide\n\n> **Warning:** Mind the gap.\n\n> **Note:** It is wide.\n\n"
        "[A picture. One](https://docs.example.org/a)\n\n[Two](https://docs.example.org/b)\n\n"
        "- content\n  - a.mdx\n"
    )


DOCUMENTER = """<article id="documenter-page"><h1>API</h1><article><details class="docstring" open>
<summary id="L.run"><a class="docstring-binding" href="#L.run"><code>L.run</code></a> — <span
class="docstring-category">Function</span></summary><section><div><p>See <a href="#L.stop">stop</a>.
</p></div><a class="docs-sourcelink" href="https://example.org/a.jl#L5">source</a></section>
</details></article><article class="docstring"><header><a class="docstring-binding" id="L.stop"
href="#L.stop"><code>L.stop</code></a> — <span class="docstring-category">Method</span></header>
<section><div class="admonition is-warning" id="Mind-1"><header class="admonition-header">Mind the
gap<a class="admonition-anchor" href="#Mind-1"></a></header><div class="admonition-body">
<p>It is wide.</p></div></div></section></article></article>"""


def test_a_page_of_documenter_names_what_it_describes_and_titles_its_boxes() -> None:
    assert markdown_of(DOCUMENTER) == (
        "# API\n\n**`L.run` — Function**\n\nSee [stop](#L.stop).\n\n"
        '<a id="L.stop"></a>`L.stop` — Method\n\n> **Mind the gap:** It is wide.\n'
    )


def test_the_ways_on_at_the_end_of_a_guide_of_exdoc_go() -> None:
    markdown = markdown_of(
        '<main><h1>Guide</h1><p>Text.</p><div class="bottom-actions" id="bottom-actions"><div>'
        '<a href="readme.html" rel="prev"><span class="subheader">← Previous Page</span>'
        '<span class="title">README</span></a></div></div></main>'
    )
    assert markdown == "# Guide\n\nText.\n"


def test_a_page_of_dokka_has_no_messages_of_its_buttons_and_no_brackets_of_its_links() -> None:
    markdown = markdown_of(
        '<div class="main-content" id="content"><h1>Queue</h1><div class="symbol">class Queue'
        '<span>(<a href="https://example.org/src/Queue.kt">source</a>)</span></div><div>'
        '<a href="add.html">add</a><span class="anchor-wrapper"><div class="copy-popup-wrapper ">'
        "<span>Link copied to clipboard</span></div></span></div></div>"
    )
    assert markdown == (
        "# Queue\n\nclass Queue\n\n[add](https://docs.example.org/guide/add.html)\n"
    )


DOKUWIKI = """<div id="dokuwiki__header"><h1><a href="/">The Wiki</a></h1><h3>User Tools</h3><ul>
<li><a href="?do=login">Log In</a></li></ul></div><div id="dokuwiki__content"><div class="pageId">
<span>guide</span></div><div class="page"><div id="dw__toc"><h3>Table of Contents</h3><div>
<ul class="toc"><li><a href="#guide">Guide</a></li></ul></div></div><h1 id="guide">Guide</h1>
<p>What there is to say about it, which is not very much as yet.</p></div><div class="docInfo">
<bdi>guide.txt</bdi> · Last modified: today</div></div><div id="dokuwiki__pagetools"><h3>Page Tools
</h3></div>"""


def test_a_page_of_dokuwiki_is_its_text() -> None:
    assert markdown_of(DOKUWIKI) == (
        "# Guide\n\nWhat there is to say about it, which is not very much as yet.\n"
    )


def test_a_page_of_pkgdown_does_not_name_its_files() -> None:
    markdown = markdown_of(
        '<main id="main"><div class="page-header"><h1>Add a job</h1><small class="dont-index">'
        'Source: <a href="https://example.org/R/add.R"><code>R/add.R</code></a></small>'
        '<div class="d-none name"><code>add.Rd</code></div></div><p>Adds it.</p></main>'
    )
    assert markdown == "# Add a job\n\nAdds it.\n"


PKGSITE = """<main><header><h1>quote</h1><span class="go-Chip">package</span><span
class="go-Chip">module</span></header><details><summary>Example</summary><div>
<textarea class="Documentation-exampleCode code" spellcheck="false">package main

func main() {
	fmt.Println("a &lt; b")
}
</textarea></div></details><textarea></textarea></main>"""


def test_an_example_of_go_that_can_be_edited_is_code() -> None:
    assert markdown_of(PKGSITE) == (
        "# quote\n\npackage module\n\n**Example**\n\n"
        '```\npackage main\n\nfunc main() {\n\tfmt.Println("a < b")\n}\n```\n'
    )


def test_a_page_of_phpdocumentor_begins_with_the_name_of_its_class() -> None:
    markdown = markdown_of(
        '<header><h1 class="phpdocumentor-title"><a href="">Larch</a></h1></header><main>'
        '<label class="phpdocumentor-sidebar__menu-icon" for="menu-button">Menu</label>'
        '<h2>Queue</h2><p>A queue.</p><section class="phpdocumentor-on-this-page__sidebar">'
        '<strong>On this page</strong><ul><li><a href="#toc">Methods</a></li></ul></section>'
        "</main>",
        title="Larch",
    )
    assert markdown == "## Queue\n\nA queue.\n"


def test_the_banner_of_an_old_version_of_a_site_of_docsy_goes() -> None:
    markdown = markdown_of(
        '<main><div class="pageinfo pageinfo-primary"><p>This is an archived snapshot.</p></div>'
        '<div class="td-content"><h1>Page</h1><div class="pageinfo"><p>A draft.</p></div></div>'
        "</main>"
    )
    assert markdown == "# Page\n\nA draft.\n"


TEXINFO = (
    '<div class="header"><p>Next: <a href="b.html" accesskey="n" rel="next">B</a>, '
    'Up: <a href="c.html" accesskey="u" rel="up">C</a></p></div>'
)


def test_the_links_of_texinfo_go_with_the_line_drawn_below_them() -> None:
    text = f"<h3>Plans</h3><p>{'A sentence. ' * 9}</p>"
    markdown = markdown_of(f'<div class="section">{TEXINFO}<hr>{text}</div><hr>{TEXINFO}')
    assert markdown.startswith("### Plans\n\nA sentence.")
    assert markdown.endswith("A sentence.\n")


def test_a_header_of_an_author_stays_whatever_it_links_to() -> None:
    markdown = markdown_of(
        '<main><div class="header"><h1>Plan</h1><a rel="next" href="b.html">B</a></div>'
        '<div class="header">Read <a href="c.html">this</a>.</div></main>'
    )
    assert markdown == (
        "# Plan\n\n[B](https://docs.example.org/guide/b.html)\n\n"
        "Read [this](https://docs.example.org/guide/c.html).\n"
    )


def test_the_contents_of_a_manual_beside_a_page_are_not_the_page() -> None:
    entries = "".join(f'<li><a href="{number}.html">Entry</a></li>' for number in range(99))
    markdown = markdown_of(
        f'<div id="main"><h2>Key</h2><p>One of twelve.</p></div><div id="tocframe">'
        f'<div class="contents">\n<ul class="toc">{entries}</ul></div></div>'
    )
    assert markdown == "## Key\n\nOne of twelve.\n"


def test_the_only_function_of_a_page_of_erlang_is_not_the_page() -> None:
    markdown = markdown_of(
        '<div id="content"><h1>start</h1><h3>Exports</h3><article class="func"><div>start()</div>'
        f"<p>{'A sentence. ' * 9}</p></article><section><h3>Notes</h3><p>Careful.</p></section>"
        "</div>"
    )
    assert markdown.startswith("# start\n\n### Exports\n\nstart()\n")
    assert markdown.endswith("### Notes\n\nCareful.\n")


def test_an_article_without_its_heading_is_given_it_and_nothing_else_of_the_site() -> None:
    markdown = markdown_of(
        '<div id="content"><h1>Page</h1><p>By me.</p><article><p>The text.</p></article></div>'
    )
    assert markdown == "# Page\n\nThe text.\n"


def test_a_page_of_nim_begins_with_the_name_of_its_module() -> None:
    entry = (
        '<div id="{0}"><dt><pre>{0} = object</pre></dt><dd>A type. '
        '<a href="https://example.org/edit" class="link-seesrc">Edit</a></dd></div>'
    )
    markdown = markdown_of(
        '<h1 class="title">std/oids</h1><div id="content"><h1>Types</h1><dl class="item">'
        f"{entry.format('Oid')}{entry.format('Kind')}</dl></div>",
        title="std/oids",
    )
    assert markdown == (
        "# std/oids\n\n# Types\n\n- ```\n  Oid = object\n  ```\n\n  A type.\n"
        "- ```\n  Kind = object\n  ```\n\n  A type.\n"
    )


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Solver", "Solver - solving.Solver"),
        ("Module Solving.Solver", "Solver (larch.Solving.Solver)"),
    ],
)
def test_a_page_whose_heading_stands_beside_its_text_keeps_both(heading: str, title: str) -> None:
    text = f"<p>{'A long sentence of the text. ' * 40}</p>"
    markdown = markdown_of(
        f'<div><h1>{heading}</h1></div><h4>trait Solver</h4><div id="template">{text}</div>',
        title=title,
    )
    assert markdown.startswith(f"# {heading}\n\n#### trait Solver\n\nA long sentence")


def test_the_name_of_a_site_is_no_heading_of_its_pages() -> None:
    text = f"<h2>Solver</h2><p>{'A long sentence of the text. ' * 40}</p>"
    markdown = markdown_of(
        f'<div><h1>Larch</h1></div><div id="template">{text}</div>', title="Solver - Larch"
    )
    assert markdown.startswith("## Solver\n\nA long sentence")


def test_what_ocamldoc_says_about_a_value_is_no_note() -> None:
    markdown = markdown_of(
        "<main><h1>Jsonm</h1><pre>val src : int</pre>"
        '<div class="info "><div class="info-desc"><p>The source.</p></div></div></main>'
    )
    assert markdown == "# Jsonm\n\n```\nval src : int\n```\n\nThe source.\n"


def test_an_icon_that_a_style_sheet_draws_is_no_link() -> None:
    markdown = markdown_of(
        '<main><h3>Notes <a href="https://example.org/edit" title="Fix it here!">'
        '<span class="pencil"></span></a></h3></main>'
    )
    assert markdown == "### Notes\n"


def test_a_heading_that_says_nothing_goes() -> None:
    markdown = markdown_of(
        "<main><h1></h1><h2>Module</h2><p>C#</p><blockquote><h3> </h3><p>Q.</p></blockquote>"
        "<h4><a name='end'></a></h4></main>"
    )
    assert markdown == "## Module\n\nC#\n\n> Q.\n"


def test_the_room_behind_the_number_of_a_heading_of_scribble_is_no_code() -> None:
    assert markdown_of("<main><h3>27<tt>&nbsp;</tt>Keys</h3></main>") == "### 27 Keys\n"


def test_the_tag_of_a_predicate_stands_at_a_distance_from_its_name() -> None:
    markdown = markdown_of(
        '<main><dl><dt><span class="pred-tag">[det]</span><b>pairs</b>(<var>Keys</var>)</dt>'
        "<dd>True.</dd></dl></main>"
    )
    assert markdown == "- **[det] pairs(*Keys*)**\n\n  True.\n"
