"""stdout and stderr such as they may be: closed, on a full disk, or with nobody reading on."""

import io
import os
import sys
from typing import Any

from markmirror.errors import NO_SPACE, DiskFull, OutputLost


class NobodyReads(Exception):
    """Whoever read what was asked for has had enough; nothing more can be said to them."""


class _Answers(io.FileIO):
    """stdout carries what was asked for, so the command ends where it cannot be written."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            # What still waits to be written would fail once more as the process ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if isinstance(error, BrokenPipeError):
                raise NobodyReads from None
            fault = DiskFull if error.errno in NO_SPACE else OutputLost
            raise fault(f"stdout cannot be written: {error.strerror}.") from None


class _Remarks(io.FileIO):
    """stderr carries what is said besides: a run goes on when it cannot be heard."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def open_streams() -> None:
    """Give this process streams that it can always write to, or that say plainly why not."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The next file to be opened would take the number, and be written to as a stream.
            os.open(os.devnull, os.O_RDWR)
    encoding = sys.stderr.encoding if sys.stderr else "utf-8"
    # Names of files are bytes, and come out as they are whatever the terminal can show.
    sys.stdout = _text(_Answers(1, "w", closefd=False), "utf-8", "surrogateescape")
    sys.stderr = _text(_Remarks(2, "w", closefd=False), encoding, "backslashreplace")


def _text(raw: io.FileIO, encoding: str, errors: str) -> io.TextIOWrapper:
    is_read_at_once = raw.isatty() or raw.fileno() == 2
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=encoding, errors=errors, line_buffering=is_read_at_once
    )
