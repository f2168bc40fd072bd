"""Bytes in, clean Markdown out. No I/O, so that it can run in worker processes."""

from markmirror.convert.html import convert_html

__all__ = ["convert_html"]
