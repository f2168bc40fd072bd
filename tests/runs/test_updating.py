"""What a second run does: as little as it can, and never too much."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from markmirror.errors import SourceUnavailable
from tests.fakes import START, FakeClock, fake_world
from tests.runs.command import manifest_of, markmirror, pages_on_disk
from tests.runs.mirroring import interrupt, listed, mirrored, statuses, stopping_at
from tests.web_server import Reply, Request, WebServer, page, sitemap_index, sitemap_of

EARLY = "2026-02-01T00:00:00+00:00"


def serve(web: WebServer, **lastmods: str | None) -> None:
    """Serve a page per name and a sitemap with these dates."""
    entries = ""
    for name, lastmod in lastmods.items():
        web.serve(f"/{name}", page(f"Page {name}"))
        field = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
        entries += f"<url><loc>{web.url}/{name}</loc>{field}</url>"
    body = f"<urlset>{entries}</urlset>".encode()
    web.serve("/sitemap.xml", Reply(body=body, headers={"Content-Type": "application/xml"}))


def serve_docs_in_a_blog(web: WebServer) -> None:
    """Serve two pages of documentation with a sitemap of their own, in a blog with another."""
    web.serve_pages(["/docs/a", "/docs/b"])
    web.serve("/docs/sitemap.xml", web.answers["/sitemap.xml"])
    web.serve_pages([f"/blog/{n}" for n in range(5)])


def file_of(output: Path, web: WebServer, name: str) -> Path:
    return output / web.host_dir / name / "index.md"


def delta(output: Path, web: WebServer) -> dict[str, int]:
    found: dict[str, int] = manifest_of(output / web.host_dir)["delta"]
    return {name: number for name, number in found.items() if number}


async def test_a_page_with_a_newer_lastmod_is_fetched_and_no_other(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Update mode activation. Seed 000: Selective re-fetching."""
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    await mirrored(web, tmp_path)
    web.forget()
    serve(web, a=EARLY, b="2999-01-01T00:00:00Z", c=EARLY)
    web.serve("/b", page("Page b", "New text"))
    report = await mirrored(web, tmp_path, update=True)
    assert {r.target for r in web.requests} & {"/a", "/b", "/c"} == {"/b"}
    assert statuses(tmp_path, web) == {"unchanged": 2, "saved": 1}
    assert delta(tmp_path, web) == {"updated": 1, "unchanged": 2}
    assert "New text" in file_of(tmp_path, web, "b").read_text()
    assert "Changes: 0 added, 1 updated, 0 moved, 0 removed, 2 unchanged." in report.sentences()
    assert report.as_dict()["delta"] == manifest_of(tmp_path / web.host_dir)["delta"]


async def test_where_a_page_is_named_twice_the_younger_date_counts(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 000: Selective re-fetching."""
    serve(web, a=EARLY, b=None)
    pages = [f"{web.url}/a", f"{web.url}/b"]
    web.serve("/new.xml", sitemap_of(pages, lastmod=EARLY))
    web.serve("/old.xml", web.answers["/sitemap.xml"])
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/old.xml", f"{web.url}/new.xml"]))
    await mirrored(web, tmp_path)
    web.forget()
    web.serve("/new.xml", sitemap_of(pages, lastmod="2999-01-01T00:00:00Z"))
    await mirrored(web, tmp_path, update=True)
    assert (web.count("/a"), web.count("/b")) == (1, 1)


async def test_a_plain_rerun_fetches_nothing_it_has(web: WebServer, tmp_path: Path) -> None:
    serve(web, a=EARLY, b="2999-01-01", c=None)
    await mirrored(web, tmp_path)
    web.forget()
    report = await mirrored(web, tmp_path)
    assert {r.target for r in web.requests} == {"/", "/robots.txt", "/sitemap.xml"}
    assert statuses(tmp_path, web) == {"unchanged": 3}
    assert report.exit_code == 0


async def test_a_lastmod_older_than_the_file_costs_no_request(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY)
    await mirrored(web, tmp_path)
    web.forget()
    serve(web, a="2026-02-02T00:00:00Z")
    await mirrored(web, tmp_path, update=True)
    assert web.count("/a") == 0
    assert statuses(tmp_path, web) == {"unchanged": 1}


async def test_a_file_that_somebody_touched_is_compared_by_its_time(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY)
    await mirrored(web, tmp_path)
    file = file_of(tmp_path, web, "a")
    os.utime(file, (0, 0))
    web.serve("/a", page("Page a", "New text"))
    await mirrored(web, tmp_path, update=True)
    assert web.count("/a") == 2
    assert "New text" in file.read_text()


async def test_a_file_that_somebody_deleted_is_fetched_again(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY, b=EARLY)
    await mirrored(web, tmp_path)
    file_of(tmp_path, web, "a").unlink()
    await mirrored(web, tmp_path)
    assert file_of(tmp_path, web, "a").exists()
    assert (web.count("/a"), web.count("/b")) == (2, 1)


async def test_a_page_without_lastmod_is_asked_about_with_both_validators(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=None)
    date = "Sun, 01 Feb 2026 00:00:00 GMT"
    reply = page("Page a", ETag='W/"x;1"', Last_Modified=date)

    def answer(request: Request) -> Reply:
        asked = (request.headers.get("if-none-match"), request.headers.get("if-modified-since"))
        return Reply(status=304, headers={"ETag": '"2"'}) if asked == ('W/"x;1"', date) else reply

    web.serve("/a", answer)
    await mirrored(web, tmp_path)
    before = file_of(tmp_path, web, "a").stat()
    await mirrored(web, tmp_path, update=True)
    assert web.count("/a") == 2
    assert statuses(tmp_path, web) == {"unchanged": 1}
    assert file_of(tmp_path, web, "a").stat() == before
    (row,) = manifest_of(tmp_path / web.host_dir)["pages"]
    assert (row["etag"], row["last_modified"]) == ('"2"', date)
    await mirrored(web, tmp_path, update=True)
    assert web.requests[-1].headers["if-none-match"] == '"2"'


async def test_a_page_whose_content_is_the_same_keeps_its_file(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=None, b="2026-02-01")
    await mirrored(web, tmp_path)
    files = [file_of(tmp_path, web, name) for name in "ab"]
    before = [(file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) for file in files]
    serve(web, a=None, b="2999-01-01")
    await mirrored(web, tmp_path, update=True)
    assert (web.count("/a"), web.count("/b")) == (2, 2)
    after = [(file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) for file in files]
    assert after == before
    assert delta(tmp_path, web) == {"unchanged": 2}


async def test_a_page_that_moved_is_not_asked_about_with_what_the_old_one_gave(
    web: WebServer, tmp_path: Path
) -> None:
    def first_version(request: Request) -> Reply:
        """As a server that numbers the versions of each page."""
        is_known = request.headers.get("if-none-match") == '"1"'
        return Reply(status=304) if is_known else page(request.target, ETag='"1"')

    serve(web, old=None)
    web.serve("/old", first_version)
    await mirrored(web, tmp_path)
    web.serve("/old", Reply(status=301, headers={"Location": "/new"}))
    web.serve("/new", first_version)
    await mirrored(web, tmp_path, update=True)
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["new/index.md"]
    assert delta(tmp_path, web) == {"moved": 1}
    await mirrored(web, tmp_path, update=True)
    assert delta(tmp_path, web) == {"unchanged": 1}
    assert web.requests[-1].headers["if-none-match"] == '"1"'


@pytest.mark.parametrize("wish", [{"update": True}, {"fresh": True}], ids=str)
async def test_a_file_that_is_no_longer_what_was_written_is_written_again(
    web: WebServer, tmp_path: Path, wish: dict[str, Any]
) -> None:
    serve(web, a=None, b=None)
    await mirrored(web, tmp_path)
    file = file_of(tmp_path, web, "a")
    whole = file.read_text()
    for damage in ("", whole.replace("Text", "TEXT")):
        file.write_text(damage)
        await mirrored(web, tmp_path, **wish)
        assert "Text of Page a" in file.read_text()
        assert delta(tmp_path, web) == {"updated": 1, "unchanged": 1}


async def test_a_new_page_is_fetched(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: New page detection."""
    serve(web, a=EARLY)
    await mirrored(web, tmp_path)
    serve(web, a=EARLY, b=EARLY)
    await mirrored(web, tmp_path, update=True)
    assert delta(tmp_path, web) == {"added": 1, "unchanged": 1}
    assert (web.count("/a"), web.count("/b")) == (1, 1)


async def test_a_bare_date_is_checked_until_its_day_is_over(web: WebServer, tmp_path: Path) -> None:
    clock = FakeClock()
    today = START.date().isoformat()
    serve(web, a=today)
    await mirrored(web, tmp_path, world=fake_world(clock))
    await mirrored(web, tmp_path, update=True, world=fake_world(clock))
    assert web.count("/a") == 2
    clock.advance(timedelta(days=1).total_seconds())
    await mirrored(web, tmp_path, update=True, world=fake_world(clock))
    assert web.count("/a") == 3
    await mirrored(web, tmp_path, update=True, world=fake_world(clock))
    assert web.count("/a") == 3


async def test_a_page_that_left_the_sitemap_is_listed_as_gone_and_kept(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    await mirrored(web, tmp_path)
    serve(web, a=EARLY, b=EARLY)
    report = await mirrored(web, tmp_path, update=True)
    assert report.gone == 1
    assert manifest_of(tmp_path / web.host_dir)["gone"] == [
        {"url": f"{web.url}/c", "path": "c/index.md"}
    ]
    assert file_of(tmp_path, web, "c").exists()
    assert statuses(tmp_path, web) == {"unchanged": 2}


async def test_prune_deletes_what_left_the_sitemap(web: WebServer, tmp_path: Path) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    await mirrored(web, tmp_path)
    serve(web, a=EARLY, b=EARLY)
    await mirrored(web, tmp_path, update=True, prune=True)
    assert delta(tmp_path, web) == {"removed": 1, "unchanged": 2}
    assert manifest_of(tmp_path / web.host_dir)["gone"] == []
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["a/index.md", "b/index.md"]
    assert not file_of(tmp_path, web, "c").parent.exists()
    assert f"{web.url}/c" not in (tmp_path / web.host_dir / "_processed.txt").read_text()
    assert "/c" not in (tmp_path / web.host_dir / "_index.md").read_text()


async def test_a_pruned_page_that_comes_back_is_fetched_again(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    await mirrored(web, tmp_path)
    serve(web, a=EARLY, b=EARLY)
    await mirrored(web, tmp_path, update=True, prune=True)
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    await mirrored(web, tmp_path, update=True)
    assert statuses(tmp_path, web) == {"unchanged": 2, "saved": 1}
    assert file_of(tmp_path, web, "c").exists()


async def _names(web: WebServer, tmp_path: Path, count: int) -> None:
    serve(web, **{f"p{n}": EARLY for n in range(count)})


async def test_prune_is_refused_when_the_sitemap_lost_more_than_half(
    web: WebServer, tmp_path: Path
) -> None:
    await _names(web, tmp_path, 10)
    await mirrored(web, tmp_path)
    await _names(web, tmp_path, 4)
    report = await mirrored(web, tmp_path, update=True, prune=True)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 10
    assert "Nothing was pruned: the sitemap shrank from 10 to 4 URLs" in report.message
    assert "--fresh" in report.message
    await mirrored(web, tmp_path, fresh=True)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 4


async def test_prune_is_refused_again_when_it_was_refused_before(
    web: WebServer, tmp_path: Path
) -> None:
    await _names(web, tmp_path, 10)
    await mirrored(web, tmp_path)
    await _names(web, tmp_path, 4)
    for _ in range(3):
        report = await mirrored(web, tmp_path, update=True, prune=True)
        assert "6 pages on disk no longer in the sitemap." in report.sentences()
        assert len(pages_on_disk(tmp_path / web.host_dir)) == 10


async def test_prune_accepts_exactly_half(web: WebServer, tmp_path: Path) -> None:
    await _names(web, tmp_path, 10)
    await mirrored(web, tmp_path)
    await _names(web, tmp_path, 5)
    await mirrored(web, tmp_path, update=True, prune=True)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 5


async def test_prune_is_refused_when_a_sitemap_failed(web: WebServer, tmp_path: Path) -> None:
    for name in "abc":
        web.serve(f"/{name}", page(f"Page {name}"))
    web.serve("/one.xml", sitemap_of([f"{web.url}/a", f"{web.url}/b"]))
    web.serve("/two.xml", sitemap_of([f"{web.url}/c"]))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/one.xml", f"{web.url}/two.xml"]))
    await mirrored(web, tmp_path)
    for fault in (Reply(status=503), Reply(status=404), page("Sorry")):
        web.serve("/two.xml", fault)
        report = await mirrored(web, tmp_path, update=True, prune=True)
        assert "Nothing was pruned: a sitemap could not be read" in report.message
        assert file_of(tmp_path, web, "c").exists()


async def test_prune_is_refused_when_a_sitemap_of_robots_txt_failed(
    web: WebServer, tmp_path: Path
) -> None:
    for name in "abc":
        web.serve(f"/{name}", page(f"Page {name}"))
    web.serve("/one.xml", sitemap_of([f"{web.url}/a", f"{web.url}/b"]))
    web.serve("/two.xml", sitemap_of([f"{web.url}/c"]))
    lines = b"Sitemap: /one.xml\nSitemap: /two.xml\n"
    web.serve("/robots.txt", Reply(body=lines, headers={"Content-Type": "text/plain"}))
    await mirrored(web, tmp_path)
    web.serve("/two.xml", Reply(status=503))
    await mirrored(web, tmp_path, update=True, prune=True)
    assert file_of(tmp_path, web, "c").exists()


async def test_prune_is_refused_when_another_sitemap_stands_in_for_the_one_asked_for(
    web: WebServer, tmp_path: Path
) -> None:
    serve_docs_in_a_blog(web)
    asked_for = f"{web.url}/docs/sitemap.xml"
    await mirrored(web, tmp_path, url=asked_for)
    for answer in (Reply(status=404), page("Please log in")):
        web.serve("/docs/sitemap.xml", answer)
        report = await mirrored(web, tmp_path, url=asked_for, update=True, prune=True)
        assert "Nothing was pruned: a sitemap could not be read" in report.message
        assert (report.delta.removed, report.gone) == (0, 2)


async def test_prune_is_refused_while_the_sitemap_that_named_the_pages_is_not_found(
    web: WebServer, tmp_path: Path
) -> None:
    serve_docs_in_a_blog(web)
    start = f"{web.url}/docs/"
    await mirrored(web, tmp_path, url=start)
    del web.answers["/docs/sitemap.xml"]
    for _ in range(2):
        report = await mirrored(web, tmp_path, url=start, update=True, prune=True)
        assert "/docs/sitemap.xml, which named them before, is no sitemap" in report.message
        assert (report.delta.removed, report.gone) == (0, 2)
    report = await mirrored(web, tmp_path, url=start, fresh=True)
    assert (report.delta.removed, report.message) == (2, "")


async def test_prune_is_refused_when_the_sitemap_is_empty_or_gone(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY)
    await mirrored(web, tmp_path)
    for fault in (sitemap_of([]), Reply(status=404), Reply(status=500)):
        web.serve("/sitemap.xml", fault)
        with pytest.raises(SourceUnavailable):
            await mirrored(web, tmp_path, update=True, prune=True)
        assert file_of(tmp_path, web, "a").exists()


async def test_an_interrupted_run_in_between_does_not_loosen_the_brake(
    web: WebServer, tmp_path: Path
) -> None:
    await _names(web, tmp_path, 10)
    await mirrored(web, tmp_path)
    await _names(web, tmp_path, 2)
    small = web.answers["/sitemap.xml"]
    assert isinstance(small, Reply)

    def stop(request: Request) -> Reply:
        if request.number == 1:
            interrupt()
            return Reply(status=503)
        return small

    web.forget()
    web.serve("/sitemap.xml", stop)
    assert (await mirrored(web, tmp_path)).exit_code == 3
    await mirrored(web, tmp_path, update=True, prune=True)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 10


async def test_losing_the_ledger_does_not_loosen_the_brake(web: WebServer, tmp_path: Path) -> None:
    await _names(web, tmp_path, 10)
    await mirrored(web, tmp_path)
    (tmp_path / web.host_dir / "_state.db").unlink()
    await _names(web, tmp_path, 2)
    await mirrored(web, tmp_path, update=True, prune=True)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 10


async def test_losing_the_ledger_loses_where_a_page_came_from_and_prune_leaves_it(
    web: WebServer, tmp_path: Path
) -> None:
    await _names(web, tmp_path, 10)
    await mirrored(web, tmp_path)
    (tmp_path / web.host_dir / "_state.db").unlink()
    await _names(web, tmp_path, 9)
    report = await mirrored(web, tmp_path, update=True, prune=True)
    assert "which sitemap named 1 of 10 pages on disk" in report.message
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 10
    await mirrored(web, tmp_path, fresh=True)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 9


def _serve_docs_and_blog(web: WebServer, *, docs: int, blog: int) -> tuple[str, str]:
    """Two sitemaps of one host, with so many pages each; their URLs."""
    for part, count in (("docs", docs), ("blog", blog)):
        paths = [f"/{part}/{n}" for n in range(count)]
        for path in paths:
            web.serve(path, page(f"Page {path}"))
        web.serve(f"/{part}.xml", sitemap_of([web.url + path for path in paths], lastmod=EARLY))
    return f"{web.url}/docs.xml", f"{web.url}/blog.xml"


@pytest.mark.parametrize("wish", [{"update": True, "prune": True}, {"fresh": True}])
async def test_pages_that_came_from_another_start_url_are_neither_gone_nor_removed(
    web: WebServer, tmp_path: Path, wish: dict[str, Any]
) -> None:
    docs, blog = _serve_docs_and_blog(web, docs=4, blog=6)
    await mirrored(web, tmp_path, url=docs)
    assert (await mirrored(web, tmp_path, url=blog)).gone == 0
    _serve_docs_and_blog(web, docs=4, blog=5)
    report = await mirrored(web, tmp_path, url=blog, **wish)
    assert (report.total, report.delta.removed) == (5, 1)
    manifest = manifest_of(tmp_path / web.host_dir)
    assert (len(manifest["pages"]), manifest["gone"]) == (9, [])
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 9
    _serve_docs_and_blog(web, docs=3, blog=5)
    assert (await mirrored(web, tmp_path, url=docs, update=True)).gone == 1
    await mirrored(web, tmp_path, url=docs, **wish)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 8


RSS = "<rss version='2.0'><channel>{}</channel></rss>", "<item><link>{}</link></item>"
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom'>{}</feed>", "<entry><link href='{}'/></entry>"


def _serve_feed(web: WebServer, feed: tuple[str, str], numbers: range) -> None:
    paths = [f"/post/{n}" for n in numbers]
    for path in paths:
        web.serve(path, page(f"Page {path}"))
    whole, item = feed
    body = whole.format("".join(item.format(web.url + path) for path in paths))
    web.serve("/feed.xml", Reply(body=body.encode(), headers={"Content-Type": "text/xml"}))


@pytest.mark.parametrize("feed", [RSS, ATOM], ids=["rss", "atom"])
@pytest.mark.parametrize("wish", [{"update": True, "prune": True}, {"fresh": True}])
async def test_a_page_that_scrolled_out_of_a_feed_is_neither_gone_nor_removed(
    web: WebServer, tmp_path: Path, feed: tuple[str, str], wish: dict[str, Any]
) -> None:
    _serve_feed(web, feed, range(5))
    await mirrored(web, tmp_path, url=f"{web.url}/feed.xml")
    _serve_feed(web, feed, range(1, 6))
    assert (await mirrored(web, tmp_path, url=f"{web.url}/feed.xml")).gone == 0
    _serve_feed(web, feed, range(2, 7))
    report = await mirrored(web, tmp_path, url=f"{web.url}/feed.xml", **wish)
    assert (report.gone, report.delta.removed) == (0, 0)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 7
    assert len(manifest_of(tmp_path / web.host_dir)["pages"]) == 7


async def test_a_feed_beside_a_sitemap_keeps_nothing_alive_but_its_own_pages(
    web: WebServer, tmp_path: Path
) -> None:
    lines = b"Sitemap: /sitemap.xml\nSitemap: /feed.xml\n"
    web.serve("/robots.txt", Reply(body=lines, headers={"Content-Type": "text/plain"}))
    await _names(web, tmp_path, 6)
    _serve_feed(web, RSS, range(3))
    await mirrored(web, tmp_path)
    await _names(web, tmp_path, 5)
    _serve_feed(web, RSS, range(1, 4))
    report = await mirrored(web, tmp_path, update=True, prune=True)
    assert report.delta.removed == 1
    assert not file_of(tmp_path, web, "p5").exists()
    assert file_of(tmp_path, web, "post/0").exists()


async def test_the_brake_compares_a_sitemap_with_itself(web: WebServer, tmp_path: Path) -> None:
    docs, blog = _serve_docs_and_blog(web, docs=40, blog=10)
    await mirrored(web, tmp_path, url=blog)
    await mirrored(web, tmp_path, url=docs)
    _serve_docs_and_blog(web, docs=40, blog=4)
    report = await mirrored(web, tmp_path, url=blog, update=True, prune=True)
    assert "Nothing was pruned: the sitemap shrank from 10 to 4 URLs" in report.message
    _serve_docs_and_blog(web, docs=40, blog=8)
    report = await mirrored(web, tmp_path, url=blog, update=True, prune=True)
    assert (report.message, report.delta.removed) == ("", 2)
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 48


async def test_filtered_pages_are_never_pruned(web: WebServer, tmp_path: Path) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    await mirrored(web, tmp_path)
    await mirrored(web, tmp_path, update=True, prune=True, include_paths="/a")
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 3
    assert statuses(tmp_path, web) == {"unchanged": 1, "filtered": 2}


async def test_fresh_fetches_everything_and_removes_what_is_gone(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY, b=EARLY, c=None)
    await mirrored(web, tmp_path)
    serve(web, a=EARLY, b=EARLY)
    web.serve("/a", page("Page a", "New text"))
    web.forget()
    report = await mirrored(web, tmp_path, fresh=True)
    assert (web.count("/a"), web.count("/b")) == (1, 1)
    assert "New text" in file_of(tmp_path, web, "a").read_text()
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["a/index.md", "b/index.md"]
    assert report.exit_code == 0
    processed = (tmp_path / web.host_dir / "_processed.txt").read_text().splitlines()
    assert sorted(processed) == [f"{web.url}/a", f"{web.url}/b"]


async def test_an_interrupted_fresh_run_goes_on_with_what_is_left(
    web: WebServer, tmp_path: Path
) -> None:
    paths = [f"/{n}" for n in range(8)]
    web.serve_pages(paths)
    await mirrored(web, tmp_path)
    web.forget()

    stopping_at(web, "/3")
    assert (await mirrored(web, tmp_path, fresh=True, concurrency=1)).exit_code == 3
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 8
    assert (await mirrored(web, tmp_path)).exit_code == 0
    assert {web.count(path) for path in paths} == {1}
    processed = (tmp_path / web.host_dir / "_processed.txt").read_text().splitlines()
    assert sorted(processed) == sorted(web.url + path for path in paths)


@pytest.mark.parametrize("wish", [{"fresh": True}, {"front_matter": False}])
async def test_pages_that_an_interrupted_update_wanted_to_ask_about_are_made_again_if_need_be(
    web: WebServer, tmp_path: Path, wish: dict[str, Any]
) -> None:
    serve(web, a=None, b=None, c=None)
    for name in "abc":
        web.serve(f"/{name}", page(f"Page {name}", ETag='"1"'))
    await mirrored(web, tmp_path)
    web.forget()
    stopping_at(web, "/a")
    assert (await mirrored(web, tmp_path, update=True, concurrency=1)).exit_code == 3
    web.forget()
    web.serve("/a", page("Page a"))
    assert (await mirrored(web, tmp_path, **wish)).exit_code == 0
    assert web.count("/b") == web.count("/c") == 1
    assert not [r for r in web.requests if "if-none-match" in r.headers]


async def test_an_interrupted_update_goes_on_as_an_update(web: WebServer, tmp_path: Path) -> None:
    serve(web, a=None, b=None, c=None, d=None)
    await mirrored(web, tmp_path)

    def stop(request: Request) -> Reply:
        if request.number == 2:
            interrupt()
        return page("Page a", "New text")

    web.serve("/a", stop)
    assert (await mirrored(web, tmp_path, update=True, concurrency=1)).exit_code == 3
    assert (await mirrored(web, tmp_path)).exit_code == 0
    assert [web.count(f"/{name}") for name in "abcd"] == [2, 2, 2, 2]
    assert delta(tmp_path, web) == {"updated": 1, "unchanged": 3}


async def test_an_update_over_an_unfinished_mirror_fetches_what_is_missing(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY, d=EARLY)

    stopping_at(web, "/a")
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 3
    report = await mirrored(web, tmp_path, update=True)
    assert report.exit_code == 0
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 4


async def test_what_an_unfinished_run_had_left_to_do_is_forgotten_if_nobody_names_it_any_more(
    web: WebServer, tmp_path: Path
) -> None:
    await _names(web, tmp_path, 8)

    stopping_at(web, "/p0")
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 3
    await _names(web, tmp_path, 7)
    report = await mirrored(web, tmp_path, update=True)
    assert web.count("/p7") == 0
    assert (report.gone, report.total) == (0, 7)


async def test_an_update_that_came_to_nothing_does_not_harm_the_run_before(
    web: WebServer, tmp_path: Path
) -> None:
    await _names(web, tmp_path, 8)
    good = web.answers["/sitemap.xml"]
    assert isinstance(good, Reply)

    stopping_at(web, "/p2", page("Page p2"))
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 3
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 99999\r\n\r\n"
    cut = Reply(raw=head + good.body[:-40])
    web.forget()
    web.serve("/sitemap.xml", lambda request: cut if request.number == 1 else Reply(raw=b""))
    with pytest.raises(SourceUnavailable):
        await mirrored(web, tmp_path, update=True)
    web.serve("/sitemap.xml", good)
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 8
    assert sum(statuses(tmp_path, web).values()) == 8


async def test_a_page_made_by_another_recipe_is_made_again(web: WebServer, tmp_path: Path) -> None:
    serve(web, a=EARLY)
    await mirrored(web, tmp_path)
    wish: dict[str, Any] = {"front_matter": False}
    await mirrored(web, tmp_path, **wish)
    assert not file_of(tmp_path, web, "a").read_text().startswith("---")
    await mirrored(web, tmp_path, **wish)
    assert web.count("/a") == 2


async def test_a_run_resumed_with_another_recipe_makes_all_its_pages_by_that(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    stopping_at(web, "/b")
    await mirrored(web, tmp_path, concurrency=1)
    assert file_of(tmp_path, web, "a").exists()
    report = await mirrored(web, tmp_path, front_matter=False)
    assert report.exit_code == 0
    texts = [file_of(tmp_path, web, name).read_text() for name in "abc"]
    assert not [text for text in texts if text.startswith("---")]


async def test_a_page_that_fails_during_an_update_keeps_its_file(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=None, b=None)
    await mirrored(web, tmp_path)
    web.serve("/a", Reply(status=500))
    report = await mirrored(web, tmp_path, update=True)
    assert report.exit_code == 0
    assert statuses(tmp_path, web) == {"unchanged": 1, "failed": 1}
    assert file_of(tmp_path, web, "a").exists()
    assert set(listed(tmp_path, web)) == {"/a", "/b"}


async def test_a_page_that_failed_during_an_update_is_tried_by_the_next_plain_run(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=None, b=None)
    await mirrored(web, tmp_path)
    web.serve("/a", Reply(status=503))
    await mirrored(web, tmp_path, update=True)
    web.forget()
    await mirrored(web, tmp_path)
    assert (web.count("/a"), web.count("/b")) == (1, 0)
    assert statuses(tmp_path, web) == {"unchanged": 1, "failed": 1}
    assert (tmp_path / web.host_dir / "_failed.log").exists()
    web.serve("/a", page("Page a", "New text"))
    await mirrored(web, tmp_path)
    assert "New text" in file_of(tmp_path, web, "a").read_text()
    assert not (tmp_path / web.host_dir / "_failed.log").exists()
    await mirrored(web, tmp_path)
    assert (web.count("/a"), web.count("/b")) == (2, 0)


async def test_a_page_that_failed_in_an_aborted_run_is_tried_when_that_goes_on(
    web: WebServer, tmp_path: Path
) -> None:
    serve(web, a=None, b=None)
    await mirrored(web, tmp_path)
    web.serve("/a", Reply(status=503))
    await mirrored(web, tmp_path, update=True)
    for _ in range(2):
        report = await mirrored(web, tmp_path, on_error="abort")
        assert report.exit_code == 1
        assert statuses(tmp_path, web)["failed"] == 1
    assert web.count("/a") == 4


def test_the_delta_is_told_in_words_and_in_json(web: WebServer, tmp_path: Path) -> None:
    serve(web, a=EARLY, b=EARLY, c=EARLY)
    wishes = ("site", web.url, "-o", tmp_path, "--rate-limit", 0, "--workers", 0)
    said = markmirror(*wishes)
    assert "Changes: 3 added, 0 updated, 0 moved, 0 removed, 0 unchanged." in said.err
    serve(web, a="2999-01-01", b=EARLY)
    web.serve("/a", page("Page a", "New text"))
    said = markmirror(*wishes, "--update", "--prune", "--log-format", "json")
    (end,) = [
        record
        for record in map(json.loads, said.err.splitlines())
        if record["message"] == "the run ended"
    ]
    assert end["context"]["report"]["delta"] == {
        "added": 0,
        "updated": 1,
        "moved": 0,
        "removed": 1,
        "unchanged": 1,
    }
