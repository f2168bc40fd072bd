"""How the demo runs the real command, shows what it did, and checks it."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping


class Unexpected(Exception):
    """Something did not turn out as the demo says."""


def expect(holds: bool, what: str) -> None:
    """Go on only if this holds."""
    if not holds:
        raise Unexpected(what)


def show(text: str) -> None:
    """A file or an answer, set off from the story."""
    for line in text.splitlines():
        print(f"   | {line}".rstrip())


def start(*arguments: str, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    """Show the command and run it, both its voices in one."""
    print(f"   $ markmirror {' '.join(arguments)}", flush=True)
    return subprocess.Popen(
        [sys.executable, "-m", "markmirror", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    )


def relay(process: "subprocess.Popen[str]", heard: Callable[[str], None] = lambda _: None) -> int:
    """Show what the command says, without a line for each page, and return its exit code."""
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            heard(line)
            if not re.match(r"\[\d+/\d+\] Processing: ", line):
                print(f"   {line}", end="")
    return process.returncode
