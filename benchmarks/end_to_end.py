"""From a website to Markdown files: markmirror beside its peers, and beside the least there is.

    python -m benchmarks.end_to_end                          everything, into docs/benchmarks.md
    python -m benchmarks.end_to_end --pages 600 --only floor,markmirror,scrapy     a trial, printed

Real documentation from Debian's packages (see served_docs.py) is served by nginx on loopback. Every
contender is a command of its own that gets the same pages, with its limits lifted as the owner of
the server would lift them. Needs apt, nginx and the environment that `make bench` makes.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks import nginx, report
from benchmarks.measured import Cost, run_measured
from benchmarks.served_docs import GENERATORS, documentation, lay_out, write_sitemap

REPOSITORY = Path(__file__).parents[1]
CACHE = REPOSITORY / ".bench"
BIN = Path(sys.executable).parent
CONCURRENCY = 16
PATIENCE_MINUTES = 10
# trafilatura calls its Markdown files .txt.
_SUFFIXES = (".md", ".txt")
# What markmirror and docpull write about the pages.
_NOT_PAGES = ("_index.md", "_processed.txt", "sources.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What a contender is told: where the site is, and where all its URLs are listed."""

    address: str
    urls: Path
    pages: int

    @property
    def sitemap(self) -> str:
        return f"{self.address}/sitemap.xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a contender took, and what it left on disk."""

    cost: Cost
    pages: int
    written_mb: float

    @property
    def rate(self) -> float:
        return self.pages / self.cost.seconds

    @property
    def cpu_per_thousand(self) -> float:
        return self.cost.cpu_seconds / self.pages * 1000


def commands(site: Site, output: Path) -> dict[str, Sequence[str | Path]]:
    """Every contender's command, writing below `output`."""
    at_once = str(CONCURRENCY)
    return {
        "floor": _module("floor", site.urls, at_once, "1"),
        "floor, 2 processes": _module("floor", site.urls, at_once, "2"),
        "markmirror": [
            *(BIN / "markmirror", "site", site.address, "--output", output),
            *("--rate-limit", "0", "--max-pages", "0", "--concurrency", at_once, "--quiet"),
        ],
        "scrapy + markdownify": _module("scrapy_markdownify", site.sitemap, output, at_once),
        "crawlee + markdownify": _module("crawlee_markdownify", site.sitemap, output, at_once),
        "markcrawl": [
            *(BIN / "markcrawl", "--base", site.address + "/", "--out", output),
            *("--max-pages", str(site.pages), "--concurrency", at_once, "--delay", "0"),
            *("--min-words", "0"),
        ],
        "docpull": _module(
            "docpull_on_loopback",
            *(site.address + "/", "--naming-strategy", "hierarchical", "--output-dir", output),
            *("--max-pages", str(site.pages), "--quiet"),
            *("--rate-limit", "0", "--max-concurrent", at_once, "--per-host-concurrent", at_once),
        ),
        "trafilatura": [
            *(BIN / "trafilatura", "--input-file", site.urls, "--output-dir", output),
            *("--markdown", "--links", "--parallel", at_once),
            *("--config-file", Path(__file__).parent / "peers" / "trafilatura.cfg"),
        ],
    }


FLOORS = ("floor", "floor, 2 processes")
DISTRIBUTIONS = (
    *("markmirror", "aiohttp", "turbohtml", "scrapy", "crawlee", "markdownify", "beautifulsoup4"),
    *("lxml", "markcrawl", "docpull", "trafilatura"),
)


def _module(name: str, *arguments: str | Path) -> list[str | Path]:
    return [sys.executable, "-m", f"benchmarks.peers.{name}", *arguments]


def measure(name: str, site: Site, folder: Path, *, patience_minutes: float) -> Result:
    """Run one contender into an empty folder of its own."""
    output = folder / name.replace(" ", "").replace(",", "-")
    output.mkdir()
    cost = run_measured(
        commands(site, output)[name],
        cwd=CACHE,
        env={"PYTHONPATH": str(REPOSITORY)},
        stop_after=patience_minutes * 60,
    )
    files = [
        file
        for file in output.rglob("*")
        if file.suffix in _SUFFIXES and file.name not in _NOT_PAGES
    ]
    return Result(
        cost=cost,
        pages=site.pages if name in FLOORS else len(files),
        written_mb=sum(file.stat().st_size for file in files) / 1e6,
    )


def table(results: Mapping[str, Result]) -> str:
    """All results; how many times as long, and as much CPU, each took as markmirror."""
    own = results.get("markmirror", next(iter(results.values())))
    columns = (
        *("", "pages/s", "CPU s per 1,000 pages", "peak MB"),
        *("pages written", "MB written", "time, ours = 1", "CPU, ours = 1", "cores busy otherwise"),
    )
    return report.table(
        columns,
        (
            (
                name + (" (stopped)" if result.cost.stopped else ""),
                f"{result.rate:.1f}",
                f"{result.cpu_per_thousand:.1f}",
                f"{result.cost.peak_mb:.0f}",
                "–" if name in FLOORS else f"{result.pages:,}",
                "–" if name in FLOORS else f"{result.written_mb:.1f}",
                f"{own.rate / result.rate:.2f}",
                f"{result.cpu_per_thousand / own.cpu_per_thousand:.2f}",
                f"{result.cost.busy_cores:.1f}",
            )
            for name, result in results.items()
        ),
    )


def explanation(site: Site, megabytes: float, *, patience_minutes: float) -> str:
    return f"""
{site.pages:,} pages ({megabytes:.0f} MB) of {GENERATORS} documentation generators, from whole
Debian packages, served by nginx on loopback with one process. Every contender gets the same sitemap
or list of URLs, {CONCURRENCY} requests at once and no delay, and writes one Markdown file per page.

- **floor**: aiohttp fetches every page, turbohtml parses it, and nothing else happens.
- **scrapy**, **crawlee**: the scripts in `benchmarks/peers/`; lxml parses, and of a page that marks
  its main content only that is converted.
- **markcrawl** runs without the packages of several GB that it names and does not need for this.
- **docpull** takes only HTTPS and public addresses, and asks for robots.txt over HTTPS; a script
  lifts that and changes nothing else.
- **trafilatura**'s command asks a host for one page at a time, whatever `--parallel` says.

The figures count the pages that were written. A contender that is not done after
{patience_minutes:g} minutes is stopped, and compared by what it had written until then; the pages
are in random order, so these are like the others. The last column is what nginx and everything else
on the machine used meanwhile: where it is much or differs much, believe the CPU and not the time.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, help="so many pages only; nothing is published")
    parser.add_argument("--only", help="contenders whose names begin so, separated by commas")
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE_MINUTES,
        help="minutes after which a contender is stopped (default: %(default)s)",
    )
    asked = parser.parse_args()
    pages = documentation(CACHE / "packages", pages=asked.pages)
    root = CACHE / "site"
    megabytes = lay_out(pages, root) / 1e6
    # Removed at the end, not in between: for half a minute after many files were deleted ext4 takes
    # several times as long to make new ones.
    with nginx.serving(root) as address, tempfile.TemporaryDirectory(dir=CACHE) as folder:
        urls = [f"{address}/{page.path}" for page in pages]
        write_sitemap(urls, root, address=address)
        listing = CACHE / "urls.txt"
        listing.write_text("\n".join(urls) + "\n", encoding="utf-8")
        site = Site(address=address, urls=listing, pages=len(pages))
        wanted = tuple(asked.only.split(",")) if asked.only else ("",)
        results = {}
        for name in commands(site, CACHE):
            if name.startswith(wanted):
                results[name] = measure(name, site, Path(folder), patience_minutes=asked.patience)
                print(f"{name}: {results[name]}", file=sys.stderr, flush=True)
    if asked.pages or asked.only:
        print(table(results))
        return
    report.publish(
        "end_to_end",
        "From a website to Markdown files",
        f"{explanation(site, megabytes, patience_minutes=asked.patience)}\n{table(results)}",
        versions={name: version(name) for name in DISTRIBUTIONS} | {"nginx": nginx.version()},
    )


if __name__ == "__main__":
    main()
