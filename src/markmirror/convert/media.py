"""Pictures with the address that a browser would load; players and frames as links."""

from markmirror.convert import tree
from markmirror.convert.addresses import absolute
from markmirror.convert.survey import Survey
from markmirror.convert.vocabulary import words

# Pictures of signs that have a place in Unicode, or a name between colons.
_EMOJI = words("twemoji emoji emojione gemoji wp-smiley")
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-url")
_LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")


def prepare_media(survey: Survey, *, base: str) -> None:
    """Give each picture its address or its sign, and put a link in place of what plays."""
    for image in survey.of("img"):
        source = "" if _is_sign(image) else _source(image, base)
        if not source:
            image.replace_with(tree.Text(tree.attribute(image, "alt")))
            continue
        if source != image.attr("src"):
            image.attrs["src"] = source
        alternative = image.attr("alt")
        if alternative and "_images/" in alternative and source.endswith(alternative.lstrip("./")):
            # Sphinx says where a picture is if nobody said what it shows.
            image.attrs["alt"] = ""
    for node in survey.of("iframe", "video", "audio", "embed", "object"):
        _as_link(node)


def _is_sign(image: tree.Element) -> bool:
    """Whether a picture stands for a sign, which is its text."""
    return not _EMOJI.isdisjoint(tree.classes_of(image)) and bool(image.attr("alt"))


def _source(image: tree.Element, base: str) -> str:
    source = tree.attribute(image, "src").strip()
    if source and not source.startswith("data:"):
        return source
    for name in _LAZY:
        lazy = tree.attribute(image, name).strip()
        if lazy and not lazy.startswith("data:"):
            return absolute(base, lazy) or ""
    sets = [tree.attribute(image, name) for name in _LAZY_SETS]
    picture = image.parent
    if isinstance(picture, tree.Element) and picture.tag == "picture":
        sets += [tree.attribute(part, "srcset") for part in picture.iter_elements("source")]
    for candidates in sets:
        best = _largest(candidates)
        if best:
            return absolute(base, best) or ""
    return ""


def _largest(candidates: str) -> str:
    """The candidate of a `srcset` with the largest picture."""
    best, size = "", -1.0
    for candidate in candidates.split(", "):
        parts = candidate.strip().rstrip(",").split()
        if not parts or parts[0].startswith("data:"):
            continue
        number = parts[1][:-1] if len(parts) > 1 else "1"
        measured = float(number) if number.replace(".", "", 1).isdecimal() else 0.0
        if measured > size:
            best, size = parts[0], measured
    return best


def _as_link(node: tree.Element) -> None:
    address = tree.attribute(node, "src") or tree.attribute(node, "data")
    if not address:
        inner = node.select_one("source[src]")
        address = tree.attribute(inner, "src") if inner is not None else ""
    title = tree.attribute(node, "title") or tree.attribute(node, "aria-label")
    if not address.startswith(("http://", "https://")):
        node.extract()
        return
    link = tree.element("a", {"href": address}, tree.Text(title.strip() or address))
    node.replace_with(tree.element("p", None, link))
