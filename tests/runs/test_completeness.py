"""After any run, every URL that the sitemaps named has exactly one fate."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.runs.command import manifest_of, pages_on_disk
from tests.runs.mirroring import interrupt, mirrored, statuses
from tests.web_server import Reply, Request, WebServer, page, sitemap_index, sitemap_of

PAGES = 60
Answer = Callable[[Request], Reply] | Reply


class UnrulySite:
    """A site whose pages do whatever chance has decided, each always the same.

    `stops` are the numbers of those requests for pages at which somebody presses Ctrl-C.
    """

    def __init__(self, web: WebServer, chance: random.Random, *, is_flaky: bool) -> None:
        self._is_flaky = is_flaky
        self.paths = [f"/{chance.choice('abc')}/{n}" for n in range(PAGES)]
        self.stops: set[int] = set()
        self._asked = 0
        for path in self.paths:
            web.serve(path, self._counting(self._behaviour(path, chance)))
        urls = [web.url + path for path in self.paths]
        urls += chance.sample(urls, 5)
        urls += ["https://elsewhere.example/x", f"{web.url}/missing"]
        chance.shuffle(urls)
        half = len(urls) // 2
        web.serve("/one.xml", sitemap_of(urls[:half]))
        web.serve("/two.xml", sitemap_of(urls[half:]))
        web.serve("/sitemap.xml", sitemap_index([f"{web.url}/one.xml", f"{web.url}/two.xml"]))

    def _behaviour(self, path: str, chance: random.Random) -> Answer:
        other = chance.choice(self.paths)
        moved = Reply(status=301, headers={"Location": other})
        copy = page("Copy", head=f'<link rel="canonical" href="{other}">')
        refresh = f'<meta http-equiv="refresh" content="0; url={other}">'.encode()
        good = page(f"Page {path}")
        answers: list[Answer] = [
            good,
            moved,
            copy,
            Reply(body=refresh, headers={"Content-Type": "text/html"}),
            Reply(body=b"%PDF", headers={"Content-Type": "application/pdf"}),
            Reply(status=404),
            lambda request: Reply(status=503) if request.number == 1 else good,
            lambda request: Reply(status=429) if request.number == 1 else good,
            Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<"),
            Reply(body=b"", headers={"Content-Type": "text/html"}),
        ]
        weights = [30, 5, 5, 3, 3, 3, 4 * self._is_flaky, 4, 2, 2]
        return chance.choices(answers, weights)[0]

    def _counting(self, answer: Answer) -> Callable[[Request], Reply]:
        def reply(request: Request) -> Reply:
            self._asked += 1
            if self._asked in self.stops:
                interrupt()
            return answer if isinstance(answer, Reply) else answer(request)

        return reply


def _tree(output: Path, web: WebServer) -> dict[str, str]:
    texts = pages_on_disk(output / web.host_dir)
    return {path: text.partition("fetched_at")[0] for path, text in texts.items()}


@pytest.mark.parametrize("seed", range(10))
async def test_every_url_has_one_fate_whatever_happens(
    web: WebServer, tmp_path: Path, seed: int
) -> None:
    """Seed 000: Resume from checkpoint. Seed 001: Resume after filter adjustment."""
    chance = random.Random(seed)
    on_error = chance.choice(["skip", "retry"])
    # A failure that passes is forgotten by the next process, so without retries the number of
    # interruptions would make a difference, and should.
    site = UnrulySite(web, chance, is_flaky=on_error == "retry")
    wishes: dict[str, Any] = {
        "on_error": on_error,
        "concurrency": chance.choice([1, 3, 8]),
        "exclude_paths": chance.choice(["", "/c"]),
    }
    await mirrored(web, tmp_path / "calm", **wishes)
    calm = statuses(tmp_path / "calm", web)
    assert sum(calm.values()) == PAGES + 2

    web.forget()
    site._asked = 0
    site.stops = set(chance.sample(range(1, PAGES), 4))
    rough = tmp_path / "rough"
    for _ in range(6):
        try:
            report = await mirrored(web, rough, **wishes)
        except asyncio.CancelledError:
            # The second of two Ctrl-C came when the run had written everything down already.
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            continue
        found = statuses(rough, web)
        assert sum(found.values()) == PAGES + 2
        # A second Ctrl-C may come when nothing is left to do; then too the next run settles it.
        assert report.exit_code == 3 or "pending" not in found
        if report.exit_code != 3:
            break
    assert _tree(rough, web) == _tree(tmp_path / "calm", web)
    assert found == calm

    limited = tmp_path / "limited"
    await mirrored(web, limited, **wishes, max_pages=5)
    found = statuses(limited, web)
    assert found.get("saved", 0) <= 5
    assert sum(found.values()) == PAGES + 2
    rows = manifest_of(limited / web.host_dir)["pages"]
    assert len(rows) == len(pages_on_disk(limited / web.host_dir)) <= 5
