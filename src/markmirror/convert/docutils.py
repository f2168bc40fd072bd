"""What docutils, and so Sphinx, writes with elements of its own: lines, citations, signatures."""

from markmirror.convert import tree
from markmirror.convert.vocabulary import words

_CLASSES = words("sig-param line-block citation footnote")
# The signs between Python's kinds of parameters.
_SEPARATORS = frozenset("*/")
_NOTE_TAGS = frozenset({"aside", "div"})


def may_be_docutils(classes: list[str]) -> bool:
    """Whether these classes name something that docutils writes in a way of its own."""
    return not _CLASSES.isdisjoint(classes)


def prepare_docutils(nodes: list[tree.Element]) -> None:
    """Turn what docutils writes in a way of its own into plain HTML."""
    for node in nodes:
        if node.tag == "em":
            if node.text in _SEPARATORS:
                # No name, so nothing to emphasise.
                node.tag = "span"
        elif node.tag == "div" and node.has_class("line-block"):
            _join_lines(node)
        elif node.tag in _NOTE_TAGS:
            _lead_with_label(node)


def _join_lines(block: tree.Element) -> None:
    """A block of lines as paragraphs with line breaks; an empty line ends a paragraph."""
    holder = block.parent
    if not isinstance(holder, tree.Element) or holder.has_class("line-block"):
        # Inner blocks are joined with the one around them.
        return
    paragraphs = [tree.element("p")]
    for line in block.select("div.line"):
        if not line.text.strip() and line.select_one("img") is None:
            paragraphs.append(tree.element("p"))
            continue
        if paragraphs[-1].children:
            paragraphs[-1].append(tree.element("br"))
        paragraphs[-1].extend([child.extract() for child in list(line.children)])
    block.replace_with(*(paragraph for paragraph in paragraphs if paragraph.children))


def _lead_with_label(note: tree.Element) -> None:
    """Let a citation begin with its label, which docutils puts beside it, with ways back."""
    label = note.select_one("span.label")
    if label is None or label.parent != note:
        return
    backrefs, text = None, tree.next_element(label)
    if text is not None and text.has_class("backrefs"):
        backrefs, text = text, tree.next_element(text)
    if text is None or text.tag != "p":
        return
    if backrefs is not None:
        backrefs.extract()
    text.insert(0, tree.Text(f"{label.extract().text.strip()} "))
