"""What docs/confluence.md says about an export holds for an export."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demo.wiki import KEY, Wiki, serving_space
from tests.runs.command import ENVIRONMENT, markmirror

PAGE = Path(__file__).parents[3] / "docs" / "confluence.md"
# What only some pages and items have, and the demo's do not.
RARE = {"discovered_from", "missingRuns", "error"}


def _section(title: str) -> str:
    return PAGE.read_text(encoding="utf-8").partition(f"\n## {title}")[2].partition("\n## ")[0]


def _names(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Wiki, Path]]:
    """The demo's space, running, and the folder it was exported to."""
    output = tmp_path_factory.mktemp("out")
    with serving_space() as wiki:
        ended = markmirror(
            "confluence", KEY, "-o", output, "--workers", 0, cwd=None, **wiki.environment
        )
        assert ended.code == 0, ended.err
        yield wiki, output / "spaces" / KEY


def test_every_field_of_the_manifest_is_described_and_none_is_invented(
    exported: tuple[Wiki, Path],
) -> None:
    """FR-007."""
    _, folder = exported
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    table, row = _section("`manifest.json`").split("\n\n")[1:3]
    lines = table.splitlines()[2:]
    described = {key: line for line in lines for key in _names(line.split(" | ")[0])}
    assert set(described) == set(manifest)
    for key in ("space", "job", "delta", "attachments", "metrics", "cleanup"):
        queues = {"downloadQueue", "processingQueue"}
        inner = {name for queue in queues & set(manifest[key]) for name in manifest[key][queue]}
        assert _names(described[key].partition(" | ")[2]) == set(manifest[key]) | inner, key
    fields = {name for page in manifest["pages"] for name in page}
    files = [file for page in manifest["pages"] for file in page.get("attachments", [])]
    assert files
    assert fields | {name for file in files for name in file} | RARE == _names(row)


def test_every_field_of_the_queues_is_described_and_none_is_invented(
    exported: tuple[Wiki, Path],
) -> None:
    """FR-038."""
    _, folder = exported
    queues: dict[str, Any] = json.loads((folder / "queues.json").read_text())
    fields = {name for item in queues["items"] for name in item}
    assert set(queues) | fields == _names(_section("`queues.json`"))


def test_every_field_of_the_front_matter_is_described_and_none_is_invented(
    exported: tuple[Wiki, Path],
) -> None:
    """FR-005."""
    _, folder = exported
    written = "".join(path.read_text().split("---\n")[1] for path in folder.rglob("*.md"))
    (paragraph,) = re.findall(r"^Each page begins with .*?\. ", PAGE.read_text(), re.M | re.S)
    assert set(re.findall(r"^(\w+):", written, re.MULTILINE)) == _names(paragraph)


def test_the_example_of_the_python_api_exports_a_space(
    exported: tuple[Wiki, Path], tmp_path: Path
) -> None:
    wiki, _ = exported
    (source,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    for shown, real in (
        ("DOCS", KEY),
        ("https://wiki.example.com/confluence", wiki.server.url),
        ('"ada"', f'"{wiki.server.site.username}"'),
    ):
        assert shown in source
        source = source.replace(shown, real)
    script = tmp_path / "example.py"
    script.write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**ENVIRONMENT, **wiki.environment},
        timeout=120,
        check=False,
    )
    assert done.stdout.startswith("SUCCESS 9 9\n"), done.stderr
    assert (tmp_path / "export/spaces/LARK/larkspur-team.md").is_file()
