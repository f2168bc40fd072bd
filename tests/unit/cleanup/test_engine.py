"""The engine: what it protects, what it counts, and that it always hands back a whole page."""

import json
from dataclasses import replace

import pytest

from markmirror.convert.cleanup import (
    RULES,
    CleanupRule,
    CleanupStats,
    MarkdownCleanupConfig,
    Outcome,
    clean,
)
from markmirror.convert.cleanup.fingerprint import structure
from markmirror.convert.cleanup.page import read_page
from markmirror.convert.cleanup.rule import Surroundings
from markmirror.convert.cleanup.rules import PROSE_RULES
from markmirror.convert.cleanup.splice import Edit, harmless
from markmirror.model import CleanupIntensity

HEAVY = MarkdownCleanupConfig.for_intensity("heavy")

PROTECTED = """\
---
title: "it's -- a... title"
---

```python
x = "it's"  # ... -- \u00a0

y = 1
```

    indented "code" -- ...

$$
"a" -- b...
$$

<div>"html" -- it's...</div>

| a "b" | it's -- ... |
|-------|-------------|
| c  d  | "e"         |

[ref]: http://x.y/a--b "it's a 'title'"

[a](http://x.y/a--b "it's... 'quoted'") `"code"` <kbd>"key"</kbd> $"x"$ <http://a.b/c--d> [ref]
"""


def test_code_formulas_html_tables_targets_and_front_matter_stay_byte_for_byte() -> None:
    """FR-028."""
    assert clean(PROTECTED, HEAVY).text == PROTECTED


def test_windows_line_ends_are_kept() -> None:
    """FR-028."""
    assert clean('a "b"\r\n\r\n```\r\n"x"\r\n```\r\n', HEAVY).text == (
        'a “b”\r\n\r\n```\r\n"x"\r\n```\r\n'
    )


@pytest.mark.parametrize(
    "leaf",
    [
        '!!! note "it\'s the title"\n    body',
        'a line before\n??? tip "it\'s folded"',
        '::: note "the title"\nit\'s\n:::',
        '*[HTML]: the "markup"\n*[CSS]: the "style"',
        "where the rest is\n\\begin{align}\na -- b'\n\\end{align}",
    ],
)
def test_what_is_syntax_to_other_readers_is_left_alone(leaf: str) -> None:
    """FR-028, FR-030."""
    page = f'{leaf}\n\nThe rest is "prose".\n\n> {leaf.replace(chr(10), chr(10) + "> ")}\n'
    assert clean(page, HEAVY).text == page.replace('"prose"', "“prose”")


def test_text_between_verbatim_tags_is_left_alone() -> None:
    """FR-028."""
    page = 'a <code>"x"</code> and <pre>\n\n"y" -- z...\n\n</pre>\n\nit\'s over\n'
    assert clean(page, HEAVY).text == page.replace("it's", "it’s")


def test_private_use_characters_in_a_page_survive() -> None:
    """FR-028."""
    page = 'icons \ue000 \U000f0001 and \U00100000 "x"\n'
    assert clean(page, HEAVY).text == page


def test_off_changes_nothing() -> None:
    """FR-032."""
    page = 'it\'s  "x"\n\n\n\n# a b\n'
    result = clean(page, MarkdownCleanupConfig.for_intensity("off"))
    assert (result.text, result.outcome) == (page, Outcome.UNCHANGED)


PAGE = """\
# a heading

it\\'s "x"[^1]. **Note** [t]() and a **word,** so  this


line goes on <!-- --> and on until it is much longer than any line of prose should be,
really and truly.

[^1]: a note
"""


@pytest.mark.parametrize(
    ("intensity", "rules"),
    [
        ("light", {"apostrophes", "comments", "escapes", "quotes", "title-case"}),
        ("standard", {"apostrophes", "bold", "comments", "escapes", "footnotes", "quotes"}),
        ("heavy", {"links", "spaces", "comments", "wrap"}),
    ],
)
def test_each_intensity_adds_rules_to_the_one_before(
    intensity: CleanupIntensity, rules: set[str]
) -> None:
    """FR-029."""
    result = clean(PAGE, MarkdownCleanupConfig.for_intensity(intensity))
    assert rules <= {name for name, count in result.rules.items() if count.applied}


def test_the_intensities_are_nested_and_name_only_rules_that_exist() -> None:
    """FR-029."""
    light, standard, heavy = (
        MarkdownCleanupConfig.for_intensity(intensity).rules
        for intensity in ("light", "standard", "heavy")
    )
    assert light < standard < heavy == {rule.name for rule in RULES}


def test_rules_are_listed_in_the_order_they_run() -> None:
    priorities = [rule.priority for rule in RULES]
    assert priorities == sorted(set(priorities))


def _with_rule(monkeypatch: pytest.MonkeyPatch, rule: CleanupRule) -> MarkdownCleanupConfig:
    monkeypatch.setattr("markmirror.convert.cleanup.engine.PROSE_RULES", (*PROSE_RULES, rule))
    return replace(HEAVY, rules=HEAVY.rules | {rule.name})


def test_a_rule_that_fails_is_left_out_for_that_leaf_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """FR-031."""

    def fail(text: str, _: Surroundings) -> str:
        if "bad" in text:
            raise ValueError
        return text.replace("good", "“good”")

    config = _with_rule(monkeypatch, CleanupRule(name="failing", priority=115, apply=fail))
    result = clean("it's bad\n\nit's good\n", config)
    assert result.text == "it’s bad\n\nit’s “good”\n"
    assert result.rules["failing"].as_dict() == {"applied": 1, "rejected": 0, "failed": 1}


def test_a_rule_that_loses_a_protected_piece_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """FR-031."""

    def lose(text: str, _: Surroundings) -> str:
        return "".join(letter for letter in text if ord(letter) < 0x100000)

    config = _with_rule(monkeypatch, CleanupRule(name="losing", priority=115, apply=lose))
    result = clean("it's `code`\n", config)
    assert result.text == "it’s `code`\n"
    assert result.rules["losing"].rejected == 1


def test_a_leaf_that_a_reader_would_see_changed_is_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """FR-030."""

    def break_structure(text: str, _: Surroundings) -> str:
        return text.replace("bold", "**bold**")

    rule = CleanupRule(name="breaking", priority=115, apply=break_structure)
    result = clean("it's fine\n\nit's bold\n", _with_rule(monkeypatch, rule))
    assert result.text == "it’s fine\n\nit's bold\n"
    assert result.reverted == 1


def test_a_rule_that_would_change_a_headings_anchor_is_rejected() -> None:
    """FR-030."""
    result = clean("# One -- two\n\n[here](#one----two)\n", HEAVY)
    assert result.text == "# One -- Two\n\n[here](#one----two)\n"
    assert result.rules["dashes"].rejected == 1


def test_one_bad_edit_costs_none_of_the_good_ones() -> None:
    """FR-030."""
    page = read_page("".join(f"line {number}\n\n" for number in range(50)))
    edits = [
        Edit(start=leaf.start, end=leaf.start, text="# " if number == 17 else '"')
        for number, leaf in enumerate(page.leaves)
    ]
    spans = [(block.start, block.end) for block in page.blocks]
    kept, _ = harmless(page.raw, edits, structure, spans)
    assert [edit for edit in edits if edit not in kept] == [edits[17]]


def test_past_its_time_a_page_comes_back_as_last_verified() -> None:
    """NFR-006."""
    seconds = iter(range(1000))
    result = clean("it's late\n", HEAVY, clock=lambda: float(next(seconds)))
    assert (result.text, result.outcome) == ("it's late\n", Outcome.OVER_BUDGET)
    assert not result.success


def test_a_text_that_cannot_be_read_comes_back_as_it_was() -> None:
    result = clean("it's \ud800\n", HEAVY)
    assert (result.text, result.outcome) == ("it's \ud800\n", Outcome.UNREADABLE)


def test_statistics_add_up_and_can_be_stored() -> None:
    """Seed 003: CleanupStats."""
    stats = CleanupStats()
    for page in ("it's\n", 'it\'s "x"\n', "plain\n"):
        stats.add(clean(page, HEAVY))
    stored = json.loads(json.dumps(stats.as_dict()))
    assert stored["documents"] == 3
    assert stored["outcomes"] == {
        "cleaned": 2,
        "unchanged": 1,
        "over_budget": 0,
        "unreadable": 0,
    }
    assert stored["rules"]["apostrophes"] == {"applied": 2, "rejected": 0, "failed": 0}
    assert stored["rules"]["quotes"]["applied"] == 1


@pytest.mark.parametrize(
    "page",
    [
        ">" * 50_000,
        "[" * 50_000,
        "*" * 50_000,
        "`" * 50_000,
        "".join("  " * depth + "- a\n" for depth in range(220)),
        "- " * 25_000,
        "[a](" * 12_000,
        "[^1]" * 12_000 + "\n\n[^1]: a",
        "<code>" * 8_000,
        "a\u200b" * 25_000,
        "\\." * 25_000,
        "a@" * 25_000,
        "https://" * 6_000,
        '"' * 50_000,
        "<!-- --> " * 6_000,
    ],
    ids=lambda page: repr(page[:8]),
)
def test_pathological_pages_end_within_their_time(page: str) -> None:
    """NFR-006."""
    assert clean(page, HEAVY).success
