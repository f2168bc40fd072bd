"""The output folder: one mirrored folder per host, written to by one process."""

import os
from contextlib import AbstractContextManager
from pathlib import Path

from markmirror.errors import UsageError
from markmirror.output.files import MirrorFolder, Receiving, Written


def check_output_folder(*way: Path) -> None:
    """A clear sentence for the commonest mistakes, before anything is fetched.

    The way down to a mirror may end early, where the folders are still to be made.
    """
    for folder in way:
        try:
            is_in_the_way = folder.exists() and not folder.is_dir()
        except OSError as error:
            raise UsageError(
                f"--output: {folder} cannot be used: {error.strerror}.", hint="Choose another one."
            ) from None
        if is_in_the_way:
            raise UsageError(
                f"--output: {folder} is a file, not a folder.", hint="Choose another one."
            )


class OutputTree:
    """Files by their path below the output folder; the first part of it is the host's folder."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, MirrorFolder] = {}
        self._written_to: set[str] = set()

    def folder(self, host_dir: str) -> MirrorFolder:
        """The folder of one host, made if it is missing."""
        folder = self._folders.get(host_dir)
        if folder is None:
            folder = self._folders[host_dir] = MirrorFolder(self._root / host_dir)
        return folder

    def _folder_to_write_to(self, host_dir: str) -> MirrorFolder:
        """The same, rid of what a killed run left there; who only reads deletes nothing."""
        folder = self.folder(host_dir)
        if host_dir not in self._written_to:
            self._written_to.add(host_dir)
            # A folder with a lock is the home of a mirror, perhaps with another process at work.
            if not (folder.root / "_lock").exists():
                folder.remove_leftovers()
        return folder

    def write(self, path: str, data: bytes) -> Written:
        host_dir, _, inside = path.partition("/")
        return self._folder_to_write_to(host_dir).write(inside, data)

    def receiving(self, path: str) -> AbstractContextManager[Receiving]:
        """A file to be written as its bytes arrive."""
        host_dir, _, inside = path.partition("/")
        return self._folder_to_write_to(host_dir).receiving(inside)

    def stat(self, path: str) -> Written | None:
        host_dir, _, inside = path.partition("/")
        if host_dir not in self._folders and not (self._root / host_dir).is_dir():
            return None
        return self.folder(host_dir).stat(inside)

    def read(self, path: str) -> bytes:
        host_dir, _, inside = path.partition("/")
        return self.folder(host_dir).read(inside)

    def link_or_copy(self, old: str, new: str) -> None:
        """Both paths are on the same host: a file moves only to another name."""
        host_dir, _, inside = old.partition("/")
        self._folder_to_write_to(host_dir).link_or_copy(inside, new.partition("/")[2])

    def remove(self, path: str) -> None:
        host_dir, _, inside = path.partition("/")
        self.folder(host_dir).remove(inside)

    def is_occupied(self, path: str) -> bool:
        """Whether anything at all stands at this path, a link or a folder included."""
        return os.path.lexists(f"{self._root}/{path}")

    def flush_to_disk(self) -> None:
        """Make everything written so far survive a power cut."""
        for folder in list(self._folders.values()):
            folder.flush_to_disk()

    def close(self) -> None:
        for folder in self._folders.values():
            folder.close()
