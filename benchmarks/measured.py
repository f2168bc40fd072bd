"""What a command takes: the clock, the CPU and the memory of all its processes together."""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_SAMPLING_SECONDS = 0.05
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """`peak_mb` is the largest sum of the resident memory of all processes alive at one moment.

    `busy_cores` is how many cores everything else on the machine kept busy meanwhile, on average:
    where that is much, `seconds` says little.
    """

    seconds: float
    cpu_seconds: float
    peak_mb: float
    busy_cores: float
    stopped: bool = False


def run_measured(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    ends_with: frozenset[int] = frozenset({0}),
    stop_after: float | None = None,
    output: int | IO[bytes] = subprocess.DEVNULL,
) -> Cost:
    """Run a command to its end; `env` is added to ours. A failure ends the benchmark, and says why.

    The CPU time is that of the command and of all its processes, also of those that it left to
    themselves. A command that is not done `stop_after` so many seconds is killed with all its
    processes, and marked as stopped.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    machine_before = _machine_cpu_seconds()
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**environment(), **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=output,
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
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    seconds = time.perf_counter() - began
    sampler.stop()
    if not stopped and process.returncode not in ends_with:
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {said[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    waited_for = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    cpu_seconds = max(waited_for, sampler.cpu_seconds)
    return Cost(
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        peak_mb=sampler.peak_bytes / 1e6,
        busy_cores=max(_machine_cpu_seconds() - machine_before - cpu_seconds, 0.0) / seconds,
        stopped=stopped,
    )


def environment() -> dict[str, str]:
    """Ours, but compiled modules are kept, as they are on a user's machine."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cpu_seconds_of(pid: int) -> float:
    """The CPU time so far of a running process and its descendants."""
    return sum(seen.cpu_seconds for _, seen in _family(pid))


def _machine_cpu_seconds() -> float:
    """What all processes of the machine have used since it started."""
    user, nice, system, _idle, _waiting, *interrupts = map(
        int, Path("/proc/stat").read_text().partition("\n")[0].split()[1:8]
    )
    return (user + nice + system + sum(interrupts)) / _TICKS


class _Sampler(threading.Thread):
    """Looks at a process and its descendants until it is stopped."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.peak_bytes = 0
        self._pid = pid
        self._cpu_seconds: dict[int, float] = {}
        self._stopped = threading.Event()

    @property
    def cpu_seconds(self) -> float:
        """What each process had used when it was last seen, together."""
        return sum(self._cpu_seconds.values())

    def run(self) -> None:
        while not self._stopped.wait(_SAMPLING_SECONDS):
            resident = 0
            for pid, seen in _family(self._pid):
                resident += seen.resident_bytes
                self._cpu_seconds[pid] = seen.cpu_seconds
            self.peak_bytes = max(self.peak_bytes, resident)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    resident_bytes: int
    cpu_seconds: float


def _family(pid: int) -> Iterator[tuple[int, _Seen]]:
    """A process and all its descendants; one that is gone is passed over.

    A child that has not begun its own program yet has its parent's memory, to the last byte, and
    none of its own.
    """
    left: list[tuple[int, tuple[int, int] | None]] = [(pid, None)]
    while left:
        pid, memory_of_parent = left.pop()
        folder = Path("/proc") / str(pid)
        try:
            # The name comes second, in parentheses, and may hold spaces.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            memory = int(fields[20]), int(fields[21])
            for thread in (folder / "task").iterdir():
                children = (thread / "children").read_text().split()
                left += [(int(child), memory) for child in children]
        except (FileNotFoundError, ProcessLookupError):
            continue
        resident_bytes = 0 if memory == memory_of_parent else memory[1] * _PAGE_BYTES
        ticks = int(fields[11]) + int(fields[12])
        yield pid, _Seen(resident_bytes=resident_bytes, cpu_seconds=ticks / _TICKS)
