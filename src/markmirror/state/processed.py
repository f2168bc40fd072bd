"""`_processed.txt`: one saved URL per line, for people to read and to edit."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from markmirror.state.database import Database

PROCESSED_FILE = "_processed.txt"


class ProcessedList:
    """Appended as pages are saved, obeyed at the next start."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.path = folder / PROCESSED_FILE
        self._database = database
        self._descriptor = -1

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
            except UnicodeDecodeError:
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
        temporary = self.path.with_name(f"{PROCESSED_FILE}.tmp")
        # Made anew, so that nothing is written through a link somebody left at this name.
        temporary.unlink(missing_ok=True)
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{url}\n" for url in urls)
        temporary.replace(self.path)

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
        """Add those the list did not have; one write for all, so that a crash leaves whole lines.

        To be called once for a URL: what is added is known after the next `load` only.
        """
        new = [url for url in urls if self._is_new(url)]
        if not new:
            return
        if self._descriptor < 0:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
            self._descriptor = os.open(self.path, flags, 0o644)
            self._end_torn_line()
        os.write(self._descriptor, "".join(f"{url}\n" for url in new).encode())

    def _is_new(self, url: str) -> bool:
        return self._database.one("SELECT 1 FROM processed WHERE url = ?", (url,)) is None

    def _end_torn_line(self) -> None:
        size = os.fstat(self._descriptor).st_size
        with self.path.open("rb") as file:
            file.seek(max(size - 1, 0))
            if size and file.read(1) != b"\n":
                os.write(self._descriptor, b"\n")

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
