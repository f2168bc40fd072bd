"""Code is written exactly as a browser shows it."""

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


def test_a_drawing_in_mermaid_says_so() -> None:
    html = '<pre class="mermaid">graph TD; A--&gt;B;</pre>'
    assert convert_fragment(html, base_url="https://x.org/") == (
        "```mermaid\ngraph TD; A-->B;\n```\n"
    )
