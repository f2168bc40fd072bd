"""The part of CQL that clients use: conditions joined by AND."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.confluence_server.content import Attachment, Content, Page


class CqlError(ValueError):
    """The query is not one this server understands; a real one answers 400 just so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing a search found: a page, or an attachment with the page it hangs on."""

    page: Page
    attachment: Attachment | None = None


_CONDITION = re.compile(
    r"""\s*(?P<field>[\w.]+)\s*(?P<op>not\s+in|in|>=|<=|!=|=|>|<|~)\s*
        (?P<value>\([^)]*\)|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s()]+)\s*(?P<more>and\b|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_ORDER = re.compile(r"\border\s+by\b.*$", re.IGNORECASE)

Test = Callable[[Hit], bool]


def search(content: Content, query: str) -> list[Hit]:
    """What the query finds, by id. Restricted and trashed content is never found."""
    tests: list[Test] = []
    text = _ORDER.sub("", query)
    position = 0
    while position < len(text.rstrip()):
        match = _CONDITION.match(text, position)
        if match is None:
            raise CqlError(f"Could not parse cql : {query}")
        field, op = match["field"].lower(), match["op"].lower()
        tests.append(_test(content, field, op, _values(match["value"])))
        position = match.end()
    hits: list[Hit] = []
    for page in content.listed():
        hits.append(Hit(page=page))
        hits.extend(Hit(page=page, attachment=attachment) for attachment in page.attachments)
    return [hit for hit in hits if all(test(hit) for test in tests)]


def _values(text: str) -> list[str]:
    inside = text[1:-1].split(",") if text.startswith("(") else [text]
    return [value.strip().strip("\"'") for value in inside]


def _test(content: Content, field: str, op: str, values: list[str]) -> Test:
    wanted = set(values)
    match field:
        case "type":
            return lambda hit: ("attachment" if hit.attachment else hit.page.type) in wanted
        case "space" | "space.key":
            return lambda hit: hit.page.space_key in wanted
        case "id" | "content":
            return lambda hit: not hit.attachment and str(hit.page.id) in wanted
        case "ancestor":
            below = {page.id for value in values for page in content.descendants(int(value))}
            return lambda hit: hit.page.id in below
        case "parent":
            return lambda hit: str(hit.page.parent_id) in wanted
        case "container":
            return lambda hit: hit.attachment is not None and str(hit.page.id) in wanted
        case "label":
            return lambda hit: bool(wanted.intersection(hit.page.labels))
        case "title" if op == "~":
            return lambda hit: values[0].lower() in hit.page.title.lower()
        case "title":
            return lambda hit: hit.page.title in wanted
        case "lastmodified" if op == ">=":
            # Minutes are all CQL knows.
            return lambda hit: hit.page.modified.strftime("%Y-%m-%d %H:%M") >= values[0]
        case _:
            raise CqlError(f"Could not parse cql : {field} {op} {', '.join(values)}")
