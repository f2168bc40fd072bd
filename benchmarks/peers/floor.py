"""The least there is to do: fetch every page and parse it: python -m ... URLS CONCURRENCY PROCESSES

aiohttp and the HTML parser that markmirror uses, nothing written, nothing converted. With several
processes each takes its share of the pages and of the connections.
"""

import asyncio
import sys
from collections.abc import Iterator
from multiprocessing import Process
from pathlib import Path

import aiohttp
import turbohtml


async def fetch_and_parse(urls: list[str], concurrency: int) -> None:
    waiting = iter(urls)
    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as tasks:
        for _ in range(concurrency):
            tasks.create_task(_work(session, waiting))


async def _work(session: aiohttp.ClientSession, waiting: Iterator[str]) -> None:
    for url in waiting:
        async with session.get(url) as answer:
            answer.raise_for_status()
            turbohtml.parse(await answer.read(), detect_encoding=True)


def _run(urls: list[str], concurrency: int) -> None:
    asyncio.run(fetch_and_parse(urls, concurrency))


def main(listing: str, concurrency: str, processes: str) -> None:
    urls = Path(listing).read_text(encoding="utf-8").split()
    count = int(processes)
    shares = [(urls[start::count], int(concurrency) // count) for start in range(count)]
    helpers = [Process(target=_run, args=share) for share in shares[1:]]
    for helper in helpers:
        helper.start()
    _run(*shares[0])
    for helper in helpers:
        helper.join()
        if helper.exitcode:
            raise SystemExit("a process of the floor failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
