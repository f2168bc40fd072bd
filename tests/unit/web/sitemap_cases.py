"""Sitemaps as they are found in the wild, and as someone who means harm would write them.

Each case says what a person would read out of the document.
"""

from dataclasses import dataclass

from markmirror.web.sitemap import SitemapEntry, SitemapFacts, SitemapKind, SitemapParser, steps

BASE = "https://example.com/maps/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
A = "https://example.com/a"
B = "https://example.com/b"
C = "https://example.com/c"


def read(data: bytes, step: int | None = None) -> tuple[list[SitemapEntry], SitemapFacts]:
    parser = SitemapParser(BASE)
    found: list[SitemapEntry] = []
    pieces = (
        steps(data) if step is None else (data[i : i + step] for i in range(0, len(data), step))
    )
    for piece in pieces:
        found += parser.feed(piece)
    found += parser.finish()
    return found, parser.facts


def page(url: str, more: str = "") -> str:
    return f"<url><loc>{url}</loc>{more}</url>"


def urlset(*parts: str, attributes: str = NS, declaration: str = DECLARATION) -> str:
    return f"{declaration}<urlset {attributes}>{''.join(parts)}</urlset>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    document: str | bytes
    urls: list[str]
    kind: SitemapKind = SitemapKind.URLSET
    invalid: int = 0
    relative: int = 0
    truncated: bool = False
    fell_back: bool = False
    error: str | None = None

    @property
    def data(self) -> bytes:
        return self.document if isinstance(self.document, bytes) else self.document.encode()


IMAGES = (
    f"<image:image><image:loc>{C}</image:loc></image:image><video:video><video:content_loc>{C}"
    "</video:content_loc></video:video>"
)
IMAGE_NS = (
    f'{NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)
BOMB = (
    '<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">'
    '<!ENTITY c "<url><loc>https://evil.example/</loc></url>">]>'
)
RSS_ITEM = "<item><title>A &amp; a</title><link>{}</link><pubDate>{}</pubDate></item>"
PROSE = "Our site map\n\nFind everything at\nhttps://example.com/a\nor write to us. Thank you.\n"

CASES = [
    Case(name="a plain sitemap", document=urlset(page(A), page(B)), urls=[A, B]),
    Case(name="no namespace", document=urlset(page(A), attributes=""), urls=[A]),
    Case(
        name="another namespace",
        document=urlset(page(A), attributes='xmlns="https://www.google.com/schemas/sitemap/0.84"'),
        urls=[A],
    ),
    Case(
        name="a prefix on everything",
        document=f'<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url>'
        f"<sm:loc>{A}</sm:loc><sm:lastmod>2024-05-01</sm:lastmod></sm:url></sm:urlset>",
        urls=[A],
    ),
    Case(
        name="a prefix on the fields only",
        document=f'<urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><url><s:loc>{A}'
        f"</s:loc></url>{page(B)}</urlset>",
        urls=[A, B],
    ),
    Case(
        name="entries with another prefix than the root",
        document=f'<urlset {NS} xmlns:n="{NS[7:-1]}"><n:url><n:loc>{A}</n:loc></n:url></urlset>',
        urls=[A],
    ),
    Case(name="a UTF-8 mark", document=b"\xef\xbb\xbf" + urlset(page(A)).encode(), urls=[A]),
    Case(
        name="a UTF-8 mark after blank lines",
        document="\n\n\ufeff" + urlset(page(A)),
        urls=[A],
    ),
    Case(name="blank lines before the declaration", document="\n \n" + urlset(page(A)), urls=[A]),
    *(
        Case(
            name=f"{encoding} {'with' if mark else 'without'} a mark",
            document=mark + urlset(page(A), page(B + "é")).encode(encoding),
            urls=[A, B + "%C3%A9"],
        )
        for encoding, mark in (
            ("utf-16-le", b"\xff\xfe"),
            ("utf-16-be", b"\xfe\xff"),
            ("utf-16-le", b""),
            ("utf-16-be", b""),
            ("utf-32-le", b"\xff\xfe\x00\x00"),
        )
    ),
    *(
        Case(
            name=f"declared as {encoding}",
            document=urlset(
                page(A + letter), declaration=f'<?xml version="1.0" encoding="{encoding}"?>'
            ).encode(encoding),
            urls=[A + escaped],
        )
        for encoding, letter, escaped in (
            ("ISO-8859-1", "é", "%C3%A9"),
            ("windows-1251", "ж", "%D0%B6"),
            ("GB18030", "中", "%E4%B8%AD"),
            ("Shift_JIS", "日", "%E6%97%A5"),
        )
    ),
    Case(
        name="declared as an encoding nobody knows",
        document=urlset(page(A), declaration='<?xml version="1.0" encoding="x-klingon"?>'),
        urls=[A],
    ),
    Case(
        name="declared as UTF-16 and written in ASCII",
        document=urlset(page(A), declaration='<?xml version="1.0" encoding="UTF-16"?>'),
        urls=[A],
    ),
    Case(
        name="declared as something that is no character encoding",
        document=urlset(page(A), declaration='<?xml version="1.0" encoding="zlib"?>'),
        urls=[A],
    ),
    Case(
        name="Latin-1 bytes in what should be UTF-8",
        document=urlset(page(A + "é")).encode("latin-1"),
        urls=[A + "%E9"],
    ),
    Case(name="CDATA", document=urlset(page(f"<![CDATA[ {A}?x=1&y=2 ]]>")), urls=[A + "?x=1&y=2"]),
    Case(
        name="CDATA that holds an end tag",
        document=urlset(f"<url><title><![CDATA[</url>]]></title><loc>{A}</loc></url>", page(B)),
        urls=[A, B],
    ),
    Case(
        name="comments that hold entries",
        document=urlset(f"<!-- {page(C)} -->", page(A, f"<!-- </url>{page(C)} -->"), page(B)),
        urls=[A, B],
    ),
    Case(
        name="a comment before the root",
        document=f"{DECLARATION}<!-- <urlset> {page(C)} -->\n" + urlset(page(A), declaration=""),
        urls=[A],
    ),
    Case(
        name="instructions everywhere",
        document=f"{DECLARATION}<?xml-stylesheet href='x.xsl'?>"
        + urlset("<?php </url> ?>", page(A, "<?x </url>?>"), page(B), declaration=""),
        urls=[A, B],
    ),
    Case(
        name="whitespace in and around the URL",
        document=urlset(page(f"\n\t  {A}  \r\n"), page("https://example.com/\n  b")),
        urls=[A, "https://example.com/%20%20b"],
    ),
    Case(
        name="an ampersand that is not escaped",
        document=urlset(page(A + "?x=1&y=2"), page(B + "?x=1&amp;y=2")),
        urls=[A + "?x=1&y=2", B + "?x=1&y=2"],
        fell_back=True,
        error="an ampersand is not escaped",
    ),
    Case(
        name="an ampersand that is not escaped beside an attribute",
        document=urlset(f'<url x="1"><loc>{A}?x=1&copy=2</loc></url>', page(B)),
        urls=[A + "?x=1&copy=2", B],
        fell_back=True,
        error="an ampersand is not escaped",
    ),
    Case(
        name="a name that only HTML knows",
        document=urlset(page("https://example.com/caf&eacute;")),
        urls=["https://example.com/caf%C3%A9"],
        fell_back=True,
        error="an ampersand is not escaped",
    ),
    Case(
        name="references by number",
        document=urlset(page("https://example.com/&#97;&#x62;")),
        urls=["https://example.com/ab"],
    ),
    Case(
        name="a reference to no character",
        document=urlset(page(A + "&#0;&#xD800;"), page(B)),
        urls=[B],
        invalid=1,
        fell_back=True,
        error="an ampersand is not escaped",
    ),
    Case(
        name="cut in the middle of a URL",
        document=urlset(page(A)).removesuffix("</urlset>") + f"<url><loc>{B}",
        urls=[A],
        truncated=True,
    ),
    Case(
        name="cut in the middle of an entry",
        document=urlset(page(A)).removesuffix("</urlset>") + f"<url><loc>{B}</loc><lastm",
        urls=[A],
        truncated=True,
    ),
    Case(
        name="cut before the end of the root",
        document=urlset(page(A), page(B)).removesuffix("</urlset>"),
        urls=[A, B],
        truncated=True,
    ),
    Case(
        name="cut inside a comment",
        document=urlset(page(A)).removesuffix("</urlset>") + "<!-- " + page(B),
        urls=[A],
        truncated=True,
    ),
    Case(
        name="relative URLs",
        document=urlset(page("/x"), page("y"), page("//cdn.example.com/z"), page(A)),
        urls=[
            "https://example.com/x",
            "https://example.com/maps/y",
            "https://cdn.example.com/z",
            A,
        ],
        relative=3,
    ),
    Case(
        name="things that are no URLs",
        document=urlset(
            page(""), page("mailto:a@b"), page("javascript:1"), page("http://"), page(A), "<url/>"
        ),
        urls=[A],
        invalid=5,
    ),
    Case(
        name="images and videos are not pages",
        document=urlset(page(A, IMAGES), f"<url>{IMAGES}<loc>{B}</loc></url>", attributes=IMAGE_NS),
        urls=[A, B],
    ),
    Case(
        name="an image sitemap whose prefixes nobody declared",
        document=urlset(page(A, IMAGES), attributes=""),
        urls=[A],
    ),
    Case(
        name="an extension with a loc of its own",
        document=urlset(
            f'<url><image xmlns="urn:x"><loc>{C}</loc></image><loc>{A}</loc></url>',
            f'<url><loc xmlns="urn:x">{C}</loc><loc>{B}</loc></url>',
        ),
        urls=[A, B],
    ),
    Case(
        name="other languages are not pages",
        document=urlset(page(A, f'<xhtml:link rel="alternate" hreflang="de" href="{C}"/>')),
        urls=[A],
    ),
    Case(
        name="a news sitemap",
        document=urlset(page(A, "<news:news><news:title>x</news:title></news:news>")),
        urls=[A],
    ),
    Case(
        name="an HTML page in place of a sitemap",
        document=f"<!DOCTYPE html><html><body><a href='{A}'>x</a>{urlset(page(A))}</body></html>",
        urls=[],
        kind=SitemapKind.HTML,
        error="an HTML page, not a sitemap",
    ),
    Case(
        name="an XHTML page in place of a sitemap",
        document=f'{DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
        urls=[],
        kind=SitemapKind.HTML,
        error="an HTML page, not a sitemap",
    ),
    Case(
        name="JSON in place of a sitemap",
        document='{"error": "not found"}',
        urls=[],
        kind=SitemapKind.UNKNOWN,
        error="not a sitemap of any known kind",
    ),
    Case(name="a list of URLs", document=f"{A}\r\n{B}\r\n\r\n", urls=[A, B], kind=SitemapKind.TEXT),
    Case(
        name="a list of URLs with a mark and no last line end",
        document=f"\ufeff{A}\n{B}",
        urls=[A, B],
        kind=SitemapKind.TEXT,
    ),
    Case(
        name="a list of URLs with something else in it",
        document=f"{A}\nsee below\n{B}\n{C}\n/relative\n",
        urls=[A, B, C],
        kind=SitemapKind.TEXT,
        invalid=2,
    ),
    Case(
        name="prose with a URL in it",
        document=PROSE,
        urls=[],
        kind=SitemapKind.UNKNOWN,
        error="not a sitemap of any known kind",
    ),
    Case(
        name="a comment that never ends",
        document="<!-- " + urlset(page(A)),
        urls=[],
        kind=SitemapKind.UNKNOWN,
        error="not a sitemap of any known kind",
    ),
    Case(name="nothing at all", document=b"", urls=[], kind=SitemapKind.EMPTY),
    Case(name="only whitespace", document=b"\xef\xbb\xbf \n ", urls=[], kind=SitemapKind.EMPTY),
    Case(name="a sitemap without entries", document=urlset(), urls=[]),
    Case(
        name="an index",
        document=f"{DECLARATION}<sitemapindex {NS}><sitemap><loc>{A}.xml</loc></sitemap>"
        f"<sitemap><loc>{B}.xml</loc><lastmod>2024</lastmod></sitemap></sitemapindex>",
        urls=[A + ".xml", B + ".xml"],
        kind=SitemapKind.INDEX,
    ),
    Case(
        name="an RSS feed",
        document='<rss version="2.0"><channel><link>https://example.com/</link><image><url>x</url>'
        f"<link>{C}</link></image>{RSS_ITEM.format(A, 'Mon, 01 Jan 2024 10:00:00 GMT')}"
        f"{RSS_ITEM.format('<![CDATA[' + B + ']]>', '')}</channel></rss>",
        urls=[A, B],
        kind=SitemapKind.RSS,
    ),
    Case(
        name="an RSS feed with permanent links only",
        document=f"<rss><channel><item><guid>{A}</guid></item><item><atom:link href='{C}'/>"
        f"<guid isPermaLink='false'>{C}</guid><link>{B}</link></item></channel></rss>",
        urls=[A, B],
        kind=SitemapKind.RSS,
    ),
    Case(
        name="an RSS 1.0 feed",
        document=f'<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><link>{C}</link></channel>'
        f"<item><link>{A}</link><dc:date>2024-01-01</dc:date></item></rdf:RDF>",
        urls=[A],
        kind=SitemapKind.RSS,
    ),
    Case(
        name="an Atom feed",
        document=f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="{C}"/><entry>'
        f'<link rel="edit" href="{C}"/><link rel="alternate" href="{A}"/><updated>2024-01-01'
        f'T00:00:00Z</updated></entry><entry><source><link href="{C}"/></source>'
        f'<link href="/b"/></entry></feed>',
        urls=[A, B],
        kind=SitemapKind.ATOM,
        relative=1,
    ),
    Case(
        name="an Atom feed with a broken entry",
        document=f'<feed><entry><link rel="self" href="{C}"/><link href="{A}?x&y"/><b></entry>'
        f'<entry><link href="{B}"/></entry></feed>',
        urls=[A + "?x&y", B],
        kind=SitemapKind.ATOM,
        fell_back=True,
        error="not well-formed XML: mismatched tag",
    ),
    Case(
        name="an entity bomb",
        document=f"{DECLARATION}{BOMB}<urlset {NS}>{page('https://example.com/&b;')}{page(A)}&c;"
        "</urlset>",
        urls=[A],
        invalid=1,
        fell_back=True,
        error="the document has a DOCTYPE, which is not read",
    ),
    Case(
        name="an external DOCTYPE",
        document=f'<!DOCTYPE urlset SYSTEM "http://evil.example/x.dtd">{urlset(page(A))}',
        urls=[A],
        fell_back=True,
        error="the document has a DOCTYPE, which is not read",
    ),
    Case(
        name="an entity that reads a file",
        document='<!DOCTYPE urlset [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        + urlset(page("&f;"), page(A), declaration=""),
        urls=[A],
        invalid=1,
        fell_back=True,
        error="the document has a DOCTYPE, which is not read",
    ),
    Case(
        name="an error message before the sitemap",
        document=f"<br />\n<b>Warning</b>: x in y.php<br />\n{urlset(page(A))}",
        urls=[A],
        fell_back=True,
        error="there is something before the root element",
    ),
    Case(
        name="words before the sitemap",
        document=f"Notice: undefined index\n{urlset(page(A))}",
        urls=[A],
        fell_back=True,
        error="there is something before the root element",
    ),
    Case(
        name="no root at all",
        document=page(A) + page(B),
        urls=[A, B],
        fell_back=True,
        error="there is no root element",
    ),
    Case(
        name="entries that are not closed",
        document=urlset(f"<url><loc>{A}</loc><url><loc>{B}</loc>"),
        urls=[A, B],
        fell_back=True,
        error="not well-formed XML: an element is not closed",
    ),
    Case(
        name="URLs without entries around them",
        document=urlset(f"<loc>{A}</loc>", page(B), f"<loc>{C}</loc>"),
        urls=[A, B, C],
        fell_back=True,
        error="a URL stands outside of any entry",
    ),
    Case(
        name="tags that do not match",
        document=urlset(f"<url><loc>{A}</lok><lastmod>2024</lastmod></url>", page(B)),
        urls=[A, B],
        fell_back=True,
        error="not well-formed XML: mismatched tag",
    ),
    Case(
        name="two sitemaps one after the other",
        document=urlset(page(A)) + urlset(page(B)),
        urls=[A, B],
    ),
    Case(
        name="control characters",
        document=urlset(page(A + "\x01"), page("\x00"), page(C + "\x02c"), page(B)),
        urls=[A, B],
        invalid=2,
    ),
    Case(
        name="fields in another order",
        document=urlset(
            f"<url><priority>0.5</priority><lastmod>2024</lastmod><loc>{A}</loc></url>"
        ),
        urls=[A],
    ),
    Case(
        name="space inside of tags",
        document=f"<urlset\n{NS}\n><url\n><loc >{A}</loc\n></url\n></urlset\n>",
        urls=[A],
    ),
    Case(
        name="two URLs in one entry",
        document=urlset(f"<url><loc>{A}</loc><loc>{B}</loc></url>"),
        urls=[A],
    ),
    Case(
        name="a user name in the URL",
        document=urlset(page("https://me:secret@example.com/"), page(A)),
        urls=[A],
        invalid=1,
    ),
]
