"""A page's body in storage format as Markdown, with everything it refers to."""

from dataclasses import dataclass

from markmirror.convert import convert_fragment
from markmirror.convert.storage_format.anchors import resolve_anchors
from markmirror.convert.storage_format.elements import ELEMENTS
from markmirror.convert.storage_format.marks import Marks
from markmirror.convert.storage_format.reader import read_storage
from markmirror.convert.storage_format.references import References, StorageContext
from markmirror.convert.storage_format.translation import Translation


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageDocument:
    """A page's content as Markdown, what it refers to, and what the converter noticed.

    `notes` may say "malformed-storage": the body was not well-formed and has been repaired.
    """

    markdown: str
    references: References
    unknown_macros: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def storage_to_document(storage: str, *, context: StorageContext) -> StorageDocument:
    """Convert a body: asking `context` alone, never raising, in time linear to its size."""
    translation, html, repaired = _translated(storage, context)
    notes = [
        _definition(number, _written(translation, note))
        for number, note in enumerate(translation.footnotes, start=1)
    ]
    markdown = "\n".join([_written(translation, html), *notes])
    return StorageDocument(
        markdown=resolve_anchors(markdown, title=context.page_title),
        references=translation.log.frozen(),
        unknown_macros=tuple(translation.unknown_macros),
        notes=("malformed-storage",) if repaired else (),
    )


def references_in(storage: str, *, context: StorageContext) -> References:
    """What a body refers to, without writing it: so that a context can be filled for it."""
    translation, _, _ = _translated(storage, context)
    return translation.log.frozen()


def _translated(storage: str, context: StorageContext) -> tuple[Translation, str, bool]:
    # JSON may escape half of a surrogate pair, which no URL or file can be made of.
    storage = storage.encode("utf-8", "replace").decode()
    tree = read_storage(storage)
    translation = Translation(context=context, handlers=ELEMENTS, marks=Marks.foreign_to(storage))
    return translation, translation.inside(tree.root), tree.repaired


def _written(translation: Translation, html: str) -> str:
    written = convert_fragment(html, base_url=translation.context.base_url)
    return translation.marks.restore(written)


def _definition(number: int, note: str) -> str:
    """A footnote as it stands below the page; lines that were not indented would be the page's."""
    first, *rest = note.rstrip("\n").split("\n")
    lines = [f"[^{number}]: {first}".rstrip(), *(f"    {line}" if line else "" for line in rest)]
    return "\n".join(lines) + "\n"
