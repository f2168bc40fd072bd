"""An independent opinion on cleanup: what two parsers it does not use see before and after.

Each parser renders the page before and after. What must be the same is every tag, every word and
every byte of code, formulas, HTML, tables, link targets and reference definitions. What may differ
is what the rules are for: typography, the case of headings, the place of line breaks, and the
debris of conversion.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt
from markdown_it.token import Token

from markmirror.convert.cleanup import MarkdownCleanupConfig, clean

_MARKDOWN_IT = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_CMARK_EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
_CMARK_OPTIONS = Options.CMARK_OPT_FOOTNOTES

_BLOCKS = frozenset(
    (
        *("p", "ul", "ol", "li", "blockquote", "pre", "hr", "table", "tr", "td", "th"),
        *(f"h{level}" for level in range(1, 7)),
    )
)
_WRAP = frozenset(("wrap",))
_VERBATIM = ("pre", "code", "script", "style", "textarea")
_VOID = frozenset(("br", "hr", "img", "input", "wbr", "meta", "link", "source", "col", "area"))
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‘’‚", "'"),
        "…": "...",
        "—": "--",
        "–": "--",
        "\u00a0": " ",
    }
)
_BLANKS = re.compile(r"\s+")
_LONG_DASH = re.compile("---")
_FRONT_MATTER = re.compile(r"\ufeff?---\n(?=\S).*?\n(?:---|\.\.\.)\n", re.DOTALL)
_HEADING = re.compile("h[1-6]")
_STOPS = re.compile(r"[,;:]+$")
_REFERENCE_BEFORE_STOP = re.compile(r"((?:\[\^[^\]\s]+\])+)([.,;:!?。，]+)")
_STOPS_FIRST = re.compile(r"[.,;:!?。，]+")
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


def findings(markdown: str, config: MarkdownCleanupConfig) -> list[str]:
    """Everything wrong with cleaning `markdown`, in words; nothing when all is well.

    Mending links and wrapping are judged on their own: the first changes what is a link on
    purpose, so the other rules are held to what it leaves.
    """
    cleaned = clean(markdown, config).text
    mending = replace(config, rules=config.rules & {"comments", "links", "debris", "wrap"})
    mended = clean(markdown, mending).text
    verdicts = [judged(mended, cleaned)]
    if "wrap" in config.rules:
        verdicts.append(judged(markdown, clean(markdown, replace(config, rules=_WRAP)).text))
    found = []
    if any(verdict.both for verdict in verdicts):
        found.append("structure: both")
    elif any(verdict.markdown_it for verdict in verdicts):
        found.append("structure: markdown-it")
    elif any(verdict.cmark for verdict in verdicts):
        found.append("structure: cmark")
    if any(verdict.protected for verdict in verdicts):
        found.append("protected bytes")
    if not found and not mended_without_loss(markdown, mended):
        found.append("mending")
    if formulas(markdown) != formulas(cleaned):
        found.append("formulas")
    if clean(cleaned, config).text != cleaned:
        found.append("not idempotent")
    return found


def judged(before: str, after: str) -> Verdict:
    """What two parsers that cleanup does not use say of a change that may only be typographic."""
    return Verdict(
        markdown_it=seen_by_markdown_it(before) != seen_by_markdown_it(after),
        cmark=seen_by_cmark(before) != seen_by_cmark(after),
        protected=protected_bytes(before) != protected_bytes(after),
    )


def mended_without_loss(before: str, after: str) -> bool:
    """Whether mending links and clearing debris kept every block and added no word of its own."""
    for see in (seen_by_markdown_it, seen_by_cmark):
        blocks, words = _blocks_and_words(see(before))
        blocks_after, words_after = _blocks_and_words(see(after))
        remaining = iter(words)
        if blocks != blocks_after or not all(word in remaining for word in words_after):
            return False
    return True


def _blocks_and_words(seen: Seen) -> tuple[list[str], list[str]]:
    blocks = [part[1] for part in seen if part[0] == "start" and part[1] in _BLOCKS]
    # A link without a label gets its address for one; it is no word of the page.
    labels = {f"href={part[1]}" for part in seen if part[0] == "text"}
    text = " ".join(
        part[1]
        for number, part in enumerate(seen)
        if part[0] in ("text", "verbatim")
        and not (number and f"href={part[1]}" in labels and f"href={part[1]}" in seen[number - 1])
    )
    return blocks, re.findall(r"\w", text)


def seen_by_markdown_it(markdown: str) -> Seen:
    """The page as markdown-it-py shows it, without typography."""
    return _seen(str(_MARKDOWN_IT.render(markdown)))


def _raw_html(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f"<code>{escape(tokens[at].content.rstrip())}</code>"


# Broken HTML would swallow the prose after it. cmark leaves HTML out, markdown-it shows it as text.
_MARKDOWN_IT.add_render_rule("html_block", _raw_html)
_MARKDOWN_IT.add_render_rule("html_inline", _raw_html)


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
            yield token.content.rstrip("\n")
        elif token.type == "table_open" and token.map:
            yield "\n".join(lines[token.map[0] : token.map[1]]).rstrip()
        elif token.type == "link_open":
            yield f"{token.attrs['href']} {token.attrs.get('title')}"
        elif token.type == "image":
            yield f"{token.attrs.get('src')} {token.attrs.get('title')} {token.content}"
        if token.children:
            yield from _protected(token.children, lines)


def _seen(html: str) -> Seen:
    parser = _Seer()
    parser.feed(html)
    parser.close()
    return list(_settled(parser.seen))


class _Seer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: Seen = []
        self._verbatim = 0
        self._heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._verbatim += tag in _VERBATIM
        self._heading = self._heading or _HEADING.fullmatch(tag) is not None
        # Alternative text is prose; titles may be broken into lines.
        shown = [f"{name}={_words(_plain(value or ''))}" for name, value in attrs]
        self.seen.append(("start", tag, *shown))

    def handle_endtag(self, tag: str) -> None:
        self._verbatim = max(0, self._verbatim - (tag in _VERBATIM))
        self._heading = self._heading and _HEADING.fullmatch(tag) is None
        if tag not in _VOID:
            self.seen.append(("end", tag))

    def handle_data(self, data: str) -> None:
        if self._verbatim > 0:
            self.seen.append(("verbatim", data))
            return
        text = _plain(data)
        self.seen.append(("text", text.casefold() if self._heading else text))

    def handle_comment(self, data: str) -> None:
        self.seen.append(("comment", data))


def _settled(seen: Seen) -> Iterator[tuple[str, ...]]:
    """`seen` with the intended changes undone on both sides."""
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


def _plain(text: str) -> str:
    return _LONG_DASH.sub("--", text.translate(_TYPOGRAPHY))


def _words(text: str) -> str:
    # Blanks just inside guillemets come with the guillemets.
    text = _REFERENCE_BEFORE_STOP.sub(r"\2\1", text)
    return _BLANKS.sub(" ", text).replace('" ', '"').replace(' "', '"').strip()


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
    for at in range(len(out) - 1, 0, -1):
        stop = _STOPS_FIRST.match(out[at][1]) if out[at][0] == "text" else None
        start = at
        while stop and out[start - 1] == ("end", "sup"):
            start = _start_of(out, start - 1)
        if stop and start < at:
            out[at] = ("text", out[at][1][stop.end() :])
            out.insert(start, ("text", stop[0]))
    for at in range(1, len(out)):
        inside = out[at - 1]
        if out[at] == ("end", "strong") and inside[0] == "text":
            stop = _STOPS.search(inside[1])
            if stop:
                out[at - 1] = ("text", inside[1][: stop.start()])
                out.insert(at + 1, ("text", stop[0]))
    return out


def _start_of(seen: Seen, at: int) -> int:
    tag = seen[at][1]
    while seen[at][:2] != ("start", tag):
        at -= 1
    return at
