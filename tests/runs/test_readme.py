"""The README's examples are run as they stand, and say what they are shown to say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from demo.website import PORT, serving
from tests.runs.command import ENVIRONMENT

README = Path(__file__).parents[2] / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def _examples() -> list[tuple[str, list[str]]]:
    text = "".join(BLOCK.findall(README.read_text(encoding="utf-8")))
    return [(command, shown.splitlines()) for command, shown in EXAMPLE.findall(text)]


def _run(command: str, home: Path) -> str:
    """What a shell says to the command in the README's own place, the demo's site at its port."""
    tools = home.parent / "tools"
    tools.mkdir(exist_ok=True)
    script = tools / "markmirror"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m markmirror "$@"\n')
    script.chmod(0o755)
    done = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=home,
        env={**ENVIRONMENT, "MARKMIRROR_WORKERS": "0", "PATH": f"{tools}:{os.environ['PATH']}"},
        timeout=120,
        check=False,
    )
    return done.stdout.replace(str(home), "/home/you")


def _with_port(text: str, port: int, other: int) -> str:
    """The text with the site at another port: its usual one may be taken."""
    return re.sub(rf"(?<=127\.0\.0\.1[:_]){port}\b", str(other), text)


def test_the_examples_say_what_the_readme_shows(tmp_path: Path) -> None:
    home = tmp_path / "you"
    home.mkdir()
    with serving() as website:
        examples = _examples()
        assert len(examples) >= 6
        for command, shown in examples:
            said = _with_port(
                _run(_with_port(command, PORT, website.port), home), website.port, PORT
            )
            lines = said.splitlines()
            if "..." in shown:
                # Several requests are under way at once, so the order of their lines may vary.
                missing = [line for line in shown if line != "..." and line not in lines]
                assert not missing, f"{command}\n{said}"
            else:
                assert lines == shown, command


@pytest.mark.parametrize("target", ["make demo", "make test", "make install"])
def test_the_makefile_has_the_commands_of_the_readme(target: str) -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    assert target in README.read_text(encoding="utf-8")
    assert re.search(rf"^{target.removeprefix('make ')}:", makefile, re.MULTILINE)
