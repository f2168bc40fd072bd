"""Every parser that meets outside input takes anything: none raises, none leaves the mirror.

`make soak` runs the same properties with 10,000 examples each.
"""

import gzip
import json
import math
import random
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath

from hypothesis import example, given
from hypothesis import strategies as st

from markmirror.convert.front_matter import front_matter, read_front_matter
from markmirror.convert.html import convert_html
from markmirror.convert.page import PageJob, content_hash_of, render_page
from markmirror.convert.space_page import SpacePageJob, explore_space_page, render_space_page
from markmirror.convert.storage_format.references import StorageContext
from markmirror.errors import UsageError
from markmirror.fetch.body import PIECE_BYTES, BodyBroken, BodyDecoder, UnknownCoding
from markmirror.model import CleanupIntensity, Recipe
from markmirror.options import SiteOptions, read_options
from markmirror.output.files import MirrorFolder
from markmirror.output.paths import page_path, path_key
from markmirror.output.placeholders import failed_log_line, parse_failed_log_line
from markmirror.output.space_paths import (
    Node,
    Place,
    attachment_names,
    place_all,
    place_below,
    space_directory,
)
from markmirror.output.tree import OutputTree
from markmirror.pipeline.space.recovery import rebuild
from markmirror.sources.confluence.addresses import ConfluenceSite
from markmirror.sources.confluence.answers import read_reply
from markmirror.sources.confluence.listing import pages_of_space
from markmirror.sources.confluence.records import read_page, read_space
from markmirror.state.claims import Claims
from markmirror.state.database import STATE_FILE, Database
from markmirror.state.ledger import Ledger
from markmirror.state.processed import ProcessedList
from markmirror.state.recovery import (
    CHECKPOINT_FILE,
    MANIFEST_FILE,
    check_plain_files,
    ends_like_json,
    is_json,
    open_ledger,
    rebuild_mirror,
)
from markmirror.state.space_files import SpaceFiles
from markmirror.web.dates import parse_http_date, parse_lastmod, parse_retry_after
from markmirror.web.robots import RobotsTxt
from markmirror.web.sitemap import STEP_BYTES, Inflater, SitemapParser
from markmirror.web.urls import MAX_URL_CHARACTERS, Scope, normalise_url
from tests.faults.hostile_input import (
    any_text,
    api_answers,
    dates,
    html_pages,
    json_values,
    page_urls,
    robots_texts,
    sitemaps,
    storage_bodies,
    titles,
    urls,
)

# Where syncing costs nothing, since a soak makes tens of thousands of ledgers.
IN_MEMORY = Path("/dev/shm")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
URL = "https://x.org/docs/page"
INTENSITIES: st.SearchStrategy[CleanupIntensity] = st.sampled_from(
    ["off", "light", "standard", "heavy"]
)
RECIPES = st.builds(
    Recipe,
    content=st.sampled_from(["main", "body"]),
    selector=st.none(),
    front_matter=st.just(True),
    cleanup=INTENSITIES,
    acronyms=st.just(frozenset()),
)


@given(sitemaps, st.lists(st.integers(0, 300), max_size=4), st.booleans())
def test_no_sitemap_makes_the_parser_raise(data: bytes, cuts: list[int], complete: bool) -> None:
    parser = SitemapParser("https://x.org/sitemap.xml")
    ends = sorted(min(cut, len(data)) for cut in cuts)
    entries = []
    for start, end in zip([0, *ends], [*ends, len(data)], strict=True):
        entries += parser.feed(data[start:end])
    entries += parser.finish(complete=complete)
    assert parser.facts.entries == len(entries)
    assert all(normalise_url(entry.url) == entry.url for entry in entries)


packed = st.one_of(
    st.binary(max_size=300),
    st.builds(
        lambda data, times, cut, rubbish: gzip.compress(data * times)[: cut or None] + rubbish,
        st.binary(min_size=1, max_size=50),
        st.sampled_from([1, 100, 100_000]),
        st.integers(-30, 0),
        st.binary(max_size=30),
    ),
    st.binary(max_size=50).map(lambda data: gzip.compress(gzip.compress(gzip.compress(data)))),
)


@given(packed, st.integers(1, 500))
def test_no_bytes_make_the_inflater_raise_or_give_more_than_allowed(data: bytes, step: int) -> None:
    limit = 100_000
    inflater = Inflater(limit=limit)
    out = 0
    for start in range(0, len(data), step):
        for piece in inflater.feed(data[start : start + step]):
            assert len(piece) <= STEP_BYTES
            out += len(piece)
    out += sum(len(piece) for piece in inflater.finish())
    assert out <= limit


@given(st.one_of(packed, packed.map(zlib.compress)), st.sampled_from(["", "gzip", "deflate", "br"]))
def test_no_body_makes_the_decoder_raise_more_than_it_says(data: bytes, coding: str) -> None:
    with suppress(BodyBroken, UnknownCoding):
        decoder = BodyDecoder(coding)
        for piece in decoder.feed(data):
            assert not coding or len(piece) <= PIECE_BYTES
        decoder.finish()


@given(robots_texts, urls, any_text)
def test_no_robots_txt_makes_the_rules_raise(data: bytes, url: str, agent: str) -> None:
    rules = RobotsTxt.parse(data, "https://x.org/robots.txt")
    assert rules.allows(normalise_url(url) or URL, agent) in (True, False)
    delay = rules.crawl_delay(agent)
    assert delay is None or 0 <= delay < math.inf
    assert all(normalise_url(sitemap) == sitemap for sitemap in rules.sitemaps)


@given(urls, st.one_of(st.none(), urls))
def test_any_url_is_normal_or_none(url: str, base: str | None) -> None:
    normal = normalise_url(url, base)
    if normal is None:
        return
    assert normalise_url(normal) == normal
    assert normal.startswith(("http://", "https://"))
    assert normal.isascii()
    assert normal.isprintable()
    assert len(normal) <= MAX_URL_CHARACTERS
    assert "@" not in normal.split("/")[2]
    with suppress(UsageError):
        assert Scope.of(normal, [url] if url else []).allows(normal)


@given(st.lists(page_urls, unique=True, max_size=12), st.randoms(use_true_random=False))
def test_paths_stay_inside_and_two_urls_never_share_one_whatever_the_order(
    listed: list[str], chance: random.Random
) -> None:
    found = sorted({normal for url in listed if (normal := normalise_url(url))})
    names = claimed(found)
    assert len({path_key(path) for path in names.values()}) == len(found)
    shuffled = found[:]
    chance.shuffle(shuffled)
    assert claimed(shuffled) == names
    files = set(names.values())
    for path in files:
        parts = PurePosixPath(path).parts
        assert not {"", ".", "..", "/"} & set(parts)
        assert all(len(part.encode()) <= 200 for part in parts)
        assert "\0" not in path
        assert not files & {str(parent) for parent in PurePosixPath(path).parents}


def claimed(found: list[str]) -> dict[str, str]:
    database = Database(Path(":memory:"))
    claims = Claims(database, is_foreign=lambda path, url: False)
    for url in found:
        claims.take(url)
    names = {url: claims.of(url) or "" for url in found}
    database.close()
    return names


@given(page_urls)
def test_a_page_is_written_inside_its_mirror(url: str) -> None:
    normal = normalise_url(url)
    if normal is None:
        return
    with a_folder() as folder:
        tree = OutputTree(folder / "mirror")
        place = page_path(normal)
        tree.write(f"{place.host_dir}/{place.path}", b"text")
        tree.close()
        written = [file for file in folder.rglob("*") if file.is_file()]
        assert [file.read_bytes() for file in written] == [b"text"]
        assert written[0].resolve().is_relative_to((folder / "mirror").resolve())


@contextmanager
def a_folder() -> Iterator[Path]:
    """A folder of its own for one example: fixtures are made once for all of them."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


@given(html_pages, st.one_of(any_text, st.just("text/html; charset=utf-16")), RECIPES)
@example(b"<table>" + b"<tr><td rowspan=65534 colspan=1000>x" * 20, "text/html", Recipe())
def test_no_page_makes_the_converter_raise(body: bytes, content_type: str, recipe: Recipe) -> None:
    document = convert_html(body, url=URL, content_type=content_type, recipe=recipe)
    job = PageJob(
        url=URL,
        final_url=URL,
        content_type=content_type,
        body=body,
        lastmod=None,
        fetched_at=NOW.isoformat(),
        recipe=recipe,
    )
    rendered = render_page(job)
    fields = read_front_matter(rendered.file)
    assert fields is not None
    assert fields["url"] == URL
    assert fields["content_hash"] == content_hash_of(rendered.file) == rendered.content_hash
    assert rendered.title == document.title
    rendered.file.decode("utf-8")


@given(storage_bodies, any_text, INTENSITIES)
@example("<ac:link><ri:page ri:content-title='\ud800'/></ac:link>", "", "off")
@example("<ac:image><ri:attachment ri:filename='\ud800'/></ac:image>", "\ud800", "heavy")
def test_no_body_in_storage_format_makes_its_converter_raise(
    body: str, title: str, cleanup: CleanupIntensity
) -> None:
    context = StorageContext(base_url="https://x.org/wiki", space_key="X", page_title=title)
    fields = {"title": title, "pageId": "1"}
    job = SpacePageJob(storage=body, context=context, fields=fields, cleanup=cleanup)
    explore_space_page(job)
    rendered = render_space_page(job)
    written = read_front_matter(rendered.file)
    assert written is not None
    assert (written.get("title", ""), written["pageId"]) == (title, "1")
    assert content_hash_of(rendered.file) == rendered.content_hash
    rendered.file.decode("utf-8")


@given(st.one_of(st.binary(), st.binary().map(lambda data: b"---\n" + data + b"\n---\n\n")))
def test_no_bytes_make_the_reader_of_front_matter_raise(data: bytes) -> None:
    assert read_front_matter(data) is None or data.startswith((b"---", b"\xef\xbb\xbf---"))
    content_hash_of(data)


@given(st.dictionaries(st.sampled_from(["title", "url", "pageId", "labels"]), any_text), any_text)
def test_any_text_comes_back_from_front_matter(fields: dict[str, str], body: str) -> None:
    file = (front_matter(fields) + body).encode("utf-8", "replace")
    written = {name: text for name, text in fields.items() if text}
    assert not written or read_front_matter(file) == written


page_ids = st.one_of(st.integers(1, 10**12), st.integers(1, 40).map(lambda tail: tail * 10**6 + 7))
trees = st.dictionaries(page_ids, st.tuples(titles, st.integers(0, 12)), max_size=12)


def nodes_of(tree: dict[int, tuple[str, int]]) -> list[Node]:
    """Pages under each other, some of them in circles or under one that is not there."""
    ids = list(tree)
    return [
        Node(id=node, title=title, parent=ids[above] if above < len(ids) else None)
        for node, (title, above) in tree.items()
    ]


def assert_safe_and_unlike(paths: list[str]) -> None:
    """Each a name of its own on any disk, inside its folder, and none in the way of another."""
    assert len({path_key(path) for path in paths}) == len(paths)
    for path in paths:
        parts = PurePosixPath(path).parts
        assert not {"", ".", "..", "/"} & set(parts)
        assert all(len(part.encode()) <= 255 for part in parts)
        assert not set(path) & set('\\\0:*?"<>|\n')


@given(trees, trees, st.randoms(use_true_random=False))
def test_pages_of_a_space_never_share_a_path_and_keep_it_whoever_comes(
    tree: dict[int, tuple[str, int]], others: dict[int, tuple[str, int]], chance: random.Random
) -> None:
    nodes = nodes_of(tree)
    places = place_all(nodes, top="KEY/", held={})
    assert set(places) == set(tree)
    assert_safe_and_unlike([place.file for place in places.values()])
    shuffled = nodes[:]
    chance.shuffle(shuffled)
    assert place_all(shuffled, top="KEY/", held={}) == places
    assert place_all(nodes, top="KEY/", held=places) == places
    newcomers = [node for node in nodes_of(others) if node.id not in tree]
    more = place_all([*nodes, *newcomers], top="KEY/", held=places)
    assert_safe_and_unlike([place.file for place in more.values()])
    assert {node: more[node] for node in places} == places


@given(trees)
def test_pages_found_one_by_one_never_share_a_path(tree: dict[int, tuple[str, int]]) -> None:
    held: dict[int, Place] = {}
    for node in nodes_of(tree):
        used = {place.folder: set[str]() for place in held.values()}
        for place in held.values():
            used[place.folder].add(path_key(place.name))
        alone = Node(id=node.id, title=node.title, parent=None)

        def is_taken(_: int, folder: str, name: str, used: dict[str, set[str]] = used) -> bool:
            return path_key(name) in used.get(folder, ())

        held |= place_below([alone], top="KEY/", held=held, is_taken=is_taken)
    assert_safe_and_unlike([place.file for place in held.values()])


attached = st.dictionaries(
    st.one_of(any_text.filter(bool), st.integers(1, 10**9).map("att{}".format)), titles, max_size=8
)


@given(attached, attached)
@example({"att111111111": "a.b", "att211111111": "A.b"}, {})
@example({"att1": "a.b", "att2": "A.b", "att3": "a--att1.b"}, {})
def test_attachments_never_share_a_name_and_keep_it_whoever_comes(
    files: dict[str, str], others: dict[str, str]
) -> None:
    names = attachment_names(files.items(), held={})
    assert set(names) == set(files)
    assert_safe_and_unlike(list(names.values()))
    assert attachment_names(reversed(files.items()), held={}) == names
    assert attachment_names(files.items(), held=names) == names
    more = attachment_names({**others, **files}.items(), held=names)
    assert_safe_and_unlike(list(more.values()))
    assert {file: more[file] for file in names} == names


@given(titles)
def test_the_folder_of_a_space_is_a_plain_name(key: str) -> None:
    assert_safe_and_unlike([space_directory(key)])


SITE = ConfluenceSite(base_url="https://x.org/wiki", cloud=False)


@given(st.sampled_from([200, 401, 403, 404, 429, 500, 302]), api_answers)
@example(200, b'{"id": "1", "type": "page", "title": "\\ud800"}')
def test_no_answer_of_the_api_makes_its_readers_raise(status: int, body: bytes) -> None:
    reply = read_reply(status, {"Content-Type": "application/json"}, body)
    json.dumps(reply.body, ensure_ascii=False).encode()
    page = read_page(SITE, reply.body)
    assert page is None or abs(int(page.page_id)) + abs(page.version) < 2**64
    read_space(reply.body)
    listing, _ = pages_of_space(SITE, "X", expand="", limit=10, scan=False).take(reply.body)
    assert listing.url.startswith("https://x.org/wiki/rest/api/content?")


@given(any_text, any_text, any_text)
def test_no_line_makes_the_reader_of_the_failed_log_raise(line: str, url: str, error: str) -> None:
    parse_failed_log_line(line)
    parse_failed_log_line(f"{line}\t{url}\t{error}")
    written = failed_log_line(NOW, url, error)
    assert written.count("\n") == 1
    back = parse_failed_log_line(written)
    assert back is not None
    assert (back.at, back.url, back.error) == (NOW, url, error)


rows = st.dictionaries(
    st.sampled_from(
        [
            *("url", "path", "content_hash", "final_url", "canonical", "title", "recipe", "etag"),
            *("fetched_at", "lastmod", "last_modified"),
        ]
    ),
    st.one_of(
        json_values,
        st.sampled_from(
            ["https://x.org/", "index.md", "../x.org/index.md", "..//etc/passwd", "HASH"]
        ),
    ),
)
PAGE = b'---\nurl: "https://x.org/"\n---\n\ntext\n'


@given(
    st.one_of(
        st.binary(),
        any_text.map(lambda text: text.encode("utf-8", "replace")),
        st.lists(rows, max_size=4)
        .map(lambda listed: "{\n" + ",\n".join(json.dumps(row) for row in listed) + "\n}")
        .map(str.encode),
    ),
    st.binary(),
)
@example(b"[" * 100_000, b"[" * 100_000)
@example(json.dumps({"url": URL, "path": "x" * 5000, "content_hash": ""}).encode(), b"{}")
def test_no_manifest_makes_a_recovery_raise(manifest: bytes, other: bytes) -> None:
    with a_folder() as output:
        folder = output / "x.org"
        folder.mkdir()
        (folder / "index.md").write_bytes(PAGE)
        (folder / "other.md").write_bytes(other)
        digest = content_hash_of(PAGE).encode()
        (folder / "_manifest.json").write_bytes(manifest.replace(b"HASH", digest))
        (folder / "_checkpoint.json").write_bytes(other)
        ledger, _ = open_ledger(folder, fresh=False, rebuild=partial(rebuild_mirror, recipe="r"))
        for _, entry in ledger.pages.entries():
            assert (output / entry.path).resolve().is_relative_to(folder.resolve())
        ledger.close()
        check_plain_files(folder, {CHECKPOINT_FILE: is_json, MANIFEST_FILE: ends_like_json})


space_rows = st.dictionaries(
    st.sampled_from(
        [
            *("pageId", "path", "hash", "outputPath", "contentHash", "fingerprint", "recipe"),
            *("discovered_from", "discoverySource", "lastExported", "headHash", "attachments"),
        ]
    ),
    st.one_of(
        json_values,
        st.sampled_from(["1", "page.md", "X/page.md", "../X/page.md", "../../etc/passwd", "HASH"]),
        st.just([{"id": "a", "name": "a", "path": "a.txt", "sizeBytes": 1, "savedVersion": 1}]),
        st.lists(
            st.dictionaries(
                st.sampled_from(["id", "name", "path", "sizeBytes", "savedVersion"]), json_values
            ),
            max_size=2,
        ),
    ),
)
space_files = st.one_of(
    st.binary(),
    st.lists(space_rows, max_size=4)
    .map(lambda listed: "{\n" + ",\n".join(json.dumps(row) for row in listed) + "\n}")
    .map(str.encode),
)
WHOLE_ROW = {"pageId": "1", "path": "page.md", "hash": "HASH", "outputPath": "X/page.md"}


@given(space_files, space_files)
@example(json.dumps({**WHOLE_ROW, "attachments": [{"path": 1}]}).encode(), b"{}")
@example(json.dumps({**WHOLE_ROW, "attachments": 1}).encode(), b'{"run": {"number": "x"}')
@example(json.dumps({**WHOLE_ROW, "fingerprint": [1]}).encode(), b"[" * 100_000)
@example(json.dumps({**WHOLE_ROW, "pageId": "x"}).encode(), b'{"run": {}')
def test_no_manifest_makes_the_recovery_of_a_space_raise(manifest: bytes, queues: bytes) -> None:
    with a_folder() as spaces:
        folder = spaces / "X"
        folder.mkdir()
        page = b'---\ntitle: "T"\npageId: "1"\n---\n\ntext\n'
        (folder / "page.md").write_bytes(page)
        (folder / "a.txt").write_bytes(b"x")
        digest = content_hash_of(page).encode()
        for name, data in (("manifest.json", manifest), ("queues.json", queues)):
            (folder / name).write_bytes(data.replace(b"HASH", digest))
            ends_like_json(folder / name)
        ledger = Ledger(folder / STATE_FILE, is_foreign=lambda path, url: False)
        rebuild(ledger, folder)
        ledger.runs.newest()
        for _, entry in ledger.pages.entries():
            assert entry.path == "X/page.md"
        for file in SpaceFiles(ledger.database).known():
            assert (spaces / file.path).resolve().is_relative_to(spaces.resolve())
        ledger.close()


@given(st.one_of(st.binary(), any_text.map(lambda text: text.encode("utf-8", "replace"))))
def test_no_list_of_processed_pages_makes_its_reader_raise(data: bytes) -> None:
    with a_folder() as folder:
        database = Database(Path(":memory:"))
        with MirrorFolder(folder) as home:
            processed = ProcessedList(home, database)
            processed.path.write_bytes(data)
            assert processed.load() in (True, False)
            processed.append([URL])
            processed.close()
        database.close()


@given(dates)
def test_no_date_makes_its_reader_raise(text: str) -> None:
    lastmod = parse_lastmod(text)
    assert lastmod is None or lastmod.start <= lastmod.end
    moment = parse_http_date(text)
    assert moment is None or moment.tzinfo is UTC
    wait = parse_retry_after(text, NOW)
    assert wait is None or wait >= 0


names = st.sampled_from(sorted(SiteOptions.model_fields))
regular_expressions = st.text("(?P<a>)[]{}|*+\\d1234567890,^$-&~ab", max_size=12)


@given(
    st.dictionaries(st.one_of(names, any_text), st.one_of(json_values, regular_expressions, urls)),
    st.one_of(st.binary(), any_text.map(lambda text: f"[site]\n{text}".encode("utf-8", "replace"))),
    st.dictionaries(names.map(lambda name: f"MARKMIRROR_{name.upper()}"), any_text),
)
@example({}, b"[site]\nheader = " + b"[" * 100_000, {})
@example({"include_pattern": "a{99999999999}"}, b"", {})
@example({"include_pattern": "(" * 10_000 + ")" * 10_000}, b"", {})
def test_no_wish_makes_the_options_raise_more_than_a_sentence(
    flags: dict[str, object], config: bytes, environment: dict[str, str]
) -> None:
    with a_folder() as folder:
        file = folder / "markmirror.toml"
        file.write_bytes(config)
        for asked in (flags, {}, {"url": URL, **flags}):
            for path in (None, file):
                with suppress(UsageError):
                    options = read_options(
                        SiteOptions,
                        "site",
                        flags=asked,
                        environment=environment,
                        config=path,
                    )
                    assert options.recipe.fingerprint
                    assert options.headers is not None
