"""Places on a page: what links to headings must say once the page is Markdown.

Confluence numbers its headings `PageTitle-HeadingText`, newer editors say `Heading-Text`, people
write the heading as it reads. Readers of Markdown make `heading-text`. So places are compared by
their letters and digits alone, after the page has got its final headings.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import unquote

from markmirror.convert.links import slug

_PLACE = r"(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*"
_HEADING = re.compile(rf"^{_PLACE}#{{1,6}}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(rf"^{_PLACE}(`{{3,}}|~{{3,}})(.*)$")
_NAMED = re.compile(r'<a (?:id|name)="([^"]*)"></a>')
# Code spans are matched so as to be passed over.
_LINK = re.compile(
    r"(?P<code>(`+)(?!`).*?(?<!`)\2(?!`))|\]\((?P<path>[^\s()<>#]*)#(?P<fragment>[^\s()<>]+)\)"
)
_INLINE = re.compile(
    r"!?\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\\]|\\.)*\)|<[^<>]*>|(?<![\\\w])_+|_+(?!\w)|[*`~]"
)
_ESCAPE = re.compile(r"\\([^\w\s])")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAnchors:
    """The places of one page that a link can lead to."""

    names: frozenset[str]
    slugs: frozenset[str] = frozenset()
    by_letters: dict[str, str] = field(default_factory=dict)

    def find(self, fragment: str) -> str | None:
        """What a link must say to reach the place meant, or None if the page has no such place."""
        if fragment in self.names or fragment in self.slugs:
            return fragment
        return self.by_letters.get(_letters(fragment))


def page_anchors(markdown: str, *, title: str = "") -> PageAnchors:
    """The places of a finished page."""
    slugs: set[str] = set()
    names: set[str] = set()
    by_letters: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for line in _lines_outside_code(markdown.split("\n")):
        names.update(unescape(name) for name in _NAMED.findall(line))
        heading = _HEADING.match(line)
        if heading is None:
            continue
        text = heading_text(heading[1] or "")
        address = slug(text)
        count = seen[address]
        seen[address] += 1
        unique = f"{address}-{count}" if count else address
        slugs.add(unique)
        repeat = str(count) if count else ""
        for letters in (text + repeat, f"{title}{text}{repeat}", unique):
            by_letters.setdefault(_letters(letters), unique)
    return PageAnchors(names=frozenset(names), slugs=frozenset(slugs), by_letters=by_letters)


def resolve_anchors(
    markdown: str,
    *,
    title: str = "",
    anchors_of: Callable[[str], PageAnchors | None] | None = None,
) -> str:
    """The page with each link to a heading saying what its heading is called now.

    `anchors_of` knows the places of other pages by the path a link gives. Can be run again after
    headings have changed.
    """
    own: PageAnchors | None = page_anchors(markdown, title=title)

    def rewritten(found: re.Match[str]) -> str:
        if found["code"] is not None or "://" in found["path"]:
            return found[0]
        places = own
        if found["path"]:
            places = None if anchors_of is None else anchors_of(found["path"])
        place = places.find(unquote(found["fragment"])) if places is not None else None
        return found[0] if place is None else f"]({found['path']}#{_escaped(place)})"

    lines = markdown.split("\n")
    outside = set(_numbers_outside_code(lines))
    for number in outside:
        line = lines[number]
        if "#" in line and "](" in line:
            line = _LINK.sub(rewritten, line)
        if '"></a>' in line and (heading := _HEADING.match(line)) is not None:
            line = _without_needless_names(line, slug(heading_text(heading[1] or "")))
        lines[number] = line
    return "\n".join(lines)


def heading_text(markdown: str) -> str:
    """A heading's words, without the signs of Markdown."""
    previous = None
    text = markdown
    for _ in range(3):  # a picture in a link is two levels
        previous, text = text, _INLINE.sub(lambda found: found[1] or "", text)
        if text == previous:
            break
    return unescape(_ESCAPE.sub(r"\1", text)).strip()


def _without_needless_names(line: str, address: str) -> str:
    return _NAMED.sub(lambda found: "" if unescape(found[1]) == address else found[0], line)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _escaped(place: str) -> str:
    return re.sub(r"[\s()<>]", lambda found: f"%{ord(found[0]):02X}", place)


def _lines_outside_code(lines: list[str]) -> list[str]:
    return [lines[number] for number in _numbers_outside_code(lines)]


def _numbers_outside_code(lines: list[str]) -> list[int]:
    numbers: list[int] = []
    fence = ""
    for number, line in enumerate(lines):
        found = _FENCE.match(line)
        if fence:
            if found is not None and found[1].startswith(fence) and not found[2].strip():
                fence = ""
        elif found is not None and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
        else:
            numbers.append(number)
    return numbers
