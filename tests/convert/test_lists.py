"""Lists keep their items together, and each item says whether it is done."""

import pytest

from markmirror.convert import convert_fragment


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


MATERIAL = (
    '<ul class="task-list"><li class="task-list-item"><label class="task-list-control">'
    '<input type="checkbox" disabled checked/><span class="task-list-indicator"></span></label>'
    ' Done</li><li class="task-list-item"><label class="task-list-control">'
    '<input type="checkbox" disabled/><span class="task-list-indicator"></span></label>'
    " Open</li></ul>"
)
MYST = (
    '<ul class="contains-task-list simple"><li class="task-list-item"><p>'
    '<input class="task-list-item-checkbox" checked="checked" type="checkbox">Done</p></li>'
    '<li class="task-list-item"><p><input class="task-list-item-checkbox" type="checkbox">Open</p>'
    "</li></ul>"
)


@pytest.mark.parametrize("html", [MATERIAL, MYST])
def test_every_task_has_its_box(html: str) -> None:
    assert convert(html) == "- [x] Done\n- [ ] Open\n"


def test_an_item_that_begins_on_a_line_of_its_own_begins_behind_its_marker() -> None:
    item = "<li>\n <b>{}</b>\n <div><p>What it means.</p></div></li>"
    assert convert(f"<ul>{item.format('a')}{item.format('b')}</ul>") == (
        "- **a**\n\n  What it means.\n- **b**\n\n  What it means.\n"
    )


def test_an_item_that_begins_with_an_anchor_keeps_its_heading_and_what_is_below_it() -> None:
    item = '<li>\n <a id="{0}"></a>\n <h4>{0}</h4>\n <dl><dt>Since</dt><dd>2.8</dd></dl></li>'
    first, second = item.format("a"), item.format("b")
    assert convert(f"<ol>{first}{second}</ol>") == (
        "1. #### a\n   - **Since**\n\n     2.8\n2. #### b\n   - **Since**\n\n     2.8\n"
    )


def test_a_term_that_is_a_block_of_code_keeps_its_definition() -> None:
    group = '<div id="{0}"><dt><pre>{0} = 1</pre></dt><dd>One.</dd></div>'
    assert convert(f"<dl>{group.format('a')}{group.format('b')}</dl>") == (
        "- ```\n  a = 1\n  ```\n\n  One.\n- ```\n  b = 1\n  ```\n\n  One.\n"
    )


def test_an_empty_item_takes_nothing_from_the_text_around_its_list() -> None:
    html = "<ul><li>a<ul><li>b<pre>c</pre></li><li></li></ul><p>d</p></li></ul>"
    assert convert(html).endswith("  - \n\n  d\n")
