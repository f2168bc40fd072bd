"""The demo's pages as Markdown, kept in golden/ to be read and compared.

python -m tests.convert.golden_pages     write them anew; then read the difference in git
"""

from pathlib import Path

from demo.website import FOLDER
from markmirror.convert import convert_html
from markmirror.model import Recipe

GOLDEN = Path(__file__).parent / "golden"
PAGES = sorted(FOLDER.rglob("*.html"))


def golden_file(page: Path) -> Path:
    """Where the Markdown of a page is kept."""
    return GOLDEN / page.relative_to(FOLDER).with_suffix(".md")


def markdown_of(page: Path) -> str:
    """The page's Markdown today."""
    url = f"https://larkspur.example/{page.relative_to(FOLDER).as_posix()}".removesuffix(
        "index.html"
    )
    body = page.read_bytes()
    return convert_html(body, url=url, content_type="text/html", recipe=Recipe()).markdown


if __name__ == "__main__":
    for page in PAGES:
        golden_file(page).parent.mkdir(parents=True, exist_ok=True)
        golden_file(page).write_text(markdown_of(page), encoding="utf-8")
