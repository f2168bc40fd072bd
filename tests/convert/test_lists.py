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
