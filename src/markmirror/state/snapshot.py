"""Ledgers that another process may be writing to, read without a trace."""

import sqlite3
from contextlib import closing
from pathlib import Path

from markmirror.errors import StateDamaged


def opened_to_read(ledger: Path) -> sqlite3.Connection:
    """A connection that changes nothing, not even beside the ledger, nor needs to be allowed to."""
    # Nobody uses a ledger without a journal; not told so, SQLite would leave one there for good.
    how = "mode=ro" if _has_journal(ledger) else "mode=ro&immutable=1"
    return sqlite3.connect(f"{ledger.resolve().as_uri()}?{how}", uri=True)


def copy_ledger(ledger: Path, copy: Path) -> None:
    """Copy one moment of a ledger; raises StateDamaged."""
    was_used = _has_journal(ledger)
    try:
        _back_up(ledger, copy)
        if not was_used and _has_journal(ledger):
            # Somebody began to write to it meanwhile.
            _back_up(ledger, copy)
    except sqlite3.DatabaseError as error:
        raise StateDamaged(f"{ledger} cannot be read: {error}.") from error


def _has_journal(ledger: Path) -> bool:
    return ledger.with_name(f"{ledger.name}-wal").exists()


def _back_up(ledger: Path, copy: Path) -> None:
    with closing(opened_to_read(ledger)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
