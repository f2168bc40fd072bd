"""Sitemaps: 1,000,000 URLs listed by whole commands, parsers by themselves, and our longest step.

    python -m benchmarks.sitemap [--peers PYTHON]   all of it, published
    python -m benchmarks.sitemap --files 1          a trial with 50,000 URLs, which is printed only

The peers are run by a Python that has them. Each command fetches an index and its gzipped sitemaps
from loopback and writes every URL to a file, where they are counted.
"""

import argparse
import gzip
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.loopback import GZIP, XML, Answer, serving
from benchmarks.measured import Cost, run_measured
from benchmarks.report import publish, table
from benchmarks.sitemap_readers import LISTERS, PARSERS, ROUNDS
from markmirror.web.sitemap import Inflater, SitemapParser, steps

FILES = 20
URLS_PER_FILE = 50_000
ROOT = Path(__file__).parents[1]
BEARABLE_MS = 50
STEP_ROUNDS = 3
_OWN_PARSERS = ("markmirror", "expat, bare")
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_ABOUT_COMMANDS = """Whole commands, from the start of the process to its end: robots.txt, an index,
its gzipped sitemaps of 50,000 URLs each, and every URL written to a file. markmirror also
normalises each URL, judges it by the filters and leaves out repetitions."""
_ABOUT_PARSERS = f"""Parsers by themselves: one document of 50,000 URLs and 11 MB in memory, the
best of {ROUNDS} rounds. Growth is by how much the process grew."""
_ABOUT_STEPS = f"""The longest steps of our reader between two moments at which it can be stopped,
with unpacking; a step should take less than {BEARABLE_MS} ms of CPU. Each step is the best of
{STEP_ROUNDS} rounds, so that what other programs do meanwhile is left out."""

GOOD = "<url><loc>https://docs.example.com/good</loc></url>"
HOSTILE: dict[str, str] = {
    "odd entries: a comment in each": "<url><loc>https://a.b/</loc><!-- odd --></url>" * 50_000,
    "odd entries: a broken tag in each": "<url><loc>https://a.b/</loc><b></url>" * 50_000,
    "odd entries: fields in another order": (
        "<url><priority>1</priority><lastmod>2024</lastmod><loc>https://a.b/</loc></url>" * 50_000
    ),
    "URLs that have to be normalised": "<url><loc>HTTPS://A.B/ü/../%7e</loc></url>" * 50_000,
    "relative URLs": "<url><loc>../a b</loc></url>" * 50_000,
    "references": "<url><loc>https://a.b/?a&amp;b&#38;c</loc></url>" * 50_000,
    "empty entries": "<url/>" * 200_000,
    "nested tags": "<url>" + "<a>" * 1_000_000,
    "a text node of 8 MB": "<url><loc>" + "x" * (8 << 20) + "</loc></url>",
    "300,000 attributes": "<url " + " ".join(f'a{n}="x"' for n in range(300_000)) + "></url>",
    "a comment of 8 MB": "<url><!--" + "x" * (8 << 20) + "--></url>",
    "comments that do not end": "<url><loc>" + "<!--" * 1_000_000,
    "tags that do not end": "<url><loc" * 500_000,
    "ampersands": "<url x='1'><loc>" + "&" * 250_000 + "</loc></url>" + GOOD * 100,
    "quotes": "<url " + "a='" * 80_000 + "></url>",
    "tags between the entries": "<x>" * 1_000_000,
    "white space": " " * (16 << 20),
}


def document(part: int = 0, *, site: str = "https://docs.example.com") -> bytes:
    """50,000 URLs of 11 MB: as many as one file may have, each with all its fields."""
    first = part * URLS_PER_FILE
    entries = (
        f"  <url>\n    <loc>{site}/guide/section-{number % 97}/chapter-"
        f"{number % 13}/page-number-{number}.html</loc>\n    <lastmod>2024-{number % 12 + 1:02}-"
        f"{number % 28 + 1:02}T10:00:00+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n"
        f"    <priority>0.{number % 10}</priority>\n  </url>\n"
        for number in range(first, first + URLS_PER_FILE)
    )
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {_NAMESPACE}>\n'
    return (head + "".join(entries) + "</urlset>\n").encode()


def index_of(files: int) -> Callable[[str], Callable[[str], Answer | None]]:
    """A site whose robots.txt names an index of so many sitemaps."""

    def answers(site: str) -> Callable[[str], Answer | None]:
        names = [f"/sitemap-{part}.xml.gz" for part in range(files)]
        entries = "".join(f"<sitemap><loc>{site}{name}</loc></sitemap>\n" for name in names)
        index = f"<sitemapindex {_NAMESPACE}>{entries}</sitemapindex>"
        known: dict[str, Answer] = {
            "/robots.txt": ("text/plain", f"Sitemap: {site}/sitemap.xml\n".encode()),
            "/sitemap.xml": (XML, index.encode()),
        }
        for part, name in enumerate(names):
            known[name] = (GZIP, gzip.compress(document(part, site=site), mtime=0))
        return known.get

    return answers


def list_all(peers: Path, files: int) -> dict[str, Cost]:
    """What each command takes for every URL of the index."""
    costs: dict[str, Cost] = {}
    with serving(index_of(files)) as site:
        own = Path(sys.executable).with_name("markmirror")
        commands: dict[str, list[str | Path]] = {
            "markmirror site --list-only": [
                *(own, "site", site.url, "--list-only", "--rate-limit", "0", "--quiet")
            ]
        }
        for name in LISTERS:
            commands[name] = [peers, "-m", "benchmarks.sitemap_readers", "list", name, site.url]
        for name, command in commands.items():
            with tempfile.TemporaryFile() as output:
                costs[name] = run_measured(command, cwd=ROOT, output=output)
                output.seek(0)
                listed = len(set(output))
            if listed != files * URLS_PER_FILE:
                raise SystemExit(f"{name} listed {listed:,} URLs")
            print(name, costs[name], file=sys.stderr)
    return costs


def parse_one(peers: Path) -> dict[str, dict[str, float]]:
    """What each parser takes for one document."""
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(document())
        file.flush()
        return {
            name: _answer_of(
                sys.executable if name in _OWN_PARSERS else peers,
                *("parse", name, file.name, str(URLS_PER_FILE)),
            )
            for name in PARSERS
        }


def _answer_of(python: str | Path, *arguments: str) -> dict[str, Any]:
    command = [python, "-m", "benchmarks.sitemap_readers", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def longest_steps() -> dict[str, tuple[int, float]]:
    """Of each kind of document, how many steps it takes and the CPU milliseconds of the longest."""
    documents = {
        "50,000 URLs": document(),
        **{name: f"<urlset>{text}</urlset>".encode() for name, text in HOSTILE.items()},
        "a text of 500,000 lines": b"https://docs.example.com/page\n" * 500_000,
        "a text of odd lines": "HTTPS://a.b/ü/../x\n".encode() * 500_000,
    }
    found = {name: _longest_step(data) for name, data in documents.items()}
    found["50,000 URLs, gzipped"] = _longest_step(gzip.compress(documents["50,000 URLs"]))
    return dict(sorted(found.items(), key=lambda one: -one[1][1]))


def _longest_step(data: bytes) -> tuple[int, float]:
    rounds = [_step_seconds(data) for _ in range(STEP_ROUNDS)]
    return len(rounds[0]), 1000 * max(map(min, zip(*rounds, strict=True)))


def _step_seconds(data: bytes) -> list[float]:
    """The CPU time between one moment and the next at which reading could stop."""
    moments = [time.process_time()]
    parser, inflater = SitemapParser("https://docs.example.com/sitemap.xml"), Inflater()
    for piece in steps(data):
        for step in inflater.feed(piece):
            moments += [time.process_time() for _ in parser.read(step)]
    parser.finish()
    moments.append(time.process_time())
    return [after - before for before, after in itertools.pairwise(moments)]


def _commands_table(costs: Mapping[str, Cost], urls: int) -> str:
    figures = {name: (cost.cpu_seconds, cost.peak_mb) for name, cost in costs.items()}
    return _speeds_table("command", "peak memory", figures, urls, decimals=1)


def _parsers_table(results: Mapping[str, Mapping[str, float]]) -> str:
    figures = {name: (found["seconds"], found["growth_mb"]) for name, found in results.items()}
    return _speeds_table("parser", "growth", figures, URLS_PER_FILE, decimals=2)


def _speeds_table(
    what: str, memory: str, figures: Mapping[str, tuple[float, float]], urls: int, *, decimals: int
) -> str:
    """Seconds of CPU and megabytes of each, ours first."""
    own, _ = next(iter(figures.values()))
    return table(
        [what, "CPU", "URLs per CPU second", "to ours", memory],
        [
            [
                name,
                f"{seconds:.{decimals}f} s",
                f"{urls / seconds:,.0f}",
                f"{seconds / own:.1f} ×",
                f"{megabytes:.0f} MB",
            ]
            for name, (seconds, megabytes) in figures.items()
        ],
    )


def _steps_table(found: Mapping[str, tuple[int, float]]) -> str:
    return table(
        ["document", "steps", "longest"],
        [[name, f"{count:,}", f"{longest:.1f} ms"] for name, (count, longest) in found.items()],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reading of sitemaps.")
    parser.add_argument("--peers", type=Path, default=ROOT / ".venv-bench" / "bin" / "python")
    parser.add_argument("--files", type=int, help="so many sitemaps; nothing is published then")
    options = parser.parse_args()
    files = options.files or FILES
    commands = _commands_table(list_all(options.peers, files), files * URLS_PER_FILE)
    parsers = _parsers_table(parse_one(options.peers))
    longest = _steps_table(longest_steps())
    body = "\n\n".join((_ABOUT_COMMANDS, commands, _ABOUT_PARSERS, parsers, _ABOUT_STEPS, longest))
    if options.files:
        print(body)
    else:
        versions = _answer_of(options.peers, "versions")
        publish("sitemap", f"Sitemaps: {files * URLS_PER_FILE:,} URLs", body, versions=versions)


if __name__ == "__main__":
    main()
