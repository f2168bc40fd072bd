"""Lists that grow while a run goes on, such as the log of failures: whole lines, or none."""

import os
from contextlib import suppress
from pathlib import Path

from markmirror.output.handles import explained, write_all

_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW


class AppendedLines:
    """A file at whose end lines are added. It is opened, or made, for the first of them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1

    def append(self, lines: str) -> None:
        """Add lines, each with its end: all of them or, if they do not fit, none.

        Raises what `MirrorFolder.write` raises.
        """
        try:
            if self._descriptor < 0:
                self._open()
            size = os.fstat(self._descriptor).st_size
            try:
                write_all(self._descriptor, lines.encode())
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, size)
                raise
        except OSError as error:
            raise explained(error, self.path.name) from error

    def _open(self) -> None:
        if self.path.is_symlink():
            # As with every file of a mirror, a link in its place is replaced and never followed.
            self.path.unlink()
        self._descriptor = os.open(self.path, _APPEND, 0o666)
        size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            # Somebody's editor, or a power cut, left the last line without its end.
            write_all(self._descriptor, b"\n")

    def close(self) -> None:
        """Give the file back; the next lines open it again."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
