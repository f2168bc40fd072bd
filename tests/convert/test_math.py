"""Formulas come through as their TeX."""

from markmirror.convert import convert_html
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
