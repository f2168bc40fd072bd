"""Measure the choice of content: what is kept of a marked main element when the marks are gone.

    python -m benchmarks.main_content DIR      the table, DIR as made by corpus.py

On every other page the marks are removed: `<main>` and `<article>` become `<div>`, `role`, `id`
and `class` of the content's own element go. So half of the pages are found by their marks, and
half have to be found by scoring. Words are compared with the marked element of the whole page.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import turbohtml

from benchmarks import corpus
from benchmarks.judges import tables_html
from benchmarks.structure import blocks_of, clean_source
from markmirror.convert import convert_html
from markmirror.model import Recipe

_WORD = re.compile(r"\w+")


def unmarked(page: turbohtml.Document, selector: str) -> str:
    """The page with nothing left that says which element is the content."""
    content = page.select_one(selector)
    assert content is not None
    for node in [content, *content.ancestors]:
        if isinstance(node, turbohtml.Element) and node.tag not in {"body", "html"}:
            for name in ("role", "id", "class", "itemprop"):
                if name in node.attrs:
                    del node.attrs[name]
            if node.tag in {"main", "article", "section"}:
                node.tag = "div"
    return page.html


def words_of(text: str) -> Counter[str]:
    """The words of a text, however they are marked up."""
    return Counter(_WORD.findall(text))


def words_in(root: turbohtml.Element, selector: str) -> Counter[str]:
    """The words of the elements that match, none counted twice."""
    outer = [
        node
        for node in root.select(selector)
        if not (isinstance(node.parent, turbohtml.Element) and node.parent.closest(selector))
    ]
    return words_of(" ".join(block for node in outer for block in blocks_of(node)))


def ours(html: str, url: str) -> str:
    """Our Markdown, with the addresses taken out of its links."""
    document = convert_html(
        html.encode("utf-8", "surrogatepass"),
        url=url,
        content_type="text/html; charset=utf-8",
        recipe=Recipe(),
    )
    return " ".join(
        blocks_of(
            turbohtml.parse_fragment(
                tables_html(document.markdown).replace("<br />", " ").replace("<br>", " ")
            )
        )
    )


def extractors() -> dict[str, Callable[[str, str], str]]:
    """Every extractor that is installed here, ours first."""
    found: dict[str, Callable[[str, str], str]] = {"markmirror": ours}
    try:
        import trafilatura  # type: ignore[import-not-found]

        found["trafilatura"] = lambda html, _url: trafilatura.extract(html) or ""
    except ImportError:
        pass
    try:
        from readability import Document  # type: ignore[import-not-found]

        found["readability-lxml"] = lambda html, _url: (
            turbohtml.parse(Document(html).summary()).text
        )
    except ImportError:
        pass
    try:
        from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-not-found]

        found["resiliparse"] = lambda html, _url: extract_plain_text(html, main_content=True)
    except ImportError:
        pass
    return found


def main(folder: str) -> None:
    """Print the table."""
    root = Path(folder)
    pages = []
    for number, page in enumerate(corpus.listed()):
        document = turbohtml.parse(page.read(root), detect_encoding=True)
        content = document.select_one(page.content)
        assert content is not None
        given = turbohtml.parse_fragment(content.html)
        clean_source(given, base=page.url)
        reference = words_of(" ".join(blocks_of(given)))
        code, cells = words_in(given, "pre"), words_in(given, "td,th")
        html = unmarked(document, page.content) if number % 2 else document.html
        pages.append((page, number % 2 == 1, html, reference, code, cells))
    print(
        "| extractor | recall | precision | recall, unmarked | precision, unmarked "
        "| code kept | cells kept |"
    )
    print("|" + " --- |" * 7)
    for name, extract in extractors().items():
        sums: Counter[str] = Counter()
        losses = []
        for page, is_unmarked, html, reference, code, cells in pages:
            got = words_of(extract(html, page.url))
            kept = (reference & got).total()
            kind = "unmarked" if is_unmarked else "marked"
            sums[f"{kind} kept"] += kept
            sums[f"{kind} given"] += reference.total()
            sums[f"{kind} got"] += got.total()
            sums["code kept"] += (code & got).total()
            sums["code"] += code.total()
            sums["cells kept"] += (cells & got).total()
            sums["cells"] += cells.total()
            losses.append((kept / reference.total(), kept / max(1, got.total()), page.path))
        kept = sums["marked kept"] + sums["unmarked kept"]
        figures = (
            kept / (sums["marked given"] + sums["unmarked given"]),
            kept / (sums["marked got"] + sums["unmarked got"]),
            sums["unmarked kept"] / sums["unmarked given"],
            sums["unmarked kept"] / sums["unmarked got"],
            sums["code kept"] / sums["code"],
            sums["cells kept"] / sums["cells"],
        )
        print(f"| {name} | " + " | ".join(f"{100 * figure:.1f}" for figure in figures) + " |")
        if name == "markmirror" and "--worst" in sys.argv:
            for recall, precision, path in sorted(losses, key=lambda loss: min(loss[:2]))[:20]:
                print(f"{recall:.3f} {precision:.3f} {path}")


if __name__ == "__main__":
    main(sys.argv[1])
