"""One running wiki per test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runs.confluence.wiki import Wiki, wiki_at


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    with wiki_at(tmp_path / "out") as running:
        yield running
