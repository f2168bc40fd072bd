"""What a command does when nobody listens to it any more, or what it says does not fit."""

import io
import os
import sys
from typing import Any


class _Unheard(io.FileIO):
    """A stream on which what cannot be written is lost, and nothing else with it."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def open_streams() -> None:
    """Make stderr last as long as the command, and give it streams where it was given none."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(_nowhere(), "w")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Unheard(_nowhere() if sys.stderr is None else 2, "w", closefd=False)),
        encoding=sys.stderr.encoding if sys.stderr else "utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )


def close_stdout() -> None:
    """Forget what waits to be written there; Python would try again, and end with its own code."""
    os.dup2(_nowhere(), sys.stdout.fileno())


def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)
