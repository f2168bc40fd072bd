"""Bytes to text as a browser reads them: byte-order mark, HTTP header, `<meta>`, detection.

A label can lie. What a browser would show as replacement signs or as mojibake is read again with
the encoding that the bytes themselves speak for, and the page is marked so that it can be counted.
"""

import codecs
import re
from dataclasses import dataclass

from markmirror.convert import signs, tree

MISLABELLED = "charset-mislabelled"

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?([^\s\"'/>;]+)", re.IGNORECASE)
_REPLACEMENT = "�"
_REPLACEMENT_UTF8 = b"\xef\xbf\xbd"
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A parsed page and what was remarkable about reading it."""

    page: tree.Document
    notes: tuple[str, ...] = ()


def read_page(body: bytes, *, content_type: str) -> Decoded:
    """The page as a tree, decoded as well as its bytes allow."""
    if body.startswith(_BYTE_ORDER_MARKS):
        return Decoded(page=_cleaned(tree.parse(body)))
    header = _CHARSET.search(content_type)
    label = _known(header.group(1)) if header else None
    if body.isascii() and not _escapes(body, label):
        return Decoded(page=tree.parse(signs.without_signs(body.decode("ascii"))))
    text = _as_utf8(body)
    if text is not None:
        text = signs.without_signs(text)
        # Bytes that happen to be valid UTF-8 beyond ASCII are UTF-8, whatever the label says.
        declared = label or _declared(body)
        if declared in (None, "utf-8"):
            return Decoded(page=tree.parse(text))
        if not _is_wide(declared):
            return Decoded(page=tree.parse(text), notes=(MISLABELLED,))
    return _legacy(body, label)


def _legacy(body: bytes, label: str | None) -> Decoded:
    page = tree.parse(body, encoding=label)
    if _REPLACEMENT_UTF8 in body or not _is_damaged(page):
        return Decoded(page=_cleaned(page))
    return _reread(body, page)


def _reread(body: bytes, page: tree.Document) -> Decoded:
    """The label gave replacement signs: let the bytes speak, with every label hidden."""
    unlabelled = re.sub(rb"(?i)charset", b"c-arset", body)
    match = tree.detect(unlabelled)
    if match.encoding is None or match.encoding == page.encoding:
        return Decoded(page=_cleaned(page))
    second = tree.parse(body, encoding=match.encoding)
    if _damage(second) >= _damage(page):
        return Decoded(page=_cleaned(page))
    return Decoded(page=_cleaned(second), notes=(MISLABELLED,))


def _cleaned(page: tree.Document) -> tree.Document:
    """A page that only the parser could decode, without the signs that are ours."""
    html = page.html
    return tree.parse(signs.without_signs(html)) if signs.are_in(html) else page


def _declared(body: bytes) -> str | None:
    found = _META_CHARSET.search(body)
    return _known(found.group(1).decode("ascii", "replace")) if found else None


def _known(label: str) -> str | None:
    """The label as a name the parser takes, or None where nobody knows it."""
    name = label.strip().lower()
    if name in {"utf8", "utf-8", "unicode-1-1-utf-8"}:
        return "utf-8"
    try:
        tree.parse(b"", encoding=name)
    except LookupError:
        return _python_name(name)
    return name


def _python_name(name: str) -> str | None:
    """A name only Python knows ("latin-1", "cp1251"), as the parser spells it."""
    try:
        spelled = codecs.lookup(name).name
        tree.parse(b"", encoding=spelled)
    except (LookupError, ValueError):
        return None
    return spelled


def _as_utf8(body: bytes) -> str | None:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _escapes(body: bytes, label: str | None) -> bool:
    """Whether ASCII bytes may still mean something else: ISO-2022-JP, UTF-16 without a mark."""
    return b"\x1b" in body or _is_wide(label)


def _is_wide(label: str | None) -> bool:
    """Whether two bytes of this encoding can look like valid UTF-8 by chance more than rarely."""
    return label is not None and label.startswith(("utf-16", "iso-2022"))


def _is_damaged(page: tree.Document) -> bool:
    return _REPLACEMENT in page.text


def _damage(page: tree.Document) -> int:
    return page.text.count(_REPLACEMENT)
