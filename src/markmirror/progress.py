"""How far a run is: a bar on a terminal, lines elsewhere, and numbers for the progress file."""

import sys
from collections.abc import Callable
from typing import Any, Protocol, TextIO

from markmirror.escaping import escape

PROGRESS_EVERY = 100


class Display(Protocol):
    """Shows a person what is going on."""

    def begin(self, total: int) -> None: ...

    def page(self, done: int, total: int, url: str) -> None: ...

    def end(self, done: int) -> None: ...


class Silence:
    """Shows nothing."""

    def begin(self, total: int) -> None:
        return None

    def page(self, done: int, total: int, url: str) -> None:
        return None

    def end(self, done: int) -> None:
        return None


class Lines(Silence):
    """One line per page, for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def page(self, done: int, total: int, url: str) -> None:
        self._stream.write(f"[{done}/{total}] Processing: {escape(url)}\n")


class Bar(Silence):
    """A live bar, for people at a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: Any = None
        self._task: Any = None

    def begin(self, total: int) -> None:
        # Imported here because only a terminal needs it, and it is slow to import.
        from rich.console import Console
        from rich.markup import escape as markup_escape
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._markup_escape = markup_escape
        self._bar = Progress(
            MofNCompleteColumn(),
            BarColumn(bar_width=30),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=Console(file=self._stream),
        )
        self._task = self._bar.add_task("", total=total)
        self._bar.start()

    def page(self, done: int, total: int, url: str) -> None:
        description = self._markup_escape(escape(url))
        self._bar.update(self._task, completed=done - 1, total=total, description=description)

    def end(self, done: int) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description="")
            self._bar.stop()
            self._bar = None


def display_for(*, quiet: bool, log_format: str, stream: TextIO | None = None) -> Display:
    """What suits the place where the output goes."""
    stream = stream or sys.stderr
    if quiet or log_format == "json":
        return Silence()
    return Bar(stream) if stream.isatty() else Lines(stream)


class Progress:
    """Counts the pages of one run and says when it is time to write the numbers down."""

    def __init__(
        self,
        display: Display,
        *,
        total: int,
        done: int,
        monotonic: Callable[[], float],
        on_checkpoint: Callable[["Progress"], None],
    ) -> None:
        self.total = total
        self.done = done
        self._begun = done
        self._done_at_start = done
        self._display = display
        self._monotonic = monotonic
        self._started = monotonic()
        self._on_checkpoint = on_checkpoint
        display.begin(total)

    def begins(self, url: str) -> None:
        """A page is about to be requested."""
        self._begun += 1
        self._display.page(min(self._begun, self.total), self.total, url)

    def recount(self, *, total: int, done: int) -> None:
        """More has turned out to be part of the run, or some of it is done once more."""
        self.total = total
        self.done = done

    def settled(self) -> None:
        """A page has reached its end, whichever."""
        self.done += 1
        if self.done % PROGRESS_EVERY == 0:
            self._on_checkpoint(self)

    def numbers(self) -> dict[str, object]:
        """What the progress file says."""
        elapsed = self._monotonic() - self._started
        done_now = self.done - self._done_at_start
        left = max(self.total - self.done, 0)
        eta = left * elapsed / done_now if done_now else None
        return {
            "processed": self.done,
            "total": self.total,
            "elapsed_sec": round(elapsed, 3),
            "eta_sec": None if eta is None else round(eta, 3),
        }

    def end(self) -> None:
        self._display.end(self.done)
