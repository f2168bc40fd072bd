"""Many pages, random faults, a process that is killed again and again: nothing lost or doubled."""

import random
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.runs.command import (
    assert_accounts_for_all,
    manifest_of,
    pages_on_disk,
    start_markmirror,
)
from tests.web_server import Reply, Request, page, serving, sitemap_index, sitemap_of
from tests.web_server.misdeeds import CHUNKED, OK, MisbehavingServer, sent

PASSING = (
    Reply(status=500),
    Reply(status=503),
    Reply(status=429, headers={"Retry-After": "0"}),
    sent(),
    sent(then="reset"),
    sent(OK, b"Content-Length: 900\r\n\r\n<h1>Cut", then="reset"),
    sent(OK, b"Content-Length: 900\r\n\r\n<h1>Cut"),
    sent(CHUNKED, b"ff\r\n<h1>Cut"),
    Reply(body=b"\x1f\x8b\x08\x00<h1>", headers={"Content-Encoding": "gzip"}),
)
LASTING = (
    Reply(status=404),
    Reply(status=302, headers={"Location": "http://169.254.169.254/"}),
    sent(b"garbage\r\n\r\n"),
)
FAULTY_SHARE = 0.05
LISTED_PER_SITEMAP = 1000


@dataclass(slots=True, kw_only=True)
class UnreliableSite:
    """A site of which one answer in twenty is a fault, and one page in five hundred always."""

    web: MisbehavingServer
    paths: list[str]
    chance: random.Random
    kill_at: list[int] = field(default_factory=list)
    running: list["subprocess.Popen[str]"] = field(default_factory=list)
    served: int = 0
    kills: int = 0
    lasting: dict[str, Reply] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in self.paths[7::500]:
            self.lasting[path] = self.chance.choice(LASTING)
        starts = range(0, len(self.paths), LISTED_PER_SITEMAP)
        for start in starts:
            listed = self.paths[start : start + LISTED_PER_SITEMAP]
            urls = [self.web.url + path for path in listed]
            self.web.serve(f"/sitemap-{start}.xml", sitemap_of(urls))
        indexed = [f"{self.web.url}/sitemap-{start}.xml" for start in starts]
        self.web.serve("/sitemap.xml", sitemap_index(indexed))
        for path in self.paths:
            self.web.serve(path, self._answer)

    def _answer(self, request: Request) -> Reply:
        self.served += 1
        if self.kill_at and self.served >= self.kill_at[0]:
            self.kill_at.pop(0)
            self.kills += 1
            self.running[0].send_signal(signal.SIGKILL)
        if lasting := self.lasting.get(request.target):
            return lasting
        # Three times at most, or a page would now and then use up all its attempts by bad luck.
        if request.number <= 3 and self.chance.random() < FAULTY_SHARE:
            return self.chance.choice(PASSING)
        return page(f"Page {request.target}", "Some words. " * 20)


def mirror_an_unreliable_site(output: Path, *, pages: int, kills: int, seconds: float) -> None:
    """Kill the command at random requests, resume it, and check the books at the end."""
    chance = random.Random(f"{pages} pages and {kills} kills")
    with serving(MisbehavingServer()) as web:
        assert isinstance(web, MisbehavingServer)
        paths = [f"/docs/part-{n % 13}/page-{n}" for n in range(pages)]
        site = UnreliableSite(web=web, paths=paths, chance=chance)
        site.kill_at = sorted(chance.sample(range(1, pages), kills))
        arguments = ("site", web.url, "-o", output, "--rate-limit", 0, "--quiet", "--max-pages", 0)
        codes: list[int] = []
        for _ in range(kills + 1):
            site.running[:] = [start_markmirror(*arguments, "--on-error", "retry")]
            site.running[0].communicate(timeout=seconds)
            codes.append(site.running[0].returncode)
            if codes[-1] != -signal.SIGKILL:
                break
        assert site.kills == kills
        assert codes == [-signal.SIGKILL] * kills + [1]
        folder = output / web.host_dir
        assert_complete(folder, web, site)
        site.lasting.clear()
        last = start_markmirror(*arguments, "--on-error", "retry")
        last.communicate(timeout=seconds)
        assert last.returncode == 0
        assert_complete(folder, web, site)
        assert not (folder / "_failed").exists()


def assert_complete(folder: Path, web: MisbehavingServer, site: UnreliableSite) -> None:
    """Every page is there once, but for those that never answer; these are named as failed."""
    manifest = manifest_of(folder)
    assert_accounts_for_all(manifest)
    assert manifest["statistics"]["pending_count"] == 0
    expected = {web.url + path for path in site.paths if path not in site.lasting}
    listed = Counter(row["url"] for row in manifest["pages"])
    assert set(listed) == expected
    assert set(listed.values()) == {1}
    assert Counter(row["path"] for row in manifest["pages"]).most_common(1)[0][1] == 1
    assert {row["url"] for row in manifest["failures"]} == {web.url + path for path in site.lasting}
    on_disk = pages_on_disk(folder)
    assert set(on_disk) == {row["path"] for row in manifest["pages"]}
    for row in manifest["pages"]:
        assert row["url"].removeprefix(web.url) in on_disk[row["path"]]
    processed = (folder / "_processed.txt").read_text().splitlines()
    assert Counter(processed) == listed
    assert not list(folder.rglob("*.tmp"))


def test_some_pages_with_random_faults_survive_two_kills(tmp_path: Path) -> None:
    mirror_an_unreliable_site(tmp_path, pages=250, kills=2, seconds=120)


@pytest.mark.large
def test_ten_thousand_pages_with_random_faults_survive_ten_kills(tmp_path: Path) -> None:
    mirror_an_unreliable_site(tmp_path, pages=10_000, kills=10, seconds=1200)
