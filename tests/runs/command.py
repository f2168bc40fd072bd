"""The real command, run as a person would, against a server on loopback."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "markmirror")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), "COLUMNS": "100"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


def markmirror(*arguments: object, cwd: Path | None = None, **environment: str) -> Ended:
    """Run the command to its end."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**ENVIRONMENT, **environment},
        timeout=120,
        check=False,
    )
    return Ended(code=done.returncode, out=done.stdout, err=done.stderr)


def start_markmirror(
    *arguments: object, environment: dict[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Run the command in the background, to be interrupted."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, **(environment or {})},
    )


def read_until(running: "subprocess.Popen[str]", words: str) -> str:
    """Wait until the command says something on stderr; returns that line."""
    assert running.stderr is not None
    for line in running.stderr:
        if words in line:
            return line
    raise AssertionError(f"it ended with {running.wait()} and never said {words!r}")


def manifest_of(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "_manifest.json").read_text())
    return manifest


def assert_accounts_for_all(manifest: dict[str, Any]) -> None:
    """Every URL of the sitemap has exactly one fate, in the manifest."""
    numbers = manifest["statistics"]
    fates = (
        "saved_count",
        "unchanged_count",
        "duplicate_count",
        "filtered_count",
        "skipped_count",
        "failed_count",
        "left_by_max_pages_count",
        "pending_count",
    )
    assert numbers["total_urls_in_sitemap"] == sum(numbers[fate] for fate in fates)


def pages_on_disk(folder: Path) -> dict[str, str]:
    """Every page of a mirror by its path; the program's own files are left out."""
    return {
        str(file.relative_to(folder)): file.read_text()
        for file in sorted(folder.rglob("*.md"))
        if not file.relative_to(folder).parts[0].startswith("_")
    }
