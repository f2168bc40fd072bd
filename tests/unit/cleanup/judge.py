"""An independent opinion on cleanup: what two parsers it does not use see before and after.

Each parser renders the page before and after. What must be the same is every tag, every word and
every byte of code, formulas, HTML, tables, link targets and reference definitions. What may differ
is what the rules are for: typography, the case of headings, the place of line breaks, and the
debris of conversion.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN_IT = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_CMARK_EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
_CMARK_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES

_VOID = frozenset(("br", "hr", "img", "input", "wbr", "meta", "link", "source", "col", "area"))
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‘’‚", "'"),
        "…": "...",
        "—": "--",
        "–": "--",
        "\u00a0": " ",
        "\u200b": None,
        "\ufeff": None,
    }
)
_BLANKS = re.compile(r"\s+")
_LONG_DASH = re.compile("---")
_EMPTY_BOLD = re.compile(r"\*\* ?\*\*")
_EMPTY_COMMENT = re.compile(r"<!--\s*-->")
_FRONT_MATTER = re.compile(r"\ufeff?---\n(?=\S).*?\n(?:---|\.\.\.)\n", re.DOTALL)
# Links to nowhere become words, and those of a heading to itself go.
_DEAD_TARGET = re.compile(r"$|#|javascript:", re.IGNORECASE)
_SPACE_IN_TARGET = re.compile(r"\[([^\[\]\n]+)\]\(([^\s()<>\"']+(?: [^\s()<>\"']+)+)\)")
_HEADING = re.compile("h[1-6]")
_STOPS = re.compile(r"[,;:]+$")
_FORMULA = re.compile(
    r"\$\$.+?\$\$|(?<![\\$\w])\$[^\s$`](?:[^$`\n]*[^\s$`\\])?\$(?![\d$])", re.DOTALL
)

Seen = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Which of the two judges saw another structure, and whether protected bytes differ."""

    markdown_it: bool
    cmark: bool
    protected: bool

    @property
    def both(self) -> bool:
        """Whether the two judges agree that the structure changed."""
        return self.markdown_it and self.cmark

    @property
    def any(self) -> bool:
        """Whether anything at all was changed that must not be."""
        return self.markdown_it or self.cmark or self.protected


def judged(before: str, after: str) -> Verdict:
    """What two parsers that cleanup does not use say of the change."""
    before, after = (_SPACE_IN_TARGET.sub(r"[\1](<\2>)", text) for text in (before, after))
    return Verdict(
        markdown_it=seen_by_markdown_it(before) != seen_by_markdown_it(after),
        cmark=seen_by_cmark(before) != seen_by_cmark(after),
        protected=protected_bytes(before) != protected_bytes(after),
    )


def seen_by_markdown_it(markdown: str) -> Seen:
    """The page as markdown-it-py shows it, without typography."""
    return _seen(str(_MARKDOWN_IT.render(markdown)))


def seen_by_cmark(markdown: str) -> Seen:
    """The page as GitHub's parser shows it, without typography."""
    return _seen(
        cmarkgfm.markdown_to_html_with_extensions(
            markdown, options=_CMARK_OPTIONS, extensions=_CMARK_EXTENSIONS
        )
    )


def protected_bytes(markdown: str) -> list[str]:
    """Code, HTML, tables, targets, definitions, formulas and front matter, byte for byte."""
    lines = markdown.replace("\r\n", "\n").split("\n")
    env: dict[str, dict[str, dict[str, object]]] = {}
    kept = list(_protected(_MARKDOWN_IT.parse(markdown, env), lines))
    for label, definition in env.get("references", {}).items():
        kept.append(f"{label} {definition['href']} {definition['title']}")
    front = _FRONT_MATTER.match(markdown)
    kept.append(front[0] if front else "")
    return kept


def formulas(markdown: str) -> list[str]:
    """What stands between dollar signs, with its line breaks as blanks."""
    return [_BLANKS.sub(" ", match[0]) for match in _FORMULA.finditer(markdown)]


def _protected(tokens: list[Token], lines: list[str]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("fence", "code_block", "code_inline"):
            yield f"{token.info} {token.content}"
        elif token.type in ("html_block", "html_inline"):
            if not _EMPTY_COMMENT.fullmatch(token.content.strip()):
                yield token.content
        elif token.type == "table_open" and token.map:
            yield "\n".join(lines[token.map[0] : token.map[1]]).rstrip()
        elif token.type == "link_open" and not _DEAD_TARGET.match(str(token.attrs["href"])):
            yield f"{token.attrs['href']} {token.attrs.get('title')}"
        elif token.type == "image":
            yield f"{token.attrs.get('src')} {token.attrs.get('title')} {token.content}"
        if token.children:
            yield from _protected(token.children, lines)


def _seen(html: str) -> Seen:
    parser = _Seer()
    parser.feed(_EMPTY_COMMENT.sub("", html))
    parser.close()
    return list(_settled(parser.seen))


class _Seer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: Seen = []
        self._verbatim = 0
        self._heading = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._verbatim += tag in ("pre", "code", "script", "style", "textarea")
        self._heading += _HEADING.fullmatch(tag) is not None
        shown = [f"{name}={value}" for name, value in attrs if name != "alt"]
        self.seen.append(("start", tag, *shown))

    def handle_endtag(self, tag: str) -> None:
        self._verbatim -= tag in ("pre", "code", "script", "style", "textarea")
        self._heading -= _HEADING.fullmatch(tag) is not None
        if tag not in _VOID:
            self.seen.append(("end", tag))

    def handle_data(self, data: str) -> None:
        if self._verbatim > 0:
            self.seen.append(("verbatim", data))
            return
        text = _LONG_DASH.sub("--", _EMPTY_BOLD.sub("", data).translate(_TYPOGRAPHY))
        self.seen.append(("text", text.casefold() if self._heading > 0 else text))

    def handle_comment(self, data: str) -> None:
        self.seen.append(("comment", data))

    def handle_decl(self, decl: str) -> None:
        self.seen.append(("declaration", decl))

    def handle_pi(self, data: str) -> None:
        self.seen.append(("instruction", data))

    def unknown_decl(self, data: str) -> None:
        self.seen.append(("declaration", data))


def _settled(seen: Seen) -> Iterator[tuple[str, ...]]:
    """`seen` with the intended changes undone on both sides."""
    seen = _without_dead_links(seen)
    seen = _without_bold_in_headings(seen)
    seen = _with_stops_outside(seen)
    text = ""
    for part in seen:
        if part[0] == "text":
            text += part[1]
            continue
        if words := _words(text):
            yield ("text", words)
        text = ""
        yield part
    if words := _words(text):
        yield ("text", words)


def _words(text: str) -> str:
    # Blanks just inside guillemets come with the guillemets.
    return _BLANKS.sub(" ", text).replace('" ', '"').replace(' "', '"').strip()


def _without_dead_links(seen: Seen) -> Seen:
    out: Seen = []
    open_links: list[int] = []
    for part in seen:
        if part[:2] == ("start", "a"):
            open_links.append(len(out))
            out.append(part)
        elif part == ("end", "a") and open_links:
            start = open_links.pop()
            out[start:] = _link(out[start], out[start + 1 :])
        else:
            out.append(part)
    return out


def _link(opening: tuple[str, ...], label: Seen) -> Seen:
    href = next((value for value in opening if value.startswith("href=")), "")[5:]
    words = "".join(part[1] for part in label if part[0] in ("text", "verbatim")).strip()
    if (opening[2:] == ("href=",)) or href.casefold().startswith("javascript:"):
        return label
    bare = all(part[0] == "text" for part in label)
    if bare and href.startswith("#") and words in ("", "¶", "#", "§", "🔗"):
        return []
    if bare and not words and href.startswith("http"):
        label = [("text", href)]
    return [opening, *label, ("end", "a")]


def _without_bold_in_headings(seen: Seen) -> Seen:
    out: Seen = []
    heading = False
    for part in seen:
        if part[0] in ("start", "end") and _HEADING.fullmatch(part[1]):
            heading = part[0] == "start"
        if not (heading and part[0] in ("start", "end") and part[1] == "strong"):
            out.append(part)
    return out


def _with_stops_outside(seen: Seen) -> Seen:
    """Punctuation out of bold type, and in front of references to footnotes."""
    out = list(seen)
    for at in range(1, len(out)):
        inside = out[at - 1]
        if out[at] == ("end", "strong") and inside[0] == "text":
            stop = _STOPS.search(inside[1])
            if stop:
                out[at - 1] = ("text", inside[1][: stop.start()])
                out.insert(at + 1, ("text", stop[0]))
    return out
