"""Which pages a site says it has, however it says it."""

import gzip
import socket
from pathlib import Path
from typing import Any

import pytest

from markmirror.errors import SourceUnavailable
from markmirror.options import SiteOptions
from markmirror.website import list_site
from tests.fakes import FakeClock, fake_world
from tests.runs.command import manifest_of
from tests.runs.mirroring import listed, log_of, logged, mirrored, sitemap_records, statuses
from tests.web_server import Reply, Request, WebServer, gzipped, page, sitemap_index, sitemap_of

XML = {"Content-Type": "application/xml"}
TEXT = {"Content-Type": "text/plain"}
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def xml(text: str, *, encoding: str = "utf-8") -> Reply:
    return Reply(body=text.encode(encoding), headers=XML)


def serve_pages(web: WebServer, *paths: str) -> list[str]:
    """Serve a page at each path and return the URLs."""
    for path in paths:
        web.serve(path, page(f"Page {path}"))
    return [web.url + path for path in paths]


async def test_a_url_that_answers_with_a_sitemap_is_one(web: WebServer, tmp_path: Path) -> None:
    """Seed 004: 成功获取标准 sitemap.xml. Seed 004: 解析标准 sitemap.xml."""
    web.serve("/maps/all.xml", sitemap_of(serve_pages(web, "/a", "/b")))
    await mirrored(web, tmp_path, url=f"{web.url}/maps/all.xml")
    assert listed(tmp_path, web) == ["/a", "/b"]
    assert manifest_of(tmp_path / web.host_dir)["sitemap_url"] == f"{web.url}/maps/all.xml"
    assert web.count("/robots.txt") == 0


async def test_every_sitemap_line_of_robots_txt_is_read(web: WebServer, tmp_path: Path) -> None:
    web.serve("/one.xml", sitemap_of(serve_pages(web, "/a")))
    web.serve("/two.xml", sitemap_of(serve_pages(web, "/b")))
    lines = f"User-agent: *\nSitemap: {web.url}/one.xml\nsitemap: /two.xml\n"
    web.serve("/robots.txt", Reply(body=lines.encode(), headers=TEXT))
    web.serve("/sitemap.xml", sitemap_of(serve_pages(web, "/never")))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a", "/b"]
    assert web.count("/sitemap.xml") == 0


@pytest.mark.parametrize(
    "place",
    [
        "sitemap.xml",
        "sitemap_index.xml",
        "sitemap-index.xml",
        "sitemap.xml.gz",
        "sitemap.txt",
        "wp-sitemap.xml",
    ],
)
@pytest.mark.parametrize("folder", ["/", "/docs/en/"])
async def test_the_usual_places_are_tried(
    web: WebServer, tmp_path: Path, place: str, folder: str
) -> None:
    urls = serve_pages(web, "/docs/en/a")
    reply = sitemap_of(urls)
    if place.endswith(".gz"):
        reply = gzipped(reply)
    if place.endswith(".txt"):
        reply = Reply(body="\n".join(urls).encode(), headers=TEXT)
    web.serve(folder + place, reply)
    await mirrored(web, tmp_path, url=f"{web.url}/docs/en/")
    assert listed(tmp_path, web) == ["/docs/en/a"]


@pytest.mark.parametrize("given", ["/docs", "/docs/", "/docs/index.html", "/docs?lang=en"])
async def test_a_site_in_a_folder_is_found_by_any_of_its_addresses(
    web: WebServer, tmp_path: Path, given: str
) -> None:
    web.serve(given, page("Home"))
    web.serve("/docs/sitemap.xml", sitemap_of(serve_pages(web, "/docs/a")))
    web.serve("/sitemap.xml", sitemap_of(serve_pages(web, "/another-site")))
    await mirrored(web, tmp_path, url=web.url + given)
    assert listed(tmp_path, web) == ["/docs/a"]


async def test_a_robots_line_that_leads_nowhere_falls_back_to_the_usual_places(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve("/robots.txt", Reply(body=b"Sitemap: /missing.xml\n", headers=TEXT))
    web.serve("/sitemap.xml", sitemap_of(serve_pages(web, "/a")))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    assert manifest_of(tmp_path / web.host_dir)["discovery"]["complete"] is False


async def test_an_index_is_followed_to_its_sitemaps_in_sequence(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 解析 sitemap 索引文件. Seed 004: 并发处理子 sitemap."""
    inner = [f"/map-{n}.xml" for n in range(6)]
    for n, path in enumerate(inner):
        web.serve(path, sitemap_of(serve_pages(web, f"/page-{n}")))
    web.serve("/nested.xml", sitemap_index(web.url + path for path in inner[3:]))
    web.serve(
        "/sitemap.xml", sitemap_index([*(web.url + p for p in inner[:3]), web.url + "/nested.xml"])
    )
    await mirrored(web, tmp_path, concurrency=1)
    assert listed(tmp_path, web) == [f"/page-{n}" for n in range(6)]
    asked = [r.target for r in web.requests if r.target.endswith(".xml")]
    assert asked == ["/sitemap.xml", *inner[:3], "/nested.xml", *inner[3:]]
    assert web.most_in_flight == 1
    records = sitemap_records(tmp_path / web.host_dir)
    assert [r["url"].removeprefix(web.url) for r in records] == asked
    assert [r["kind"] for r in records] == [
        "sitemapindex",
        *["urlset"] * 3,
        "sitemapindex",
        *["urlset"] * 3,
    ]
    assert all(r.keys() >= {"entries", "duplicates", "invalid", "seconds"} for r in records)


async def test_indexes_that_name_each_other_are_read_once(web: WebServer, tmp_path: Path) -> None:
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/b.xml", f"{web.url}/sitemap.xml"]))
    web.serve("/b.xml", sitemap_index([f"{web.url}/sitemap.xml", f"{web.url}/c.xml"]))
    web.serve("/c.xml", sitemap_of(serve_pages(web, "/a")))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    assert {web.count(path) for path in ("/sitemap.xml", "/b.xml", "/c.xml")} == {1}


async def test_indexes_nested_without_end_are_left_with_an_error(
    web: WebServer, tmp_path: Path
) -> None:
    def deeper(request: Request) -> Reply:
        depth = int(request.target.removeprefix("/deep-").removesuffix(".xml"))
        return sitemap_index([f"{web.url}/deep-{depth + 1}.xml"])

    web.fallback = deeper
    web.serve("/robots.txt", Reply(status=404))
    web.serve("/", page("Home"))
    web.serve("/map.xml", sitemap_of(serve_pages(web, "/a")))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/map.xml", f"{web.url}/deep-1.xml"]))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    assert sum(r.target.startswith("/deep-") for r in web.requests) <= 6
    errors = [r["error"] for r in sitemap_records(tmp_path / web.host_dir) if "error" in r]
    assert errors == ["sitemap indexes are nested more than 5 deep"]
    assert manifest_of(tmp_path / web.host_dir)["discovery"]["complete"] is False


async def test_a_site_that_makes_up_sitemaps_comes_to_an_end(
    web: WebServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each index names ten more, a few levels deep: a hundred thousand sitemaps and no page."""
    monkeypatch.setattr("markmirror.sources.website.discovery.MAX_SITEMAPS", 30)
    web.fallback = lambda request: sitemap_index(
        f"{web.url}{request.target.removesuffix('.xml')}-{number}.xml" for number in range(10)
    )
    web.serve("/robots.txt", Reply(status=404))
    web.serve("/", page("Home"))
    web.serve("/map.xml", sitemap_of(serve_pages(web, "/a")))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/map.xml", f"{web.url}/more.xml"]))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    assert sum(r.target.startswith("/more") for r in web.requests) <= 30
    manifest = manifest_of(tmp_path / web.host_dir)
    assert manifest["discovery"]["complete"] is False
    errors = {r.get("error") for r in manifest["discovery"]["sitemaps"]}
    assert "the site names more than 30 sitemaps" in errors


async def test_gzip_is_known_by_its_bytes_not_its_name(web: WebServer, tmp_path: Path) -> None:
    urls = serve_pages(web, "/a", "/b")
    plain = sitemap_of(urls).body
    half = len(plain) // 2
    members = gzip.compress(plain[:half]) + gzip.compress(plain[half:])
    web.serve("/sitemap.xml", Reply(body=members, headers=XML))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a", "/b"]


async def test_a_sitemap_named_gz_may_be_plain(web: WebServer, tmp_path: Path) -> None:
    web.serve("/s.xml.gz", sitemap_of(serve_pages(web, "/a")))
    await mirrored(web, tmp_path, url=f"{web.url}/s.xml.gz")
    assert listed(tmp_path, web) == ["/a"]


async def test_a_sitemap_compressed_in_transit_and_on_disk_is_read(
    web: WebServer, tmp_path: Path
) -> None:
    body = gzip.compress(gzip.compress(sitemap_of(serve_pages(web, "/a")).body))
    web.serve("/sitemap.xml.gz", Reply(body=body, headers={"Content-Encoding": "gzip"}))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]


RSS = "<rss version='2.0'><channel><link>{0}/</link><item><link>{0}/a</link></item></channel></rss>"
ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><link href='{0}/' rel='self'/>"
    "<entry><link rel='alternate' href='{0}/a'/></entry></feed>"
)
PREFIXED = "<s:urlset xmlns:s='urn:x'><s:url><s:loc> {0}/a\n</s:loc></s:url></s:urlset>"
BARE = "<urlset><url><loc><![CDATA[{0}/a]]></loc></url></urlset>"
EXTENDED = (
    f"<urlset {NAMESPACE} xmlns:image='urn:i' xmlns:video='urn:v' xmlns:xhtml='urn:h'>"
    "<url><loc>{0}/a</loc><image:image><image:loc>{0}/no.png</image:loc></image:image>"
    "<video:video><video:player_loc>{0}/no</video:player_loc></video:video>"
    "<xhtml:link rel='alternate' href='{0}/nope'/></url></urlset>"
)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RSS, "utf-8"),
        (ATOM, "utf-8"),
        (PREFIXED, "utf-8"),
        (BARE, "utf-8-sig"),
        (EXTENDED, "utf-8"),
        ('<?xml version="1.0" encoding="UTF-16"?>' + BARE, "utf-16"),
        ("{0}/a\n", "utf-8"),
    ],
    ids=["rss", "atom", "prefix", "cdata-bom", "extensions", "utf-16", "text"],
)
async def test_every_kind_of_sitemap_is_read(
    web: WebServer, tmp_path: Path, text: str, encoding: str
) -> None:
    web.fallback = lambda request: page(f"Page {request.target}")
    web.serve("/robots.txt", Reply(status=404))
    web.serve("/list", xml(text.format(web.url), encoding=encoding))
    await mirrored(web, tmp_path, url=f"{web.url}/list")
    assert listed(tmp_path, web) == ["/a"]


async def test_broken_xml_still_gives_its_urls(web: WebServer, tmp_path: Path) -> None:
    """Seed 004: 处理无效 XML."""
    serve_pages(web, "/a?x=1&y=2", "/b")
    broken = (
        f"<urlset><url><loc>{web.url}/a?x=1&y=2</loc></wrong>"
        f"<url><loc>{web.url}/b</loc><lastmod></url>"
    )
    web.serve("/sitemap.xml", xml(broken))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a?x=1&y=2", "/b"]


async def test_the_half_read_last_url_of_a_truncated_sitemap_is_not_used(
    web: WebServer, tmp_path: Path
) -> None:
    whole = sitemap_of(serve_pages(web, "/a", "/b", "/long-name")).body
    web.serve("/sitemap.xml", Reply(body=whole[: whole.index(b"/long-name") + 5], headers=XML))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a", "/b"]
    (record,) = sitemap_records(tmp_path / web.host_dir)
    assert record["error"] == "the file ends too early"
    (said,) = [r for r in log_of(tmp_path / web.host_dir) if r["context"].get("error")]
    assert said["level"] == "ERROR"


async def test_a_relative_loc_is_resolved_and_counted(web: WebServer, tmp_path: Path) -> None:
    serve_pages(web, "/docs/a", "/b")
    text = "<urlset><url><loc>a</loc></url><url><loc>/b</loc></url></urlset>"
    web.serve("/docs/sitemap.xml", xml(text))
    await mirrored(web, tmp_path, url=f"{web.url}/docs/sitemap.xml")
    assert listed(tmp_path, web) == ["/docs/a", "/b"]
    (record,) = sitemap_records(tmp_path / web.host_dir)
    assert record["relative"] == 2


async def test_entries_that_are_no_addresses_are_counted_and_the_rest_goes_on(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 记录警告."""
    (good,) = serve_pages(web, "/a")
    web.serve("/sitemap.xml", sitemap_of(["mailto:x@example.com", "http://", good, good]))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    (record,) = sitemap_records(tmp_path / web.host_dir)
    assert (record["invalid"], record["duplicates"]) == (2, 1)
    (said,) = [r for r in log_of(tmp_path / web.host_dir) if "kind" in r["context"]]
    assert said["level"] == "WARNING"


async def test_a_sitemap_that_was_read_well_is_logged_with_its_numbers(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 记录成功执行."""
    web.serve_pages(["/a", "/b", "/c"])
    await mirrored(web, tmp_path)
    (record,) = [r for r in log_of(tmp_path / web.host_dir) if r["message"] == "a sitemap was read"]
    assert record["level"] == "INFO"
    context = record["context"]
    assert (context["url"], context["kind"], context["entries"]) == (
        f"{web.url}/sitemap.xml",
        "urlset",
        3,
    )
    assert context["seconds"] >= 0


async def test_a_soft_404_is_not_taken_for_a_sitemap(web: WebServer, tmp_path: Path) -> None:
    web.fallback = page("Not found", f"See <a href='{web.url}/x'>this</a>")
    web.serve("/robots.txt", Reply(status=404))
    with pytest.raises(SourceUnavailable, match="No sitemap was found"):
        await mirrored(web, tmp_path)
    assert not (tmp_path / web.host_dir).exists()


async def test_a_sitemap_over_fifty_megabytes_is_dropped_and_the_others_go_on(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 限制 sitemap 大小."""
    entry = f"<url><loc>{web.url}/big</loc></url>".encode()
    body = b"<urlset>" + entry + b" " * 52_428_800 + b"</urlset>"
    web.serve("/big.xml", Reply(body=body, headers=XML))
    web.serve("/small.xml", sitemap_of(serve_pages(web, "/a")))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/big.xml", f"{web.url}/small.xml"]))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    (record,) = [r for r in sitemap_records(tmp_path / web.host_dir) if "error" in r]
    assert "50 MB" in record["error"]
    assert "index" in record["error"]
    assert (record["entries"], record["duplicates"]) == (1, 0)
    assert manifest_of(tmp_path / web.host_dir)["discovery"]["complete"] is False


async def test_a_gzip_bomb_costs_only_itself(web: WebServer, tmp_path: Path) -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 40_000_000)
    for _ in range(2):
        bomb = gzip.compress(bomb)
    web.serve("/bomb.xml", Reply(body=bomb))
    web.serve("/small.xml", sitemap_of(serve_pages(web, "/a")))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/bomb.xml", f"{web.url}/small.xml"]))
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    assert [bool(r.get("error")) for r in sitemap_records(tmp_path / web.host_dir)] == [
        False,
        True,
        False,
    ]


async def test_entities_are_not_expanded(web: WebServer, tmp_path: Path) -> None:
    (good,) = serve_pages(web, "/a")
    lol = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 12))
    text = (
        f"<!DOCTYPE urlset [<!ENTITY l0 'ha'><!ENTITY file SYSTEM 'file:///etc/passwd'>{lol}]>"
        f"<urlset><url><loc>{good}</loc></url><url><loc>{web.url}/&l11;</loc></url>"
        f"<url><loc>{web.url}/&file;</loc></url></urlset>"
    )
    web.serve("/sitemap.xml", xml(text))
    await mirrored(web, tmp_path)
    assert "/a" in listed(tmp_path, web)
    text = (tmp_path / web.host_dir / "_manifest.json").read_text()
    assert "root:" not in text
    assert "haha" not in text


@pytest.mark.parametrize(
    ("answer", "reason", "hint"),
    [
        (Reply(status=401), "HTTP 401", "--header"),
        (Reply(status=403), "HTTP 403", "--header"),
        (Reply(status=404), "HTTP 404", "Check the address"),
        (page("Home"), "an HTML page, not a sitemap", "instead of the site's"),
        (Reply(status=302, headers={"Location": "/map.xml"}), "in a circle", "Check the address"),
        (
            Reply(status=302, headers={"Location": "http://10.0.0.1/"}),
            "10.0.0.1, which is not a public address",
            "Check the address",
        ),
    ],
)
async def test_why_there_is_no_sitemap_is_said_with_advice_that_fits(
    web: WebServer, tmp_path: Path, answer: Reply, reason: str, hint: str
) -> None:
    web.serve("/map.xml", answer)
    with pytest.raises(SourceUnavailable) as error:
        await mirrored(web, tmp_path, url=f"{web.url}/map.xml")
    sentence = str(error.value)
    assert sentence.startswith(f"No sitemap was found at {web.url}/map.xml (")
    assert reason in sentence
    assert hint in sentence


async def test_a_sitemap_may_redirect_three_times_but_not_four(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 处理重定向."""
    web.serve("/map.xml", sitemap_of(serve_pages(web, "/a")))
    for n in range(4):
        target = "/map.xml" if n == 3 else f"/hop-{n + 1}"
        web.serve(f"/hop-{n}", Reply(status=302 if n % 2 else 301, headers={"Location": target}))
    await mirrored(web, tmp_path, url=f"{web.url}/hop-1")
    assert listed(tmp_path, web) == ["/a"]
    with pytest.raises(SourceUnavailable):
        await mirrored(web, tmp_path / "other", url=f"{web.url}/hop-0")


async def test_a_failing_network_is_tried_three_more_times_two_seconds_apart(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 处理网络错误."""
    clock = FakeClock()
    times: list[float] = []
    good = sitemap_of(serve_pages(web, "/a"))

    def third_time_lucky(request: Request) -> Reply:
        times.append(clock.monotonic())
        return good if request.number == 4 else Reply(raw=b"")

    web.serve("/sitemap.xml", third_time_lucky)
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml", world=fake_world(clock))
    assert times == [0.0, 2.0, 4.0, 6.0]
    assert listed(tmp_path, web) == ["/a"]
    assert len(logged(tmp_path / web.host_dir, "a sitemap is asked for again")) == 3


async def test_a_sitemap_cut_off_in_the_middle_is_read_again_and_counted_once(
    web: WebServer, tmp_path: Path
) -> None:
    good = sitemap_of(serve_pages(web, "/a", "/b", "/c"))
    cut = Reply(body=good.body[:-60], headers={"Content-Length": str(len(good.body))})
    short = b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + cut.body

    web.serve("/sitemap.xml", lambda r: Reply(raw=short) if r.number < 3 else good)
    await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a", "/b", "/c"]
    (record,) = sitemap_records(tmp_path / web.host_dir)
    assert (record["entries"], record["duplicates"]) == (3, 0)


async def test_a_listing_does_not_take_what_it_reads_again_for_duplicates(
    web: WebServer, caplog: pytest.LogCaptureFixture
) -> None:
    whole = sitemap_of(serve_pages(web, "/a", "/b", "/c")).body
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
    web.serve("/cut.xml", Reply(raw=head + whole[: whole.index(b"/c")]))
    web.serve("/big.xml", Reply(body=whole[:-10] + b" " * 52_428_800 + whole[-10:], headers=XML))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/cut.xml", f"{web.url}/big.xml"]))
    printed: list[str] = []
    options = SiteOptions(url=f"{web.url}/sitemap.xml", rate_limit=0)
    await list_site(options, printed.extend, world=fake_world())
    assert printed == [f"{web.url}/a", f"{web.url}/b", f"{web.url}/c"]
    said = "a sitemap could not be read whole"
    cut, big = (vars(record) for record in caplog.records if record.message == said)
    assert (cut["entries"], cut["duplicates"]) == (2, 0)
    assert (big["entries"], big["duplicates"]) == (3, 2)


async def test_an_unreachable_host_is_said_in_one_sentence(tmp_path: Path) -> None:
    """Seed 004: 记录错误. Seed 004: 处理网络错误."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        web = WebServer()
        web.port = unused.getsockname()[1]
        clock = FakeClock()
        with pytest.raises(SourceUnavailable, match="failed: Connection refused") as error:
            await mirrored(web, tmp_path / "out", world=fake_world(clock))
    assert "\n" not in str(error.value)
    assert clock.sleeps == [2.0, 2.0, 2.0]
    assert not (tmp_path / "out").exists()


async def test_a_server_that_does_not_answer_in_time_is_given_up(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 处理超时."""
    web.fallback = Reply(hang=True)
    with pytest.raises(SourceUnavailable, match="did not answer in time"):
        await mirrored(web, tmp_path, timeout=0.05)
    assert web.count("/") == 4


async def test_a_sitemap_of_an_index_that_fails_leaves_discovery_incomplete(
    web: WebServer, tmp_path: Path
) -> None:
    """Seed 004: 记录错误."""
    web.serve("/good.xml", sitemap_of(serve_pages(web, "/a")))
    web.serve("/bad.xml", Reply(status=503))
    web.serve("/sitemap.xml", sitemap_index([f"{web.url}/bad.xml", f"{web.url}/good.xml"]))
    report = await mirrored(web, tmp_path)
    assert listed(tmp_path, web) == ["/a"]
    assert web.count("/bad.xml") == 4
    assert not report.discovery_whole
    assert any("Not every sitemap" in sentence for sentence in report.sentences())
    (said,) = [r for r in log_of(tmp_path / web.host_dir) if r["level"] == "ERROR"]
    assert said["context"]["error"] == "HTTP 503"


async def test_an_empty_sitemap_changes_nothing(web: WebServer, tmp_path: Path) -> None:
    """Seed 004: 处理空 sitemap."""
    web.serve_pages(["/a"])
    await mirrored(web, tmp_path)
    before = manifest_of(tmp_path / web.host_dir)
    web.serve("/sitemap.xml", sitemap_of([]))
    wishes: list[dict[str, Any]] = [{}, {"update": True, "prune": True}, {"fresh": True}]
    for wish in wishes:
        with pytest.raises(SourceUnavailable, match="names no URL at all") as error:
            await mirrored(web, tmp_path, **wish)
        assert error.value.exit_code == 7
    assert manifest_of(tmp_path / web.host_dir) == before
    assert (tmp_path / web.host_dir / "a" / "index.md").exists()
    web.serve_pages(["/a"])
    await mirrored(web, tmp_path)
    assert statuses(tmp_path, web) == {"unchanged": 1}
    assert web.count("/a") == 1


async def test_a_site_without_a_sitemap_leaves_no_trace(web: WebServer, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for output in (mine, tmp_path / "new"):
        with pytest.raises(SourceUnavailable):
            await mirrored(web, output)
    assert list(tmp_path.iterdir()) == [mine]
    assert list(mine.iterdir()) == []


async def test_a_sitemap_may_live_on_another_host_but_its_pages_may_not(
    web: WebServer, tmp_path: Path
) -> None:
    other = f"http://localhost:{web.port}"
    lines = f"Sitemap: {other}/elsewhere.xml\n"
    web.serve("/robots.txt", Reply(body=lines.encode(), headers=TEXT))
    web.serve("/elsewhere.xml", sitemap_of([*serve_pages(web, "/a"), f"{other}/b"]))
    await mirrored(web, tmp_path, allow_private=True)
    manifest = manifest_of(tmp_path / web.host_dir)
    assert listed(tmp_path, web) == ["/a"]
    assert manifest["statistics"]["filtered_by"] == {"host": 1}
    assert manifest["filtered_urls"] == [f"{other}/b"]


async def test_another_host_can_be_allowed(web: WebServer, tmp_path: Path) -> None:
    other = f"http://localhost:{web.port}"
    web.serve("/sitemap.xml", sitemap_of([*serve_pages(web, "/a", "/b"), f"{other}/b"]))
    host = f"localhost:{web.port}"
    await mirrored(web, tmp_path, allow_host=(host,), allow_private=True)
    assert statuses(tmp_path, web) == {"saved": 3}
    assert (tmp_path / f"localhost_{web.port}" / "b" / "index.md").exists()


async def test_a_sitemap_of_other_hosts_only_is_no_success(web: WebServer, tmp_path: Path) -> None:
    web.serve("/sitemap.xml", sitemap_of(["https://elsewhere.example/a"]))
    with pytest.raises(SourceUnavailable, match="only pages of other hosts"):
        await mirrored(web, tmp_path / "out")
    assert not (tmp_path / "out").exists()
