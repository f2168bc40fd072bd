"""Input as a stranger would make it: anything at all, and things that are almost right."""

import json

from hypothesis import strategies as st

any_text = st.text(st.characters(), max_size=200)


def pieces(*parts: str, size: int = 40) -> st.SearchStrategy[str]:
    """These parts in any order and number, with any other text between them."""
    return st.lists(st.one_of(st.sampled_from(parts), st.text(max_size=8)), max_size=size).map(
        "".join
    )


def as_bytes(texts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    """The texts in some encoding, sometimes with bytes cut off, put in or changed."""
    encodings = st.sampled_from(["utf-8", "utf-16", "latin-1", "utf-32-be", "shift_jis"])
    encoded = st.builds(lambda text, encoding: text.encode(encoding, "replace"), texts, encodings)
    return st.one_of(encoded, st.builds(_damaged, encoded, st.integers(0, 400), st.binary()))


def _damaged(data: bytes, at: int, rubbish: bytes) -> bytes:
    return data[:at] + rubbish + data[at + len(rubbish) // 2 :]


urls = st.one_of(
    any_text,
    pieces(
        *("http://", "https://", "HTTP:", "ftp://", "//", "/", "\\", "..", ".", "?", "#", "%"),
        *("%2e", "%2F", "%00", "%ff", "@", ":", ":80", ":443", "[::1]", "127.0.0.1", "0x7f.1"),
        *("x.org", "ä.org", "xn--", "\ud800", "\0", "\n", "\t", " ", "a", "A", "index.html"),
        *("_failed", "CON", ".git", "é", "e\u0301", "\u202e", "x" * 210),
        size=14,
    ),
)
page_urls = st.builds(
    "https://x.org/{}{}".format,
    st.one_of(any_text, urls).map(lambda text: text.replace("?", "").replace("#", "")),
    st.sampled_from(["", "?", "?q", "?Q=%20"]),
)

sitemaps = as_bytes(
    pieces(
        *("<?xml version='1.0' encoding='", "utf-8'?>", "utf-7'?>", "<urlset>", "</urlset>"),
        *("<urlset xmlns='x' xmlns:y='", "<sitemapindex>", "<sitemap>", "</sitemap>", "<url>"),
        *("</url>", "<loc>", "</loc>", "https://x.org/a", "<lastmod>", "</lastmod>", "2024-01-01"),
        *("<priority>", "0.5", "</priority>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#x0;"),
        *("&#99999999999;", "&x;", "<!DOCTYPE x [", "<!ENTITY x 'y'>", "]>", "<rss>", "<channel>"),
        *("<item>", "</item>", "<link>", "</link>", "<feed>", "<entry>", "<html>", "\n", "\ufeff"),
    )
)
robots_texts = as_bytes(
    pieces(
        *("User-agent:", "user agent ", "*", "markmirror", "\n", "\r", "\r\n", "Disallow: /"),
        *("Allow:", "/a*b$", "$", "Crawl-delay:", "1e999", "nan", "-1", "1.5", "Sitemap:", "#"),
        *("https://x.org/s.xml", "%", "%zz", "\u2028", "\0", ":"),
    )
)
html_pages = as_bytes(
    pieces(
        *(
            "<html>",
            "<head>",
            "<body>",
            "<main>",
            "<title>",
            "</title>",
            "<base href='//x.org/",
            "'>",
        ),
        *(
            "<p>",
            "</p>",
            "<div>",
            "</div>",
            "<a href='",
            "<a href=x>",
            "</a>",
            "<b>",
            "</b>",
            "<i>",
        ),
        *("<table>", "<tr>", "<td colspan=9999>", "<td rowspan=65534>", "<th>", "</table>", "<ul>"),
        *("<ol start=99999999999999999999>", "<li>", "</ul>", "<pre>", "<code class='language-x'>"),
        *("</pre>", "<h1>", "</h1>", "<dl>", "<dt>", "<dd>", "<svg>", "<math>", "<mi>", "</math>"),
        *("<annotation encoding='application/x-tex'>", "<template>", "<script>", "</script>"),
        *("<style>", "<!--", "-->", "<![CDATA[", "&amp;", "&#0;", "&#xD800;", "&#x110000;", "\0"),
        *("<meta charset=", "utf-16>", "<meta http-equiv=refresh content='0;url=", "javascript:"),
        *("<link rel=canonical href='", "https://[", "<img srcset='", " 1x, ,, 2x", "<br>", "`"),
        *("<details>", "<summary>", "<blockquote>", "<input type=checkbox checked>", "|", "\\"),
        *("<div class='admonition note'>", "<div class='highlight'>", "<frameset>", "<noscript>"),
        size=60,
    )
)
storage_bodies = pieces(
    *("<p>", "</p>", "<ac:structured-macro ac:name='", "code'>", "toc'/>", "expand'>", "jira'>"),
    *(
        "children'/>",
        "attachments'/>",
        "include'>",
        "anchor'>",
        "status'>",
        "</ac:structured-macro>",
    ),
    *("<ac:parameter ac:name='", "title'>", "language'>", "key'>", "</ac:parameter>", "all'>true"),
    *("<ac:plain-text-body>", "<![CDATA[", "]]>", "</ac:plain-text-body>", "<ac:rich-text-body>"),
    *("</ac:rich-text-body>", "<ac:link>", "<ac:link ac:anchor='x'>", "</ac:link>", "<ri:page"),
    *(
        " ri:content-title='",
        " ri:space-key='~x'",
        "'/>",
        "<ri:user ri:userkey='x'/>",
        "<ac:image>",
    ),
    *("<ri:attachment ri:filename='", "<ri:url ri:value='", "</ac:image>", "<ac:task-list>"),
    *("<ac:task>", "<ac:task-status>complete</ac:task-status>", "<ac:task-body>", "</ac:task>"),
    *("<ac:layout>", "<ac:emoticon ac:name='", "<ac:adf-extension>", "<ac:adf-node type='panel'>"),
    *(
        "<ac:placeholder>",
        "<time datetime='",
        "&nbsp;",
        "&x;",
        "&#xD800;",
        "\ud800",
        "\0",
        "<table>",
    ),
    *("<tr>", "<td>", "<ul>", "<li>", "<h1>", "</h1>", "[^1]", "`", "|", "\\", "<!--", "-->"),
    size=40,
)
titles = st.one_of(
    any_text,
    pieces(
        *("a", "A", "ä", "a\u0308", "ß", "ss", "\u200b", "\u3164", "--", "-", ".", "..", " ", "/"),
        *("\\", ":", "\0", "\ud800", "con", "assets", "_", "~", "000007", "att1", ".md", "x" * 90),
        *("ㅎ" * 60, "\u0301" * 100, "🎉"),
        size=4,
    ),
)
dates = st.one_of(
    any_text,
    pieces(
        *(
            "2024",
            "-",
            "01",
            "99",
            "T",
            "12:00",
            ":60",
            ".5",
            "Z",
            "+99:99",
            "Mon, ",
            "Feb ",
            "GMT",
        ),
        *("٣", "0", "9999", "1e5", " ", "-0001"),
        size=12,
    ),
)

json_values: st.SearchStrategy[object] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), any_text, st.just("index.md")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)

api_answers = st.one_of(
    st.binary(),
    st.dictionaries(
        st.sampled_from(
            [
                *("id", "type", "title", "status", "version", "extensions", "ancestors", "space"),
                *("metadata", "children", "body", "_links", "_expandable", "results", "message"),
                *("errors", "key", "name", "homepage", "size", "limit", "start"),
            ]
        ),
        st.one_of(
            json_values,
            st.sampled_from(["page", "current", "1", {"next": "/x?cursor=a"}, {"number": 1}]),
            st.lists(
                st.dictionaries(st.sampled_from(["id", "type", "title", "_links"]), json_values),
                max_size=3,
            ),
        ),
    ).map(lambda document: json.dumps(document).encode()),
)
