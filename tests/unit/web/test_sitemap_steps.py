"""Sitemaps read step by step, handed from process to process, and never more than is bearable."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.web.sitemap import (
    STEP_BYTES,
    SitemapCursor,
    SitemapEntry,
    SitemapFacts,
    SitemapKind,
    SitemapParser,
    steps,
)
from markmirror.web.sitemap.entries import ENTRY_LIMIT
from markmirror.web.urls import normalise_url
from tests.unit.web.sitemap_cases import BASE, CASES, Case, read, urlset

GOOD = "<url><loc>https://example.com/good</loc></url>"


def large_sitemap(count: int) -> bytes:
    return urlset(
        *(
            f"<url><loc>https://example.com/page/{number}</loc><lastmod>2024-01-01</lastmod>"
            f"<changefreq>daily</changefreq><priority>0.{number % 10}</priority></url>\n"
            for number in range(count)
        )
    ).encode()


def test_the_fields_of_an_entry_are_kept() -> None:
    """Seed 004: 解析标准 sitemap.xml."""
    entries, _ = read(
        urlset(
            "<url><loc>https://example.com/a</loc><lastmod> 2024-05 </lastmod>"
            "<changefreq>daily</changefreq><priority>0.8</priority></url>",
            "<url><priority> 1.0 </priority><changefreq>Weekly</changefreq>"
            "<lastmod><![CDATA[2024]]></lastmod><loc>https://example.com/b</loc></url>",
            "<url><loc>https://example.com/c</loc><priority>7</priority></url>",
            "<url><loc>https://example.com/d</loc><lastmod></lastmod><priority>.</priority></url>",
            "<url><loc>https://example.com/e</loc><lastmod>\n2024&#45;05</lastmod></url>",
            "<url><loc>https://example.com/f</loc><lastmod>Mon, 6 May</lastmod></url>",
        ).encode()
    )
    assert entries == [
        SitemapEntry("https://example.com/a", "2024-05", 0.8, "daily"),
        SitemapEntry("https://example.com/b", "2024", 1.0, "weekly"),
        SitemapEntry("https://example.com/c", None, None, None),
        SitemapEntry("https://example.com/d", None, None, None),
        SitemapEntry("https://example.com/e", "2024-05", None, None),
        SitemapEntry("https://example.com/f", "Mon, 6 May", None, None),
    ]


def test_the_dates_of_feeds_are_kept() -> None:
    rss = "<rss><channel><item><link>https://example.com/</link><pubDate>Mon</pubDate></item>"
    atom = '<feed><entry><link href="https://example.com/"/><published>2024</published></entry>'
    rdf = "<RDF><item><link>https://example.com/</link><dc:date>2024</dc:date></item>"
    for document, date in ((rss, "Mon"), (atom, "2024"), (rdf, "2024")):
        assert [entry.lastmod for entry in read(document.encode())[0]] == [date]


def test_an_index_names_its_children() -> None:
    """Seed 004: 解析 sitemap 索引文件."""
    document = "<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>"
    entries, facts = read(document.encode())
    assert [entry.url for entry in entries] == ["https://example.com/a.xml"]
    assert facts.kind is SitemapKind.INDEX


@pytest.mark.parametrize("document", [urlset(), "<urlset/>", '<s:urlset xmlns:s="x" />\n'])
def test_an_empty_sitemap_is_a_sitemap_without_entries(document: str) -> None:
    """Seed 004: 处理空 sitemap."""
    entries, facts = read(document.encode())
    assert (entries, facts.kind, facts.error) == ([], SitemapKind.URLSET, None)
    assert not facts.truncated


def test_a_large_sitemap_is_read_in_bounded_steps() -> None:
    """Seed 004: 处理大型 sitemap（10,000+ URLs）."""
    data = large_sitemap(20_000)
    assert all(len(step) <= STEP_BYTES for step in steps(data))
    parser = SitemapParser(BASE)
    batches = [batch for step in steps(data) for batch in parser.read(step)]
    parser.finish()
    assert sum(map(len, batches)) == parser.facts.entries == 20_000
    assert max(map(len, batches)) < 20_000


@pytest.mark.parametrize(
    "odd",
    ["<!-- odd -->", "<b>", '<x a="&"/>', "<priority>1</priority><lastmod>2024</lastmod>"],
    ids=["commented", "broken", "ampersand", "order"],
)
def test_a_sitemap_of_odd_entries_takes_more_and_smaller_steps(odd: str) -> None:
    """Seed 004: 处理大型 sitemap（10,000+ URLs）."""
    data = urlset(f"<url><loc>https://a.b/</loc>{odd}</url>" * 5000).encode()
    parser = SitemapParser(BASE)
    batches = [len(batch) for step in steps(data) for batch in parser.read(step)]
    assert sum(batches) + len(parser.finish()) == 5000
    assert max(batches) <= 600


def test_what_waits_in_a_parser_stays_small() -> None:
    parser = SitemapParser(BASE)
    parser.feed(b"<urlset><url><loc>")
    for _ in range(40):
        parser.feed(b"x" * STEP_BYTES)
        assert len(parser._buffer) <= ENTRY_LIMIT
    assert parser.feed(b"</loc></url>" + GOOD.encode())[0].url == "https://example.com/good"


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("nested tags", "<url>" + "<a>" * 200_000),
        ("a text node of 8 MB", "<url><loc>" + "x" * (8 << 20) + "</loc></url>"),
        ("300,000 attributes", "<url " + " ".join(f'a{n}="x"' for n in range(300_000)) + "></url>"),
        ("a comment of 8 MB", "<url><!--" + "x" * (8 << 20) + "--></url>"),
        ("comments that do not end", "<url><loc>" + "<!--" * 200_000),
        ("tags that do not end", "<url><loc" * 20_000),
        ("ampersands", "<url x='1'><loc>" + "&" * 250_000 + "</loc></url>"),
        ("quotes", "<url " + "a='" * 80_000 + "></url>"),
    ],
)
def test_an_entry_that_means_harm_is_dropped_and_reading_goes_on(name: str, harm: str) -> None:
    document = f"<urlset>{harm}</url>{GOOD * 3}</urlset>"
    entries, facts = read(document.encode())
    assert entries[-1].url == "https://example.com/good"
    assert facts.invalid >= 1
    assert facts.fell_back


@pytest.mark.parametrize(
    "gap",
    [
        "<!--" + "x" * (4 << 20) + "-->",
        "<x>" * 300_000,
        " " * (2 << 20),
        "<?" + "x" * 70_000 + "?>",
    ],
    ids=["comment", "tags", "space", "instruction"],
)
def test_a_long_gap_between_entries_is_stepped_over(gap: str) -> None:
    for document in (f"<urlset>{GOOD}{gap}{GOOD}</urlset>", f"{gap}<urlset>{GOOD}{GOOD}</urlset>"):
        if gap.startswith("<x") and document.startswith("<x"):
            continue
        entries, facts = read(document.encode())
        assert len(entries) == 2
        assert not facts.truncated


def test_an_entry_of_exactly_the_limit_is_read_whichever_way_it_is_cut() -> None:
    for extra in (-1, 0, 1, 5, 6, 7):
        padding = " " * (ENTRY_LIMIT - len(GOOD) + extra)
        document = f"<urlset>{GOOD.replace('<loc>', padding + '<loc>')}{GOOD}</urlset>".encode()
        assert read(document) == read(document, 100_000) == read(document, len(document))
        assert len(read(document)[0]) == (2 if extra <= 0 else 1)


def test_the_address_of_a_sitemap_may_be_written_in_any_way() -> None:
    parser = SitemapParser("HTTPS://Example.com:443/a/../maps/s.xml#x")
    found = parser.feed(
        urlset(
            *(f"<url><loc>{url}</loc></url>" for url in ("x", "https://example.com:443/y"))
        ).encode()
    )
    assert [entry.url for entry in found] == ["https://example.com/maps/x", "https://example.com/y"]
    assert SitemapParser("nowhere").feed(urlset("<url><loc>x</loc></url>").encode()) == []


def test_a_text_sitemap_whose_transfer_broke_off_loses_its_last_line() -> None:
    parser = SitemapParser(BASE)
    parser.feed(b"https://example.com/a\nhttps://example.com/b")
    found = parser.finish(complete=False)
    assert [entry.url for entry in found] == ["https://example.com/a"]
    assert parser.facts.truncated


def test_a_long_list_of_urls_survives_a_line_without_end() -> None:
    line = "https://example.com/a\n"
    document = (line * 5000 + "https://example.com/" + "x" * (1 << 20) + "\n" + line).encode()
    entries, facts = read(document)
    assert (len(entries), facts.invalid) == (5001, 1)
    assert read(document, 100_000) == (entries, facts)


def handed_over(data: bytes, cuts: list[int]) -> tuple[list[SitemapEntry], SitemapFacts]:
    """Read with a new parser after each cut, made from nothing but the cursor's JSON."""
    parser = SitemapParser(BASE)
    found: list[SitemapEntry] = []
    position = 0
    for cut in [*sorted(cuts), len(data)]:
        found += parser.feed(data[position:cut])
        cursor = SitemapCursor.from_json(parser.cursor.to_json())
        assert cursor == parser.cursor
        parser = SitemapParser.resume(cursor)
        position = cursor.offset
        if position < cut:
            found += parser.feed(data[position:cut])
            position = cut
    found += parser.finish()
    return found, parser.facts


def test_a_cursor_is_small_and_json() -> None:
    parser = SitemapParser(BASE)
    parser.feed(large_sitemap(1000))
    text = parser.cursor.to_json()
    assert len(text) < 512
    assert json.loads(text)["entries"] == 1000


@pytest.mark.parametrize("text", ["", "x", "{}", "[]", "null", '{"kind":"x"}'])
def test_what_is_no_cursor_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        SitemapCursor.from_json(text)


@given(st.sampled_from(CASES), st.lists(st.integers(0, 600), max_size=6))
def test_any_handover_gives_what_one_pass_gives(case: Case, cuts: list[int]) -> None:
    data = case.data
    assert handed_over(data, [min(cut, len(data)) for cut in cuts]) == read(data)


PIECES = st.lists(
    st.sampled_from(
        [
            "<urlset>",
            "</urlset>",
            "<url>",
            "</url>",
            "<url/>",
            "<loc>",
            "</loc>",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<?",
            "?>",
            "<",
            ">",
            "]",
            "</ur",
            "https://example.com/a",
            "/b?x=1&y=2",
            "&amp;",
            "&lt;",
            "é",
            "😀",
            "<lastmod>2024</lastmod>",
            "<image:loc>",
            "</image:loc>",
            "<x:url>",
            "</x:url>",
            "<url><loc>https://example.com/z</loc></url>",
            "<!DOCTYPE",
            "\x00",
            "<url><loc>https://example.com/y</loc><image:image/></url>",
            "<sitemapindex>",
            "<sitemap>",
            "<rss>",
            "<item>",
            "</item>",
            "<link>",
            "</link>",
            "<feed>",
            " ",
            "\n",
            "<a b='c'>",
            "<!DOCTYPE x [",
        ]
    ),
    max_size=40,
).map("".join)


@given(
    st.sampled_from(["", "<urlset>", "<urlset xmlns:x='sitemap/0'>", "<sitemapindex>", "<rss>"]),
    PIECES,
    st.sampled_from(["utf-8", "utf-16", "utf-16-be"]),
    st.lists(st.integers(0, 400), max_size=5),
    st.integers(1, 40),
)
def test_any_cutting_of_any_rubbish_gives_what_one_pass_gives(
    root: str, rubbish: str, encoding: str, cuts: list[int], step: int
) -> None:
    data = (root + rubbish).encode(encoding, "surrogatepass")
    whole = read(data)
    assert read(data, step) == whole
    assert handed_over(data, [min(cut, len(data)) for cut in cuts]) == whole


NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
BETWEEN = st.sampled_from(
    ["", "\n  ", "<!-- </url><url><loc>x</loc> -->", "<?x </url> ?>", " text "]
)
LOCS = st.sampled_from(
    [
        "https://example.com/{}",
        " https://example.com/{}\n",
        "<![CDATA[https://example.com/{}?a&b]]>",
        "https://example.com/{}?a&amp;b",
        "https://example<!-- x -->.com/{}",
        "https://example.com/&#123;{}",
    ]
)
OTHERS = st.sampled_from(
    [
        "<P:lastmod>2024-01-01</P:lastmod>",
        "<P:lastmod>2024&#45;01</P:lastmod>",
        "<P:priority>0.5</P:priority>",
        '<i:image xmlns:i="urn:i"><i:loc>https://example.com/i</i:loc></i:image>',
        '<i:link xmlns:i="urn:i" href="https://example.com/i"/>',
        '<image xmlns="urn:i"><loc>https://example.com/i</loc></image>',
        "<![CDATA[</url>]]>",
        "<P:x><P:loc>https://example.com/i</P:loc></P:x>",
    ]
)


@st.composite
def well_formed_sitemaps(draw: st.DrawFn) -> str:
    """Sitemaps that XML has nothing to say against, however odd they look."""
    prefix = draw(st.sampled_from(["", "s:"]))
    declared = f'xmlns{":s" if prefix else ""}="{NAMESPACE}"'
    parts = []
    for number in range(draw(st.integers(0, 6))):
        attribute = draw(st.sampled_from(["", ' x="y>z"', "\n"]))
        loc = f"<P:loc{attribute}>{draw(LOCS).format(number)}</P:loc>"
        children = draw(st.permutations([loc, *draw(st.lists(OTHERS, max_size=3))]))
        inside = "".join(child + draw(BETWEEN) for child in children)
        parts += [f"<P:url{attribute}>{inside}</P:url >", draw(BETWEEN)]
    return f"<P:urlset {declared}>{''.join(parts)}</P:urlset>".replace("P:", prefix)


@given(well_formed_sitemaps(), st.integers(1, 200))
def test_well_formed_xml_is_read_as_the_standard_library_reads_it(text: str, step: int) -> None:
    root = ElementTree.fromstring(text)
    expected = [
        (
            normalise_url(url.findtext(f"{{{NAMESPACE}}}loc", "").strip()),
            url.findtext(f"{{{NAMESPACE}}}lastmod"),
        )
        for url in root.findall(f"{{{NAMESPACE}}}url")
    ]
    entries, facts = read(text.encode(), step)
    assert [(entry.url, entry.lastmod) for entry in entries] == expected
    assert not facts.fell_back
    assert not facts.truncated


@given(st.binary(max_size=300), st.integers(1, 30))
def test_no_bytes_make_it_raise(data: bytes, step: int) -> None:
    for document in (data, b"<urlset>" + data, b"\xff\xfe" + data, b"\xff\xfe\0\0" + data):
        entries, facts = read(document)
        assert facts.entries == len(entries)
        assert read(document, step) == (entries, facts)


@given(
    st.binary(max_size=200), st.sampled_from(["gb18030", "shift_jis", "euc-kr", "big5", "cp1252"])
)
def test_no_encoding_makes_it_raise(data: bytes, encoding: str) -> None:
    declaration = f'<?xml version="1.0" encoding="{encoding}"?><urlset>'.encode()
    read(declaration + data + GOOD.encode(), 11)


def test_another_process_goes_on_where_this_one_stopped() -> None:
    """Seed 004: 处理大型 sitemap（10,000+ URLs）."""
    data = large_sitemap(3000)
    parser = SitemapParser(BASE)
    first = parser.feed(data[:100_000])
    program = (
        "import sys; from markmirror.web.sitemap import *\n"
        "cursor = SitemapCursor.from_json(sys.argv[1])\n"
        "parser = SitemapParser.resume(cursor)\n"
        "found = parser.feed(sys.stdin.buffer.read()) + parser.finish()\n"
        "print(len(found), found[-1].url, parser.facts.entries, parser.facts.truncated)"
    )
    cursor = parser.cursor
    answer = subprocess.run(
        [sys.executable, "-c", program, cursor.to_json()],
        input=data[cursor.offset :],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
    ).stdout.decode()
    assert answer.split() == [
        str(3000 - len(first)),
        "https://example.com/page/2999",
        "3000",
        "False",
    ]


def test_steps_cut_a_document_without_losing_a_byte() -> None:
    data = bytes(range(256)) * 5000
    pieces: Iterator[bytes] = steps(data)
    assert b"".join(pieces) == data
