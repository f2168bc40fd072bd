"""`_processed.txt`: one saved URL per line, for people to read and to edit."""

from collections.abc import Iterable, Iterator

from markmirror.output.appended import AppendedLines
from markmirror.output.files import MirrorFolder
from markmirror.state.database import Database

PROCESSED_FILE = "_processed.txt"


class ProcessedList:
    """Appended as pages are saved, obeyed at the next start."""

    def __init__(self, home: MirrorFolder, database: Database) -> None:
        self.path = home.root / PROCESSED_FILE
        self._home = home
        self._database = database
        self._file = AppendedLines(self.path)

    def load(self) -> bool:
        """Read the file into the temporary table `processed`; False if it is damaged.

        A table rather than a set: the list may be a million lines long.
        """
        database = self._database
        with database.transaction() as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS processed (url TEXT PRIMARY KEY)")
            connection.execute("DELETE FROM processed")
            try:
                connection.executemany(
                    "INSERT OR IGNORE INTO processed VALUES (?)", self._whole_lines()
                )
            except (UnicodeDecodeError, IsADirectoryError):
                return False
        return True

    def _whole_lines(self) -> Iterator[tuple[str]]:
        """Every line that was written to its end; a torn last one is dropped."""
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                if "\0" in line:
                    raise UnicodeDecodeError("utf-8", b"\0", 0, 1, "a NUL byte")
                if line.endswith("\n") and line.strip():
                    yield (line.strip(),)

    def rewrite(self, urls: Iterable[str]) -> None:
        """Replace the file by these lines."""
        self.close()
        with self._home.replacing(PROCESSED_FILE) as file:
            file.writelines(f"{url}\n" for url in urls)

    def forget(self, urls: Iterable[str]) -> None:
        """Take these out of the list: their files are gone."""
        if not self.load():
            # Somebody has damaged it meanwhile; the next run finds out and rebuilds it.
            return
        with self._database.transaction() as connection:
            connection.executemany("DELETE FROM processed WHERE url = ?", ((url,) for url in urls))
        rows = self._database.read("SELECT url FROM processed ORDER BY rowid")
        self.rewrite(str(url) for (url,) in rows)

    def append(self, urls: Iterable[str]) -> None:
        """Add those the list did not have, all at once, so that a crash leaves whole lines.

        To be called once for a URL: what is added is known after the next `load` only.
        """
        new = [url for url in urls if self._is_new(url)]
        if not new:
            return
        self._file.append("".join(f"{url}\n" for url in new))

    def _is_new(self, url: str) -> bool:
        return self._database.one("SELECT 1 FROM processed WHERE url = ?", (url,)) is None

    def close(self) -> None:
        self._file.close()
