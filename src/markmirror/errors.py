"""Every exception this program raises on purpose, each with the exit code it ends a run with."""

import errno
from enum import IntEnum


class ExitCode(IntEnum):
    """How a run ended, for scripts and CI that should not have to read logs."""

    SUCCESS = 0
    CONTENT_FAILURE = 1
    INVALID_USAGE = 2
    INTERRUPTED = 3
    RESUME_REQUIRED = 4
    VALIDATION_ERROR = 5
    DISK_GUARD = 6
    SOURCE_UNAVAILABLE = 7


class MarkmirrorError(Exception):
    """What went wrong in one sentence, and in `hint` what the person can do about it."""

    exit_code = ExitCode.CONTENT_FAILURE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} {self.hint}" if self.hint else message


class UsageError(MarkmirrorError):
    """An option, a file or a folder the person gave cannot be used as it is."""

    exit_code = ExitCode.INVALID_USAGE


class MirrorInUse(UsageError):
    """Another process is writing to the same mirror."""


class OutputLost(MarkmirrorError):
    """What was asked for cannot be written to where it was to go."""


class EndsRun(MarkmirrorError):
    """No single page can be blamed for it: the run ends, and the pages wait for the next one."""


class SourceUnavailable(EndsRun):
    """There is nothing to mirror: no sitemap, no URL in it, no such space, no access."""

    exit_code = ExitCode.SOURCE_UNAVAILABLE


def only_other_hosts(url: str) -> SourceUnavailable:
    """A site whose sitemap is there, and names nothing that may be mirrored."""
    return SourceUnavailable(
        f"The sitemap of {url} names only pages of other hosts.",
        hint="Mirror those hosts instead, or name them with --allow-host.",
    )


class HostRefuses(EndsRun):
    """A host has said nothing but "slow down" for so long that it means no."""


class NoConverters(EndsRun):
    """This machine does not let us start processes to convert pages in."""


class DiskFull(EndsRun):
    """Too little space is left to go on safely."""

    exit_code = ExitCode.DISK_GUARD


# What an OSError says of such a disk.
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})


def disk_is_full() -> DiskFull:
    """Where it is not a page's file that could not be written, but what the run itself keeps."""
    return DiskFull("The disk is full.", hint="Free some space and run the same command again.")


class UnsafePath(MarkmirrorError):
    """A path would have left the mirror, through a symbolic link or otherwise."""


class StateDamaged(EndsRun):
    """The ledger turned out to be damaged while in use; the next run rebuilds it."""


class OtherVersion(UsageError):
    """The ledger was written by a version of this program that keeps it in another form."""


class BodyLost(MarkmirrorError):
    """A body that waited to be converted is gone; its page fails, and the next run fetches it."""


class ResumeRequired(MarkmirrorError):
    """An interrupted export is there, and the person must say whether to go on with it."""

    exit_code = ExitCode.RESUME_REQUIRED


def first_error(group: "ExceptionGroup[Exception]") -> Exception:
    """The error that ended a group of tasks, before all one that has a sentence for the person.

    To be raised from a plain `except`: before 3.11.4, what an `except*` raises comes in a group.
    """
    error: Exception = group.subgroup(MarkmirrorError) or group
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
