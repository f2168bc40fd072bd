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
