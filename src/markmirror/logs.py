"""Structured logs: JSON records in the mirror, and lines or JSON on stderr."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from markmirror.errors import NO_SPACE, UsageError
from markmirror.escaping import UNPRINTABLE, escape

LOG_FILE = "_log.jsonl"
ROOT = "markmirror"

_TO_ESCAPE = re.compile(f"[{UNPRINTABLE}]")
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _context(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in vars(record).items() if key not in _STANDARD}


class JsonFormatter(logging.Formatter):
    """One JSON object a line: level, timestamp, message, context."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "level": record.levelname,
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "message": record.getMessage(),
            "context": _context(record),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        line = json.dumps(entry, ensure_ascii=False, default=str)
        # JSON escapes some control characters; terminals obey others too, and marks reorder text.
        return _TO_ESCAPE.sub(lambda match: json.dumps(match[0])[1:-1], line)


class TextFormatter(logging.Formatter):
    """A readable line; text from outside cannot break out of it."""

    def format(self, record: logging.LogRecord) -> str:
        context = " ".join(f"{key}={escape(str(value))}" for key, value in _context(record).items())
        line = f"{record.levelname.lower()}: {record.getMessage()}"
        return f"{line} ({context})" if context else line


@contextmanager
def logging_to_stderr(
    *, log_format: str, quiet: bool, stream: TextIO | None = None
) -> Iterator[None]:
    """Within: warnings as lines, or every record as JSON, on stderr."""
    handler = logging.StreamHandler(stream or sys.stderr)
    if log_format == "json":
        handler.setFormatter(JsonFormatter())
        handler.setLevel(logging.WARNING if quiet else logging.INFO)
    else:
        handler.setFormatter(TextFormatter())
        handler.setLevel(logging.WARNING)
    with _attached(handler):
        yield


class _MirrorLog(logging.FileHandler):
    """A log on a full disk is silent: what could not be saved there ends the run in words."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError as error:
            # It is opened with its first record. What stands in its way is no matter of room.
            if error.errno not in NO_SPACE:
                raise UsageError(f"{LOG_FILE} cannot be written: {error.strerror}.") from None

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 -- logging's own name
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


@contextmanager
def logging_to_mirror(folder: Path) -> Iterator[None]:
    """Within: every record is appended to the mirror's own log."""
    path = folder / LOG_FILE
    if path.is_symlink():
        # As with every file of a mirror, a link in its place is replaced and never followed.
        path.unlink()
    # What has no UTF-8 form, such as the name of a folder, is escaped as JSON escapes it.
    handler = _MirrorLog(path, encoding="utf-8", errors="backslashreplace", delay=True)
    handler.setFormatter(JsonFormatter())
    with _attached(handler):
        yield


@contextmanager
def _attached(handler: logging.Handler) -> Iterator[None]:
    logger = logging.getLogger(ROOT)
    level, logger.propagate = logger.level, False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = not logger.handlers
        handler.close()
