"""What worker processes do in place of converting, so that they crash and hang for real."""

import os
import sys
import time

from markmirror.convert.page import PageJob, RenderedPage, render_page

CRASH = b"crash"
HANG = b"hang"


def crash_or_convert(job: PageJob) -> RenderedPage:
    """Convert, but die on one body as a segmentation fault would, and never end on another."""
    if job.body == CRASH:
        os.abort()
    while job.body == HANG:
        time.sleep(3600)
    return render_page(job)


def loaded_modules(_job: object) -> frozenset[str]:
    """What a process has loaded to do its work."""
    return frozenset(sys.modules)
