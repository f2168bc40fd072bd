"""How a mirror grows: time per page, memory, and the start of a resume and of an update.

    python -m benchmarks.growth                    1,000, 10,000 and 100,000 pages: long
    python -m benchmarks.growth --sizes 500,2000   a trial, which is printed only

For each size: a first mirror; an update with nothing changed; then, in another folder, a mirror
that is killed halfway, a resume of that which is interrupted, and a resume of that.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growing_site import answers_of
from benchmarks.loopback import Site, serving
from benchmarks.measured import Cost, environment, run_measured
from benchmarks.report import publish, table

SIZES = (1_000, 10_000, 100_000)
INTERRUPTED = 3
_ABOUT_MIRRORS = """A generated site on loopback, pages of 5 KB in folders of 100, sitemaps with
`lastmod`, the rate limit lifted. Time per page is that of the whole command, with its start and its
end. Memory is that of all processes together at the worst moment."""
_ABOUT_STARTS = """CPU time, and time by the clock: of a resume halfway until its first page request
reaches the server, and of a whole `--update` with nothing changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What passed between the start of a process and its first page request."""

    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """All figures of one size. `update_requests` are requests for pages."""

    pages: int
    mirror: Cost
    update: Cost
    update_requests: int
    after_kill: Start
    after_interrupt: Start


def measure(pages: int, folder: Path) -> Growth:
    """Every run of one size. The folder is used up."""
    with serving(answers_of(pages)) as site:
        command = _command(site, folder / "whole")
        mirror = run_measured(command)
        site.watch(0)
        update = run_measured([*command, "--update"])
        update_requests = site.pages_asked
        half = _command(site, folder / "half")
        _start(half, site, stop_after=pages // 2, stop_with=signal.SIGKILL)
        # A little further, so that there is something to lose again.
        after_kill = _start(half, site, stop_after=pages // 50, stop_with=signal.SIGINT)
        after_interrupt = _start(half, site, stop_after=1, stop_with=signal.SIGKILL)
    return Growth(
        pages=pages,
        mirror=mirror,
        update=update,
        update_requests=update_requests,
        after_kill=after_kill,
        after_interrupt=after_interrupt,
    )


def _command(site: Site, output: Path) -> list[str | Path]:
    program = Path(sys.executable).with_name("markmirror")
    limits = ("--rate-limit", "0", "--max-pages", "0")
    return [program, "site", site.url, "-o", output, "--quiet", *limits]


def _start(
    command: Sequence[str | Path], site: Site, *, stop_after: int, stop_with: signal.Signals
) -> Start:
    """Start a run, stop it once so many pages were asked for, and say how its start was."""
    began = time.monotonic()
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.DEVNULL)
    site.watch(process.pid)
    while site.pages_asked < stop_after and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(stop_with)
    if process.wait() not in (INTERRUPTED, -signal.SIGKILL):
        raise SystemExit(f"{command[0]} ended with {process.returncode} before it could be stopped")
    first, cpu_seconds = site.first_page
    return Start(seconds=first - began, cpu_seconds=cpu_seconds)


def _tables(found: Sequence[Growth]) -> str:
    smallest = found[0].mirror.seconds / found[0].pages
    mirrors = table(
        ["pages", "time per page", "CPU per page", "to the smallest", "peak memory"],
        [
            [
                f"{one.pages:,}",
                f"{1000 * one.mirror.seconds / one.pages:.2f} ms",
                f"{1000 * one.mirror.cpu_seconds / one.pages:.2f} ms",
                f"{one.mirror.seconds / one.pages / smallest:.2f} ×",
                f"{one.mirror.peak_mb:.0f} MB",
            ]
            for one in found
        ],
    )
    starts = table(
        ["pages", "resume after Ctrl-C", "resume after `kill -9`", "update", "page requests of it"],
        [
            [
                f"{one.pages:,}",
                _cpu_and_clock(one.after_interrupt),
                _cpu_and_clock(one.after_kill),
                _cpu_and_clock(one.update),
                str(one.update_requests),
            ]
            for one in found
        ],
    )
    return f"{_ABOUT_MIRRORS}\n\n{mirrors}\n\n{_ABOUT_STARTS}\n\n{starts}"


def _cpu_and_clock(cost: Cost | Start) -> str:
    return f"{cost.cpu_seconds:.2f} s ({cost.seconds:.2f} s)"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how a mirror grows.")
    parser.add_argument("--sizes", help="other sizes, with commas; nothing is published then")
    parser.add_argument("--folder", type=Path, help="where to write for a while")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")] if options.sizes else SIZES
    found = []
    for pages in sizes:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            found.append(measure(pages, Path(folder)))
            print(found[-1], file=sys.stderr, flush=True)
    body = _tables(found)
    if options.sizes:
        print(body)
    else:
        publish("growth", "Growth", body, versions={})


if __name__ == "__main__":
    main()
