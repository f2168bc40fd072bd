"""CPU time of reading one full sitemap, beside other parsers in the same run.

    python -m benchmarks.sitemap [PYTHON_WITH_PEERS]

The standard library's expat is always there to compare with. ultimate-sitemap-parser and Scrapy
are measured if the path of a Python that has them is given; they are no dependencies of ours.
Each parser runs in a process of its own and has to find every URL.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

URLS = 50_000
ROUNDS = 5
BASE = "https://docs.example.com/sitemap.xml"


def document() -> bytes:
    """50,000 URLs of 11 MB: as many as one file may have, each with all its fields."""
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    entries = (
        f"  <url>\n    <loc>https://docs.example.com/guide/section-{number % 97}/chapter-"
        f"{number % 13}/page-number-{number}.html</loc>\n    <lastmod>2024-{number % 12 + 1:02}-"
        f"{number % 28 + 1:02}T10:00:00+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n"
        f"    <priority>0.{number % 10}</priority>\n  </url>\n"
        for number in range(URLS)
    )
    return (head + "".join(entries) + "</urlset>\n").encode()


def markmirror(data: bytes) -> int:
    from markmirror.web.sitemap import SitemapParser, steps

    parser = SitemapParser(BASE)
    return sum(len(parser.feed(step)) for step in steps(data)) + len(parser.finish())


def bare_expat(data: bytes) -> int:
    """The least that expat can do: the text of each loc and lastmod, as it is written."""
    found: list[str] = []
    text: list[str] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, _attributes: dict[str, str]) -> None:
        if name in ("loc", "lastmod"):
            parser.CharacterDataHandler = text.append

    def end(name: str) -> None:
        if name in ("loc", "lastmod"):
            parser.CharacterDataHandler = None
            found.append("".join(text))
            text.clear()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    for position in range(0, len(data), 65536):
        parser.Parse(data[position : position + 65536], False)
    parser.Parse(b"", True)
    return len(found) // 2


def ultimate_sitemap_parser(data: bytes) -> int:
    from usp.tree import sitemap_from_str  # type: ignore[import-not-found]

    return sum(1 for _ in sitemap_from_str(data.decode()).all_pages())


def scrapy(data: bytes) -> int:
    from scrapy.utils.sitemap import Sitemap  # type: ignore[import-not-found]

    return sum(1 for entry in Sitemap(data) if entry["loc"])


PARSERS: dict[str, Callable[[bytes], int]] = {
    parser.__name__: parser for parser in (markmirror, bare_expat, ultimate_sitemap_parser, scrapy)
}
PEERS = ("ultimate_sitemap_parser", "scrapy")


def measure(name: str, path: str) -> dict[str, float]:
    """The best CPU time of a few rounds, and by how much the process grew."""
    data = Path(path).read_bytes()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        count = PARSERS[name](data)
        best = min(best, time.process_time() - started)
        if count != URLS:
            raise SystemExit(f"{name} found {count:,} of {URLS:,} URLs")
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"seconds": best, "growth_mb": growth / 1024}


def main(arguments: list[str]) -> None:
    if len(arguments) == 3 and arguments[0] == "measure":
        print(json.dumps(measure(arguments[1], arguments[2])))
        return
    pythons = dict.fromkeys(("markmirror", "bare_expat"), sys.executable)
    pythons |= dict.fromkeys(PEERS, arguments[0]) if arguments else {}
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(document())
        file.flush()
        results = {
            name: json.loads(
                subprocess.run(
                    [python, __file__, "measure", name, file.name], check=True, capture_output=True
                ).stdout
            )
            for name, python in pythons.items()
        }
    own = results["markmirror"]["seconds"]
    print(f"{'parser':26}{'CPU s':>8}{'URLs/s':>12}{'ratio':>8}{'growth MB':>12}")
    for name, result in results.items():
        seconds = result["seconds"]
        print(
            f"{name:26}{seconds:8.3f}{URLS / seconds:12,.0f}{seconds / own:8.1f}"
            f"{result['growth_mb']:12.0f}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
