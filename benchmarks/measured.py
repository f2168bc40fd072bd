"""What a command takes: the clock, the CPU and the memory of all its processes together."""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAMPLING_SECONDS = 0.05
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """`peak_mb` is the largest sum of the resident memory of all processes alive at one moment."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    stopped: bool = False


def run_measured(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    ends_with: frozenset[int] = frozenset({0}),
    stop_after: float | None = None,
) -> Cost:
    """Run a command to its end; `env` is added to ours. A failure ends the benchmark, and says why.

    The CPU time is that of the command and of every process it waited for. A command that is not
    done `stop_after` so many seconds is killed with all its processes, and marked as stopped.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**_environment(), **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    sampler = _Sampler(process.pid)
    sampler.start()
    stopped = False
    try:
        _, said = process.communicate(timeout=stop_after)
    except subprocess.TimeoutExpired:
        stopped = True
        os.killpg(process.pid, signal.SIGKILL)
        _, said = process.communicate()
    seconds = time.perf_counter() - began
    sampler.stop()
    if not stopped and process.returncode not in ends_with:
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {said[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(
        seconds=seconds,
        cpu_seconds=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        peak_mb=sampler.peak_bytes / 1e6,
        stopped=stopped,
    )


def _environment() -> dict[str, str]:
    """Ours, but compiled modules are kept, as they are on a user's machine."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class _Sampler(threading.Thread):
    """Looks at a process and its descendants until it is stopped."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.peak_bytes = 0
        self._pid = pid
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.wait(_SAMPLING_SECONDS):
            self.peak_bytes = max(self.peak_bytes, _resident_bytes(self._pid))

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def _resident_bytes(pid: int) -> int:
    """The resident memory of a process and all its descendants; of one that is gone, nothing."""
    total = 0
    left = [pid]
    while left:
        folder = Path("/proc") / str(left.pop())
        try:
            total += int((folder / "statm").read_text().split()[1]) * _PAGE_BYTES
            for thread in (folder / "task").iterdir():
                left += map(int, (thread / "children").read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total
