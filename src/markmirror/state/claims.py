"""Which URL owns which file. Two URLs never share one, and the outcome does not depend on order."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from markmirror.output.paths import page_path, path_key, with_suffix
from markmirror.state.database import Database

# Eight digits tell rivals apart; more are used should even those be equal.
SUFFIX_DIGITS = (0, 8, 16, 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A URL's file, relative to the output folder."""

    url: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A URL that lost its file name to a smaller one, or got a lost one back, and its name now."""

    url: str
    old_path: str
    new_path: str


def claimed_path(url: str, digits: int) -> str:
    """The file of a URL whose name carries so many distinguishing digits."""
    place = page_path(url)
    path = with_suffix(place.path, url, digits) if digits else place.path
    return f"{place.host_dir}/{path}"


def key_of(path: str) -> int:
    """A path as a case-insensitive disk sees it, as a 64-bit number.

    Should two different paths ever hash alike, one of them gets a distinguishing suffix it
    did not need: harmless.
    """
    digest = hashlib.blake2b(path_key(path).encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


class Claims:
    """A settled claim wins, then the smaller URL; the loser's name gets a suffix."""

    def __init__(self, database: Database, *, is_foreign: Callable[[str, str], bool]) -> None:
        self._database = database
        self._is_foreign = is_foreign

    def of(self, url: str) -> str | None:
        """The path this URL owns, or None."""
        row = self._database.one("SELECT digits FROM claims WHERE url = ?", (url,))
        return None if row is None else claimed_path(url, int(str(row[0])))

    def holder(self, path: str) -> str | None:
        """The URL that owns this path, or None."""
        row = self._database.one("SELECT url FROM claims WHERE key = ?", (key_of(path),))
        return None if row is None else str(row[0])

    def take(self, url: str) -> tuple[str, Renamed | None]:
        """The path for this URL, and who had to make way for it, if anybody."""
        if owned := self.of(url):
            return owned, None
        with self._database.transaction() as connection:
            for digits in SUFFIX_DIGITS:
                path = claimed_path(url, digits)
                key = key_of(path)
                row = connection.execute(
                    "SELECT url, digits, settled FROM claims WHERE key = ?", (key,)
                ).fetchone()
                if row is None:
                    if self._is_foreign(path, url):
                        continue
                    connection.execute("INSERT INTO claims VALUES (?, ?, ?, 0)", (key, url, digits))
                    return path, None
                holder, holder_digits, settled = row
                if not settled and digits == 0 and url < holder:
                    connection.execute("DELETE FROM claims WHERE key = ?", (key,))
                    connection.execute("INSERT INTO claims VALUES (?, ?, 0, 0)", (key, url))
                    new_path = self._suffixed(holder)
                    old_path = claimed_path(holder, holder_digits)
                    return path, Renamed(url=holder, old_path=old_path, new_path=new_path)
        raise AssertionError(f"no file name is left for {url}")

    def take_uncontested(self, urls: list[str]) -> list[str]:
        """The plain name for each of these URLs, if it is free; returns those that got none."""
        names = [(claimed_path(url, 0), url) for url in urls]
        # In the order of the keys, so that the table grows page by page and not all over.
        rows = sorted((key_of(path), url) for path, url in names if not self._is_foreign(path, url))
        with self._database.transaction() as connection:
            taken = connection.executemany("INSERT OR IGNORE INTO claims VALUES (?, ?, 0, 0)", rows)
        if taken.rowcount == len(urls):
            return []
        return [url for url in urls if self.of(url) is None]

    def _suffixed(self, url: str) -> str:
        with self._database.transaction() as connection:
            for digits in SUFFIX_DIGITS[1:]:
                path = claimed_path(url, digits)
                key = key_of(path)
                taken = connection.execute("SELECT 1 FROM claims WHERE key = ?", (key,)).fetchone()
                if taken is None and not self._is_foreign(path, url):
                    connection.execute("INSERT INTO claims VALUES (?, ?, ?, 0)", (key, url, digits))
                    return path
        raise AssertionError(f"no file name is left for {url}")

    def release(self, url: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM claims WHERE url = ?", (url,))

    def release_unused(self, run: int) -> None:
        """Give up the names that no file has and that no page will need when it is tried again."""
        self._database.change(
            "DELETE FROM claims WHERE NOT EXISTS "
            "(SELECT 1 FROM entries WHERE final_url = claims.url) AND NOT EXISTS "
            "(SELECT 1 FROM pages p WHERE p.url = claims.url AND p.listed_in = ? "
            "AND p.status IN ('failed', 'left'))",
            (run,),
        )

    def suffixed(self) -> list[str]:
        """URLs whose names got a suffix and can still change, the smallest first."""
        rows = self._database.read(
            "SELECT url FROM claims WHERE digits > 0 AND settled = 0 ORDER BY url"
        )
        return [str(url) for (url,) in rows]

    def take_plain(self, url: str) -> Renamed | None:
        """The plain name instead of the one with a suffix, if nobody has it any more."""
        old_path, new_path = self.of(url), claimed_path(url, 0)
        if old_path is None or self.holder(new_path) or self._is_foreign(new_path, url):
            return None
        self._database.change(
            "UPDATE claims SET key = ?, digits = 0 WHERE url = ?", (key_of(new_path), url)
        )
        return Renamed(url=url, old_path=old_path, new_path=new_path)

    def settle(self) -> None:
        """From now on the files that exist keep their names."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE claims SET settled = 1 WHERE settled = 0 AND url IN "
                "(SELECT final_url FROM entries UNION ALL "
                "SELECT p.url FROM entries e JOIN pages p ON p.id = e.page)"
            )

    def unclaimed(self, run: int, *, after: str, limit: int) -> list[str]:
        """Pages to be fetched that own no file name yet, the smallest URLs after a given one."""
        rows = self._database.read(
            "SELECT p.url FROM pages p LEFT JOIN claims c ON c.url = p.url "
            "WHERE p.url > ? AND p.status = 'pending' AND p.listed_in = ? AND c.url IS NULL "
            "ORDER BY p.url LIMIT ?",
            (after, run, limit),
        )
        return [str(url) for (url,) in rows]
