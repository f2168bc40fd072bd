"""The command line around a run: what it imports, and how it ends."""

import subprocess
import sys

import pytest

from tests.runs.command import markmirror

HEAVY = {"aiohttp", "asyncio", "pydantic", "rich", "sqlite3", "ssl", "turbohtml", "pyromark"}


@pytest.mark.parametrize("question", ["--help", "--version"])
def test_a_question_about_the_program_imports_nothing_heavy(question: str) -> None:
    asked = (
        "import sys; from markmirror.cli import app; "
        f"app([{question!r}], standalone_mode=False); print(*sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    ).stdout
    assert "markmirror" in said
    assert HEAVY.isdisjoint(said.split())


def test_an_interrupt_outside_of_a_run_is_an_interrupt_too() -> None:
    interrupted = (
        "import signal, sys; from markmirror.cli import app, main; "
        "app.command('wait')(lambda: signal.raise_signal(signal.SIGTERM)); "
        "sys.argv = ['markmirror', 'wait']; main()"
    )
    assert subprocess.run([sys.executable, "-c", interrupted], check=False).returncode == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Usage: "),
        (("sight",), "No such command 'sight'. Did you mean 'site'? See "),
        (("site",), "Missing argument 'URL'. See "),
        (("site", "https://x.org", "more"), "Got unexpected extra argument(s) (more). See "),
        (("site", "https://x.org", "--concurency", "1"), "--concurrency"),
        (("which",), "Missing argument 'PATH|URL'. See "),
    ],
    ids=" ".join,
)
def test_what_the_command_line_gets_wrong_is_said_with_where_to_read_on(
    arguments: tuple[str, ...], said: str
) -> None:
    ended = markmirror(*arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert said in ended.err
    assert "--help" in ended.err
    assert not arguments or ended.err.count("\n") == 1


def test_a_python_that_cannot_name_every_file_is_refused() -> None:
    ended = markmirror("--version", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert ended.code == 2
    assert "PYTHONUTF8=1" in ended.err
    assert ended.err.count("\n") == 1


def test_an_interrupt_at_the_very_end_does_not_change_how_it_ended() -> None:
    interrupted = (
        "import atexit, os, sys; from markmirror.cli import app, main; "
        "app.command('wait')(lambda: atexit.register(os.kill, os.getpid(), 2) and None); "
        "sys.argv = ['markmirror', 'wait']; main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", interrupted], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
