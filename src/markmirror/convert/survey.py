"""One walk over the content that finds everything the preparation will look for.

A walk for each kind of element would cost more than all the work done on what it finds.
"""

from collections import defaultdict

from markmirror.convert import tree

_TAGS = (
    *("a", "abbr", "audio", "dl", "embed", "h1", "iframe", "img", "ins", "mark", "object", "ol"),
    *("rt", "sub", "sup", "table", "tt", "ul", "var", "video", "details"),
)


class Survey:
    """The elements of some content by tag, each kind in the order of the page."""

    def __init__(self, content: tree.Element) -> None:
        self.content = content
        self._by_tag: defaultdict[str, list[tree.Element]] = defaultdict(list)
        by_tag = self._by_tag
        for node in content.iter_elements(_TAGS):
            by_tag[node.tag].append(node)

    def of(self, *tags: str) -> list[tree.Element]:
        """The elements with these tags that were there when the survey was made."""
        if len(tags) == 1:
            return self._by_tag[tags[0]]
        return [node for tag in tags for node in self._by_tag[tag]]
