"""Steps through a mirror by its handles: no link is followed, and every fault is a sentence."""

import errno
import os
import stat
from contextlib import suppress

from markmirror.errors import NO_SPACE, DiskFull, MarkmirrorError, UnsafePath, UsageError

OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_NOT_ALLOWED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR})


def split_path(relative: str) -> tuple[list[str], str]:
    """The folders of a path inside the mirror, and its name."""
    *folders, name = parts = relative.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise UnsafePath(f"{relative!r} is not a path inside the mirror.")
    return folders, name


def open_below(name: str, parent: int) -> int:
    """A folder, by the handle of the one it is in."""
    return os.open(name, OPEN_FOLDER, dir_fd=parent)


def open_or_make(name: str, parent: int) -> int:
    """The same, made if it is missing."""
    try:
        return open_below(name, parent)
    except FileNotFoundError:
        # Another worker may have made it in the meantime, which is as good.
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=parent)
        return open_below(name, parent)


def open_regular_file(name: str, parent: int) -> int:
    """A file to read; a link, a pipe or a folder is refused."""
    try:
        # Without O_NONBLOCK a named pipe would hold the run until somebody writes to it.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=parent)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise blocked(name, parent, name) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UsageError(f"{name} in the mirror is not a regular file.")
    return descriptor


def write_all(descriptor: int, data: bytes) -> None:
    """Write until nothing is left: the system may take less than it was given."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def blocked(name: str, parent: int, way: str) -> MarkmirrorError:
    """What to say of something that stands where a folder is needed."""
    if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
        return UnsafePath(
            f"{way} in the mirror is a symbolic link.",
            hint="Pages are written inside the mirror only; remove the link to go on.",
        )
    return UsageError(
        f"{way} in the mirror is a file where a folder is needed.",
        hint="Move it away to go on.",
    )


def explained(error: OSError, path: str) -> MarkmirrorError:
    """What the system said about a path, as one of our errors."""
    if error.errno in NO_SPACE:
        return DiskFull(f"The disk is full; {path} could not be written.")
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return UsageError(f"{path} cannot be used as a folder: there is a file in the way.")
    sentence = f"{path} cannot be written: {os.strerror(error.errno or 0)}."
    return UsageError(sentence) if error.errno in _NOT_ALLOWED else MarkmirrorError(sentence)
