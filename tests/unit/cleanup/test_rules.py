"""What each rule does, by example: the text on the left becomes the text on the right."""

import pytest

from markmirror.convert.cleanup import MarkdownCleanupConfig, clean
from markmirror.model import CleanupIntensity


def cleaned(text: str, *, intensity: CleanupIntensity = "heavy", language: str = "en") -> str:
    config = MarkdownCleanupConfig.for_intensity(intensity, language=language)
    return clean(text, config).text.removesuffix("\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"`x` y"', "“`x` y”"),
        ("\"a 'b' c\"", "“a ‘b’ c”"),
        ('see "*this*" and "[that](x)".', "see “*this*” and “[that](x)”."),
        ('x="foo"', 'x="foo"'),
        ('中文"引用"', '中文"引用"'),
        ('a lone " stays', 'a lone " stays'),
        ('print("hello") and ["a", "b"]', 'print("hello") and ["a", "b"]'),
        ("the bytes b'abc' stay", "the bytes b'abc' stay"),
        ('"see http://a.b/c"', '"see http://a.b/c"'),
    ],
)
def test_quotes_are_curled_in_pairs(before: str, after: str) -> None:
    """FR-022."""
    assert cleaned(before) == after


@pytest.mark.parametrize(
    ("language", "after"),
    [
        ("en-GB", "“a” and b’s"),
        ("de", "„a“ and b’s"),
        ("fr", "«\u00a0a\u00a0» and b’s"),
        ("pl", '"a" and b’s'),
    ],
)
def test_quotes_follow_the_language_of_the_page(language: str, after: str) -> None:
    """FR-022."""
    assert cleaned('"a" and b\'s', language=language) == after


def test_the_language_of_a_page_is_read_from_its_words() -> None:
    """FR-022."""
    page = 'Er sagte "so ist das" und die Seiten werden nicht mit dem Rest auf der Liste geführt.'
    assert "„so ist das“" in cleaned(page, language="")


def test_a_short_english_page_is_cleaned_as_english() -> None:
    """FR-022, FR-023."""
    page = '## choosing a name\n\nPick a colour, add a label and write a note: "draft".'
    cleaned_page = "## Choosing a Name\n\nPick a colour, add a label and write a note: “draft”."
    assert cleaned(page, language="") == cleaned_page


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("90's", "90’s"),
        ("don't", "don’t"),
        ("'tis and 'twas, give 'em 'til the '90s", "’tis and ’twas, give ’em ’til the ’90s"),
        ("rock 'n' roll", "rock ’n’ roll"),
        ("the dogs' bone", "the dogs’ bone"),
        ("`code`'s", "`code`’s"),
        ("5'11", "5'11"),
        ("6'2\"", "6'2\""),
        ('12"', '12"'),
        ("5' tall", "5' tall"),
    ],
)
def test_apostrophes_are_curled_and_feet_are_not(before: str, after: str) -> None:
    """FR-022."""
    assert cleaned(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Wait...", "Wait…"),
        ("a, b, ... and (so on...)", "a, b, … and (so on…)"),
        ("`./...` and ./...", "`./...` and ./..."),
        ("wait....", "wait...."),
        ("f(...args)", "f(...args)"),
        ("...args", "...args"),
        ("1...10", "1...10"),
    ],
)
def test_three_full_stops_become_an_ellipsis_at_the_end_of_words(before: str, after: str) -> None:
    """FR-022."""
    assert cleaned(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one -- two --- three", "one — two — three"),
        ("word--word", "word—word"),
        ("pages 10--20", "pages 10–20"),
        ("a - b", "a - b"),
        ("use --flag and -x", "use --flag and -x"),
        ("a-b", "a-b"),
        ("http://x.y/c--d", "http://x.y/c--d"),
        ("-- at the start", "-- at the start"),
        ("run x -- --flag", "run x -- --flag"),
        ("block__element--modifier", "block__element--modifier"),
        ("# One -- two", "# One -- Two"),
    ],
)
def test_dashes_are_set_where_the_spacing_is_even(before: str, after: str) -> None:
    """FR-022."""
    assert cleaned(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "# the REST api for `fooBar` and iOS: a how-to",
            "# The REST API for `fooBar` and iOS: A How-to",
        ),
        (
            "# v2.0 snake_case node.js C++ .NET CI/CD FAQ",
            "# v2.0 snake_case node.js C++ .NET CI/CD FAQ",
        ),
        ("# `foo`s", "# `foo`s"),
        ("setext heading\n===", "Setext Heading\n==="),
        ("# Lord Of The Rings", "# Lord of the Rings"),
        ("# what is it for?", "# What Is It For?"),
        ("# überall im haus", "# überall im haus"),
        ("# using npm", "# Using npm"),
    ],
)
def test_headings_are_set_in_title_case(before: str, after: str) -> None:
    """FR-023."""
    assert cleaned(before) == after


def test_headings_of_a_page_in_another_language_keep_their_case() -> None:
    """FR-023."""
    assert cleaned("# ein titel ohne umlaut", language="de") == "# ein titel ohne umlaut"


def test_people_can_add_spellings_of_their_own() -> None:
    """FR-023."""
    config = MarkdownCleanupConfig.for_intensity("light", acronyms=frozenset(("ACME", "fooBar")))
    assert clean("# the acme foobar", config).text == "# The ACME fooBar"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"a\_b c\.", "a_b c."),
        (r"1\. x", r"1\. x"),
        (r"the formula \(x\) stays", r"the formula \(x\) stays"),
        (r"a\*b \[c\] d\|e \<f\> \& \$ \~ \\ \`", r"a\*b \[c\] d\|e \<f> \& \$ \~ \\ \`"),
        (r"not an image: \![x](y)", r"not an image: \![x](y)"),
        (r"[a]\(b)", r"[a]\(b)"),
        (r"a \-- b", r"a \-- b"),
        (r"x [a]\: b", r"x [a]\: b"),
        (r"\# no heading", r"\# no heading"),
        (r"write http\://a.b", r"write http\://a.b"),
        (r"a \_b\_ c", r"a \_b\_ c"),
    ],
)
def test_escapes_that_protect_nothing_go(before: str, after: str) -> None:
    """FR-025."""
    assert cleaned(before, intensity="light") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a <!-- --> b", "a b"),
        ("a <!-- note --> b", "a <!-- note --> b"),
        ("a\n\n<!-- -->\n\nb", "a\n\nb"),
        ("- a\n\n<!-- -->\n\n- b", "- a\n\n<!-- -->\n\n- b"),
        ("- a\n\n<!-- -->\n\n    code", "- a\n\n<!-- -->\n\n    code"),
        ("a [t]() b", "a t b"),
        ("a [](#x) b", "a b"),
        ("a [](http://x.y) b", "a <http://x.y> b"),
        ("[t](a b.md)", "[t](<a b.md>)"),
        ("[sic](as it was)", "[sic](as it was)"),
        ("a [ t ](x) b", "a [t](x) b"),
        ("a[ t ](x)b", "a [t](x) b"),
        ("a [t](javascript:void(0)) b", "a t b"),
        ("# Head[¶](#head)", "# Head"),
        ("a **** b ** ** c", "a b c"),
        ("a\u200bb\ufeffc", "abc"),
        ("ภาษา\u200bไทย", "ภาษา\u200bไทย"),
        ("**a **b", "**a** b"),
        ("f(**a, **b)", "f(**a, **b)"),
    ],
)
def test_what_conversion_left_behind_goes(before: str, after: str) -> None:
    """FR-025."""
    assert cleaned(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("**Note**: read this", "**Note:** read this"),
        ("a **word,** then", "a **word**, then"),
        ("**Stop here.** Then", "**Stop here.** Then"),
        ("# **All Bold**", "# All Bold"),
        ("> **Note:** x", "> **Note:** x"),
        ("> [!NOTE]\n> x", "> [!NOTE]\n> x"),
        ('> **Warning:** "x"', "> **Warning:** “x”"),
    ],
)
def test_punctuation_stands_on_its_side_of_bold_type(before: str, after: str) -> None:
    """FR-026."""
    assert cleaned(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x[^1][^2].", "x.[^1][^2]"),
        ("x[^1], y", "x,[^1] y"),
        ("汉[^1]。", "汉。[^1]"),
        ("x[^1]—y", "x[^1]—y"),
        ("x[^1].y", "x[^1].y"),
        ("x[^1]... y", "x[^1]… y"),
        ("x.[^1]", "x.[^1]"),
    ],
)
def test_footnotes_stand_after_the_punctuation(before: str, after: str) -> None:
    """FR-027."""
    notes = "\n\n[^1]: one thing\n\n[^2]: another thing"
    assert cleaned(before + notes) == after + notes


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\u00a0b  c", "a b c"),
        ("a  \nb", "a\\\nb"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("a \n\nb\t", "a\n\nb"),
        ("```\na  b\n\n\n\u00a0c\n```", "```\na  b\n\n\n\u00a0c\n```"),
        ("Vraiment\u00a0? «\u00a0Oui\u00a0»", "Vraiment\u00a0? «\u00a0Oui\u00a0»"),
    ],
)
def test_blanks_are_evened(before: str, after: str) -> None:
    """FR-029."""
    assert cleaned(before) == after


def test_a_page_ends_with_one_newline() -> None:
    config = MarkdownCleanupConfig.for_intensity("heavy")
    assert [clean("a" + end, config).text for end in ("", "\n", "\n\n \n")] == ["a\n"] * 3


WORDS = "some words of prose that go on and on until the line they stand on is quite full of them"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A first sentence here. And a second one.", "A first sentence here.\nAnd a second one."),
        ("Too short. So it goes on.", "Too short. So it goes on."),
        (
            "Ask Prof. Smith and Dr. Jones, e.g. today.",
            "Ask Prof. Smith and Dr. Jones, e.g. today.",
        ),
        (f"{WORDS} and more", f"{WORDS} and\nmore"),
        (f"> - {WORDS} x", f"> - {WORDS}\n>   x"),
        (f"- [ ] {WORDS}", f"- [ ] {WORDS[:-5]}\n  them"),
        (f"{WORDS} a - x", f"{WORDS} a -\nx"),
        (f"{WORDS} now 1. x", f"{WORDS} now 1.\nx"),
        (f"{WORDS} now # x", f"{WORDS} now #\nx"),
        ("two\nlines", "two lines"),
        ("中文\n中文", "中文\n中文"),
        ("a\n: b", "a\n: b"),
        ("[!TIP]\nx", "[!TIP]\nx"),
        (":::note\nx\n:::", ":::note\nx\n:::"),
        ("`a\nb` c\nd", "`a\nb` c\nd"),
        (f"# {WORDS} {WORDS}", None),
        (f"| a |\n|---|\n| {WORDS} {WORDS} |", None),
        ("one\\\ntwo", "one\\\ntwo"),
    ],
)
def test_lines_are_wrapped_after_sentences_and_at_92_columns(
    before: str, after: str | None
) -> None:
    """FR-024."""
    wrapped = cleaned(before, intensity="standard")
    assert wrapped.casefold() == (before if after is None else after).casefold()


def test_a_link_is_not_broken_while_it_fits_a_line() -> None:
    """FR-024."""
    wrapped = cleaned(f"{WORDS} [a link of words](https://example.org/page)")
    assert wrapped == f"{WORDS}\n[a link of words](https://example.org/page)"


def test_a_footnote_goes_on_with_four_blanks() -> None:
    """FR-024."""
    assert cleaned(f"x[^1]\n\n[^1]: {WORDS}").endswith("\n    them")


def test_wide_characters_count_twice() -> None:
    """FR-024."""
    wide = "漢字漢字 " * 12
    assert all(len(line) <= 50 for line in cleaned(wide).splitlines())
