"""Ledgers damaged on purpose."""

import sqlite3
from contextlib import closing
from pathlib import Path


def scribble_over(ledger: Path, table: str) -> None:
    """Make the first page of a table unreadable; the rest of the file stays whole."""
    with closing(sqlite3.connect(ledger)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with ledger.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xde\xad\xbe\xef" * (size // 4))
