"""Scrapy's SitemapSpider with markdownify: python -m ... SITEMAP OUTPUT CONCURRENCY"""

import sys
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup  # type: ignore[import-not-found]
from scrapy.crawler import CrawlerProcess  # type: ignore[import-not-found]
from scrapy.spiders import SitemapSpider  # type: ignore[import-not-found]

from benchmarks.peers.files import write_page


class Documentation(SitemapSpider):  # type: ignore[misc]
    """Every page of the sitemap becomes a file."""

    name = "documentation"

    def __init__(self, sitemap: str, output: Path) -> None:
        super().__init__(sitemap_urls=[sitemap])
        self.output = output

    def parse(self, response: Any) -> None:
        write_page(self.output, response.url, BeautifulSoup(response.body, "lxml"))


def main(sitemap: str, output: str, concurrency: str) -> None:
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": int(concurrency),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
            "DOWNLOAD_DELAY": 0,
            "AUTOTHROTTLE_ENABLED": False,
            "ROBOTSTXT_OBEY": False,
            "COOKIES_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "ERROR",
        }
    )
    process.crawl(Documentation, sitemap=sitemap, output=Path(output))
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
