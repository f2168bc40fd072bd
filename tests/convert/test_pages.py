"""A whole page through the front door: what is kept, what goes, what is said about it."""

from markmirror.convert import check_selector, convert_fragment, convert_html
from markmirror.model import Document, Recipe

PAGE = """<!doctype html><html lang="en"><head><title>Setup | Acme Docs</title>
<meta name="description" content="How to set up."><link rel="canonical" href="/docs/setup">
</head><body><header><a href="/">Acme</a></header><nav><a href="/docs">Docs</a></nav>
<main><nav class="breadcrumbs"><a href="/">Home</a></nav>
<h1>Setup<a class="headerlink" href="#setup">¶</a></h1>
<p>Read <a href="../guide.html">the guide</a> first, then call <code>snake_case()</code>.</p>
<div class="highlight-python notranslate"><div class="highlight"><pre><span>def</span> f():
    return 1
</pre></div></div>
<table><tr><th>a</th><th align="right">b</th></tr><tr><td colspan="2">x | y</td></tr></table>
</main><aside class="custom">Related</aside><footer>Imprint</footer></body></html>"""


def convert(html: str | bytes, recipe: Recipe | None = None) -> Document:
    body = html.encode() if isinstance(html, str) else html
    return convert_html(
        body,
        url="https://example.org/docs/setup.html",
        content_type="text/html; charset=utf-8",
        recipe=recipe or Recipe(),
    )


def test_the_content_is_kept_and_the_furniture_is_not() -> None:
    assert convert(PAGE).markdown == (
        "# Setup\n\n"
        "Read [the guide](https://example.org/guide.html) first, then call `snake_case()`.\n\n"
        "```python\ndef f():\n    return 1\n```\n\n"
        "| a | b |\n| --- | ---: |\n| x \\| y |  |\n"
    )


def test_a_page_says_what_it_is() -> None:
    document = convert(PAGE)
    assert document.title == "Setup"
    assert document.description == "How to set up."
    assert document.language == "en"
    assert document.canonical == "https://example.org/docs/setup"
    assert document.refresh is None
    assert document.notes == ()


def test_a_stub_that_only_forwards_names_its_target() -> None:
    stub = '<meta http-equiv="refresh" content="0; url=new.html"><p>Moved.</p>'
    assert convert(stub).refresh == "https://example.org/docs/new.html"


def test_a_page_that_reloads_itself_is_no_stub() -> None:
    assert convert('<meta http-equiv="refresh" content="5"><p>Status</p>').refresh is None


def test_the_whole_body_is_taken_on_request() -> None:
    markdown = convert("<div>before</div><main>inside</main>", Recipe(content="body")).markdown
    assert markdown == "before\n\ninside\n"


def test_a_selector_says_where_the_content_is() -> None:
    markdown = convert(PAGE, Recipe(selector="table th")).markdown
    assert "a" in markdown
    assert "Setup" not in markdown


def test_a_selector_that_matches_nothing_falls_back_and_is_counted() -> None:
    document = convert(PAGE, Recipe(selector="#nowhere"))
    assert document.markdown.startswith("# Setup")
    assert document.notes == ("selector-matched-nothing",)


def test_a_selector_that_cannot_be_read_is_named_in_a_sentence() -> None:
    assert check_selector("main > p") is None
    sentence = check_selector("a[")
    assert sentence is not None
    assert sentence.startswith("The selector cannot be read")


def test_a_fragment_is_content_from_end_to_end() -> None:
    html = '<nav>kept</nav><ul><li><input type="checkbox" checked> done</li></ul>'
    assert convert_fragment(html, base_url="https://x.org/") == "kept\n\n- [x] done\n"


def test_names_that_would_take_away_the_whole_page_are_not_believed() -> None:
    html = '<main><div class="related"><p>All of this page is about relations.</p></div></main>'
    assert convert(html).markdown == "All of this page is about relations.\n"


def test_a_table_of_contents_stays_where_it_is_all_there_is() -> None:
    html = '<main><div class="toc"><a href="a.html">A</a></div></main>'
    assert convert(html).markdown == "[A](https://example.org/docs/a.html)\n"


def test_a_marked_element_that_holds_next_to_nothing_is_not_taken_for_the_content() -> None:
    text = "<p>The page says all that it has to say outside of its main element.</p>" * 5
    document = convert(f"<main>Loading…</main>{text}")
    assert document.notes == ("content-fell-back-to-body",)
    assert "outside of its main element" in document.markdown


def test_a_page_without_marks_is_found_by_its_prose() -> None:
    prose = "<p>A sentence of prose that is long enough to count for something here.</p>" * 8
    html = f'<div><ul><li><a href="/a">Menu A</a></li></ul></div><div class="x">{prose}</div>'
    document = convert(html)
    assert document.notes == ("content-scored",)
    assert "Menu A" not in document.markdown


def test_the_word_of_an_author_is_no_edit_link() -> None:
    html = (
        '<main><p>Implements <a href="trait.Copy.html">Copy</a>, <a href="s">source</a>.</p></main>'
    )
    assert convert(html).markdown == (
        "Implements [Copy](https://example.org/docs/trait.Copy.html), "
        "[source](https://example.org/docs/s).\n"
    )


def test_headings_are_written_in_atx_style() -> None:
    """Seed 000: Successful HTML conversion."""
    assert convert("<main><h1>One</h1><h3>Three</h3></main>").markdown == "# One\n\n### Three\n"


def test_a_relative_picture_becomes_absolute() -> None:
    """Seed 000: Relative URL absolutification."""
    document = convert('<main><img src="/images/logo.png"></main>')
    assert document.markdown == "![](https://example.org/images/logo.png)\n"


def test_nothing_of_scripts_and_styles_is_left() -> None:
    """Seed 000: Script and style removal."""
    html = "<main><script>alert(1)</script><style>p {}</style><p>Text.</p></main>"
    assert convert(html).markdown == "Text.\n"


def test_navigation_footer_and_aside_are_no_content() -> None:
    """Seed 002: D5: HTML Preprocessing Pipeline."""
    text = "<p>Text that is what the page is about.</p>"
    html = f"<nav>Menu</nav>{text}<aside>More</aside><footer>Imprint</footer>"
    assert convert(html).markdown == "Text that is what the page is about.\n"


def test_every_construct_of_rich_text_keeps_its_meaning() -> None:
    """FR-003."""
    html = (
        "<h2>H</h2><p><strong>b</strong> <em>i</em> <code>c</code></p><ol><li>one</li></ol>"
        "<blockquote><p>q</p></blockquote><table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
        '<div class="admonition note"><p class="admonition-title">Note</p><p>n</p></div>'
    )
    assert convert_fragment(html, base_url="https://example.org/") == (
        "## H\n\n**b** *i* `c`\n\n1. one\n\n> q\n\n| a |\n| --- |\n| 1 |\n\n> **Note:** n\n"
    )


def test_a_title_goes_without_the_site_where_it_is_certain_which_part_that_is() -> None:
    def title(given: str, heading: str = "", site: str = "") -> str:
        named = f'<meta property="og:site_name" content="{site}">'
        return convert(f"<title>{given}</title>{named}<h1>{heading}</h1>").title

    assert title("os — Python 3.11 documentation") == "os"
    assert title("Set-up - Acme", heading="Set-up") == "Set-up"
    assert title("Acme | Set-up", heading="Set-up") == "Set-up"
    assert title("Set-up - Acme", site="Acme") == "Set-up"
    assert title("Read - write") == "Read - write"
    assert title("", heading="Only a heading ¶") == "Only a heading"


def test_an_empty_address_is_no_link() -> None:
    assert convert('<main><p>See <a href="">this page</a>.</p></main>').markdown == (
        "See this page.\n"
    )


def test_the_words_in_a_drawing_are_not_told_as_text() -> None:
    markdown = convert(
        "<main><h1>Railways</h1><p>A diagram:</p><svg><g><text>fn</text><text>const</text></g>"
        "</svg><p>After it.</p></main>"
    ).markdown
    assert markdown == "# Railways\n\nA diagram:\n\nAfter it.\n"


def test_a_link_to_where_it_stands_is_its_words() -> None:
    page = '<main><p><a id="here" href="#here">Here</a> and <a href="#here">there</a>.</p></main>'
    assert convert(page).markdown == '<a id="here"></a>Here and [there](#here).\n'


def test_jsdoc_is_no_part_of_a_title() -> None:
    assert convert("<title>JSDoc: Class: Queue</title><main>Runs jobs.</main>").title == (
        "Class: Queue"
    )
