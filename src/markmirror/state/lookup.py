"""`markmirror which` for websites: from a URL to its file and back, in every mirror of a folder."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from markmirror.errors import UsageError
from markmirror.state.database import DAMAGE, STATE_FILE
from markmirror.state.snapshot import opened_to_read


def file_of(url: str, output: Path) -> str | None:
    """The file a URL was written to.

    Raises UsageError, saying what became of it, if every mirror that knows it has no file of it.
    """
    fates: list[str] = []
    for ledger in ledgers(output):
        with reading(ledger) as connection:
            row = connection.execute(
                "SELECT e.path FROM entries e JOIN pages p ON p.id = e.page "
                "WHERE p.url = :url OR e.final_url = :url ORDER BY p.url <> :url LIMIT 1",
                {"url": url},
            ).fetchone()
            if row is not None and (output / row[0]).exists():
                return str(output / row[0])
            if row is not None:
                fates.append(gone(row[0]))
                continue
            row = connection.execute(
                "SELECT status, coalesce(reason, '') FROM pages WHERE url = ?", (url,)
            ).fetchone()
            if row is not None and row[0] == "duplicate":
                return file_of(row[1], output)
            if row is not None:
                fates.append(fate(*row))
    if fates:
        raise UsageError(f"{url} has no file: {fates[0]}.")
    return None


def url_of(file: Path, output: Path) -> str | None:
    """The URL a file came from. The path is taken from here, or from the output folder."""
    for ledger in ledgers(output):
        with reading(ledger) as connection:
            row = connection.execute(
                "SELECT p.url FROM entries e JOIN pages p ON p.id = e.page WHERE e.path = ?",
                (path_inside(file, output),),
            ).fetchone()
            if row is not None:
                return str(row[0])
    return None


def fate(status: str, reason: str) -> str:
    """What became of a page that has no file."""
    return f"{status}: {reason}" if reason else status


def gone(path: str) -> str:
    """What became of a page whose file somebody took away."""
    return f"{path} is not there any more"


def path_inside(file: Path, folder: Path) -> str:
    """A file by its path in the folder, which it may have been given by already."""
    absolute, top = file.resolve(), folder.resolve()
    return (absolute.relative_to(top) if absolute.is_relative_to(top) else file).as_posix()


def ledgers(output: Path) -> list[Path]:
    """Every ledger one level below the folder."""
    return sorted(output.glob(f"*/{STATE_FILE}"))


@contextmanager
def reading(ledger: Path) -> Iterator[sqlite3.Connection]:
    """A ledger to ask, also while a run writes to it. One that cannot be read is a sentence."""
    try:
        with closing(opened_to_read(ledger)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        hint = "The next run repairs it." if error.sqlite_errorcode in DAMAGE else ""
        raise UsageError(f"The ledger {ledger} cannot be read: {error}.", hint=hint) from error
