"""Inline elements that the library leaves out or flattens, prepared so that their meaning stays."""

import string
from collections.abc import Iterable

from markmirror.convert import tree
from markmirror.convert.metadata import absolute
from markmirror.convert.stash import Stash
from markmirror.convert.survey import Survey
from markmirror.convert.vocabulary import words

_KEPT_AS_HTML = ("sub", "sup", "ins", "mark")
_SUMMARY_BLOCKS = "h1,h2,h3,h4,h5,h6,p,div,section,pre,table,ul,ol,strong,b"
# Small words that a style sheet draws at a distance from the name beside them.
_BADGES = words(
    "badge go-Chip go-Main-headerDetailItem http-verb signature-attributes stab tsd-flag tsd-tag"
)
_OPENING, _CLOSING = string.whitespace + "([{\xa0", string.whitespace + ")]},.;:!?\xa0"
# Pictures of signs that have a place in Unicode, or a name between colons.
_EMOJI = words("twemoji emoji emojione gemoji wp-smiley")
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-url")
_LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")


def is_badge(classes: list[str]) -> bool:
    """Whether these classes make an element a badge."""
    return not _BADGES.isdisjoint(classes)


def is_run_in(classes: list[str]) -> bool:
    """Whether these classes put a block on the line of the words before it."""
    return "inline" in classes


def is_card(classes: list[str]) -> bool:
    """Whether these classes make a link a card."""
    return "nextra-card" in classes


def prepare_badges(badges: list[tree.Element]) -> None:
    """Put a space between each badge and the words that it would run into."""
    for badge in badges:
        before = _nearest_text(badge.previous_siblings)[-1:]
        after = _nearest_text(badge.next_siblings)[:1]
        if before and before not in _OPENING:
            badge.insert_before(tree.Text(" "))
        if after and after not in _CLOSING:
            badge.insert_after(tree.Text(" "))


def prepare_run_in(blocks: list[tree.Element]) -> None:
    """Let a paragraph that YARD shows on the line of the words before it stand there."""
    for block in blocks:
        parts = tree.child_elements(block)
        is_led = _text_of(block.previous_sibling).strip()
        if block.tag == "div" and is_led and len(parts) == 1 and parts[0].tag == "p":
            parts[0].unwrap()
            block.unwrap()


def prepare_cards(cards: list[tree.Element]) -> None:
    """Give each card of Nextra, a link, a line of its own, and room between its parts."""
    for card in cards:
        for part in list(card.children)[1:]:
            part.insert_before(tree.Text(" "))
        card.wrap(tree.element("p"))


def _nearest_text(siblings: Iterable[tree.Node]) -> str:
    return next(filter(None, map(_text_of, siblings)), "")


def _text_of(node: tree.Node | None) -> str:
    if isinstance(node, tree.Text):
        return node.data
    return node.text if isinstance(node, tree.Element) else ""


def prepare_inline(survey: Survey, stash: Stash) -> None:
    """Everything inside paragraphs that needs a hand before it is written."""
    _scripts(survey, stash)
    for node in survey.of("var"):
        if node.closest("code,pre,em,i") is None:
            node.tag = "em"
    for node in survey.of("tt"):
        node.tag = "code"
    if survey.of("a"):
        _linked_code(survey.content)
    _ruby(survey)
    _abbreviations(survey)
    _parted_titles(survey)


def _scripts(survey: Survey, stash: Stash) -> None:
    for node in survey.of(*_KEPT_AS_HTML):
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
        code.replace_with(*map(_piece, _runs(code)))


def _runs(code: tree.Element) -> list[tuple[str, str]]:
    """The text of a piece of code, cut where its links begin and end, each with its address."""
    runs: list[tuple[str, str]] = []
    stack: list[tuple[tree.Node, str]] = [(code, "")]
    while stack:
        node, href = stack.pop()
        if isinstance(node, tree.Text):
            if runs and runs[-1][1] == href:
                runs[-1] = (runs[-1][0] + node.data, href)
            else:
                runs.append((node.data, href))
        elif isinstance(node, tree.Element):
            inner = (node.attr("href") or href) if node.tag == "a" else href
            stack.extend((child, inner) for child in reversed(node.children))
    return runs


def _piece(run: tuple[str, str]) -> tree.Node:
    text, href = run
    if not text.strip():
        return tree.Text(text)
    code = tree.element("code", None, tree.Text(text))
    return tree.element("a", {"href": href}, code) if href else code


def _ruby(survey: Survey) -> None:
    for reading in survey.of("rt"):
        text = reading.text.strip()
        reading.replace_with(tree.Text(f"({text})" if text else ""))


def _abbreviations(survey: Survey) -> None:
    """The first use of an abbreviation says what it stands for."""
    explained: set[str] = set()
    for short in survey.of("abbr"):
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


def _parted_titles(survey: Survey) -> None:
    """What a style sheet puts between the parts of a title: gi-docgen's dots, VitePress's lines."""
    for heading in survey.of("h1"):
        for gap in heading.select("span.sep"):
            if not gap.text.strip():
                gap.append(tree.Text("."))
        # VitePress writes the name of a project and what it is on a line each.
        for name in heading.select("span.name.clip"):
            name.append(tree.Text(" "))


def prepare_details(survey: Survey) -> None:
    """What a reader would open: its summary in bold, then what it hides."""
    for details in survey.of("details"):
        for child in details.children:
            if isinstance(child, tree.Element) and child.tag == "summary":
                if child.select_one(_SUMMARY_BLOCKS) is None and child.text.strip():
                    child.wrap_children(tree.element("strong"))
                    child.tag = "p"
                break


def prepare_media(survey: Survey, *, base: str) -> None:
    """Pictures with the address that a browser would load; players and frames as links."""
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
    classes = image.attr("class")
    return (
        classes is not None and not _EMOJI.isdisjoint(classes.split()) and bool(image.attr("alt"))
    )


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
