"""Single fields of the API's JSON; what is missing or of another kind is empty."""

from collections.abc import Mapping
from typing import Any

# What the ledger can hold as a number.
_LARGEST = 2**63 - 1


def text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    return value if isinstance(value, str) else ""


def number(document: Mapping[str, Any], name: str) -> int | None:
    value = document.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if abs(value) <= _LARGEST else None


def content_id(document: Mapping[str, Any]) -> str:
    """The id of a page or of what stands above one: a number, though it comes as text."""
    value = text(document, "id")
    return value if is_content_id(value) else ""


def is_content_id(value: str) -> bool:
    """Whether a text, wherever it comes from, can be the id of a page."""
    is_number = value.isascii() and value.isdigit() and len(value) <= len(str(_LARGEST))
    return is_number and int(value) <= _LARGEST


def mapping(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    return value if isinstance(value, Mapping) else {}


def mappings(document: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = document.get(name)
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, Mapping)]
