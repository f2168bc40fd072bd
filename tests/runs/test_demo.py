"""The demo tells the truth: it checks what it shows, and ends with 0 only if all of it holds."""

import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from demo.wiki import serving_space
from tests.runs.command import ENVIRONMENT, pages_on_disk

ROOT = Path(__file__).parents[2]


def test_the_demo_mirrors_its_site_and_exports_its_space(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demo", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for mirror in ("calm", "rough"):
        (folder,) = (tmp_path / mirror).iterdir()
        assert len(pages_on_disk(folder)) == 11
    written = {path.name for path in (tmp_path / "spaces" / "LARK").rglob("*.md")}
    assert len(written) == 8
    assert "retro-2023.md" not in written
    assert "Everything was as it should be." in done.stdout


def test_cleaning_up_takes_the_demos_mirrors_and_none_of_yours() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "clean"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    words = done.stdout.split()
    assert "output/demo" in words
    assert "output" not in words


def test_two_of_the_demos_spaces_can_be_served_side_by_side() -> None:
    with serving_space() as one, serving_space() as another:
        ports = {urlsplit(wiki.server.url).port for wiki in (one, another)}
        assert len(ports) == 2
        for port in ports:
            assert port is not None
            socket.create_connection(("127.0.0.1", port)).close()
