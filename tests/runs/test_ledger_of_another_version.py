"""A ledger that another version of the program wrote is refused by both commands, not replaced."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.runs.command import Ended, markmirror
from tests.runs.confluence.wiki import wiki_at
from tests.web_server import serving

REFUSAL = (
    "markmirror: _state.db was written by another version of markmirror. Start over with --fresh.\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One of the commands, and the folder of its ledger."""

    folder: Path
    run: Callable[..., Ended]


@contextmanager
def _site(output: Path) -> Iterator[Command]:
    with serving() as web:
        web.serve_pages(["/a", "/b"])
        wishes = ("site", web.url, "-o", output, "--rate-limit", 0, "--workers", 0)
        yield Command(folder=output / web.host_dir, run=lambda *more: markmirror(*wishes, *more))


@contextmanager
def _confluence(output: Path) -> Iterator[Command]:
    with wiki_at(output) as wiki:
        wiki.content.add_page("DOCS", "Page", "<p>Text.</p>")
        yield Command(folder=wiki.folder, run=wiki.export)


@pytest.mark.parametrize("command", [_site, _confluence])
@pytest.mark.parametrize("journal_mode", ["wal", "delete"])
def test_a_ledger_of_another_version_is_left_as_it_is_until_a_person_starts_over(
    tmp_path: Path, command: Callable[[Path], AbstractContextManager[Command]], journal_mode: str
) -> None:
    with command(tmp_path) as mirror:
        assert mirror.run().code == 0
        ledger = mirror.folder / "_state.db"
        with closing(sqlite3.connect(ledger)) as connection:
            connection.execute("PRAGMA user_version = 99")
            connection.execute(f"PRAGMA journal_mode = {journal_mode}")
        before = ledger.read_bytes()
        ended = mirror.run()
        assert (ended.code, ended.err) == (2, REFUSAL)
        assert ledger.read_bytes() == before
        assert [file.name for file in mirror.folder.glob("_state.db*")] == ["_state.db"]

        assert mirror.run("--fresh").code == 0
        assert mirror.run().code == 0
