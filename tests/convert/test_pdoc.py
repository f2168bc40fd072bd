"""A page of pdoc names each thing that it documents, and comes without its buttons."""

from tests.convert.test_generators import markdown_of

PAGE = """<main class="pdoc"><section class="module-info"><h1 class="modulename">owl</h1>
<div class="docstring"><p>Owls.</p><div class="alert note">
<em>Note</em>
<p>They hoot.</p>
</div></div></section><section id="hoot">
<input id="hoot-view-source" class="view-source-toggle-state" type="checkbox" aria-hidden="true">
<div class="attr function">

        <span class="def">def</span>
        <span class="name">hoot</span><span class="signature pdoc-code condensed">(<span
class="param"><span class="n">times</span><span class="p">:</span> <span class="nb">int</span>
</span><span class="return-annotation">) -> <span class="nb">str</span>:</span></span>

                <label class="view-source-button" for="hoot-view-source"><span>View Source</span>
</label></div><a class="headerlink" href="#hoot"></a>
<div class="pdoc-code codehilite"><pre><span id="hoot-9"><a href="#hoot-9"><span class="linenos">9
</span></a>def hoot(): ...
</span></pre></div><div class="docstring"><p>Hoot.</p></div></section></main>"""


def test_a_signature_is_bold_and_has_no_button() -> None:
    assert markdown_of(PAGE) == (
        "# owl\n\nOwls.\n\n> **Note:** They hoot.\n\n**def hoot(times: int ) -> str:**\n\n"
        "```\ndef hoot(): ...\n```\n\nHoot.\n"
    )
