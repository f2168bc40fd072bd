"""Small pages in the markup of real generators: all of their text is kept, and nothing else."""

from markmirror.convert import convert_html
from markmirror.model import Recipe

URL = "https://docs.example.org/guide/page.html"
CODE = "".join(f"int answer_{number} = {number};\n" for number in range(30))


def markdown_of(body: str, *, title: str = "Page") -> str:
    page = f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"
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
        '<p class="topic-title">Contents</p><ul><li><a href="#a">First</a></li></ul></div>'
        f'<div class="section" id="a"><h2>First</h2><p>{"A sentence. " * 9}</p></div></div>'
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
