"""Boxes that draw the reader's eye: notes, panels, parts that fold out."""

from html import escape

_LABELS = {
    "info": "Info",
    "note": "Note",
    "tip": "Tip",
    "warning": "Warning",
    "success": "Tip",
    "error": "Warning",
}


def admonition(kind: str, title: str, body: str) -> str:
    """A box of one of the kinds readers know, with its title if it has one."""
    label = _LABELS.get(kind, kind.capitalize())
    heading = f"{label}: {title}" if title else label
    return (
        f'<div class="admonition {kind}"><p class="admonition-title">{escape(heading)}</p>'
        f"{body}</div>"
    )


def panel(title: str, icon: str, body: str) -> str:
    """A box with nothing but its own title."""
    heading = " ".join(part for part in (icon, title) if part)
    if not heading:
        return f"<blockquote>{body}</blockquote>"
    shown = f"<strong>{escape(heading)}</strong>" if title else escape(heading)
    return f"<blockquote><p>{shown}</p>{body}</blockquote>"


def fold(title: str, body: str) -> str:
    """A part that is folded until somebody asks for it."""
    return f"<details><summary><strong>{escape(title)}</strong></summary>{body}</details>"
