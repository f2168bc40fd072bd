"""What docs/site.md says about a run holds for a run."""

import re
import subprocess
import sys
from pathlib import Path

from demo.website import serving
from tests.runs.command import ENVIRONMENT, manifest_of, markmirror

SITE = Path(__file__).parents[2] / "docs" / "site.md"


def _python_examples() -> list[str]:
    text = SITE.read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def _run_script(source: str, folder: Path) -> str:
    script = folder / "example.py"
    script.write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
        timeout=120,
        check=True,
    )
    return done.stdout


def test_the_example_of_the_python_api_mirrors_a_site(tmp_path: Path) -> None:
    mirroring, _ = _python_examples()
    with serving() as website:
        said = _run_script(mirroring.replace("https://docs.example.com", website.origin), tmp_path)
    assert said.startswith("SUCCESS 16 4\n")
    folder = tmp_path / "mirrors" / website.host_dir
    assert (folder / "guide/install/index.md").is_file()


def test_the_example_of_the_sitemap_parser_goes_on_from_a_cursor(tmp_path: Path) -> None:
    _, parsing = _python_examples()
    assert _run_script(parsing, tmp_path) == "['https://docs.example.com/guide/']\n"


def test_every_field_of_the_manifest_is_described_and_none_is_invented(tmp_path: Path) -> None:
    """Seed 000: Manifest creation. Seed 002: D6."""
    with serving() as website:
        markmirror("site", website.origin, "-o", tmp_path, "--rate-limit", 0, "--quiet")
    folder = tmp_path / website.host_dir
    manifest = manifest_of(folder)
    section = SITE.read_text(encoding="utf-8").partition("\n## The manifest\n")[2]
    section = section.partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(manifest)
    table, statistics, pages = section.partition("`statistics`: ")[0], *section.split("\n\n")[-2:]
    assert set(manifest["statistics"]) == _names(statistics) - {"statistics"}
    assert set(manifest["delta"]) <= _names(table)
    optional = {"final_url", "canonical", "last_modified", "lastmod"}
    for row in manifest["pages"]:
        assert set(row) | optional == _names(pages) - {"pages"}
        assert (folder / row["path"]).stat().st_size == row["size_bytes"]


def _names(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))
