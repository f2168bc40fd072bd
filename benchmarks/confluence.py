"""Side by side with confluence-markdown-exporter on one server, as ratios within one run.

    python -m benchmarks.confluence                               all cases, into docs/benchmarks.md
    python -m benchmarks.confluence --pages 700 --latency 0.05    one case, only printed

`make confluence-clients` installs the other exporter. Each program runs with its own defaults:
8 requests at once for ours, 20 for the other.
"""

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests.confluence_server import ConfluenceServer, Site, SpacePlan, generate_space
from tests.confluence_server.clients import EXPORTER
from tests.confluence_server.server import serving_in_a_thread

from benchmarks.measured import Cost, run_measured
from benchmarks.report import publish, table

COLUMNS = ("", "seconds", "CPU s", "requests a page", "peak MB", "pages", "time")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A space to export, and how long its server takes for each answer."""

    title: str
    pages: int
    latency: float = 0.0
    large_files: int = 0

    def server(self) -> ConfluenceServer:
        site = Site()
        generate_space(site.content, SpacePlan(pages=self.pages))
        first = next(iter(site.content.pages.values()))
        for number in range(self.large_files):
            site.content.add_attachment(first, f"large-{number}.bin", size_bytes=100_000_000)
        server = ConfluenceServer(site)
        server.latency_seconds = self.latency
        return server


CASES = (
    Case(
        title="700 pages with an attachment each, 50 ms before each answer", pages=700, latency=0.05
    ),
    Case(title="3,000 pages with an attachment each, no latency", pages=3000),
    Case(title="20 pages, four attachments of 100 MB", pages=20, large_files=4),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one exporter took, asked for and left behind."""

    cost: Cost
    requests: int
    pages: int

    def row(self, name: str, case: Case, *, ours: Cost) -> tuple[str, ...]:
        return (
            name,
            f"{self.cost.seconds:.1f}",
            f"{self.cost.cpu_seconds:.1f}",
            f"{self.requests / case.pages:.2f}",
            f"{self.cost.peak_mb:.0f}",
            f"{self.pages:,}",
            f"{self.cost.seconds / ours.seconds:.1f} x",
        )


def ours(server: ConfluenceServer, folder: Path) -> Result:
    program = Path(sys.executable).with_name("markmirror")
    return _measured(
        server,
        [program, "confluence", "DOCS", "-o", folder, "--quiet"],
        folder,
        CONFLUENCE_URL=server.url,
        CONFLUENCE_USERNAME=server.site.username,
        CONFLUENCE_PASSWORD=server.site.password,
    )


def theirs(server: ConfluenceServer, folder: Path) -> Result:
    folder.mkdir()
    config = folder.with_suffix(".json")
    login = {"username": server.site.username, "api_token": server.site.password}
    config.write_text(
        json.dumps(
            {
                "auth": {"confluence": {server.url: login}},
                "export": {"enable_jira_enrichment": False, "output_path": str(folder)},
            }
        )
    )
    return _measured(
        server,
        [EXPORTER.programs / "cme", "spaces", f"{server.url}/display/DOCS"],
        folder,
        CME_CONFIG_PATH=str(config),
        CI="1",
    )


def _measured(
    server: ConfluenceServer, command: list[str | Path], folder: Path, **env: str
) -> Result:
    server.requests.clear()
    cost = run_measured(command, env=env)
    return Result(
        cost=cost,
        requests=server.requests.total(),
        pages=sum(1 for _ in folder.rglob("*.md")),
    )


def measure(case: Case) -> str:
    """One case's table."""
    server = case.server()
    folder = Path(tempfile.mkdtemp(prefix="markmirror-bench-"))
    try:
        with serving_in_a_thread(server):
            results = {"markmirror": ours(server, folder / "ours")}
            if EXPORTER.installed:
                results[EXPORTER.package] = theirs(server, folder / "theirs")
    finally:
        shutil.rmtree(folder)
    reference = results["markmirror"].cost
    rows = [result.row(name, case, ours=reference) for name, result in results.items()]
    return f"{case.title}:\n\n{table(COLUMNS, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.confluence", description=__doc__)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    arguments = parser.parse_args()
    if arguments.pages is not None:
        title = f"{arguments.pages:,} pages, {arguments.latency:g} s before each answer"
        print(measure(Case(title=title, pages=arguments.pages, latency=arguments.latency)))
        return
    if not EXPORTER.installed:
        sys.exit(f"{EXPORTER.package} is not installed; `make confluence-clients` installs it.")
    publish(
        "confluence",
        "Exporting a Confluence space",
        "\n\n".join(measure(case) for case in CASES),
        versions={"markmirror": version("markmirror"), EXPORTER.package: EXPORTER.version},
    )


if __name__ == "__main__":
    main()
