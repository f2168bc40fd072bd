"""Every element and every generator becomes what its golden file shows."""

import pytest

from tests.convert.golden import FOLDER, cases, markdown_of


@pytest.mark.parametrize("case", cases())
def test_a_page_becomes_its_golden_markdown(case: str) -> None:
    assert markdown_of(case) == (FOLDER / f"{case}.md").read_text(encoding="utf-8")
