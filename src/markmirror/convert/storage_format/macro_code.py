"""Macros that hold text to be shown as typed: code, diagrams, formulas, Markdown."""

import base64
import binascii
import re
import zlib
from html import escape
from urllib.parse import unquote

from markmirror.convert.storage_format.macro_files import diagram
from markmirror.convert.storage_format.parameters import parameter_text, plain_body
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.translation import Translation

# Confluence's names where they differ from what Markdown tools know.
_LANGUAGES = {
    "actionscript3": "actionscript",
    "c#": "csharp",
    "coldfusion": "cfm",
    "html/xml": "xml",
    "javafx": "java",
    "none": "",
    "plain": "",
    "plain text": "",
    "text": "",
    "shell": "bash",
    "visual basic": "vb",
    "vbnet": "vb",
}
_NOT_IN_A_NAME = re.compile(r"[^\w+#.-]")
_INFLATED_LIMIT = 4 * 1024 * 1024


def code(translation: Translation, macro: Element) -> str:  # noqa: ARG001
    """A fence in the language given; none given is none."""
    given = parameter_text(macro, "language", "lang", "").lower()
    language = _NOT_IN_A_NAME.sub("", _LANGUAGES.get(given, given))
    title = parameter_text(macro, "title")
    heading = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return heading + fence(plain_body(macro), language)


def noformat(translation: Translation, macro: Element) -> str:  # noqa: ARG001
    title = parameter_text(macro, "title")
    heading = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return heading + fence(plain_body(macro))


def html_source(translation: Translation, macro: Element) -> str:  # noqa: ARG001
    """HTML that only the server would run, shown rather than run."""
    return fence(plain_body(macro), "html")


def plantuml(translation: Translation, macro: Element) -> str:  # noqa: ARG001
    return fence(plain_body(macro), "plantuml")


def mermaid(translation: Translation, macro: Element) -> str:
    """Mermaid's source where it is on the page, else the file it is in."""
    text = plain_body(macro)
    return fence(text, "mermaid") if text.strip() else diagram(translation, macro)


def packed_plantuml(translation: Translation, macro: Element) -> str:
    """PlantUML kept compressed in a parameter; the file beside it if that cannot be read."""
    source = unpacked(parameter_text(macro, "data"))
    return fence(source, "plantuml") if source.strip() else diagram(translation, macro)


def unpacked(data: str) -> str:
    """Text that was percent-encoded, deflated and written as base64; nothing if it was not."""
    try:
        packed = base64.b64decode(data, validate=True)
        inflated = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, _INFLATED_LIMIT)
        return unquote(inflated.decode())
    except (binascii.Error, ValueError, zlib.error):
        return ""


def fence(text: str, language: str = "") -> str:
    attribute = f' class="language-{escape(language)}"' if language else ""
    # The parser takes a line break right after the tag for its own.
    return f"<pre><code{attribute}>{escape(text, quote=False)}</code></pre>"


def formula(translation: Translation, macro: Element) -> str:
    """A formula in a line of its own."""
    text = _formula_text(macro)
    return translation.marks.block(f"$$\n{text}\n$$") if text else ""


def formula_in_line(translation: Translation, macro: Element) -> str:
    text = " ".join(_formula_text(macro).split())
    return translation.marks.inline(f"${text}$") if text else ""


def _formula_text(macro: Element) -> str:
    return (parameter_text(macro, "body", "latex", "equation", "") or plain_body(macro)).strip()


def markdown(translation: Translation, macro: Element) -> str:
    """Markdown stays as it is."""
    text = plain_body(macro)
    return translation.marks.block(text) if text.strip() else ""
