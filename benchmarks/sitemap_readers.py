"""What reads sitemaps, ours and others, each run in a process of its own by `benchmarks.sitemap`.

    python -m benchmarks.sitemap_readers parse NAME FILE URLS   best CPU seconds, and growth in MB
    python -m benchmarks.sitemap_readers list NAME SITE         every URL of the site's sitemaps
    python -m benchmarks.sitemap_readers versions               of the peers, as JSON

The peers are imported where they are used: no Python has to have all of them.
"""

import gzip
import importlib.metadata
import json
import resource
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from xml.parsers import expat

ROUNDS = 5
BASE = "https://docs.example.com/sitemap.xml"
PEERS = ("ultimate-sitemap-parser", "scrapy", "advertools")


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


def scrapy_sitemap(data: bytes) -> int:
    from scrapy.utils.sitemap import Sitemap  # type: ignore[import-not-found]

    return sum(1 for entry in Sitemap(data) if entry["loc"])


PARSERS: dict[str, Callable[[bytes], int]] = {
    "markmirror": markmirror,
    "expat, bare": bare_expat,
    "ultimate-sitemap-parser": ultimate_sitemap_parser,
    "Scrapy's `Sitemap`": scrapy_sitemap,
}


def parse(name: str, path: str, urls: int) -> dict[str, float]:
    """The best CPU time of a few rounds, and by how much the process grew."""
    data = Path(path).read_bytes()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        count = PARSERS[name](data)
        best = min(best, time.process_time() - started)
        if count != urls:
            raise SystemExit(f"{name} found {count:,} of {urls:,} URLs")
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"seconds": best, "growth_mb": growth / 1024}


def list_with_ultimate_sitemap_parser(site: str) -> None:
    """Its own fetching of the tree, from robots.txt on."""
    from usp.tree import sitemap_tree_for_homepage

    tree = sitemap_tree_for_homepage(site, use_known_paths=False)
    _print(page.url for page in tree.all_pages())


def list_with_scrapy_spider(site: str) -> None:
    """A SitemapSpider that prints what it would ask for, and asks for sitemaps only."""
    from scrapy.crawler import CrawlerProcess  # type: ignore[import-not-found]
    from scrapy.spiders import SitemapSpider  # type: ignore[import-not-found]
    from scrapy.utils.sitemap import Sitemap

    class Lister(SitemapSpider):  # type: ignore[misc]
        name = "lister"
        sitemap_urls = (f"{site}/robots.txt",)

        def sitemap_filter(self, entries: Sitemap) -> Iterator[dict[str, str]]:
            if entries.type == "sitemapindex":
                yield from entries
            else:
                _print(entry["loc"] for entry in entries)

    process = CrawlerProcess({"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False})
    process.crawl(Lister)
    process.start()


def list_with_scrapy_sitemap(site: str) -> None:
    """Scrapy's parser alone, fed by the standard library: the least that it can take."""
    from scrapy.utils.sitemap import Sitemap

    for child in Sitemap(_fetched(f"{site}/sitemap.xml")):
        _print(entry["loc"] for entry in Sitemap(gzip.decompress(_fetched(child["loc"]))))


def list_with_advertools(site: str) -> None:
    from advertools import sitemap_to_df  # type: ignore[import-not-found]

    _print(sitemap_to_df(f"{site}/sitemap.xml")["loc"].dropna())


LISTERS: dict[str, Callable[[str], None]] = {
    "ultimate-sitemap-parser": list_with_ultimate_sitemap_parser,
    "Scrapy's `SitemapSpider`": list_with_scrapy_spider,
    "Scrapy's `Sitemap` and urllib": list_with_scrapy_sitemap,
    "advertools": list_with_advertools,
}


def _fetched(url: str) -> bytes:
    with urllib.request.urlopen(url) as answer:
        body: bytes = answer.read()
    return body


def _print(urls: Iterable[str]) -> None:
    sys.stdout.writelines(f"{url}\n" for url in urls)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["parse", name, path, urls]:
            print(json.dumps(parse(name, path, int(urls))))
        case ["list", name, site]:
            LISTERS[name](site)
        case ["versions"]:
            print(json.dumps({name: importlib.metadata.version(name) for name in PEERS}))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
