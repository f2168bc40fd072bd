"""Golden files: a small page and its Markdown for every element and every generator.

python -m tests.convert.golden     write the Markdown anew, for a person to read and commit
"""

from pathlib import Path

from markmirror.convert import convert_html
from markmirror.model import Recipe

FOLDER = Path(__file__).parents[1] / "golden" / "convert"
URL = "https://docs.example.org/guide/page.html"


def cases() -> list[str]:
    """The names of all golden pages."""
    return sorted(path.stem for path in FOLDER.glob("*.html"))


def markdown_of(case: str) -> str:
    """What the converter makes of a golden page today."""
    return convert_html(
        (FOLDER / f"{case}.html").read_bytes(),
        url=URL,
        content_type="text/html; charset=utf-8",
        recipe=Recipe(),
    ).markdown


def main() -> None:
    """Write every golden Markdown file anew."""
    for case in cases():
        (FOLDER / f"{case}.md").write_text(markdown_of(case), encoding="utf-8")


if __name__ == "__main__":
    main()
