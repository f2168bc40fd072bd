"""Pages that are one page are written once."""

import threading
from pathlib import Path
from typing import Any

import pytest

from markmirror.api import look_up
from markmirror.output.tree import OutputTree
from tests.runs.command import manifest_of, pages_on_disk
from tests.runs.mirroring import listed, log_of, mirrored, statuses, stopping_at
from tests.web_server import Reply, Request, WebServer, page, sitemap_index, sitemap_of


def moved(target: str, status: int = 301) -> Reply:
    return Reply(status=status, headers={"Location": target})


def canonical(title: str, url: str, body: str = "") -> Reply:
    return page(title, body, head=f'<link rel="canonical" href="{url}">')


def name_only(web: WebServer, *paths: str, lastmod: str | None = None) -> None:
    """From now on the sitemap names these pages and no others."""
    web.serve("/sitemap.xml", sitemap_of([web.url + path for path in paths], lastmod=lastmod))


def duplicates(output: Path, web: WebServer) -> dict[str, str]:
    return {
        row["url"].removeprefix(web.url): row["duplicate_of"].removeprefix(web.url)
        for row in manifest_of(output / web.host_dir)["duplicates"]
    }


async def test_a_url_named_twice_is_fetched_once(web: WebServer, tmp_path: Path) -> None:
    """Seed 000: Explicit duplicate."""
    web.serve_pages(["/a", "/b"])
    urls = [f"{web.url}/a", f"{web.url}/b", f"{web.url}/a#part", f"{web.url}/./a"]
    web.serve("/one.xml", sitemap_of(urls))
    web.serve("/two.xml", sitemap_of(urls[:1]))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/one.xml", f"{web.url}/two.xml"]))
    await mirrored(web, tmp_path)
    assert web.count("/a") == 1
    assert statuses(tmp_path, web) == {"saved": 2}
    assert manifest_of(tmp_path / web.host_dir)["total_pages"] == 2


@pytest.mark.parametrize("order", [["/a", "/b", "/c"], ["/c", "/b", "/a"]])
async def test_a_page_that_redirects_to_another_is_its_duplicate(
    web: WebServer, tmp_path: Path, order: list[str]
) -> None:
    """Seed 000: Redirect deduplication."""
    web.serve_pages(order)
    web.serve("/a", moved("/b"))
    web.serve("/c", moved("/b", 302))
    await mirrored(web, tmp_path, concurrency=1)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 2}
    assert duplicates(tmp_path, web) == {"/a": "/b", "/c": "/b"}
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["b/index.md"]
    url = look_up(f"{web.url}/a", output=tmp_path)
    assert url == str(tmp_path / web.host_dir / "b" / "index.md")
    web.forget()
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": 1, "duplicate": 2}
    assert not {r.target for r in web.requests} & {"/a", "/b", "/c"}


@pytest.mark.parametrize("order", [["/x", "/y"], ["/y", "/x"]])
async def test_pages_that_redirect_to_one_unlisted_page_are_one_page_at_its_path(
    web: WebServer, tmp_path: Path, order: list[str]
) -> None:
    web.serve_pages(order)
    web.serve("/x", moved("/real"))
    web.serve("/y", moved("/real"))
    web.serve("/real", page("Real"))
    await mirrored(web, tmp_path, concurrency=1)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 1}
    assert duplicates(tmp_path, web) == {"/y": "/x"}
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["real/index.md"]
    (row,) = manifest_of(tmp_path / web.host_dir)["pages"]
    assert (row["url"], row["final_url"]) == (f"{web.url}/x", f"{web.url}/real")


async def test_a_redirect_out_of_scope_keeps_the_listed_path(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    web.serve("/a", moved(f"http://localhost:{web.port}/elsewhere"))
    web.serve("/elsewhere", page("Elsewhere"))
    await mirrored(web, tmp_path, allow_private=True)
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["a/index.md"]


@pytest.mark.parametrize("order", [["/a", "/b", "/c"], ["/c", "/a", "/b"]])
async def test_pages_with_one_canonical_url_are_one_page(
    web: WebServer, tmp_path: Path, order: list[str]
) -> None:
    """Seed 000: Canonical URL detection."""
    web.serve_pages(order)
    web.serve("/a", canonical("A", "/b"))
    web.serve("/b", canonical("B", f"{web.url}/b"))
    web.serve("/c", canonical("C", "b"))
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 2}
    assert duplicates(tmp_path, web) == {"/a": "/b", "/c": "/b"}
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["b/index.md"]


@pytest.mark.parametrize("order", [["/p", "/q"], ["/q", "/p"]])
async def test_of_pages_whose_canonical_url_is_not_listed_the_smallest_stays(
    web: WebServer, tmp_path: Path, order: list[str]
) -> None:
    web.serve_pages(order)
    for path in order:
        web.serve(path, canonical(path, "/unlisted"))
    await mirrored(web, tmp_path)
    assert duplicates(tmp_path, web) == {"/q": "/p"}


async def test_pages_that_name_each_other_as_canonical_both_stay(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve("/a", canonical("A", "/b"))
    web.serve("/b", canonical("B", "/a"))
    await mirrored(web, tmp_path)
    found = statuses(tmp_path, web)
    assert found["saved"] >= 1
    assert pages_on_disk(tmp_path / web.host_dir)


@pytest.mark.parametrize(("pages", "believed"), [(19, True), (20, False), (40, False)])
async def test_broken_canonicals_are_not_believed_and_that_is_said_once(
    web: WebServer, tmp_path: Path, pages: int, believed: bool
) -> None:
    paths = ["/", *(f"/{n:02}" for n in range(1, pages))]
    web.serve_pages(paths)
    for path in paths:
        web.serve(path, canonical(f"Page {path}", "/"))
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml")
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["canonical_urls_believed"] is believed
    assert len(listed(tmp_path, web)) == (1 if believed else pages)
    warnings = [r for r in log_of(tmp_path / web.host_dir) if "canonicals" in r["message"]]
    assert len(warnings) == (0 if believed else 1)


async def test_broken_canonicals_are_known_as_such_however_few_pages_a_run_may_save(
    web: WebServer, tmp_path: Path
) -> None:
    paths = ["/", *(f"/{n:02}" for n in range(1, 25))]
    web.serve_pages(paths)
    for path in paths:
        web.serve(path, canonical(f"Page {path}", "/"))
    for _ in range(3):
        await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml", max_pages=10)
    assert statuses(tmp_path, web) == {"unchanged": 20, "saved": 5}
    assert len(pages_on_disk(tmp_path / web.host_dir)) == 25


async def test_true_copies_are_merged_on_a_site_of_any_size(web: WebServer, tmp_path: Path) -> None:
    paths = [f"/p?session={n:02}" for n in range(30)]
    web.serve_pages(["/p", *paths])
    for path in ["/p", *paths]:
        web.serve(path, canonical("Same", "/p", "the same text"))
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 30}
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["p/index.md"]


async def test_a_page_that_only_refreshes_to_another_is_that_page(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/old", "/new", "/older"])
    stub = '<meta http-equiv="refresh" content="0; url={}">'
    web.serve(
        "/old", Reply(body=stub.format("/new").encode(), headers={"Content-Type": "text/html"})
    )
    web.serve(
        "/older", Reply(body=stub.format("old").encode(), headers={"Content-Type": "text/html"})
    )
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 2}
    assert duplicates(tmp_path, web) == {"/old": "/new", "/older": "/new"}


async def test_pages_that_refresh_to_each_other_come_to_an_end(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/ping", "/pong"])
    for path, target in (("/ping", "/pong"), ("/pong", "/ping")):
        body = f'<meta http-equiv="refresh" content="0; url={target}">'.encode()
        web.serve(path, Reply(body=body, headers={"Content-Type": "text/html"}))
    report = await mirrored(web, tmp_path)
    assert report.exit_code == 0
    assert "pending" not in statuses(tmp_path, web)
    assert len(web.requests) < 30


async def test_the_tree_does_not_depend_on_the_order_of_the_sitemap(
    web: WebServer, tmp_path: Path
) -> None:
    paths = ["/a", "/A", "/a/", "/a.html", "/a/index.html", "/a?x=1", "/b", "/dup", "/alias"]
    trees: list[dict[str, str]] = []
    for order in (paths, paths[::-1], paths[4:] + paths[:4]):
        web.serve_pages(order)
        web.serve("/dup", moved("/b"))
        web.serve("/alias", canonical("Alias", "/b"))
        output = tmp_path / str(len(trees))
        await mirrored(web, output, concurrency=1)
        texts = pages_on_disk(output / web.host_dir)
        trees.append({path: text.split("fetched_at")[0] for path, text in texts.items()})
        assert len({path.lower() for path in texts}) == len(texts) == 7
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize("order", [["/docs", "/docs/", "/c"], ["/docs/", "/c", "/docs"]])
@pytest.mark.parametrize("is_redirect", [True, False])
async def test_a_page_whose_rival_is_its_duplicate_has_the_plain_name(
    web: WebServer, tmp_path: Path, order: list[str], is_redirect: bool
) -> None:
    web.serve_pages(order)
    web.serve("/docs", moved("/docs/") if is_redirect else canonical("Docs", "/docs/"))
    await mirrored(web, tmp_path, concurrency=1)
    wishes: list[dict[str, Any]] = [{}, {"update": True}, {"fresh": True}]
    for wish in wishes:
        assert duplicates(tmp_path, web) == {"/docs": "/docs/"}
        assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["c/index.md", "docs/index.md"]
        found = look_up(f"{web.url}/docs/", output=tmp_path)
        assert found == str(tmp_path / web.host_dir / "docs" / "index.md")
        report = await mirrored(web, tmp_path, **wish)
        assert (report.delta.unchanged, report.delta.moved) == (2, 0)


async def test_a_page_that_redirects_to_its_own_name_has_the_plain_name(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/docs", "/pdf", "/pdf/"])
    web.serve("/docs", moved("/docs/"))
    web.serve("/docs/", page("Docs"))
    web.serve("/pdf", Reply(body=b"%PDF", headers={"Content-Type": "application/pdf"}))
    await mirrored(web, tmp_path)
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["docs/index.md", "pdf/index.md"]


async def test_a_page_that_failed_keeps_its_name_for_the_next_run(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/docs", "/docs/"])
    web.serve("/docs", Reply(status=503))
    await mirrored(web, tmp_path)
    web.serve("/docs", page("Docs"))
    await mirrored(web, tmp_path)
    rows = {row["url"]: row["path"] for row in manifest_of(tmp_path / web.host_dir)["pages"]}
    assert rows[f"{web.url}/docs"] == "docs/index.md"
    assert rows[f"{web.url}/docs/"].startswith("docs/index__u_")


async def test_a_duplicate_that_becomes_a_page_of_its_own_is_saved_by_an_update(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b", "/c"])
    web.serve("/a", canonical("A", "/b"))
    web.serve("/c", moved("/b"))
    await mirrored(web, tmp_path, concurrency=1)
    assert statuses(tmp_path, web) == {"saved": 1, "duplicate": 2}
    web.serve("/a", page("A"))
    web.serve("/c", page("C"))
    await mirrored(web, tmp_path, update=True)
    assert statuses(tmp_path, web) == {"unchanged": 1, "saved": 2}
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == [
        "a/index.md",
        "b/index.md",
        "c/index.md",
    ]


async def test_a_page_that_becomes_a_duplicate_gives_up_its_file(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a", "/b", "/c"])
    await mirrored(web, tmp_path)
    web.serve("/a", moved("/b"))
    web.serve("/c", canonical("C", "/b"))
    await mirrored(web, tmp_path, update=True)
    assert statuses(tmp_path, web) == {"unchanged": 1, "duplicate": 2}
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["b/index.md"]


async def test_duplicates_found_before_an_interruption_stay_duplicates(
    web: WebServer, tmp_path: Path
) -> None:
    paths = [f"/{n}" for n in range(8)]
    web.serve_pages(paths)
    for path in ("/1", "/6"):
        web.serve(path, moved("/0"))

    stopping_at(web, "/3")
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 3
    assert (await mirrored(web, tmp_path, concurrency=1)).exit_code == 0
    assert statuses(tmp_path, web) == {"saved": 6, "duplicate": 2}
    assert duplicates(tmp_path, web) == {"/1": "/0", "/6": "/0"}


async def test_a_run_killed_while_a_copy_is_removed_leaves_no_file_behind(
    web: WebServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.serve_pages(["/a", "/b"])
    web.serve("/b", canonical("B", "/a"))

    def killed(_tree: OutputTree, _path: str) -> bool:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(OutputTree, "remove", killed)
        with pytest.raises(RuntimeError, match="killed"):
            await mirrored(web, tmp_path)
    await mirrored(web, tmp_path)
    assert list(pages_on_disk(tmp_path / web.host_dir)) == ["a/index.md"]


@pytest.mark.parametrize("date", [None, "2026-01-01"])
@pytest.mark.parametrize("fault", [None, Reply(status=503)])
async def test_a_duplicate_inherits_the_file_of_a_page_that_left_the_sitemap(
    web: WebServer, tmp_path: Path, date: str | None, fault: Reply | None
) -> None:
    web.serve_pages(["/old", "/new", "/c"], lastmod=date)
    web.serve("/old", moved("/new"))
    await mirrored(web, tmp_path)
    assert duplicates(tmp_path, web) == {"/old": "/new"}
    before = pages_on_disk(tmp_path / web.host_dir)
    name_only(web, "/old", "/c", lastmod=date)
    if fault:
        web.serve("/old", fault)
    report = await mirrored(web, tmp_path, update=True, prune=True)
    assert (report.gone, report.delta.removed) == (0, 0)
    assert duplicates(tmp_path, web) == {}
    assert sorted(listed(tmp_path, web)) == ["/c", "/old"]
    assert pages_on_disk(tmp_path / web.host_dir) == before
    found = look_up(f"{web.url}/old", output=tmp_path)
    assert found == str(tmp_path / web.host_dir / "new" / "index.md")


async def test_a_copy_by_canonical_url_is_saved_when_its_page_leaves_the_sitemap(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/copy", "/page", "/c"], lastmod="2026-01-01")
    web.serve("/copy", canonical("Copy", "/page"))
    await mirrored(web, tmp_path)
    assert duplicates(tmp_path, web) == {"/copy": "/page"}
    name_only(web, "/copy", "/c", lastmod="2026-01-01")
    await mirrored(web, tmp_path, update=True, prune=True)
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["c/index.md", "copy/index.md"]
    assert "Copy" in (tmp_path / web.host_dir / "copy" / "index.md").read_text()


async def test_of_duplicates_whose_page_left_the_sitemap_the_smallest_inherits(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/z", "/y", "/new", "/c"])
    web.serve("/y", moved("/new"))
    web.serve("/z", moved("/new"))
    await mirrored(web, tmp_path)
    name_only(web, "/z", "/y", "/c")
    await mirrored(web, tmp_path, update=True, prune=True)
    assert duplicates(tmp_path, web) == {"/z": "/y"}
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["c/index.md", "new/index.md"]


async def test_a_new_url_that_leads_to_a_page_that_left_the_sitemap_takes_its_file(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/new", "/c"])
    await mirrored(web, tmp_path)
    before = pages_on_disk(tmp_path / web.host_dir)
    web.serve("/old", moved("/new"))
    name_only(web, "/old", "/c")
    report = await mirrored(web, tmp_path, update=True, prune=True)
    assert (report.gone, report.delta.removed) == (0, 0)
    assert pages_on_disk(tmp_path / web.host_dir) == before
    assert statuses(tmp_path, web) == {"unchanged": 2}


async def test_a_copy_that_takes_the_place_of_a_page_takes_its_name(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/docs", "/docs/", "/c"])
    web.serve("/docs", canonical("Copy", "/docs/"))
    await mirrored(web, tmp_path)
    name_only(web, "/docs", "/c")
    await mirrored(web, tmp_path, update=True)
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["c/index.md", "docs/index.md"]
    assert "Copy" in (tmp_path / web.host_dir / "docs" / "index.md").read_text()


@pytest.mark.parametrize("prune", [False, True])
async def test_a_page_that_comes_back_to_the_sitemap_is_itself_again(
    web: WebServer, tmp_path: Path, prune: bool
) -> None:
    web.serve_pages(["/old", "/new", "/c"])
    web.serve("/old", moved("/new"))
    await mirrored(web, tmp_path)
    name_only(web, "/old", "/c")
    await mirrored(web, tmp_path, update=True, prune=prune)
    name_only(web, "/old", "/new", "/c")
    await mirrored(web, tmp_path)
    assert duplicates(tmp_path, web) == {"/old": "/new"}
    assert sorted(listed(tmp_path, web)) == ["/c", "/new"]
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["c/index.md", "new/index.md"]


@pytest.mark.parametrize("order", [["/a", "/b"], ["/b", "/a"]])
@pytest.mark.parametrize("target", [page("A"), moved("/d")])
async def test_a_page_that_leads_elsewhere_now_no_longer_stands_for_its_duplicates(
    web: WebServer, tmp_path: Path, order: list[str], target: Reply
) -> None:
    web.serve_pages([*order, "/d"])
    web.serve("/c", page("C"))
    web.serve("/a", moved("/c"))
    web.serve("/b", moved("/c"))
    await mirrored(web, tmp_path, concurrency=1)
    assert duplicates(tmp_path, web) == {"/b": "/a"}
    web.serve("/a", target)
    report = await mirrored(web, tmp_path, update=True, concurrency=1)
    assert report.exit_code == 0
    assert "# C" in pages_on_disk(tmp_path / web.host_dir)["c/index.md"]
    assert "/b" not in duplicates(tmp_path, web)


async def test_a_duplicate_that_has_not_changed_is_saved_when_its_page_leads_elsewhere(
    web: WebServer, tmp_path: Path
) -> None:
    name_only(web, "/a", "/b", lastmod="2026-02-01T00:00:00Z")
    web.serve("/c", page("C"))
    web.serve("/a", moved("/c"))
    web.serve("/b", moved("/c"))
    await mirrored(web, tmp_path)
    sitemap = web.answers["/sitemap.xml"]
    assert isinstance(sitemap, Reply)
    changed = sitemap.body.replace(b"2026-02", b"2999-02", 1)
    web.serve("/sitemap.xml", Reply(body=changed, headers=sitemap.headers))
    web.serve("/a", page("A"))
    await mirrored(web, tmp_path, update=True)
    assert statuses(tmp_path, web) == {"saved": 2}
    assert sorted(pages_on_disk(tmp_path / web.host_dir)) == ["a/index.md", "c/index.md"]


async def test_a_page_whose_file_passes_to_another_while_it_is_asked_about_is_its_duplicate(
    web: WebServer, tmp_path: Path
) -> None:
    name_only(web, "/a")
    web.serve("/a", moved("/c"))
    web.serve("/c", page("C", ETag='"1"'))
    await mirrored(web, tmp_path)
    others = [f"/{n:02}" for n in range(50)]
    web.serve_pages(["/a", "/c", *others])
    saved = threading.Event()
    listing = tmp_path / web.host_dir / "_processed.txt"

    def look(request: Request) -> Reply:
        if f"{web.url}/c" in listing.read_text().split() or request.target == others[-1]:
            saved.set()
        return page("Other")

    def answer(request: Request) -> Reply:
        is_known = "if-none-match" in request.headers
        return Reply(status=304) if is_known else page("C", ETag='"1"')

    for path in others:
        web.serve(path, look)
    web.serve("/c", answer)
    web.serve("/a", Reply(status=301, headers={"Location": "/c"}, release=saved))
    await mirrored(web, tmp_path, update=True, concurrency=2)
    assert statuses(tmp_path, web) == {"saved": 51, "duplicate": 1}
    assert duplicates(tmp_path, web) == {"/a": "/c"}
