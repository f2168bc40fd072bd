"""What worker processes do in place of converting, so that they crash and hang for real."""

import os
import sys
import time
from collections.abc import Sequence

from markmirror.convert.page import PageJob
from markmirror.worker import Conversion, convert_all

CRASH = b"crash"
HANG = b"hang"


def crash_or_convert(jobs: Sequence[PageJob]) -> list[Conversion]:
    """Convert, but die on one body as a segmentation fault would, and never end on another."""
    for job in jobs:
        if job.body == CRASH:
            os.abort()
        while job.body == HANG:
            time.sleep(3600)
    return convert_all(jobs)


def loaded_modules(_job: object) -> frozenset[str]:
    """What a process has loaded to do its work."""
    return frozenset(sys.modules)
