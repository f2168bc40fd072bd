"""Which of a site's pages are mirrored, and how the others are accounted for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from markmirror.model import Item
from markmirror.sources.website.filters import Filters
from tests.runs.command import manifest_of
from tests.runs.mirroring import interrupt, listed, logged, mirrored, statuses
from tests.web_server import Reply, Request, WebServer, page, sitemap_of

PATHS = [
    "/docs",
    "/docs/intro",
    "/docs/api/users",
    "/docs/api/legacy/old",
    "/docsify",
    "/blog/post",
    "/archive/2020",
    "/api/v1",
    "/tag/x",
    "/category/y",
]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every URL that the filters were asked about."""
    urls: list[str] = []
    ask = Filters.reason_against

    def reason_against(self: Filters, item: Item) -> str | None:
        urls.append(item.url)
        return ask(self, item)

    monkeypatch.setattr(Filters, "reason_against", reason_against)
    return iter([urls])


@pytest.mark.parametrize(
    ("flag", "value", "kept"),
    [
        ("include_pattern", "^.*/docs/.*$", PATHS[1:4]),
        ("exclude_pattern", "^.*/(blog|archive)/.*$", [*PATHS[:5], *PATHS[7:]]),
        ("include_paths", "/docs,/api", [*PATHS[:4], "/api/v1"]),
        ("include_paths", "docs/", PATHS[:4]),
        ("exclude_paths", "/tag, /category", PATHS[:8]),
    ],
)
async def test_a_filter_keeps_what_it_says(
    web: WebServer, tmp_path: Path, flag: str, value: str, kept: list[str]
) -> None:
    """Seed 001: Include only documentation URLs. Seed 001: Exclude blog and archive sections.

    Seed 001: Include multiple top-level sections. Seed 001: Exclude specific paths.
    """
    web.serve_pages(PATHS)
    wish: dict[str, Any] = {flag: value}
    await mirrored(web, tmp_path, **wish)
    assert listed(tmp_path, web) == kept
    manifest = manifest_of(tmp_path / web.host_dir)
    others = [web.url + path for path in PATHS if path not in kept]
    assert manifest["filtered_urls"] == others
    assert manifest["filtered_urls_truncated"] is False
    assert manifest["statistics"]["filtered_count"] == len(others)
    assert manifest["statistics"]["filtered_by"] == {flag: len(others)}
    assert manifest["statistics"]["total_urls_in_sitemap"] == len(PATHS)
    assert manifest["filters_applied"].keys() == {flag}
    assert logged(tmp_path / web.host_dir, "URLs were filtered") == [
        {"filtered_by": {flag: len(others)}}
    ]
    fetched = {request.target for request in web.requests} & set(PATHS)
    assert fetched == set(kept)


@pytest.mark.parametrize("prefix", ["/文档", "/%e6%96%87%E6%A1%A3/"])
async def test_a_path_may_be_spelled_as_a_person_reads_it(
    web: WebServer, tmp_path: Path, prefix: str
) -> None:
    """Seed 001: Include multiple top-level sections."""
    web.serve_pages(["/%E6%96%87%E6%A1%A3/a", "/docs"])
    await mirrored(web, tmp_path, include_paths=prefix)
    assert listed(tmp_path, web) == ["/%E6%96%87%E6%A1%A3/a"]


async def test_a_filter_that_is_empty_is_none(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path, exclude_pattern="", include_pattern="", exclude_paths=",")
    assert listed(tmp_path, web) == PATHS
    assert manifest_of(tmp_path / web.host_dir)["filters_applied"] == {}


async def test_filters_are_asked_in_order_and_the_first_reason_counts(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 001: Complex filter combination."""
    web.serve_pages(PATHS)
    await mirrored(
        web,
        tmp_path,
        include_pattern="^.*/docs/api/.*$",
        exclude_pattern=".*/legacy/.*",
        exclude_paths="/docs/api/legacy",
    )
    assert listed(tmp_path, web) == ["/docs/api/users"]
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["statistics"]["filtered_by"] == {"include_pattern": 8, "exclude_pattern": 1}
    assert manifest["filters_applied"] == {
        "include_pattern": "^.*/docs/api/.*$",
        "exclude_pattern": ".*/legacy/.*",
        "exclude_paths": ["/docs/api/legacy"],
    }


def serve_with(web: WebServer, tag: str, values: dict[str, str | None]) -> None:
    entries = ""
    for path, value in values.items():
        web.serve(path, page(f"Page {path}"))
        field = "" if value is None else f"<{tag}>{value}</{tag}>"
        entries += f"<url><loc>{web.url}{path}</loc>{field}</url>"
    body = f"<urlset>{entries}</urlset>".encode()
    web.serve("/sitemap.xml", Reply(body=body, headers={"Content-Type": "application/xml"}))


async def test_only_pages_of_high_priority_are_mirrored(web: WebServer, tmp_path: Path) -> None:
    """Seed 001: Only process high-priority pages."""
    serve_with(web, "priority", {"/low": "0.3", "/edge": "0.8", "/top": "1.0", "/none": None})
    await mirrored(web, tmp_path, priority_min=0.8)
    assert listed(tmp_path, web) == ["/edge", "/top", "/none"]
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["statistics"]["filtered_by"] == {"priority_min": 1}
    assert manifest["filters_applied"] == {"priority_min": 0.8}


async def test_only_pages_of_one_frequency_are_mirrored(web: WebServer, tmp_path: Path) -> None:
    """Seed 001: Only process frequently updated content."""
    serve_with(
        web,
        "changefreq",
        {"/a": "always", "/d": "daily", "/D": " Daily ", "/m": "monthly", "/n": None},
    )
    await mirrored(web, tmp_path, changefreq="daily")
    assert listed(tmp_path, web) == ["/d", "/D"]
    assert manifest_of(tmp_path / web.host_dir)["statistics"]["filtered_by"] == {"changefreq": 3}


async def test_a_manifest_shows_a_thousand_filtered_urls_and_says_that_there_are_more(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(["/a"])
    urls = [f"{web.url}/no/{n}" for n in range(1_001)]
    web.serve("/sitemap.xml", sitemap_of([*urls, f"{web.url}/a"]))
    await mirrored(web, tmp_path, exclude_paths="/no")
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["filtered_urls"] == urls[:1_000]
    assert manifest["filtered_urls_truncated"] is True
    assert statuses(tmp_path, web) == {"saved": 1, "filtered": 1_001}


async def test_when_every_url_is_filtered_nothing_is_fetched_and_that_is_said(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    report = await mirrored(web, tmp_path, include_pattern="nothing-like-this")
    assert report.exit_code == 0
    assert report.message == "Every URL was filtered out; nothing was mirrored."
    assert statuses(tmp_path, web) == {"filtered": len(PATHS)}


async def _stopped_halfway(web: WebServer, tmp_path: Path, **wishes: Any) -> None:
    web.serve_pages(PATHS)
    first = web.answers["/docs/intro"]

    def stop(request: Request) -> Reply:
        interrupt()
        return page("Page /docs/intro")

    web.serve("/docs/intro", stop)
    report = await mirrored(web, tmp_path, concurrency=1, **wishes)
    assert report.exit_code == 3
    assert statuses(tmp_path, web)["pending"] > 0
    web.serve("/docs/intro", first)
    web.forget()


async def test_a_resume_with_the_same_filters_judges_nothing_again(
    web: WebServer, tmp_path: Path, judged: Iterator[list[str]]
) -> None:
    """Seed 001: Resume after filter adjustment."""
    asked = next(judged)
    await _stopped_halfway(web, tmp_path, include_paths="/docs")
    assert len(asked) == len(PATHS)
    asked.clear()
    report = await mirrored(web, tmp_path, include_paths="/docs")
    assert asked == []
    assert report.exit_code == 0
    assert web.count("/sitemap.xml") == 0
    assert statuses(tmp_path, web) == {"saved": 4, "filtered": 6}


async def test_a_resume_with_other_filters_judges_every_url_again(
    web: WebServer, tmp_path: Path, judged: Iterator[list[str]]
) -> None:
    asked = next(judged)
    await _stopped_halfway(web, tmp_path, include_paths="/docs")
    asked.clear()
    await mirrored(web, tmp_path, include_paths="/docs,/blog", exclude_paths="/docs/api")
    assert sorted(asked) == sorted(web.url + path for path in PATHS)
    assert web.count("/sitemap.xml") == 0
    assert listed(tmp_path, web) == ["/docs", "/docs/intro", "/blog/post"]
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["statistics"]["filtered_by"] == {"exclude_paths": 2, "include_paths": 5}


async def test_a_page_that_other_filters_let_in_again_is_not_fetched_twice(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    await mirrored(web, tmp_path, include_paths="/docs")
    assert statuses(tmp_path, web) == {"unchanged": 4, "filtered": 6}
    web.forget()
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": len(PATHS)}
    assert not {request.target for request in web.requests} & set(PATHS)
