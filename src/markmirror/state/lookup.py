"""`markmirror which` for websites: from a URL to its file and back, in every mirror of a folder."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from markmirror.errors import UsageError
from markmirror.state.database import STATE_FILE


def file_of(url: str, output: Path) -> str | None:
    """The file a URL was written to, or in words what became of it instead."""
    for connection in ledgers(output):
        with closing(connection), readable(output):
            row = connection.execute(
                "SELECT e.path FROM entries e JOIN pages p ON p.id = e.page "
                "WHERE p.url = :url OR e.final_url = :url ORDER BY p.url <> :url LIMIT 1",
                {"url": url},
            ).fetchone()
            if row is not None:
                return str(output / row[0])
            row = connection.execute(
                "SELECT status, coalesce(reason, '') FROM pages WHERE url = ?", (url,)
            ).fetchone()
            if row is not None and row[0] == "duplicate":
                return file_of(row[1], output)
            if row is not None:
                raise UsageError(f"{url} has no file: {row[0]}{': ' if row[1] else ''}{row[1]}.")
    return None


def url_of(file: Path, output: Path) -> str | None:
    """The URL a file came from. The path is taken from here, or from the output folder."""
    for connection in ledgers(output):
        with closing(connection), readable(output):
            row = connection.execute(
                "SELECT p.url FROM entries e JOIN pages p ON p.id = e.page WHERE e.path = ?",
                (path_inside(file, output),),
            ).fetchone()
            if row is not None:
                return str(row[0])
    return None


def path_inside(file: Path, folder: Path) -> str:
    """A file by its path in the folder, which it may have been given by already."""
    absolute, top = file.resolve(), folder.resolve()
    return (absolute.relative_to(top) if absolute.is_relative_to(top) else file).as_posix()


@contextmanager
def readable(output: Path) -> Iterator[None]:
    """A damaged ledger is a sentence, not a traceback."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise UsageError(
            f"A ledger in {output} cannot be read: {error}.", hint="The next run repairs it."
        ) from error


def ledgers(output: Path) -> Iterator[sqlite3.Connection]:
    """Every ledger one level below the folder, to be read and closed."""
    for path in sorted(output.glob(f"*/{STATE_FILE}")):
        yield sqlite3.connect(f"file:{path}?mode=ro", uri=True)
