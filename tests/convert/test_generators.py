"""Small pages in the markup of real generators: all of their text is kept, and nothing else."""

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
