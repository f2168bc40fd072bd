"""The README's examples are run as they stand, and say what they are shown to say."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from demo import website, wiki
from tests.runs.command import ENVIRONMENT

README = Path(__file__).parents[2] / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def _examples() -> list[tuple[str, list[str]]]:
    text = "".join(BLOCK.findall(README.read_text(encoding="utf-8")))
    return [(command, shown.splitlines()) for command, shown in EXAMPLE.findall(text)]


def _run(command: str, home: Path, environment: dict[str, str]) -> str:
    """What a shell says to the command in the README's own place."""
    tools = home.parent / "tools"
    tools.mkdir(exist_ok=True)
    script = tools / "markmirror"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m markmirror "$@"\n')
    script.chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=home,
        env={**ENVIRONMENT, **environment, "MARKMIRROR_WORKERS": "0", "PATH": path},
        timeout=120,
        check=False,
    )
    return done.stdout.replace(str(home), "/home/you")


def _with_ports(text: str, ports: dict[int, int]) -> str:
    """The text with the servers at other ports: their usual ones may be taken."""
    return re.sub(
        r"(?<=127\.0\.0\.1[:_])(\d+)\b",
        lambda port: str(ports.get(int(port[1]), port[1])),
        text,
    )


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Runs a command of the README as its reader would, with the demo's servers running."""
    home = tmp_path_factory.mktemp("home") / "you"
    home.mkdir()
    with website.serving() as site, wiki.serving_space() as space:
        space_port = urlsplit(space.server.url).port
        assert space_port is not None
        there = {website.PORT: site.port, wiki.PORT: space_port}
        back = {ours: usual for usual, ours in there.items()}

        def run(command: str) -> str:
            said = _run(_with_ports(command, there), home, space.environment)
            return _with_ports(said, back)

        yield run


def test_the_examples_say_what_the_readme_shows(readers: Callable[[str], str]) -> None:
    examples = _examples()
    commands = [command for command, _ in examples]
    assert sum("markmirror site" in command for command in commands) >= 5
    assert sum("markmirror confluence" in command for command in commands) >= 3
    for command, shown in examples:
        said = readers(command)
        lines = said.splitlines()
        if "..." in shown:
            # Several requests are under way at once, so the order of their lines may vary.
            missing = [line for line in shown if line != "..." and line not in lines]
            assert not missing, f"{command}\n{said}"
            # The summary comes when all is done, and is shown whole.
            summary = "\n".join(shown).rpartition("...\n")[2]
            assert said.endswith(f"\n{summary}\n") or shown[-1] == "...", f"{command}\n{said}"
        else:
            assert lines == shown, command


def test_the_readme_names_the_address_and_credentials_of_the_demo() -> None:
    with wiki.serving_space() as space:
        environment = space.environment | {"CONFLUENCE_URL": f"http://127.0.0.1:{wiki.PORT}"}
    for name, value in environment.items():
        assert f"{name}={value}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["make demo", "make test", "make install"])
def test_the_makefile_has_the_commands_of_the_readme(target: str) -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    assert target in README.read_text(encoding="utf-8")
    assert re.search(rf"^{target.removeprefix('make ')}:", makefile, re.MULTILINE)
