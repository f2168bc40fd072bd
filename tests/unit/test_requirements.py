"""docs/requirements.md is complete and current: nothing that was asked for is without a test."""

import re
from pathlib import Path

import pytest

from tests.requirements import REQUIREMENTS, Requirement
from tests.requirements_table import proofs, table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "requirements.md"
ROW = re.compile(r"^\| (.+ › .+) \| (.*) \| (.*) \|$", re.MULTILINE)


def _cells() -> dict[str, tuple[list[str], list[str]]]:
    """Modules and tests of each requirement, as the page lists them."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {
        name: (re.findall(r"`([^`]+)`", modules), re.findall(r"`([^`]+)`", tests))
        for name, modules, tests in rows
    }


def test_every_requirement_is_listed_once_and_none_is_invented() -> None:
    listed = [row[0] for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    assert listed == [requirement.name for requirement in REQUIREMENTS]


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda r: f"{r.seed} {r.title}")
def test_every_requirement_has_modules_and_tests_that_exist_and_name_it(
    requirement: Requirement,
) -> None:
    modules, tests = _cells()[requirement.name]
    assert modules
    for module in modules:
        assert (ROOT / "src" / "markmirror" / module).is_file(), module
    assert tests, "no test names this requirement in its docstring"
    claiming = {proof.name for proof in proofs() if proof.proves(requirement)}
    assert set(tests) <= claiming


def test_the_page_is_what_the_docstrings_say_today() -> None:
    renew = "renew it: python -m tests.requirements_table > docs/requirements.md"
    assert PAGE.read_text(encoding="utf-8") == table(), renew
