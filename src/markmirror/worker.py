"""What a converter's process does. It loads nothing but this and the conversion, to stay small."""

import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from markmirror.convert.page import PageJob, RenderedPage, render_page
from markmirror.model import Recipe
from markmirror.output.spool import BodyPlace, read_body

# A page made to do harm needs a hundred times its size; past this it is given up.
MAX_WORKER_BYTES = 1024 * 1024 * 1024

Job = TypeVar("Job")
Result = TypeVar("Result")


def prepare_worker() -> None:
    # Ctrl-C goes to the whole terminal group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = MAX_WORKER_BYTES if most == resource.RLIM_INFINITY else min(MAX_WORKER_BYTES, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    threading.Thread(target=_die_with_parent, daemon=True).start()


class WaitingPage(NamedTuple):
    """What has to be known to convert a page whose body lies in a file. A tuple travels well."""

    url: str
    final_url: str
    content_type: str
    lastmod: str | None
    fetched_at: str
    recipe: Recipe
    file: str
    body: BodyPlace


def render_waiting_page(page: WaitingPage) -> RenderedPage:
    """Convert a body where it lies: to hand it over would be to copy it four times."""
    job = PageJob(
        url=page.url,
        final_url=page.final_url,
        content_type=page.content_type,
        body=read_body(page.file, page.body),
        lastmod=page.lastmod,
        fetched_at=page.fetched_at,
        recipe=page.recipe,
    )
    return render_page(job)


def work_on_all(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result | Exception]:
    """Work on each; what goes wrong with one page is that page's result."""
    results: list[Result | Exception] = []
    for job in jobs:
        try:
            results.append(work(job))
        except MemoryError:
            results.append(RuntimeError("it takes too much memory"))
        except Exception as error:
            results.append(RuntimeError(f"{type(error).__name__}: {error}"))
    return results


def _die_with_parent() -> None:
    """A killed parent cannot tell its workers; they would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
