"""One process per mirror."""

import fcntl
import os
from pathlib import Path

from markmirror.errors import MirrorInUse, UsageError

LOCK_FILE = "_lock"


class MirrorLock:
    """Held while the process lives; the system lets go of it when the process dies."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_FILE
        self._descriptor: int | None = None

    def __enter__(self) -> "MirrorLock":
        # Never unlinked: a second process could otherwise lock a file that is no longer there.
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise UsageError(f"{self._path} cannot be used as a lock: {error.strerror}.") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            raise MirrorInUse(
                f"Another process (pid {holder}) is writing to {self._path.parent}.",
                hint="Wait for it to end, or choose another --output.",
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
