"""A website of any size whose pages follow from their numbers; nothing of it is kept."""

from collections.abc import Callable, Iterator

from benchmarks.loopback import PAGE, XML, Answer, Answers

PAGES_PER_SITEMAP = 10_000
PAGES_PER_FOLDER = 100
LASTMOD = "2024-05-06T07:08:09+00:00"

_WORDS = (
    "The mirror keeps one file for each page and one row for each file, so that a reader who "
    "comes back later finds what was there before and what has changed since then. "
)
_LINKS = "".join(
    f'<li><a href="/part-{part}/page-{part * PAGES_PER_FOLDER}.html">Part {part}</a></li>'
    for part in range(40)
)
_SECTION = f"""<h2 id="s{{part}}">Step {{part}} of page {{number}}</h2>
<p>{_WORDS * 2}</p>
<ul><li>first, <code>set --level {{number}}</code></li><li>then <em>wait</em></li></ul>
<pre><code class="language-sh">tool --page {{number}} --part {{part}}</code></pre>
<table><tr><th>name</th><th>value</th></tr><tr><td>page</td><td>{{number}}</td></tr></table>
"""
_PAGE = (
    '<!doctype html><html lang="en"><head><title>Page {number}</title></head><body>'
    f"<nav><ul>{_LINKS}</ul></nav><main><h1>Page {{number}}</h1>"
    + "".join(_SECTION.replace("{part}", str(part)) for part in range(1, 5))
    + "</main><footer><p>All rights reserved.</p></footer></body></html>"
)


def answers_of(pages: int) -> Answers:
    """A site of so many pages, with a sitemap index."""

    def answers(url: str) -> Callable[[str], Answer | None]:
        def answer(path: str) -> Answer | None:
            if path.endswith(".html"):
                return PAGE, page(int(path[path.rindex("-") + 1 : -5])).encode()
            if path == "/sitemap.xml":
                return XML, index(url, pages).encode()
            if path.startswith("/sitemap-"):
                return XML, sitemap(url, int(path[9:-4]), pages).encode()
            return None

        return answer

    return answers


def page(number: int) -> str:
    """About 5 KB of a manual's page."""
    return _PAGE.replace("{number}", str(number))


def index(url: str, pages: int) -> str:
    """Names the sitemaps."""
    parts = range(-(-pages // PAGES_PER_SITEMAP))
    entries = (f"<sitemap><loc>{url}/sitemap-{part}.xml</loc></sitemap>" for part in parts)
    return _document("sitemapindex", entries)


def sitemap(url: str, part: int, pages: int) -> str:
    """Names up to 10,000 pages, each with its lastmod."""
    numbers = range(part * PAGES_PER_SITEMAP, min(pages, (part + 1) * PAGES_PER_SITEMAP))
    entries = (
        f"<url><loc>{url}/part-{number // PAGES_PER_FOLDER}/page-{number}.html</loc>"
        f"<lastmod>{LASTMOD}</lastmod></url>\n"
        for number in numbers
    )
    return _document("urlset", entries)


def _document(root: str, entries: Iterator[str]) -> str:
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0"?>\n<{root} xmlns="{space}">\n{"".join(entries)}</{root}>\n'
