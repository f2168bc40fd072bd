"""Bodies that wait to be converted, in a few files beside the ledger that are used over and over.

Inside the ledger every body would be written twice, to its journal and to its table, only to be
deleted a moment later; and it would have to be handed to a converter, which can read it here.
"""

import os
import zlib
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from markmirror.errors import NO_SPACE, BodyLost, MarkmirrorError, disk_is_full

# A file that is this long takes no more bodies, until all of its bodies are done.
SEGMENT_BYTES = 8 * 1024 * 1024


class BodyPlace(NamedTuple):
    """Where a body lies, and how to tell that it is still the same."""

    segment: int
    offset: int
    length: int
    checksum: int


class Spool:
    """The files `<ledger>-bodies-1`, `-2` … of a ledger, whose rows say which bodies count.

    `in_use` names the segments that some row refers to. It is asked before a segment is used
    again, so the rows of everything appended before must be committed by then.
    """

    def __init__(self, ledger: Path, *, in_use: Callable[[], Collection[int]]) -> None:
        self._folder = ledger.parent
        self._stem = f"{ledger.name}-bodies-"
        self._in_use = in_use
        self._descriptor = -1
        self._segment = 0
        self._end = 0

    def file(self, segment: int) -> str:
        """The file of a segment, for `read_body`."""
        return f"{self._folder}/{self._stem}{segment}"

    def append(self, bodies: Iterable[bytes]) -> list[BodyPlace]:
        """Write bodies down; from now on they outlive the process."""
        try:
            if self._descriptor < 0 or self._end >= SEGMENT_BYTES:
                self._begin_segment()
            return [self._append(body) for body in bodies]
        except OSError as error:
            raise _explained(error) from error

    def read(self, place: BodyPlace) -> bytes:
        """The body at this place; raises BodyLost if it is not whole."""
        return read_body(self.file(place.segment), place)

    def holds(self, place: BodyPlace) -> bool:
        """Whether the body at this place is the one that was put there."""
        try:
            return zlib.crc32(self.read(place)) == place.checksum
        except BodyLost:
            return False

    def remove_unused(self) -> None:
        """Delete the segments that no row refers to, also those of a process that was killed."""
        self.close()
        kept = {f"{self._stem}{segment}" for segment in self._in_use()}
        try:
            for file in self._folder.glob(f"{self._stem}*"):
                if file.name not in kept:
                    file.unlink()
        except OSError as error:
            raise _explained(error) from error

    def _append(self, body: bytes) -> BodyPlace:
        start = self._end
        rest = memoryview(body)
        while rest:
            written = os.pwrite(self._descriptor, rest, self._end)
            rest = rest[written:]
            self._end += written
        return BodyPlace(self._segment, start, len(body), zlib.crc32(body))

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _begin_segment(self) -> None:
        self.close()
        in_use = self._in_use()
        self._segment = next(n for n in range(1, len(in_use) + 2) if n not in in_use)
        self._end = 0
        # Written over, not emptied: giving the space back and taking it again would cost more.
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW
        self._descriptor = os.open(self.file(self._segment), flags, 0o666)


def read_body(file: str, place: BodyPlace) -> bytes:
    """The body that lies there in this file; raises BodyLost if it is not whole."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        raise BodyLost(f"{file} cannot be read: {error.strerror}.") from error
    try:
        body = os.pread(descriptor, place.length, place.offset)
    finally:
        os.close(descriptor)
    if len(body) != place.length:
        raise BodyLost(f"{file} is shorter than it was.")
    return body


def _explained(error: OSError) -> Exception:
    if error.errno in NO_SPACE:
        return disk_is_full()
    return MarkmirrorError(f"{error.filename or 'A body'} cannot be written: {error.strerror}.")
