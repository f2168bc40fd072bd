"""The only door to pyromark: Markdown in, plain tokens or HTML out.

The shape of pyromark's events has changed between its releases, so nothing outside this module
knows it. Positions are offsets into the UTF-8 bytes of the text.
"""

from collections.abc import Iterator
from typing import Any

import pyromark
from pyromark import Options

Token = tuple[str, str, int, int]
"""Kind, detail, start, end. Kinds: `text`, `soft`, `hard`, `code`, `tag`, `html`, `footnote`,
`task`, `other`; `+Name` opens an element and `-Name` closes it."""

_EVERYDAY = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
    | Options.ENABLE_GFM
    | Options.ENABLE_DEFINITION_LIST
)
_READER = pyromark.Markdown(options=_EVERYDAY)
# A page is read by more than one program: what is one thing to a reader that knows footnotes,
# formulas and definition lists is another to one that does not, and both must see no change.
_DIALECTS = (
    _READER,
    pyromark.Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH),
)

_LEAF_KINDS = {
    "Text": "text",
    "Code": "code",
    "InlineMath": "code",
    "DisplayMath": "code",
    "InlineHtml": "tag",
    "Html": "html",
    "FootnoteReference": "footnote",
    "TaskListMarker": "task",
}
_BARE = {"SoftBreak": "soft", "HardBreak": "hard"}
_LINKS = ("Link", "Image")


class MarkdownUnreadable(Exception):
    """The parser gave up on this text."""


def tokens(markdown: str) -> Iterator[Token]:
    """Every element of `markdown` in order, with the bytes it spans."""
    with _panics_named():
        # Any, because the events' declared types say less than the code below needs.
        events: Iterator[tuple[Any, Any]] = _READER.events_with_range(markdown)
        # One loop without calls: a page has hundreds of events, and this is read three times.
        for event, span in events:
            start, end = span["start"], span["end"]
            if isinstance(event, str):
                yield _BARE.get(event, "other"), "", start, end
                continue
            ((name, value),) = event.items()
            if name == "End":
                tag = value if isinstance(value, str) else next(iter(value))
                yield "-" + tag, "", start, end
            elif name != "Start":
                yield _LEAF_KINDS[name], value if isinstance(value, str) else "", start, end
            elif isinstance(value, str):
                yield "+" + value, "", start, end
            else:
                ((tag, data),) = value.items()
                yield "+" + tag, _detail(tag, data), start, end


def renderings(markdown: str) -> Iterator[str]:
    """`markdown` as HTML, once for each kind of reader it may meet."""
    for dialect in _DIALECTS:
        with _panics_named():
            html = dialect.html(markdown)
        yield html


def _detail(tag: str, data: Any) -> str:
    if tag in _LINKS:
        kind = data["link_type"]
        return kind if isinstance(kind, str) else "WikiLink"
    return ""


class _panics_named:  # noqa: N801
    """Turn a panic of the Rust side, which is no `Exception`, into one that can be handled."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None and kind.__name__ == "PanicException":
            raise MarkdownUnreadable("the parser panicked")
