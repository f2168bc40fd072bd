"""What a ledger says when its file turns out to be damaged in the middle of an answer."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from markmirror.errors import StateDamaged
from markmirror.state.database import Database

ROWS = 5000
PAGE_BYTES = 4096


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[Database]:
    """A ledger whose first rows can be read, and the others cannot."""
    path = tmp_path / "_state.db"
    database = Database(path)
    with database.transaction() as connection:
        rows = ((f"key {number:05}", "x" * 100) for number in range(ROWS))
        connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    database.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // PAGE_BYTES * PAGE_BYTES)
        file.write(b"\xff" * 8 * PAGE_BYTES)
    database = Database(path)
    yield database
    database.close()


@pytest.mark.parametrize(
    "reading",
    [list, lambda rows: rows.fetchall(), lambda rows: rows.fetchmany(ROWS)],
    ids=["one after the other", "all at once", "many at once"],
)
def test_damage_met_while_rows_are_read_is_called_so(
    damaged: Database, reading: Callable[[Any], object]
) -> None:
    assert damaged.read("SELECT * FROM meta ORDER BY key").fetchone() is not None
    with pytest.raises(StateDamaged):
        reading(damaged.read("SELECT * FROM meta ORDER BY key"))


def test_damage_met_at_one_row_is_called_so(damaged: Database) -> None:
    with pytest.raises(StateDamaged):
        damaged.number("SELECT count(*) FROM meta WHERE value = 'y'")
