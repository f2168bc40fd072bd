"""MkDocs with Material, as its pages come from the generator: all of their text, in its form."""

from tests.convert.test_generators import markdown_of

FEEDBACK = """<main class="md-main"><article class="md-content__inner md-typeset">
<h1 id="short">Short<a class="headerlink" href="#short">&para;</a></h1><p>Just this.</p>
<form class="md-feedback" name="feedback" hidden>
  <fieldset>
    <legend class="md-feedback__title">
      Was this page helpful?
    </legend>
    <div class="md-feedback__note">
      <div data-md-value="1" hidden>

                  Thanks for your feedback!
      </div>
    </div>
  </fieldset>
</form></article></main>"""


def test_a_page_that_says_less_than_its_furniture_is_still_rid_of_it() -> None:
    assert markdown_of(FEEDBACK) == "# Short\n\nJust this.\n"


NUMBERED = """<div class="language-py highlight"><table class="highlighttable"><tr>
<th colspan="2" class="filename"><span class="filename">sort.py</span></th></tr><tr>
<td class="linenos"><div class="linenodiv"><pre><span class="normal"><a href="#l1">1</a></span>
</pre></div></td><td class="code"><div><pre><span></span><code><span id="__span-0-1"><a id="l1"
name="l1"></a><span class="k">def</span> sort(): ...
</span></code></pre></div></td></tr></table></div>"""


def test_numbered_code_keeps_the_name_of_its_file() -> None:
    assert markdown_of(f"<main><p>Sort it.</p>{NUMBERED}</main>") == (
        "Sort it.\n\nsort.py\n\n```py\ndef sort(): ...\n```\n"
    )


def test_the_picture_of_a_sign_is_the_sign() -> None:
    picture = (
        '<img alt="😄" class="twemoji" src="https://cdn.example.org/1f604.svg" title=":smile:" />'
    )
    assert markdown_of(f"<main><h1>Welcome {picture}</h1></main>") == "# Welcome 😄\n"
