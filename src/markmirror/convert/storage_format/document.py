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
    written = convert_fragment(html, base_url=context.base_url)
    markdown = translation.marks.restore(written)
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
    html = translation.inside(tree.root)
    for number, note in enumerate(translation.footnotes, start=1):
        html += f"<div>{translation.marks.inline(f'[^{number}]:')} {note}</div>"
    return translation, html, tree.repaired
