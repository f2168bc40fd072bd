"""The pages that conversion is measured on: real ones, from Debian's documentation packages.

    python -m benchmarks.corpus fetch DIR     download and unpack the packages (apt, as root)
    python -m benchmarks.corpus sample DIR    draw the pages with a fixed seed, rewrite corpus.txt
    python -m benchmarks.corpus check DIR     compare the pages in DIR with the hashes in corpus.txt

The pages themselves are too many to keep here. Their hashes are kept, so that nobody moves a score
by editing a page, and another version of a package is seen at once.
"""

import gzip
import hashlib
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import turbohtml

LISTING = Path(__file__).with_name("corpus.txt")
_SEED = 20261115
_PAGES_PER_GENERATOR = 28
_MIN_WORDS = 60
_SIZES = range(1_500, 400_000)
_NOT_PAGES = re.compile(
    r"genindex|searchindex|search\.html|py-modindex|/_static/|class-use|index-files|src-html|"
    r"package-tree|overview-tree|allclasses|doc-index|-members\.html|_8h_source|/help-doc|"
    r"print\.html|/lang/|/_sources/|-source\.html|redirect|/src/"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """One documentation generator: its packages, and the element it marks as the content."""

    name: str
    packages: tuple[str, ...]
    content: str
    paths: str = ""


GENERATORS = (
    Generator(
        name="sphinx",
        packages=(
            *("python3.11-doc", "sphinx-doc", "cmake-doc", "python-scipy-doc"),
            *("python-pandas-doc", "python-aiohttp-doc", "python-flask-doc"),
            "developers-reference",
        ),
        content="main[role=main], div[role=main]",
    ),
    Generator(name="mkdocs", packages=("mkdocs-doc",), content="[role=main]"),
    Generator(
        name="javadoc", packages=("openjdk-17-doc", "libcommons-io-java-doc"), content="main"
    ),
    Generator(
        name="doxygen",
        packages=("libeigen3-doc", "libsdl2-doc", "libassimp-doc"),
        content="div.contents",
    ),
    Generator(name="rustdoc", packages=("rust-doc",), content="#main-content", paths="/html/std/"),
    Generator(name="mdbook", packages=("rust-doc",), content="#content main", paths=""),
    Generator(
        name="docbook",
        packages=("postgresql-doc-15", "debian-reference-en", "libboost1.81-doc"),
        content="body > div.sect1, body > div.refentry, body > div.chapter, body > div.section",
    ),
    Generator(name="gtk-doc", packages=("libglib2.0-doc", "libgtk-3-doc"), content="div.refentry"),
    Generator(
        name="gi-docgen", packages=("libgtk-4-doc", "libpango1.0-doc"), content="section#main"
    ),
    Generator(name="asciidoc", packages=("git-doc",), content="#content"),
    Generator(name="asciidoctor", packages=("asciidoctor-doc",), content="main"),
    Generator(name="qdoc", packages=("qtbase5-doc-html",), content="div.mainContent"),
    Generator(name="haddock", packages=("libghc-aeson-doc", "ghc-doc"), content="#content"),
    Generator(name="node", packages=("nodejs-doc",), content="#apicontent"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One listed page. `content` selects the element that its generator marks."""

    generator: str
    package: str
    version: str
    path: str
    sha256: str

    @property
    def content(self) -> str:
        return next(kind.content for kind in GENERATORS if kind.name == self.generator)

    @property
    def url(self) -> str:
        return f"https://docs.example.org/{self.package}{self.path.removesuffix('.gz')}"

    def read(self, root: Path) -> bytes:
        """The page's bytes; raises ValueError if they are not the ones that were listed."""
        body = page_body(package_folder(root, self.package) / self.path.lstrip("/"))
        if hashlib.sha256(body).hexdigest() != self.sha256:
            raise ValueError(f"{self.package}{self.path} is not the page that was listed.")
        return body


def listed() -> list[Page]:
    """The pages of corpus.txt."""
    pages = []
    for line in LISTING.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            generator, package, version, digest, path = line.split(" ", 4)
            pages.append(
                Page(
                    generator=generator, package=package, version=version, path=path, sha256=digest
                )
            )
    return pages


def sample(root: Path, *, seed: int) -> Iterator[Page]:
    """Pages drawn with a fixed seed, the same number for each generator where it has as many."""
    for kind in GENERATORS:
        share = -(-_PAGES_PER_GENERATOR // len(kind.packages))
        for package in kind.packages:
            folder = package_folder(root, package)
            version = folder.name.split("_")[1].replace("%3a", ":")
            files = sorted(
                path for path in folder.rglob("*.htm*") if is_candidate(path, kind.paths)
            )
            random.Random(f"{seed}/{kind.name}/{package}").shuffle(files)
            taken = 0
            for path in files:
                if taken == share:
                    break
                body = page_body(path)
                if len(body) in _SIZES and _has_content(body, kind.content):
                    taken += 1
                    yield Page(
                        generator=kind.name,
                        package=package,
                        version=version,
                        path="/" + path.relative_to(folder).as_posix(),
                        sha256=hashlib.sha256(body).hexdigest(),
                    )


def is_candidate(path: Path, paths: str) -> bool:
    """Whether a file below such a path is a page of documentation, going by its name."""
    name = path.as_posix()
    if path.is_symlink() or not path.is_file() or _NOT_PAGES.search(name):
        return False
    return paths in name


def _has_content(body: bytes, selector: str) -> bool:
    page = turbohtml.parse(body, detect_encoding=True)
    found = page.select(selector)
    return len(found) == 1 and len(found[0].text.split()) >= _MIN_WORDS


def page_body(path: Path) -> bytes:
    """The bytes of a page, unpacked if its package ships it compressed."""
    body = path.read_bytes()
    return gzip.decompress(body) if path.suffix == ".gz" else body


def package_folder(root: Path, package: str) -> Path:
    """Where `fetch` unpacked a package; raises ValueError if it did not."""
    found = sorted(path for path in root.glob(f"{package}_*") if path.is_dir())
    if not found:
        raise ValueError(f"{package} is not in {root}: fetch the corpus first.")
    return found[0]


def fetch(root: Path, packages: Iterable[str]) -> None:
    """Download these packages with apt and unpack them; those that are there already stay."""
    root.mkdir(parents=True, exist_ok=True)
    missing = [name for name in sorted(set(packages)) if not any(root.glob(f"{name}_*/"))]
    if missing:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
    for package in missing:
        subprocess.run(["apt-get", "download", "-qq", package], cwd=root, check=True)
    for archive in root.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", archive, root / archive.stem], check=True)
        archive.unlink()


def _write_listing(pages: list[Page]) -> None:
    lines = [
        "# The pages that conversion is measured on; see corpus.py.",
        "# generator package version sha256 path",
        *(
            f"{page.generator} {page.package} {page.version} {page.sha256} {page.path}"
            for page in pages
        ),
    ]
    LISTING.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(command: str, folder: str) -> None:
    """One of the three commands above."""
    root = Path(folder)
    if command == "fetch":
        fetch(root, (name for kind in GENERATORS for name in kind.packages))
    elif command == "sample":
        pages = list(sample(root, seed=_SEED))
        _write_listing(pages)
        print(len(pages), "pages listed")
    else:
        pages = listed()
        for page in pages:
            page.read(root)
        print(len(pages), "pages are as listed")


if __name__ == "__main__":
    main(*sys.argv[1:])
