"""A website of real documentation: whole Debian packages below one document root.

Whole packages, because a link from page to page then leads to a page: contenders that follow links
are not sent after pages that are not there. A part of them is drawn with a fixed seed.
"""

import os
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from benchmarks.corpus import fetch, is_candidate, package_folder, page_body

_SEED = 20261115
_SIZES = range(1_000, 4_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """One package's pages, of those paths, and what generated them."""

    generator: str
    package: str
    paths: str = ""


MANUALS = (
    Manual(generator="sphinx", package="python3.11-doc"),
    Manual(generator="sphinx", package="sphinx-doc"),
    Manual(generator="sphinx", package="python-flask-doc"),
    Manual(generator="sphinx", package="python-aiohttp-doc"),
    Manual(generator="docbook", package="postgresql-doc-15"),
    Manual(generator="publican", package="debian-handbook", paths="/html/en-US/"),
    Manual(generator="apache", package="apache2-doc", paths="/manual/en/"),
    Manual(generator="asciidoc", package="git-doc"),
    Manual(generator="asciidoctor", package="asciidoctor-doc"),
    Manual(generator="gtk-doc", package="libglib2.0-doc"),
    Manual(generator="gtk-doc", package="libgtk-3-doc"),
    Manual(generator="gi-docgen", package="libpango1.0-doc"),
    Manual(generator="javadoc", package="libcommons-io-java-doc"),
    Manual(generator="doxygen", package="libsdl2-doc"),
    Manual(generator="doxygen", package="libassimp-doc"),
    Manual(generator="mdbook", package="rust-doc", paths="/html/reference/"),
    Manual(generator="haddock", package="libghc-aeson-doc"),
    Manual(generator="mkdocs", package="mkdocs-doc"),
    Manual(generator="node", package="nodejs-doc"),
)
GENERATORS = len({manual.generator for manual in MANUALS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as its package ships it, and its path on the site."""

    file: Path
    path: str


def documentation(packages: Path, *, pages: int | None) -> list[Page]:
    """The pages of all manuals, in an order of no meaning; the first so many if that is asked."""
    fetch(packages, (manual.package for manual in MANUALS))
    found = [page for manual in MANUALS for page in _pages_of(manual, packages)]
    random.Random(_SEED).shuffle(found)
    return found[:pages]


def _pages_of(manual: Manual, packages: Path) -> Iterator[Page]:
    folder = package_folder(packages, manual.package)
    files = sorted(
        file
        for file in folder.rglob("*.htm*")
        if is_candidate(file, manual.paths) and len(page_body(file)) in _SIZES
    )
    top = Path(os.path.commonpath([file.parent for file in files]))
    for file in files:
        path = file.relative_to(top).as_posix().removesuffix(".gz")
        yield Page(file=file, path=f"{manual.package}/{path}")


def lay_out(pages: Iterable[Page], root: Path) -> int:
    """Copy the pages below a document root; how many bytes they are together.

    Pages of an earlier choice stay there, and nobody asks for them.
    """
    total = 0
    for page in pages:
        body = page_body(page.file)
        total += len(body)
        target = root / page.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
    return total


def write_sitemap(urls: Iterable[str], root: Path, *, address: str) -> None:
    """sitemap.xml, and the robots.txt that leads to it and forbids nothing."""
    entries = "\n".join(f"<url><loc>{escape(url)}</loc></url>" for url in urls)
    (root / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}\n</urlset>\n',
        encoding="utf-8",
    )
    (root / "robots.txt").write_text(
        f"User-agent: *\nDisallow:\n\nSitemap: {address}/sitemap.xml\n", encoding="utf-8"
    )
