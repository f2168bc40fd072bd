"""What a command does when nobody hears what it says, or reads what was asked for."""

import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.runs.command import COMMAND, ENVIRONMENT, manifest_of
from tests.web_server import WebServer

PATHS = ["/", "/docs", "/docs/a"]


@pytest.fixture(params=["closed", "full", "unread"])
def broken(request: pytest.FixtureRequest) -> Iterator[int | None]:
    """A stream that nothing can be written to; None for one that is not there at all."""
    match request.param:
        case "closed":
            yield None
        case "full":
            with Path("/dev/full").open("wb") as full:
                yield full.fileno()
        case _:
            reader, writer = os.pipe()
            os.close(reader)
            yield writer
            os.close(writer)


def run(
    *arguments: object, stdout: int | None = PIPE, stderr: int | None = PIPE
) -> "subprocess.CompletedProcess[str]":
    """Run the command with these streams."""
    closed = f"{'' if stdout else '>&-'} {'' if stderr else '2>&-'}"
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *map(str, arguments)],
        stdout=stdout,
        stderr=stderr,
        text=True,
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )


def test_a_run_goes_on_when_nobody_hears_it(
    web: WebServer, tmp_path: Path, broken: int | None
) -> None:
    web.serve_pages(PATHS)
    flags = ("--rate-limit", "0", "--workers", "0", "-o", tmp_path)
    ended = run("site", web.url, *flags, stderr=broken)
    assert ended.returncode == 0
    assert manifest_of(tmp_path / web.host_dir)["successful"] == 3


@pytest.mark.parametrize("question", ["--help", "--version", "site"])
def test_an_answer_that_cannot_be_given_ends_without_a_traceback(
    web: WebServer, broken: int | None, question: str
) -> None:
    web.serve_pages(PATHS)
    asked = ("site", web.url, "--list-only", "--rate-limit", "0")
    ended = run(*(asked if question == "site" else [question]), stdout=broken)
    if broken is not None and stat.S_ISCHR(os.fstat(broken).st_mode):
        assert ended.returncode == 6
        assert ended.stderr == "markmirror: stdout cannot be written: No space left on device.\n"
    else:
        assert (ended.returncode, ended.stderr) == (0, "")
