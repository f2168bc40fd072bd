"""Inline elements that the library leaves out or flattens, prepared so that their meaning stays."""

from markmirror.convert import tree
from markmirror.convert.stash import Stash

_KEPT_AS_HTML = ("sub", "sup", "ins", "mark")
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-url")
_LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")


def prepare_inline(content: tree.Element, stash: Stash) -> None:
    """Everything inside paragraphs that needs a hand before it is written."""
    _scripts(content, stash)
    for node in list(content.iter_elements("var")):
        if node.closest("code,pre,em,i") is None:
            node.tag = "em"
    for node in list(content.iter_elements("tt")):
        node.tag = "code"
    _linked_code(content)
    _ruby(content)
    _abbreviations(content)


def _scripts(content: tree.Element, stash: Stash) -> None:
    for node in list(content.iter_elements(_KEPT_AS_HTML)):
        if node.closest("code,kbd,samp") is not None or not node.text.strip():
            continue
        if node.tag == "sup" and node.select_one("a") is not None:
            continue
        node.insert(0, stash.inline(f"<{node.tag}>"))
        node.append(stash.inline(f"</{node.tag}>"))
        node.tag = "span"


def _linked_code(content: tree.Element) -> None:
    """`<code>` around a link: Markdown has only links around code, so turn it inside out."""
    for code in content.select("code:has(a[href]),kbd:has(a[href]),samp:has(a[href])"):
        if code.closest("a") is not None:
            continue
        pieces: list[tree.Node] = []
        for child in list(code.children):
            text = child.text if isinstance(child, (tree.Element, tree.Text)) else ""
            if not text:
                continue
            link = _link_in(child)
            piece: tree.Node = tree.element("code", None, tree.Text(text))
            if link is not None:
                piece = tree.element("a", {"href": tree.attribute(link, "href")}, piece)
            pieces.append(piece)
        code.replace_with(*pieces)


def _link_in(node: tree.Node) -> tree.Element | None:
    if not isinstance(node, tree.Element):
        return None
    return node if node.tag == "a" and node.attr("href") else node.select_one("a[href]")


def _ruby(content: tree.Element) -> None:
    for reading in list(content.iter_elements("rt")):
        text = reading.text.strip()
        reading.replace_with(tree.Text(f"({text})" if text else ""))


def _abbreviations(content: tree.Element) -> None:
    """The first use of an abbreviation says what it stands for."""
    explained: set[str] = set()
    for short in list(content.iter_elements("abbr")):
        text, meaning = short.text.strip(), tree.attribute(short, "title").strip()
        if not meaning or text in explained or not text.isalnum() or len(text) < 2:
            continue
        if (
            meaning.lower() == text.lower()
            or short.closest("code,pre,a,dt,h1,h2,h3,h4") is not None
        ):
            continue
        explained.add(text)
        short.append(tree.Text(f" ({meaning})"))


def prepare_media(content: tree.Element) -> None:
    """Pictures with the address that a browser would load; players and frames as links."""
    for image in list(content.iter_elements("img")):
        source = _source(image)
        if not source:
            image.extract()
        elif source != image.attr("src"):
            image.attrs["src"] = source
    for node in list(content.iter_elements(("iframe", "video", "audio", "embed", "object"))):
        _as_link(node)


def _source(image: tree.Element) -> str:
    source = tree.attribute(image, "src").strip()
    if source and not source.startswith("data:"):
        return source
    for name in _LAZY:
        lazy = tree.attribute(image, name).strip()
        if lazy and not lazy.startswith("data:"):
            return lazy
    sets = [tree.attribute(image, name) for name in _LAZY_SETS]
    picture = image.parent
    if isinstance(picture, tree.Element) and picture.tag == "picture":
        sets += [tree.attribute(part, "srcset") for part in picture.iter_elements("source")]
    for candidates in sets:
        best = _largest(candidates)
        if best:
            return best
    return ""


def _largest(candidates: str) -> str:
    """The candidate of a `srcset` with the largest picture."""
    best, size = "", -1.0
    for candidate in candidates.split(", "):
        words = candidate.strip().rstrip(",").split()
        if not words or words[0].startswith("data:"):
            continue
        number = words[1][:-1] if len(words) > 1 else "1"
        measured = float(number) if number.replace(".", "", 1).isdecimal() else 0.0
        if measured > size:
            best, size = words[0], measured
    return best


def _as_link(node: tree.Element) -> None:
    address = tree.attribute(node, "src") or tree.attribute(node, "data")
    if not address:
        inner = node.select_one("source[src]")
        address = tree.attribute(inner, "src") if inner is not None else ""
    words = tree.attribute(node, "title") or tree.attribute(node, "aria-label")
    if not address.startswith(("http://", "https://")):
        node.extract()
        return
    link = tree.element("a", {"href": address}, tree.Text(words.strip() or address))
    node.replace_with(tree.element("p", None, link))
