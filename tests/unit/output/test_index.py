import io
import tracemalloc
from collections.abc import Iterator
from urllib.parse import unquote

import cmarkgfm
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from markmirror.output.index import Page, write_index
from markmirror.output.paths import page_path


def index_of(pages: list[Page]) -> str:
    out = io.StringIO()
    in_reading_order = sorted(pages, key=lambda page: page[0].removesuffix("index.md"))
    write_index(in_reading_order, out, title="example.com")
    return out.getvalue()


def links_in(markdown: str) -> list[tuple[str, str]]:
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [link for token in tokens if token.children for link in _links(token.children)]


def _links(children: list[Token]) -> Iterator[tuple[str, str]]:
    target = None
    text = ""
    for token in children:
        if token.type == "link_open":
            target, text = str(token.attrs["href"]), ""
        elif token.type == "link_close" and target is not None:
            yield target, text
        else:
            text += token.content


def test_the_pages_are_grouped_by_their_folders() -> None:
    """Seed 000: Index creation."""
    addresses = {
        "": "Welcome",
        "about": "About us",
        "blog/2025/hello": "Hello",
        "blog/2025/again": "Again",
        "docs/": "Documentation",
        "docs/api/": "API",
        "docs/api/users/create": "Create a user",
        "docs/api/users/delete": "Delete a user",
        "docs/install.html": "Install",
        "docs/far/away/alone/": "Alone",
        "search?q=1": "Search",
    }
    pages = [
        (page_path(f"https://example.com/{address}").path, title, "")
        for address, title in addresses.items()
    ]
    assert index_of(pages) == (
        "# example.com\n"
        "\n"
        "[Welcome](index.md)\n"
        "\n"
        "## `blog/`\n"
        "\n"
        "- `2025/`\n"
        "  - [Again](blog/2025/again/index.md)\n"
        "  - [Hello](blog/2025/hello/index.md)\n"
        "\n"
        "## [Documentation](docs/index.md)\n"
        "\n"
        "- [API](docs/api/index.md)\n"
        "  - `users/`\n"
        "    - [Create a user](docs/api/users/create/index.md)\n"
        "    - [Delete a user](docs/api/users/delete/index.md)\n"
        "- [Alone](docs/far/away/alone/index.md)\n"
        "- [Install](docs/install.md)\n"
        "\n"
        "## Other pages\n"
        "\n"
        "- [About us](about/index.md)\n"
        "- [Search](search__q_0bef2ac5.md)\n"
    ).replace("search__q_0bef2ac5.md", page_path("https://example.com/search?q=1").path)


def test_a_flat_site_is_one_list() -> None:
    pages = [(f"{name}/index.md", name.title(), "") for name in ("a", "b")]
    assert index_of(pages) == "# example.com\n\n- [A](a/index.md)\n- [B](b/index.md)\n"


def test_an_empty_mirror_has_an_index_too() -> None:
    assert index_of([]) == "# example.com\n"


def test_pages_in_plain_path_order_are_listed_as_well() -> None:
    out = io.StringIO()
    pages = [("docs/a/index.md", "A", ""), ("docs/index.md", "Docs", ""), ("index.md", "Home", "")]
    write_index(pages, out)
    assert [target for target, _ in links_in(out.getvalue())] == [path for path, _, _ in pages]


def test_a_page_without_a_title_goes_by_its_address() -> None:
    assert "[https://e.com/a](a/index.md)" in index_of([("a/index.md", " \n", "https://e.com/a")])


hostile = (
    st.text(st.sampled_from("ab[]()<>!*_`~|\\&;#\"' \n\t:/.$-\x1b\u202e<script>www.e.com"))
    | st.text()
)


@given(st.lists(st.tuples(hostile, hostile), min_size=1, max_size=8))
def test_titles_and_paths_from_outside_stay_text(found: list[tuple[str, str]]) -> None:
    by_path = {page_path(f"https://e.com/{path}").path: title for path, title in found}
    pages = [(path, title, "https://e.com/") for path, title in by_path.items()]
    markdown = index_of(pages)
    links = links_in(markdown)
    assert {unquote(target) for target, _ in links} == set(by_path)
    assert len(links) == len(by_path)
    html = cmarkgfm.github_flavored_markdown_to_html(markdown)
    assert html.count("<a ") == len(by_path)
    for tag in ("<script", "<img", "<em>", "<strong>", "<del>", "<table", "<blockquote", "<pre"):
        assert tag not in html
    assert "\x1b" not in markdown
    assert "\u202e" not in markdown


def test_memory_does_not_grow_with_the_number_of_pages() -> None:
    def peak(count: int) -> int:
        class Nowhere(io.TextIOBase):
            def write(self, text: str, /) -> int:
                return len(text)

        pages = (
            (f"section{n // 100:06}/p{n:08}/index.md", "A title", "https://e.com")
            for n in range(count)
        )
        tracemalloc.start()
        write_index(pages, Nowhere())  # type: ignore[arg-type]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(20_000) < peak(2_000) + 50_000
