"""A page taken apart into its leaves: the paragraphs, headings and item texts that rules may edit.

Code, HTML, tables, reference definitions and metadata are no leaves; they are never printed,
only left where they are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from markmirror.convert.cleanup.marks import (
    ANY_MARK,
    BACKSLASH_BREAK,
    CLOSE,
    ENTITY,
    ESCAPE,
    FOOTNOTE,
    HTML,
    LINK_CLOSE,
    LINK_OPEN,
    OPAQUE,
    OPEN,
    SPACES_BREAK,
    STRONG_CLOSE,
    STRONG_OPEN,
    TooManyPieces,
    mark,
)
from markmirror.convert.cleanup.parser import Token, tokens


class LeafKind(StrEnum):
    """What a leaf is on the page; a rule names the kinds it is for."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    DEFINITION = "definition"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One run of prose: its bytes in the page, and the same as text with marks.

    `breaks` are the bytes of each line break inside, in order: trailing blanks, newline, and the
    prefix of the next line. `prefix` is what stands before the leaf on its first line.
    """

    kind: LeafKind
    start: int
    end: int
    text: str
    pieces: list[str]
    breaks: list[str]
    prefix: str


class Block(NamedTuple):
    """Something between the leaves that blank-line and comment rules must know of."""

    name: str
    start: int
    end: int
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The bytes of a page and where its leaves and other blocks are."""

    raw: bytes
    leaves: list[Leaf]
    blocks: list[Block]


_SIMPLE = {"+Emphasis": (OPEN, 1), "+Strong": (STRONG_OPEN, 2)}
_CLOSING = {"-Emphasis": CLOSE, "-Strong": STRONG_CLOSE, "-Strikethrough": CLOSE}
_TRANSPARENT_LINKS = ("Inline", "Reference")
_SPANS = ("Emphasis", "Strong", "Strikethrough", "Link", "Image")
_INLINE = frozenset(
    ("text", "soft", "hard", "code", "tag", "footnote", *(s + n for s in "+-" for n in _SPANS))
)
_HOLDERS = {"+Item": LeafKind.ITEM, "+DefinitionListDefinition": LeafKind.DEFINITION}
_NESTING = (
    *("CodeBlock", "HtmlBlock", "Table", "List", "Paragraph", "Heading", "BlockQuote"),
    *("DefinitionList", "FootnoteDefinition"),
)
_LEAVES = {"+Paragraph": LeafKind.PARAGRAPH, "+Heading": LeafKind.HEADING}
_BLOCKS = frozenset(("other", *("+" + name for name in _NESTING)))
_CLOSES = frozenset("-" + name for name in _NESTING)
# What stands between these tags is meant for a machine or is shown as typed.
_VERBATIM_TAG = re.compile(
    r"<(/?)(pre|script|style|textarea|svg|math|code|kbd|samp|tt|var)\b", re.IGNORECASE
)
# Prose to this parser and syntax to others: definitions, whatever those may hold; notes and
# containers, whose quotes and lines have a meaning; formulas without a dollar.
_SYNTAX_ELSEWHERE = re.compile(
    rb"\A\[[^\[\]]+\]:|^[ \t>]*(?:\*\[[^\[\]]+\]:|!!!|\?\?\?|:::)|\\begin\{", re.MULTILINE
)
# Nothing a person wrote is nested deeper; what is, is left alone.
_DEEPEST = 500
_PREFIX = re.compile(rb"[ \t>]*")


class _NotALeaf(Exception):
    """The tokens of a leaf do not add up to its bytes; it stays as it is."""


def read_page(markdown: str) -> Page:
    """Take `markdown` apart. The leaves come in order and never overlap."""
    return _Reader(markdown).read()


class _Reader:
    def __init__(self, markdown: str) -> None:
        self._raw = markdown.encode()
        self._tokens = tokens(markdown)
        self._leaves: list[Leaf] = []
        self._blocks: list[Block] = []
        # Names of the verbatim tags that are open at this point of the page.
        self._verbatim: list[str] = []

    def read(self) -> Page:
        holders: list[LeafKind] = []
        depth = closed = 0  # `closed` counts the tables and terms we are in: no leaves there
        loose: list[Token] = []
        stream = self._tokens
        for token in stream:
            kind = token[0]
            if kind in _INLINE:
                if holders and not closed:
                    loose.append(token)
                continue
            if loose:
                self._add(holders[-1], loose)
                loose = []
            if kind in _BLOCKS:
                self._blocks.append(Block(kind.lstrip("+"), token[2], token[3], depth))
                if kind in _LEAVES:
                    self._add(_LEAVES[kind], _until(stream, "-" + kind[1:]))
                elif kind == "+CodeBlock":
                    _until(stream, "-CodeBlock")
                elif kind != "other":
                    depth += 1
                    if depth > _DEEPEST:
                        return Page(raw=self._raw, leaves=[], blocks=[])
                    closed += kind == "+Table"
            elif kind in _CLOSES:
                depth -= 1
                closed -= kind == "-Table"
            elif kind == "html":
                self._note_verbatim(token[1])
            elif kind in _HOLDERS:
                holders.append(_HOLDERS[kind])
            elif kind in ("-Item", "-DefinitionListDefinition"):
                holders.pop()
            elif kind == "+DefinitionListTitle":
                closed += 1
            elif kind == "-DefinitionListTitle":
                closed -= 1
        return Page(raw=self._raw, leaves=self._leaves, blocks=self._blocks)

    def _note_verbatim(self, html: str) -> None:
        for tag in _VERBATIM_TAG.finditer(html):
            name = tag[2].lower()
            if not tag[1]:
                self._verbatim.append(name)
            elif name in self._verbatim:
                self._verbatim.remove(name)

    def _add(self, kind: LeafKind, inline: list[Token]) -> None:
        was_verbatim = bool(self._verbatim)
        for token in inline:
            if token[0] == "tag":
                self._note_verbatim(token[1])
        if inline and inline[0][0] == "task":
            inline = inline[1:]
        if was_verbatim or self._verbatim or not inline:
            return
        start = inline[0][2]
        if _SYNTAX_ELSEWHERE.search(self._raw[start : inline[-1][3]]):
            return
        if inline[0][0] == "text" and self._raw[start - 1 : start] == b"\\":
            start -= 1
        try:
            leaf = _Flattener(self._raw, start).flatten(kind, inline)
        except (_NotALeaf, TooManyPieces):
            return
        self._leaves.append(leaf)


def _until(stream: Iterator[Token], closing: str) -> list[Token]:
    inline = []
    for token in stream:
        if token[0] == closing:
            break
        inline.append(token)
    return inline


class _Flattener:
    """Walks the tokens of one leaf and accounts for every byte between its first and its last."""

    def __init__(self, raw: bytes, start: int) -> None:
        self._raw = raw
        self._start = start
        self._at = start
        self._prefix = raw[raw.rfind(b"\n", 0, start) + 1 : start].decode()
        self._quote_indent = self._prefix.expandtabs(4).find(">")
        self._out: list[str] = []
        self._pieces: list[str] = []
        self._breaks: list[str] = []
        self._open: list[tuple[int, int]] = []  # length of the delimiter, end of the element

    def flatten(self, kind: LeafKind, inline: list[Token]) -> Leaf:
        tokens_left = iter(inline)
        for token in tokens_left:
            self._take(token, tokens_left)
        if self._open:
            raise _NotALeaf
        written = "".join(self._out)
        text = written.rstrip(" \t")
        return Leaf(
            kind=kind,
            start=self._start,
            end=self._at - (len(written) - len(text)),
            text=text,
            pieces=self._pieces,
            breaks=self._breaks,
            prefix=self._prefix,
        )

    def _take(self, token: Token, rest: Iterator[Token]) -> None:
        kind, detail, start, end = token
        if kind == "text":
            self._text(detail, start, end)
        elif kind == "soft":
            self._soft_break(start, end)
        elif kind in _SIMPLE:
            base, length = _SIMPLE[kind]
            self._open_element(base, start, length, end)
        elif kind == "+Strikethrough":
            length = 2 if self._raw[start : start + 2] == b"~~" else 1
            self._open_element(OPEN, start, length, end)
        elif kind in _CLOSING:
            length, end = self._opened()
            self._expect(end - length)
            self._piece(_CLOSING[kind], end)
        elif kind == "+Link" and detail in _TRANSPARENT_LINKS:
            self._open_element(LINK_OPEN, start, 1, end)
        elif kind == "-Link":
            _, end = self._opened()
            if self._raw[self._at : self._at + 1] != b"]":
                raise _NotALeaf
            self._piece(LINK_CLOSE, end)
        elif kind in ("+Link", "+Image"):
            self._skip_element(kind, rest)
            # The parser's span of `[label][]` ends before the empty brackets.
            if detail == "Collapsed" and self._raw[end : end + 2] == b"[]":
                end += 2
            self._expect(start)
            self._piece(OPAQUE, end)
        elif kind == "hard":
            self._hard_break(start, end)
        else:
            self._expect(start)
            if kind == "tag" and (opening := _VERBATIM_TAG.match(detail)) and not opening[1]:
                self._piece(OPAQUE, self._verbatim_end(rest, end))
                return
            self._piece({"tag": HTML, "footnote": FOOTNOTE}.get(kind, OPAQUE), end)

    def _verbatim_end(self, rest: Iterator[Token], end: int) -> int:
        """Where the run of verbatim tags that has just opened is closed again."""
        open_tags = 1
        for kind, detail, _, token_end in rest:
            end = token_end
            if kind == "tag" and (tag := _VERBATIM_TAG.match(detail)):
                open_tags += -1 if tag[1] else 1
                if not open_tags:
                    return end
        raise _NotALeaf

    def _text(self, text: str, start: int, end: int) -> None:
        source = self._raw[start:end].decode()
        if start != self._at:
            self._gap(start)
        if source == text:
            if not text.isascii() and ANY_MARK.search(text):
                raise _NotALeaf
            self._out.append(text)
            self._at = end
        else:
            self._piece(ENTITY, end)

    def _gap(self, end: int) -> None:
        """Bytes that belong to no token: the backslash of an escape, or the blanks of a line."""
        if self._raw[self._at : end] != b"\\":
            self._expect(end)
            return
        self._out.append(ESCAPE)
        self._at = end

    def _soft_break(self, start: int, end: int) -> None:
        trailing = self._raw[self._at : start]
        if trailing.strip(b" \t"):
            raise _NotALeaf
        self._line_end(end)
        self._out.append("\n")

    def _hard_break(self, start: int, end: int) -> None:
        self._expect(start)
        base = BACKSLASH_BREAK if self._raw[start : start + 1] == b"\\" else SPACES_BREAK
        prefix = _PREFIX.match(self._raw, end)
        self._piece(base, prefix.end() if prefix else end)

    def _line_end(self, end: int) -> None:
        prefix = _PREFIX.match(self._raw, end)
        after = prefix.end() if prefix else end
        line_break = self._raw[self._at : after].decode()
        # Parsers disagree on what a `>` after four blanks is, where the quote has no such level.
        indent = line_break.partition("\n")[2].expandtabs(4).find(">")
        if indent >= self._quote_indent + 4:
            raise _NotALeaf
        self._breaks.append(line_break)
        self._at = after

    def _open_element(self, base: int, start: int, length: int, end: int) -> None:
        self._expect(start)
        self._piece(base, start + length)
        self._open.append((length, end))

    def _opened(self) -> tuple[int, int]:
        if not self._open:
            raise _NotALeaf  # it was opened inside something verbatim
        return self._open.pop()

    def _skip_element(self, kind: str, rest: Iterator[Token]) -> None:
        depth = 1
        for token in rest:
            depth += token[0] == kind
            depth -= token[0] == "-" + kind[1:]
            if not depth:
                return

    def _piece(self, base: int, end: int) -> None:
        self._out.append(mark(base, len(self._pieces)))
        self._pieces.append(self._raw[self._at : end].decode())
        self._at = end

    def _expect(self, start: int) -> None:
        if self._at != start:
            raise _NotALeaf
