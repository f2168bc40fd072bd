"""Bytes in, clean Markdown out. No I/O, so that it can run in worker processes."""

from markmirror.convert.html import check_selector, convert_fragment, convert_html

__all__ = ["check_selector", "convert_fragment", "convert_html"]
