"""Write, move and remove files inside one folder, and never outside it.

What is guaranteed, on any POSIX system:

* A path is walked one folder at a time from the mirror's root, each step opened relative to the
  one before and refusing symbolic links. So nothing is read or written through a link, also when a
  folder is exchanged for a link while the program runs. Links that stay inside the mirror are
  refused too: they would make two paths one file.
* A file appears whole or not at all: it is written under `_tmp/` and renamed into place. A link
  standing where the file belongs is replaced by the file, never followed.
* A write that fails leaves no temporary file behind.
"""

import ctypes
import errno
import itertools
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO, TypeVar

from markmirror.errors import DiskFull, UnsafePath, UsageError
from markmirror.output.handles import (
    OPEN_FOLDER,
    blocked,
    explained,
    open_below,
    open_or_make,
    open_regular_file,
    split_path,
    write_all,
)

# All temporary files live in this one folder at the root: on the mirror's own file system, so that
# the final step is a rename, and in one place, so that clearing up after a killed run means
# listing one folder instead of walking a million files.
TEMPORARY_FOLDER = "_tmp"

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})

_T = TypeVar("_T")

# Not in the os module; where the C library lacks it, everything is synced instead.
_syncfs = getattr(ctypes.CDLL(None), "syncfs", None)

_RUN = secrets.token_hex(4)
_numbers = itertools.count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the disk says about a file just written, to recognise it by later."""

    mtime_ns: int
    size: int


class Receiving:
    """A file in the making."""

    def __init__(self, path: str, descriptor: int, put_in_place: Callable[[], Written]) -> None:
        self._path = path
        self._descriptor = descriptor
        self._put_in_place = put_in_place
        self.size = 0

    def write(self, data: bytes) -> None:
        try:
            write_all(self._descriptor, data)
        except OSError as error:
            raise explained(error, self._path) from error
        self.size += len(data)

    def keep(self) -> Written:
        """Put the file in its place, whole."""
        try:
            return self._put_in_place()
        except OSError as error:
            raise explained(error, self._path) from error


class MirrorFolder:
    """The folder a mirror lives in. Paths are POSIX, relative to it, as `page_path` makes them.

    The folder is created if it is missing. Close it (or use it in a `with` statement) to give
    back the handles it keeps. For one thread at a time.
    """

    def __init__(self, root: Path) -> None:
        try:
            root.mkdir(parents=True, exist_ok=True)
            self.root = root.resolve(strict=True)
            self._root_fd = os.open(self.root, OPEN_FOLDER)
        except OSError as error:
            fault = explained(error, str(root))
            # Whatever else it is: with another folder the person would not have met it.
            raise fault if isinstance(fault, DiskFull) else UsageError(str(fault)) from error
        self._temporary_fd: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the handles; the folder for temporary files goes too, if it is empty."""
        if self._temporary_fd is not None:
            os.close(self._temporary_fd)
            self._temporary_fd = None
            with suppress(OSError):
                os.rmdir(TEMPORARY_FOLDER, dir_fd=self._root_fd)
        if self._root_fd >= 0:
            os.close(self._root_fd)
            self._root_fd = -1

    def write(self, relative: str, data: bytes) -> Written:
        """Put a file in place, whole, creating the folders it needs and replacing what was there.

        Raises `UnsafePath` when the way there leads through a link, `DiskFull` when it does not
        fit, `UsageError` when the folder may not be written to or something is in the way.
        """
        folders, name = split_path(relative)
        try:
            parent = self._open_folder(folders, create=True)
            try:
                return self._write_into(parent, name, data)
            finally:
                os.close(parent)
        except OSError as error:
            raise explained(error, relative) from error

    @contextmanager
    def replacing(self, relative: str) -> Iterator[TextIO]:
        """Write a long text piece by piece; it takes its place when the block ends well."""
        place = split_path(relative)
        try:
            temporary, descriptor = self._new_temporary()
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                    yield file
                self._put_in_place(temporary, *place)
            except BaseException:
                self._discard(temporary)
                raise
        except OSError as error:
            raise explained(error, relative) from error

    @contextmanager
    def receiving(self, relative: str) -> Iterator["Receiving"]:
        """Write bytes as they arrive; nothing of them stays unless `keep` is called."""
        place = split_path(relative)
        try:
            temporary, descriptor = self._new_temporary()
        except OSError as error:
            raise explained(error, relative) from error
        try:
            yield Receiving(relative, descriptor, lambda: self._put_in_place(temporary, *place))
        finally:
            os.close(descriptor)
            self._discard(temporary)

    def read(self, relative: str) -> bytes:
        """The content of a file. Raises `FileNotFoundError` when there is none."""
        folders, name = split_path(relative)
        parent = self._open_folder(folders)
        try:
            descriptor = open_regular_file(name, parent)
        finally:
            os.close(parent)
        with os.fdopen(descriptor, "rb") as file:
            return file.read()

    def stat(self, relative: str) -> Written | None:
        """What the disk says about a file, or None when no regular file can be reached there."""
        folders, name = split_path(relative)
        try:
            parent = self._open_folder(folders)
        except (FileNotFoundError, UnsafePath, UsageError):
            return None
        try:
            found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return None
        finally:
            os.close(parent)
        return _written(found) if stat.S_ISREG(found.st_mode) else None

    def exists(self, relative: str) -> bool:
        """Whether a regular file is there; links and folders do not count."""
        return self.stat(relative) is not None

    def link_or_copy(self, old: str, new: str) -> Written:
        """Make a file reachable under a second path, at no cost where the disk knows hard links.

        The old path stays until it is removed, so that a move can be recorded in between. The two
        stay independent, because a write replaces a file and never changes one.
        """
        old_folders, old_name = split_path(old)
        source = self._open_folder(old_folders)
        try:
            os.close(open_regular_file(old_name, source))
            temporary = self._link_temporary(source, old_name)
        finally:
            os.close(source)
        if temporary is None:
            return self.write(new, self.read(old))
        try:
            return self._put_in_place(temporary, *split_path(new))
        except OSError as error:
            raise explained(error, new) from error
        finally:
            # Renaming one name of a file over another of the same file does nothing at all.
            self._discard(temporary)

    def remove(self, relative: str) -> bool:
        """Delete a file and then the folders it leaves empty; False when it was not there."""
        folders, name = split_path(relative)
        try:
            parent = self._open_folder(folders)
            try:
                os.unlink(name, dir_fd=parent)
            finally:
                os.close(parent)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise explained(error, relative) from error
        # A folder that does not go is not empty, and then neither are those above it.
        with suppress(OSError):
            while folders:
                *folders, name = folders
                self._remove_folder(folders, name)
        return True

    def remove_leftovers(self) -> int:
        """Delete the temporary files of a run that was killed; returns how many there were.

        Only for the holder of the mirror's lock: another run's files in the making look the same.
        """
        try:
            folder = self._open_folder([TEMPORARY_FOLDER])
        except FileNotFoundError:
            return 0
        try:
            with os.scandir(folder) as entries:
                names = [
                    entry.name
                    for entry in entries
                    if _is_temporary(entry.name) and not entry.is_dir(follow_symlinks=False)
                ]
            for name in names:
                os.unlink(name, dir_fd=folder)
        except OSError as error:
            raise explained(error, TEMPORARY_FOLDER) from error
        finally:
            os.close(folder)
        return len(names)

    def flush_to_disk(self) -> None:
        """Make everything written so far survive a power cut.

        One call for the whole file system: syncing file by file costs about a millisecond each,
        which at full speed is more than fetching and converting the page.
        """
        if _syncfs is None or _syncfs(self._root_fd) != 0:
            os.sync()

    def free_bytes(self) -> int:
        """The space left for this user on the disk that holds the mirror."""
        disk = os.fstatvfs(self._root_fd)
        return disk.f_bavail * disk.f_frsize

    def _open_folder(self, folders: list[str], *, create: bool = False) -> int:
        """Walk down from the root without following a link; the caller closes the handle."""
        current = os.dup(self._root_fd)
        for depth, name in enumerate(folders):
            try:
                below = open_or_make(name, current) if create else open_below(name, current)
            except OSError as error:
                way = "/".join(folders[: depth + 1])
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise blocked(name, current, way) from error
                raise
            finally:
                os.close(current)
            current = below
        return current

    def _remove_folder(self, folders: list[str], name: str) -> None:
        parent = self._open_folder(folders)
        try:
            os.rmdir(name, dir_fd=parent)
        finally:
            os.close(parent)

    def _write_into(self, parent: int, name: str, data: bytes) -> Written:
        temporary, descriptor = self._new_temporary()
        try:
            try:
                write_all(descriptor, data)
                written = _written(os.fstat(descriptor))
            finally:
                os.close(descriptor)
            os.replace(temporary, name, src_dir_fd=self._temporary(), dst_dir_fd=parent)
        except BaseException:
            self._discard(temporary)
            raise
        return written

    def _link_temporary(self, source: int, name: str) -> str | None:
        temporary = _temporary_name()
        try:
            self._in_temporary_folder(
                lambda folder: os.link(
                    name, temporary, src_dir_fd=source, dst_dir_fd=folder, follow_symlinks=False
                )
            )
        except OSError as error:
            if error.errno in _NO_HARD_LINKS:
                return None
            raise explained(error, name) from error
        return temporary

    def _put_in_place(self, temporary: str, folders: list[str], name: str) -> Written:
        parent = self._open_folder(folders, create=True)
        try:
            os.replace(temporary, name, src_dir_fd=self._temporary(), dst_dir_fd=parent)
            return _written(os.stat(name, dir_fd=parent, follow_symlinks=False))
        finally:
            os.close(parent)

    def _new_temporary(self) -> tuple[str, int]:
        """The name of a new temporary file, and a handle to write to it."""
        name = _temporary_name()
        return name, self._in_temporary_folder(
            lambda folder: os.open(name, _NEW_FILE, 0o666, dir_fd=folder)
        )

    def _discard(self, temporary: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=self._temporary())

    def _temporary(self) -> int:
        if self._temporary_fd is None:
            self._temporary_fd = self._open_folder([TEMPORARY_FOLDER], create=True)
        return self._temporary_fd

    def _in_temporary_folder(self, create: Callable[[int], _T]) -> _T:
        try:
            return create(self._temporary())
        except FileNotFoundError:
            # Somebody tidied the folder away while its handle was open: make it again, once.
            if self._temporary_fd is not None:
                os.close(self._temporary_fd)
                self._temporary_fd = None
            return create(self._temporary())


def _written(found: os.stat_result) -> Written:
    return Written(mtime_ns=found.st_mtime_ns, size=found.st_size)


def _temporary_name() -> str:
    # The random part keeps clear of leftovers: in a container every run may have the same pid.
    return f".markmirror-{_RUN}-{next(_numbers)}.tmp"


def _is_temporary(name: str) -> bool:
    return name.startswith(".markmirror-") and name.endswith(".tmp")
