"""A table says in Markdown what it says on its page."""

from markmirror.convert import convert_fragment

CODE = "<td><pre>a\nb</pre></td>"


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


def test_a_row_that_becomes_an_item_names_the_column_of_each_cell() -> None:
    html = f"<table><tr><th>Key</th><th>Value</th></tr><tr><td>k1</td>{CODE}</tr></table>"
    assert convert(html) == "- **Key:** k1\n\n  **Value:**\n\n  ```\n  a\n  b\n  ```\n"


def test_a_cell_of_several_rows_stands_in_the_item_of_each() -> None:
    html = (
        "<table><tr><th>Group</th><th>Key</th><th>Value</th></tr>"
        f'<tr><td rowspan="2">a | <code>b|c</code></td><td>k1</td>{CODE}</tr>'
        '<tr><td>k2</td><td>v2</td></tr><tr><td colspan="2">both</td><td>v3</td></tr></table>'
    )
    assert convert(html) == (
        "- **Group:** a | `b|c`\n\n  **Key:** k1\n\n  **Value:**\n\n  ```\n  a\n  b\n  ```\n\n"
        "- **Group:** a | `b|c`\n\n  **Key:** k2\n\n  **Value:** v2\n\n"
        "- **Group:** both\n\n  **Value:** v3\n"
    )


def test_a_heading_over_all_columns_is_said_once() -> None:
    html = f'<table><tr><th colspan="2">Enumerator</th></tr><tr><td>ONE</td>{CODE}</tr></table>'
    assert convert(html) == "**Enumerator**\n\n- **ONE**\n\n  ```\n  a\n  b\n  ```\n"


def test_a_cell_may_begin_with_a_break_and_hold_several() -> None:
    html = "<table><tr><th>Key</th></tr><tr><td><br>a<br><br>b</td></tr></table>"
    assert convert(html) == "| Key |\n| --- |\n| <br>a<br><br>b |\n"
