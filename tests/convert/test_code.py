"""Code is written exactly as a browser shows it."""

import pytest

from markmirror.convert import convert_fragment


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
