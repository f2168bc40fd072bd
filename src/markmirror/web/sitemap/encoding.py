"""How a document is encoded, and how its characters and its bytes are counted."""

import codecs
import re
from dataclasses import dataclass

_HEAD_BYTES = 1024
_DECLARED_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16, whose mark they begin with.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ASCII = bytes(range(128))


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How a document is encoded, and the length of the byte order mark it begins with."""

    name: str
    mark_bytes: int = 0


def detect_encoding(head: bytes, *, final: bool) -> Encoding | None:
    """The encoding by mark, by shape or by declaration; None while too little has been seen."""
    if not final and len(head) < _HEAD_BYTES and (len(head) < 4 or b">" not in head):
        return None
    for mark, name in _BOMS:
        if head.startswith(mark):
            return Encoding(name=name, mark_bytes=len(mark))
    if len(head) >= 2 and (head[0] == 0) != (head[1] == 0):
        return Encoding(name="utf-16-be" if head[0] == 0 else "utf-16-le")
    declared = _DECLARED_ENCODING.match(head[:_HEAD_BYTES].lstrip())
    if declared:
        return Encoding(name=_usable_encoding(declared[1].decode("ascii")))
    return Encoding(name="utf-8")


def _usable_encoding(name: str) -> str:
    """The codec's own name, if it agrees with ASCII where ASCII speaks; else UTF-8."""
    try:
        codec = codecs.lookup(name).name
        if _ASCII.decode(codec) == _ASCII.decode("ascii"):
            return codec
    except (LookupError, UnicodeError, AssertionError):
        pass
    return "utf-8"


def decoded(data: bytes, encoding: str) -> tuple[str, int]:
    """The text of the bytes, and how many bytes at the end are part of a character only."""
    try:
        decoder = codecs.getincrementaldecoder(encoding)(_lenience(encoding))
        text = decoder.decode(data)
    except UnicodeDecodeError:
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        text = decoder.decode(data)
    return text, len(decoder.getstate()[0])


def encoded_length(text: str, encoding: str) -> int:
    """How many bytes the text was decoded from."""
    if text.isascii() and encoding == "utf-8":
        return len(text)
    try:
        return len(text.encode(encoding, _lenience(encoding)))
    except UnicodeEncodeError:
        return len(text.encode(encoding, "replace"))


def _lenience(encoding: str) -> str:
    """The error handler under which decoding can be undone, so that offsets stay exact."""
    if encoding.startswith("utf-16"):
        return "surrogatepass"
    return "replace" if encoding.startswith("utf-32") else "surrogateescape"
