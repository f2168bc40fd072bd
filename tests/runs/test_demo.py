"""The demo tells the truth: it checks what it shows, and ends with 0 only if all of it holds."""

import subprocess
import sys
from pathlib import Path

from tests.runs.command import ENVIRONMENT, pages_on_disk

ROOT = Path(__file__).parents[2]


def test_the_demo_mirrors_interrupts_resumes_and_updates_its_site(tmp_path: Path) -> None:
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
