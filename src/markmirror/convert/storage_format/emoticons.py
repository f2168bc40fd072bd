"""Emoticons as the characters they show."""

from html import escape

from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.translation import Translation

# The names that Confluence had before it had emoji.
_NAMES = {
    "smile": "🙂",
    "sad": "🙁",
    "cheeky": "😛",
    "laugh": "😀",
    "wink": "😉",
    "thumbs-up": "👍",
    "thumbs-down": "👎",
    "information": "ℹ️",
    "tick": "✅",
    "cross": "❌",
    "warning": "⚠️",
    "plus": "➕",
    "minus": "➖",
    "question": "❓",
    "light-on": "💡",
    "light-off": "💡",
    "yellow-star": "⭐",
    "red-star": "⭐",
    "green-star": "⭐",
    "blue-star": "⭐",
    "heart": "❤️",
    "broken-heart": "💔",
    "blue-heart": "💙",
    "green-heart": "💚",
}


def emoticon(translation: Translation, element: Element) -> str:  # noqa: ARG001
    """The emoji itself, else the one its code points or its name stand for, else its name."""
    fallback = element.attribute("ac:emoji-fallback")
    if fallback and not fallback.startswith(":"):
        return escape(fallback, quote=False)
    spelled = _spelled(element.attribute("ac:emoji-id"))
    name = element.attribute("ac:name")
    shown = spelled or _NAMES.get(name, "")
    return escape(shown or element.attribute("ac:emoji-shortname") or f":{name}:", quote=False)


def _spelled(emoji_id: str) -> str:
    """The characters of an id such as `1f468-200d-1f4bb`; nothing if it is not made of such."""
    try:
        return "".join(chr(int(code, 16)) for code in emoji_id.split("-"))
    except (ValueError, OverflowError):
        return ""
