"""How much memory a command and its helpers took at most."""

import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

GONE = (FileNotFoundError, ProcessLookupError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peaks:
    """The most memory ever resident, in MB: of the process itself, and of its largest child."""

    own: float
    child: float


def children_of(pid: int, command: str = "") -> list[int]:
    """The processes that a process has started, of those whose command line holds a word."""
    found: list[int] = []
    with suppress(*GONE):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(*GONE):
                found += map(int, (thread / "children").read_text().split())
    return [child for child in found if command in _command_line(child)]


def peaks_of(running: "subprocess.Popen[str]", *, seconds: float) -> Peaks:
    """Wait for a process to end, looking at the system's own high-water marks meanwhile."""
    own = child = 0.0
    for _ in range(int(seconds / LOOK_SECONDS)):
        own = max(own, _peak(running.pid))
        child = max([child, *map(_peak, children_of(running.pid, "spawn_main"))])
        with suppress(subprocess.TimeoutExpired):
            running.wait(timeout=LOOK_SECONDS)
            return Peaks(own=own, child=child)
    running.kill()
    raise AssertionError(f"it did not end within {seconds} s")


LOOK_SECONDS = 0.02


def _command_line(pid: int) -> str:
    with suppress(*GONE):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def _peak(pid: int) -> float:
    with suppress(*GONE):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0
