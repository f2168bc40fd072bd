"""Every document in the table is read as a person would read it."""

import pytest

from markmirror.web.sitemap import SitemapFacts
from tests.unit.web.sitemap_cases import CASES, Case, read


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_sitemap_is_read_as_a_person_would_read_it(case: Case) -> None:
    """Seed 004: 处理无效 XML."""
    found, facts = read(case.data)

    assert [entry.url for entry in found] == case.urls
    assert facts == SitemapFacts(
        kind=case.kind,
        entries=len(case.urls),
        invalid=case.invalid,
        relative=case.relative,
        truncated=case.truncated,
        fell_back=case.fell_back,
        error=case.error,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("step", [1, 7, 61])
def test_a_sitemap_that_comes_in_crumbs_says_the_same(case: Case, step: int) -> None:
    assert read(case.data, step) == read(case.data)
