"""Crawlee's BeautifulSoupCrawler with markdownify: python -m ... SITEMAP OUTPUT CONCURRENCY"""

import asyncio
import sys
from pathlib import Path

from crawlee import ConcurrencySettings  # type: ignore[import-not-found]
from crawlee.crawlers import (  # type: ignore[import-not-found]
    BeautifulSoupCrawler,
    BeautifulSoupCrawlingContext,
)
from crawlee.http_clients import ImpitHttpClient  # type: ignore[import-not-found]
from crawlee.request_loaders import SitemapRequestLoader  # type: ignore[import-not-found]
from crawlee.storage_clients import MemoryStorageClient  # type: ignore[import-not-found]

from benchmarks.peers.files import write_page


async def main(sitemap: str, output: str, concurrency: str) -> None:
    client = ImpitHttpClient()
    # With a small buffer the sitemap is read no faster than the pages, and times out.
    async with SitemapRequestLoader(
        [sitemap], http_client=client, max_buffer_size=100_000
    ) as loader:
        crawler = BeautifulSoupCrawler(
            parser="lxml",
            http_client=client,
            request_manager=await loader.to_tandem(),
            storage_client=MemoryStorageClient(),
            concurrency_settings=ConcurrencySettings(
                min_concurrency=int(concurrency),
                desired_concurrency=int(concurrency),
                max_concurrency=int(concurrency),
            ),
            use_session_pool=False,
            configure_logging=False,
        )

        @crawler.router.default_handler  # type: ignore[untyped-decorator]
        async def save(context: BeautifulSoupCrawlingContext) -> None:
            write_page(Path(output), context.request.url, context.soup)

        await crawler.run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
