"""A copy of a ledger that another process may be writing to."""

import sqlite3
from contextlib import closing
from pathlib import Path

from markmirror.errors import StateDamaged


def copy_ledger(ledger: Path, copy: Path) -> None:
    """Copy one moment of a ledger, and write nothing beside it; raises StateDamaged."""
    journal = ledger.with_name(f"{ledger.name}-wal")
    try:
        if not journal.exists():
            # Nobody uses it; opened in another way, SQLite would leave a journal there for good.
            _back_up(ledger, copy, "mode=ro&immutable=1")
        if journal.exists():
            _back_up(ledger, copy, "mode=ro")
    except sqlite3.DatabaseError as error:
        raise StateDamaged(f"{ledger} cannot be read: {error}.") from error


def _back_up(ledger: Path, copy: Path, how: str) -> None:
    with (
        closing(sqlite3.connect(f"{ledger.resolve().as_uri()}?{how}", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
