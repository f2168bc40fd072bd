"""Formulas come through as their TeX."""

import pytest

from markmirror.convert import convert_fragment, convert_html
from markmirror.model import Recipe


def test_a_formula_that_mediawiki_hides_behind_a_picture_is_kept() -> None:
    html = (
        '<main><p>so <span class="mwe-math-element"><span class="mwe-math-mathml-inline" '
        'style="display: none;"><math alttext="{\\displaystyle x^{2}}"><mi>x</mi></math></span>'
        '<img src="x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" '
        'alt="{\\displaystyle x^{2}}"></span> grows</p></main>'
    )
    document = convert_html(
        html.encode(),
        url="https://example.org/wiki/Square",
        content_type="text/html; charset=utf-8",
        recipe=Recipe(),
    )
    assert document.markdown == "so ${\\displaystyle x^{2}}$ grows\n"


RAW = r"<p>If \(a_1 &lt; b_1\), then</p>\[a_1^2\]<p>costs \( or <code>\(a_1\)</code>.</p>"


def markdown_of(script: str) -> str:
    page = f"<html><head>{script}</head><body><main>{RAW}</main></body></html>"
    return convert_html(
        page.encode(), url="https://example.org/", content_type="text/html", recipe=Recipe()
    ).markdown


def test_a_formula_that_a_script_would_set_is_a_formula() -> None:
    assert markdown_of('<script src="/mathjax/tex-chtml.js"></script>') == (
        "If $a_1 < b_1$, then\n\n$$\na_1^2\n$$\n\ncosts \\\\( or `\\(a_1\\)`.\n"
    )


def test_without_a_script_that_sets_formulas_a_bracket_is_a_bracket() -> None:
    assert markdown_of("").startswith("If \\\\(a_1 < b_1\\\\), then")


def test_a_formula_in_a_line_of_documenter_is_a_formula() -> None:
    page = '<link href="/katex.min.css"><main><p>costs <span>$a_*b*_$</span> $5</p></main>'
    document = convert_html(
        page.encode(), url="https://example.org/", content_type="text/html", recipe=Recipe()
    )
    assert document.markdown == "costs $a_*b*_$ $5\n"


def convert(html: str) -> str:
    return convert_fragment(html, base_url="https://example.org/")


def test_the_formulas_of_mkdocs_are_formulas() -> None:
    html = (
        '<div class="arithmatex">\\[\n\\cos x = \\sum_{k} x^{2k}\n\\]</div>'
        '<p>Then <span class="arithmatex">\\(f\\)</span> is injective.</p>'
    )
    assert convert(html) == "$$\n\\cos x = \\sum_{k} x^{2k}\n$$\n\nThen $f$ is injective.\n"


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("a = b", "a = b \\tag{1}"),
        ("\\begin{equation}a\\end{equation}", "\\begin{equation}a \\tag{1}\\end{equation}"),
        ("\\begin{split}a\\end{split}", "\\begin{split}a\\end{split} \\tag{1}"),
    ],
)
def test_a_formula_keeps_its_number_and_its_name(shown: str, written: str) -> None:
    html = (
        '<p>See <a href="#equation-e">(1)</a>.</p>'
        '<div class="math notranslate nohighlight" id="equation-e"><span class="eqno">(1)'
        '<a class="headerlink" href="#equation-e" title="Link to this equation">¶</a></span>'
        f"\\[{shown}\\]</div>"
    )
    assert convert(html) == (
        f'See [(1)](#equation-e).\n\n<a id="equation-e"></a>\n\n$$\n{written}\n$$\n'
    )
