"""What is in a piece of Markdown, read by a parser that this project did not write.

`python -m tests.confluence.structure` prints how well the converter's Markdown of each set of
fixtures agrees with the Markdown that came with it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from markmirror.convert.storage_format import StorageContext, storage_to_document

FIXTURES = Path(__file__).parents[1] / "fixtures" / "confluence"
SETS = ("highsource-jsonix", "hunyadi-md2conf", "pchuri-confluence-cli")
_WORD = re.compile(r"\w+")
# Signs with which a publishing tool is told what to do; nothing of them is on the page.
_DIRECTIVES = re.compile(r"\A---\n.*?\n---\n|<!-- confluence-.*?-->", re.DOTALL)


@dataclass(slots=True)
class Structure:
    """Each kind of thing with how often it occurs."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    fences: list[tuple[str, str]] = field(default_factory=list)
    parts: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, kind: str, text: str) -> None:
        self.parts.setdefault(kind, Counter())[" ".join(text.split())] += 1


def structure(markdown: str) -> Structure:
    """Headings, code, links, images, list items, cells and words of a page."""
    found = Structure()
    tokens = _parser().parse(markdown)
    for place, token in enumerate(tokens):
        if token.type == "fence" or token.type == "code_block":
            found.fences.append((token.info.strip(), token.content))
            found.count("code", token.content)
        elif token.type == "inline":
            _read_inline(token, tokens[place - 1], tokens, place, found)
    for word in words(markdown):
        found.count("words", word)
    return found


def _read_inline(
    token: Token, opening: Token, tokens: list[Token], place: int, found: Structure
) -> None:
    text = "".join(_texts(token))
    if opening.type == "heading_open":
        found.headings.append((int(opening.tag[1]), text.strip()))
        found.count("headings", f"{opening.tag} {text}")
    elif opening.type in ("th_open", "td_open"):
        found.count("cells", text)
    elif place > 1 and tokens[place - 2].type == "list_item_open":
        found.count("items", text)
    label: list[str] | None = None
    for child in token.children or ():
        if child.type == "link_open":
            label = []
        elif child.type == "link_close" and label is not None:
            found.count("links", "".join(label))
            label = None
        elif child.type == "image":
            found.count("images", (child.attrGet("src") and "image") or "")
        if label is not None:
            label.append(child.content)


def _texts(token: Token) -> Iterator[str]:
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            yield " "
        elif child.type not in ("html_inline", "image"):
            yield child.content


def words(markdown: str) -> list[str]:
    """Every word that a reader of the rendered page sees, alternative texts included."""
    reader = _Words()
    reader.feed(_parser().render(markdown))
    return _WORD.findall(" ".join(reader.texts))


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.texts.append(f" {dict(attrs).get('alt') or ''} ")
        elif tag in ("p", "br", "li", "td", "th", "div", "h1", "h2", "h3", "pre"):
            self.texts.append(" ")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def agreement(ours: Structure, theirs: Structure) -> float:
    """From 0 to 1, the mean over the kinds that either has of how far both have the same."""
    kinds = ours.parts.keys() | theirs.parts.keys()
    scores = []
    for kind in kinds:
        left, right = ours.parts.get(kind, Counter()), theirs.parts.get(kind, Counter())
        scores.append(2 * (left & right).total() / (left.total() + right.total()))
    return sum(scores) / len(scores) if scores else 1.0


def fixture_names(folder: str) -> list[str]:
    return sorted(path.name.split(".")[0] for path in (FIXTURES / folder).glob("*.storage.xml"))


def storage_of(folder: str, name: str) -> str:
    return (FIXTURES / folder / f"{name}.storage.xml").read_text(encoding="utf-8")


def markdown_of(storage: str) -> str:
    context = StorageContext(base_url="https://wiki.test/wiki", space_key="DOC", page_id="1")
    return storage_to_document(storage, context=context).markdown


def score(folder: str, name: str) -> float:
    theirs = (FIXTURES / folder / f"{name}.md").read_text(encoding="utf-8")
    ours = markdown_of(storage_of(folder, name))
    return agreement(structure(ours), structure(_DIRECTIVES.sub("", theirs)))


def main() -> None:
    for folder in SETS:
        scores = {name: score(folder, name) for name in fixture_names(folder)}
        print(f"{folder}: {sum(scores.values()) / len(scores):.3f} over {len(scores)} pages")
        for name, reached in sorted(scores.items(), key=lambda item: item[1]):
            print(f"    {reached:.3f} {name}")


if __name__ == "__main__":
    main()
