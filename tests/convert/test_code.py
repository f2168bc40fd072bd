"""Code is written exactly as a browser shows it."""

import pytest

from markmirror.convert import convert_fragment

SHIKI = """<pre class="shiki has-diff vp-code"><code><span class="line">{</span>
<span class="line diff remove">  b: 2</span>
<span class="line diff add">  b: 3</span>
<span class="line"></span>
<span class="line">}</span></code></pre>"""
EXPRESSIVE_CODE = """<figure class="frame"><pre data-language="js"><code><div class="ec-line">
<div class="gutter"><div class="ln">1</div></div><div class="code">{</div></div>
<div class="ec-line highlight del"><div class="code">  b: 2</div></div>
<div class="ec-line highlight ins"><div class="code">  b: 3</div></div>
<div class="ec-line"><div class="code">
</div></div><div class="ec-line"><div class="code">}</div></div></code></pre></figure>"""
EXPRESSIVE_CODE = EXPRESSIVE_CODE.replace('>\n<div class="', '><div class="')


def test_an_empty_line_stays_where_each_line_is_a_block() -> None:
    lines = "".join(
        f'<div class="ec-line"><div class="code">{line}</div></div>'
        for line in ("<span>a</span>", "\n", "<span>b</span>")
    )
    html = f'<pre data-language="js"><code>{lines}</code></pre>'
    assert convert_fragment(html, base_url="https://x.org/") == "```js\na\n\nb\n```\n"


def test_a_newline_between_the_blocks_of_two_lines_makes_no_empty_line() -> None:
    html = "<pre><div>a</div>\n<div>b</div></pre>"
    assert convert_fragment(html, base_url="https://x.org/") == "```\na\nb\n```\n"


@pytest.mark.parametrize("html", [SHIKI, EXPRESSIVE_CODE])
def test_the_lines_that_a_style_sheet_shows_as_a_diff_are_written_as_one(html: str) -> None:
    diff = "```diff\n {\n-  b: 2\n+  b: 3\n\n }\n```\n"
    assert convert_fragment(html, base_url="https://x.org/") == diff


def test_new_lines_that_replace_none_stay_code_in_their_language() -> None:
    html = EXPRESSIVE_CODE.replace(" del", "")
    code = "```js\n{\n  b: 2\n  b: 3\n\n}\n```\n"
    assert convert_fragment(html, base_url="https://x.org/") == code


def test_a_diff_that_only_adds_is_a_diff() -> None:
    html = EXPRESSIVE_CODE.replace(" del", "").replace('"js"', '"diff"')
    diff = "```diff\n {\n   b: 2\n+  b: 3\n\n }\n```\n"
    assert convert_fragment(html, base_url="https://x.org/") == diff


def test_lines_that_are_folded_are_not_counted_in_the_code() -> None:
    html = (
        '<figure class="frame"><pre data-language="js"><code><details class="ec-section"><summary>'
        '<div class="ec-line"><div class="code">1 collapsed line</div></div></summary>'
        '<div class="ec-line"><div class="code">a</div></div></details></code></pre></figure>'
    )
    assert convert_fragment(html, base_url="https://x.org/") == "```js\na\n```\n"


def test_a_drawing_in_mermaid_says_so() -> None:
    html = '<pre class="mermaid">graph TD; A--&gt;B;</pre>'
    assert convert_fragment(html, base_url="https://x.org/") == (
        "```mermaid\ngraph TD; A-->B;\n```\n"
    )


@pytest.mark.parametrize(
    "html",
    [
        '<pre class="mermaid"><code>graph TD\n  A --&gt; B</code></pre>',
        '<pre  class="mermaid">\n        graph TD\n  A --&gt; B\n    </pre>',
        '<pre class="mermaid-pre"><div class="mermaid">graph TD\n  A --&gt; B\n</div></pre>',
        '<div class="mermaid">\ngraph TD\n  A --&gt; B\n</div>',
    ],
)
def test_the_source_of_a_diagram_says_what_draws_it(html: str) -> None:
    assert convert_fragment(html, base_url="https://x.org/") == (
        "```mermaid\ngraph TD\n  A --> B\n```\n"
    )


@pytest.mark.parametrize(
    ("classes", "language"),
    [
        ("doctest highlight-default notranslate", "pycon"),
        ("output text_plain highlight-myst-ansi notranslate", ""),
    ],
)
def test_sphinx_states_a_language_in_more_than_one_way(classes: str, language: str) -> None:
    html = f'<div class="{classes}"><div class="highlight"><pre><span></span>42\n</pre></div></div>'
    assert convert_fragment(html, base_url="https://x.org/") == f"```{language}\n42\n```\n"


def test_code_that_a_paragraph_breaks_into_lines_is_a_block() -> None:
    html = "<p><code>\n if a:<br>\n &nbsp;&nbsp;b  = 1<br />\n<br /> c<br /></code></p>"
    assert convert_fragment(html, base_url="https://x.org/") == ("```\nif a:\n  b = 1\n\nc\n```\n")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>Say <tt>a<br>b</tt> twice.</p>", "Say `a`\\\n`b` twice.\n"),
        ("<p><code>a<br></code></p>", "`a`\n"),
        ("<table><tr><th>A</th></tr><tr><td><code>a<br>b</code></td></tr></table>", None),
    ],
)
def test_lines_of_code_in_running_text_stay_lines(html: str, markdown: str | None) -> None:
    table = "| A |\n| --- |\n| `a`<br>`b` |\n"
    assert convert_fragment(html, base_url="https://x.org/") == (markdown or table)
