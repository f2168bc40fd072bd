"""Where the peers that are libraries put a page, and which part of it they convert."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup  # type: ignore[import-not-found]
from markdownify import MarkdownConverter  # type: ignore[import-not-found]


def write_page(output: Path, url: str, soup: BeautifulSoup) -> None:
    """Write the Markdown of a parsed page to a file of its own."""
    file = output / urlsplit(url).path.lstrip("/")
    file = file.with_name(file.name + ".md")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(MarkdownConverter().convert_soup(_content(soup)), encoding="utf-8")


def _content(soup: BeautifulSoup) -> Any:
    """The element that HTML has for the main content, or the whole body."""
    for unwanted in soup(["script", "style"]):
        unwanted.decompose()
    return soup.find("main") or soup.find(role="main") or soup.find("article") or soup.body or soup
