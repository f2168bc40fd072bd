"""The independent judges: markdown-it-py and cmark-gfm read our Markdown back into HTML.

Neither shares a line with the converter. HTML is compared after the normalisation of the
CommonMark test suite: white space that no browser shows does not count, attribute order neither.
"""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import cmarkgfm  # type: ignore[import-untyped]
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from markdown_it import MarkdownIt

_COMMONMARK = MarkdownIt("commonmark")
_TABLES = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# The judge reads what a converter wrote; which addresses are wise is not its question.
_TABLES.validateLink = lambda _url: True  # type: ignore[method-assign]
_EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]

_BLOCKS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "ol", "li", "blockquote", "hr", "div"}
    | {"table", "thead", "tbody", "tr", "th", "td", "br"}
)
_VOID = frozenset({"br", "hr", "img", "input"})
_NOT_IN_A_URL = {ord(character): None for character in "\n\r\t"}
_SPACES = re.compile(r"\s+")
# What the CommonMark renderer itself writes. Anything else in an example is raw HTML.
_RAW_HTML = re.compile(
    r"<(?!/?(?:p|h[1-6]|pre|code|em|strong|a|img|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|"
    r"th|td|del|input)\b)[a-zA-Z!?/]"
)


def commonmark_html(markdown: str) -> str:
    """HTML by markdown-it-py, CommonMark alone."""
    return str(_COMMONMARK.render(markdown))


def tables_html(markdown: str) -> str:
    """HTML by markdown-it-py, CommonMark with GFM's tables and strikethrough."""
    return str(_TABLES.render(markdown))


def gfm_html(markdown: str) -> str:
    """HTML by cmark-gfm with all of GFM's extensions."""
    html: str = cmarkgfm.markdown_to_html_with_extensions(
        markdown, options=Options.CMARK_OPT_UNSAFE, extensions=_EXTENSIONS
    )
    return html


def holds_raw_html(html: str) -> bool:
    """Whether an example's HTML has more in it than Markdown can say."""
    return _RAW_HTML.search(html) is not None or html.startswith("<a ")


def is_core(example: dict[str, str]) -> bool:
    """Whether an example is about Markdown: not raw HTML, not footnotes, not left to the reader."""
    html = example["html"]
    if example["section"] in {"HTML blocks", "Raw HTML", "Disallowed Raw HTML (extension)"}:
        return False
    return not (holds_raw_html(html) or "footnote" in html)


def normalised(html: str) -> str:
    """The HTML in one spelling, so that equal meaning is equal text."""
    speller = _Speller()
    speller.feed(html)
    speller.close()
    speller.close_to(0)
    return "".join(speller.parts).strip()


class _Speller(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._open: list[str] = []
        self._after_block = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self._trim()
        self.parts.append(
            f"<{tag}{''.join(sorted(_spelled(name, value) for name, value in attrs))}>"
        )
        if tag not in _VOID:
            self._open.append(tag)
        self._after_block = tag in _BLOCKS

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self.close_to(len(self._open) - 1 - self._open[::-1].index(tag))

    def close_to(self, depth: int) -> None:
        """End the open elements from here on, as a browser does at the end of their parent."""
        while len(self._open) > depth:
            tag = self._open.pop()
            if tag in _BLOCKS and tag != "pre":
                self._trim()
            self.parts.append(f"</{tag}>")
            self._after_block = tag in _BLOCKS

    def handle_data(self, data: str) -> None:
        if "pre" in self._open:
            self.parts.append(data)
            return
        text = _SPACES.sub(" ", data)
        if self._after_block:
            text = text.lstrip(" ")
        if text:
            self.parts.append(text.replace("<", "&lt;"))
            self._after_block = False

    def _trim(self) -> None:
        if self.parts and "pre" not in self._open and not self.parts[-1].startswith("<"):
            self.parts[-1] = self.parts[-1].rstrip(" ")


def _spelled(name: str, value: str | None) -> str:
    value = value or ""
    if name == "disabled" or (name == "alt" and not value):
        return ""
    if name in {"href", "src"}:
        # A URL parser drops line ends and tabs before it looks at an address.
        value = unquote(value).translate(_NOT_IN_A_URL)
    return f' {name}="{value}"'
