"""Inline elements that the library leaves out or flattens, prepared so that their meaning stays."""

from markmirror.convert import tree
from markmirror.convert.stash import Stash
from markmirror.convert.survey import Survey

_KEPT_AS_HTML = ("sub", "sup", "ins", "mark")


def prepare_inline(survey: Survey, stash: Stash) -> None:
    """Everything inside paragraphs that needs a hand before it is written."""
    _scripts(survey, stash)
    for node in survey.of("var"):
        if node.closest("code,pre,em,i") is None:
            node.tag = "em"
    for node in survey.of("tt"):
        if node.text.strip():
            node.tag = "code"
        else:
            # Scribble sets the room behind a heading's number in the type of code.
            node.unwrap()
    if survey.of("a"):
        _linked_code(survey.content)
    _ruby(survey)
    _abbreviations(survey)


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
