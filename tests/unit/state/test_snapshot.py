"""A ledger can be copied whole while another process writes to it."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from markmirror.errors import StateDamaged
from markmirror.state.database import Database
from markmirror.state.snapshot import copy_ledger

COPIES = 30


@contextmanager
def somebody_at_work(ledger: Path) -> Iterator[None]:
    """Writes the same text to many rows, over and over, and moves it from the journal at once."""
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        with closing(Database(ledger)) as database:
            round_ = 0
            while not ended.is_set():
                round_ += 1
                with database.transaction() as connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                        [(f"key {number}", f"{round_} " * 500) for number in range(50)],
                    )
                database.read("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                begun.set()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert begun.wait(30)
        yield
    finally:
        ended.set()
        worker.join()


def test_a_copy_of_a_ledger_in_use_is_one_moment_of_it(tmp_path: Path) -> None:
    ledger = tmp_path / "_state.db"
    with somebody_at_work(ledger):
        for number in range(COPIES):
            copy = tmp_path / f"copy-{number}"
            copy_ledger(ledger, copy)
            with closing(sqlite3.connect(copy)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                found = connection.execute("SELECT count(DISTINCT value), count(*) FROM meta")
                assert found.fetchone() == (1, 50)


def test_a_ledger_that_is_copied_at_rest_gets_no_journal(tmp_path: Path) -> None:
    ledger = tmp_path / "_state.db"
    Database(ledger).close()
    before = ledger.read_bytes()
    copy_ledger(ledger, tmp_path / "copy")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["_state.db", "copy"]
    assert ledger.read_bytes() == before


def test_a_name_that_would_mean_something_in_an_address_is_copied_too(tmp_path: Path) -> None:
    folder = tmp_path / "what? 50% #1"
    folder.mkdir()
    with closing(Database(folder / "_state.db")) as database:
        database.remember("key", "value")
    copy_ledger(folder / "_state.db", tmp_path / "copy")
    with closing(Database(tmp_path / "copy")) as database:
        assert database.recall("key") == "value"


def test_what_is_no_database_is_damaged(tmp_path: Path) -> None:
    ledger = tmp_path / "_state.db"
    ledger.write_bytes(b"not a database at all" * 500)
    with pytest.raises(StateDamaged):
        copy_ledger(ledger, tmp_path / "copy")
