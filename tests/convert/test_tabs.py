"""Of tabs, all are written, and each says which one it is."""

import pytest

from markmirror.convert import convert_html
from markmirror.model import Recipe

SPHINX = """<div class="sphinx-tabs"><div role="tablist" aria-label="Tabbed content">
<button aria-controls="panel-0" id="tab-0" role="tab">Linux</button>
<button aria-controls="panel-1" id="tab-1" role="tab">Windows</button></div>
<div aria-labelledby="tab-0" id="panel-0" role="tabpanel"><pre>a</pre></div>
<div aria-labelledby="tab-1" id="panel-1" role="tabpanel" hidden="true"><pre>b</pre></div></div>"""
DOCUSAURUS = """<div class="theme-tabs-container"><ul role="tablist" class="tabs">
<li role="tab" class="tabs__item">Linux</li><li role="tab" class="tabs__item">Windows</li></ul>
<div class="margin-top--md"><div role="tabpanel"><pre>a</pre></div>
<div role="tabpanel" hidden=""><pre>b</pre></div></div></div>"""
DOCSY = """<ul class="nav nav-tabs" role="tablist"><li class="nav-item"><button id="t0" role="tab">
Linux</button></li><li class="nav-item"><button id="t1" role="tab">Windows</button></li></ul>
<div class="tab-content"><div class="tab-pane" role="tabpanel"><pre>a</pre></div>
<div class="tab-pane" role="tabpanel"><pre>b</pre></div></div>"""
MATERIAL = """<div class="tabbed-set tabbed-alternate"><input id="t1" name="t" type="radio">
<input id="t2" name="t" type="radio"><div class="tabbed-labels"><label for="t1">Linux</label>
<label for="t2">Windows</label></div><div class="tabbed-content"><div class="tabbed-block">
<pre>a</pre></div><div class="tabbed-block"><pre>b</pre></div></div></div>"""
VITEPRESS = """<div class="vp-code-group"><div class="tabs"><input type="radio" id="t1">
<label for="t1">Linux</label><input type="radio" id="t2"><label for="t2">Windows</label></div>
<div class="blocks"><div class="active"><pre>a</pre></div><div><pre>b</pre></div></div></div>"""

STARLIGHT = """<starlight-tabs data-sync-key="os"><div class="tablist-wrapper not-content">
<ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-0" id="tab-0">
<svg></svg>Linux</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1"
id="tab-1">Windows</a></li></ul></div><div id="tab-panel-0" aria-labelledby="tab-0" role="tabpanel">
<pre>a</pre></div><div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel" hidden>
<pre>b</pre></div></starlight-tabs>"""
OPENAPI = """<div class="openapi-tabs__container"><div class="openapi-tabs__response-header">
<div class="openapi-tabs__response-container"><ul role="tablist" class="tabs"><li role="tab">Linux
</li><li role="tab">Windows</li></ul></div></div><div class="margin-top--md"><div role="tabpanel">
<pre>a</pre></div><div role="tabpanel" hidden=""><pre>b</pre></div></div></div>"""


def convert(html: str) -> str:
    return convert_html(
        f"<main><p>Install it.</p>{html}</main>".encode(),
        url="https://example.org/install.html",
        content_type="text/html; charset=utf-8",
        recipe=Recipe(),
    ).markdown


@pytest.mark.parametrize(
    "html", [SPHINX, DOCUSAURUS, DOCSY, MATERIAL, VITEPRESS, STARLIGHT, OPENAPI]
)
def test_every_tab_stands_below_its_label(html: str) -> None:
    assert convert(html) == (
        "Install it.\n\n**Linux**\n\n```\na\n```\n\n**Windows**\n\n```\nb\n```\n"
    )


def test_labels_without_a_panel_for_each_are_left_alone() -> None:
    html = DOCUSAURUS.replace('<div role="tabpanel" hidden=""><pre>b</pre></div>', "")
    assert convert(html).endswith("```\na\n```\n")


def test_labels_at_the_end_of_a_part_are_not_those_of_the_next() -> None:
    html = '<div><ul role="tablist"><li role="tab">A</li></ul></div><div><p>Text.</p></div>'
    assert convert(html) == "Install it.\n\n- A\n\nText.\n"
