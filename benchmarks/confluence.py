"""Side by side with confluence-markdown-exporter on one server, as ratios within one run.

`python -m tests.confluence_server.clients` installs the other exporter first. Then
`python -m benchmarks.confluence --pages 700 --latency 0.05` and `--pages 3000`.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.confluence_server import ConfluenceServer, Site, SpacePlan, generate_space
from tests.confluence_server.clients import EXPORTER
from tests.confluence_server.server import serving_in_a_thread

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one exporter took. `peak_mb` is of its largest process."""

    seconds: float
    cpu_seconds: float
    requests: int
    pages: int
    peak_mb: int


def measured(server: ConfluenceServer, command: list[str], out: Path, **names: str) -> Result:
    """Run a command to its end and count what it asked for and left behind."""
    server.requests.clear()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**os.environ, **names},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, said = process.communicate()
    seconds = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {said[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Result(
        seconds=seconds,
        cpu_seconds=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        requests=server.requests.total(),
        pages=sum(1 for _ in out.rglob("*.md")),
        peak_mb=after.ru_maxrss // 1024,
    )


def ours(server: ConfluenceServer, folder: Path) -> Result:
    site = server.site
    return measured(
        server,
        [sys.executable, "-m", "markmirror", "confluence", "DOCS", "-o", str(folder), "--quiet"],
        folder,
        PYTHONPATH=str(ROOT / "src"),
        CONFLUENCE_URL=server.url,
        CONFLUENCE_USERNAME=site.username,
        CONFLUENCE_PASSWORD=site.password,
    )


def theirs(server: ConfluenceServer, folder: Path) -> Result:
    site = server.site
    folder.mkdir()
    config = folder.with_suffix(".json")
    login = {"username": site.username, "api_token": site.password}
    config.write_text(
        json.dumps(
            {
                "auth": {"confluence": {server.url: login}},
                "export": {"enable_jira_enrichment": False, "output_path": str(folder)},
            }
        )
    )
    program = str(EXPORTER.programs / "cme")
    command = [program, "spaces", f"{server.url}/display/DOCS"]
    return measured(server, command, folder, CME_CONFIG_PATH=str(config), CI="1")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.confluence", description=__doc__)
    parser.add_argument("--pages", type=int, default=700)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    arguments = parser.parse_args()
    server = ConfluenceServer(Site())
    generate_space(server.site.content, SpacePlan(pages=arguments.pages))
    server.latency_seconds = arguments.latency
    folder = Path(tempfile.mkdtemp(prefix="markmirror-bench-"))
    try:
        with serving_in_a_thread(server):
            # Ours first: the peak of children never goes down again.
            results = {"markmirror": ours(server, folder / "ours")}
            if EXPORTER.installed:
                results[EXPORTER.package] = theirs(server, folder / "theirs")
    finally:
        shutil.rmtree(folder)
    print(f"{arguments.pages} pages with an attachment each, {arguments.latency:g} s latency")
    for name, result in results.items():
        print(
            f"{name}: {result.seconds:.1f} s, {result.cpu_seconds:.1f} s CPU, "
            f"{result.pages} pages, "
            f"{result.requests / arguments.pages:.2f} requests a page, peak {result.peak_mb} MB"
        )
    if len(results) == 2:
        first, second = results.values()
        print(
            f"ratios: {second.seconds / first.seconds:.1f} x faster, "
            f"{second.requests / first.requests:.1f} x fewer requests"
        )
    else:
        print(f"{EXPORTER.package} is not installed; there is nothing to compare with")


if __name__ == "__main__":
    main()
