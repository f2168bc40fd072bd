"""Code blocks: their exact text, and their language where the page states one."""

import re

from markmirror.convert import tree
from markmirror.convert.code_languages import language_of
from markmirror.convert.stash import Block, Stash
from markmirror.convert.vocabulary import words

_LINE_NUMBERS = (
    ".linenos,.lineno,.linenodiv,.linenum,.lnt,.ln,.line-numbers-rows,.hljs-ln-numbers,"
    ".line-number,.line-numbers,.src-line-numbers,.react-code-line-number,.rouge-gutter,.gutter,"
    ".copybtn,button,.copy-button,.copy-btn,.viewcode-back,.viewcode-link,.srclink,.out-of-band,"
    ".rightside,.notable-traits,.headerlink"
)
_NUMBERED = words(
    "highlighttable rouge-table lntable hljs-ln codehilitetable listing_frame syntaxhighlighter",
    "processedcode source_code",
)
# Changed lines as Shiki and Expressive Code call them.
_REMOVED = frozenset({"remove", "del"})
_ADDED = frozenset({"add", "ins"})
_LINED = "br,div,p,li,tr,table"
_LINE_TAGS = frozenset({"div", "p", "li", "tr"})
_MAX_DEPTH = 60
# Within one line: white space across lines would be looked through again from each of them.
_FENCE = re.compile(r"^[^\S\n]*(`{3,})", re.MULTILINE)
_TICKS = re.compile("`+")
_HOLDERS = frozenset({"p", "div", "li", "dd", "blockquote", "body", "section", "article", "main"})
# What a line break is, while the white space around it counts for nothing.
_BREAK = "\v"
_ROOM = re.compile(r"[ \t\r\n]+")
_AROUND_BREAK = re.compile(f" ?{_BREAK} ?")


def prepare_code(content: tree.Element, stash: Stash) -> None:
    """Every code block of the content, kept aside as a fence with its language."""
    if content.has_class("api-content"):
        for drawn in content.select("div.redoc-json"):
            _gather_json(drawn)
    for drawn in content.select("table[class],div.fragment"):
        if drawn.tag == "table":
            _unwrap_numbered(drawn)
        else:
            _gather_lines(drawn)
    for pre in list(content.iter_elements(("pre", "listing", "xmp", "textarea"))):
        holder = pre.parent
        if stash.is_stub(pre) or not isinstance(holder, tree.Element) or holder.closest("pre"):
            continue
        _remove_label(holder)
        is_diff = _sign_changes(pre, holder)
        text = code_text(pre)
        if not text.strip() and pre.select_one("code") is None:
            pre.decompose()
            continue
        language = "diff" if is_diff else language_of(pre)
        # Its templates indent the first line alone.
        stash.put(pre, fenced(text.strip() if language == "mermaid" else text, language))
    for code in tree.outermost(content.select("code:has(br),tt:has(br)")):
        _part_lines(code, stash)


def _part_lines(code: tree.Element, stash: Stash) -> None:
    """Code of several lines in running text: a block where it stands alone, else a piece a line."""
    if code.select_one("a[href]") is not None or not code.text.strip():
        return
    for line_break in code.select("br"):
        line_break.replace_with(tree.Text(_BREAK))
    shown = _ROOM.sub(" ", code.text).strip(f" {_BREAK}")
    lines = [line.replace("\xa0", " ") for line in _AROUND_BREAK.split(shown)]
    holder = code.parent
    if len(lines) > 1 and isinstance(holder, tree.Element) and _is_all_of(code, holder):
        block = holder if holder.tag == "p" else code
        stash.put(block, fenced("\n".join(lines), language_of(code)))
        return
    pieces: list[tree.Node] = []
    for line in filter(str.strip, lines):
        pieces += (tree.element("br"), tree.element("code", None, tree.Text(line)))
    code.replace_with(*pieces[1:])


def _is_all_of(code: tree.Element, holder: tree.Element) -> bool:
    """Whether a block says nothing but this code; a cell is no block, a table would burst of it."""
    if holder.tag not in _HOLDERS or code.closest("td,th") is not None:
        return False
    return all(
        part is code or (isinstance(part, tree.Text) and not part.data.strip())
        for part in holder.children
    )


def is_diagram(classes: list[str]) -> bool:
    """Whether this is the class of a diagram that a script will draw."""
    return "mermaid" in classes


def prepare_diagrams(nodes: list[tree.Element], stash: Stash) -> None:
    """The sources of diagrams that stand in no `<pre>` are code as well."""
    for node in nodes:
        if node.tag == "div" and node.select_one("*") is None and node.text.strip():
            stash.put(node, fenced(node.text.strip(), "mermaid"))


def _remove_label(holder: tree.Element) -> None:
    """VitePress shows the language's name in a corner of the block."""
    if not (holder.attr("class") or "").startswith("language-"):
        return
    for label in tree.child_elements(holder, "span"):
        if label.has_class("lang"):
            label.extract()


def _sign_changes(pre: tree.Element, holder: tree.Element) -> bool:
    """Write the signs of a diff that a style sheet draws; whether there were any to write.

    Lines that are only marked as new stay code in their language, as other marked lines do. With
    those they replace they would say both.
    """
    if pre.has_class("has-diff"):
        lines = pre.select("span.line")
    elif holder.tag == "figure" and holder.has_class("frame"):
        # Expressive Code counts here the lines that it folds.
        pre.remove("summary")
        lines = pre.select("div.ec-line")
    else:
        return False
    signs = [_sign_of(line) for line in lines]
    if "-" not in signs and ("+" not in signs or language_of(pre) != "diff"):
        return False
    for line, sign in zip(lines, signs, strict=True):
        code = line.select_one("div.code") or line
        if sign != " " or code.text.strip():
            code.insert(0, tree.Text(sign))
    return True


def _sign_of(line: tree.Element) -> str:
    classes = tree.classes_of(line)
    if not _REMOVED.isdisjoint(classes):
        return "-"
    return " " if _ADDED.isdisjoint(classes) else "+"


def fenced(text: str, language: str) -> Block:
    """A fence that is longer than any the code itself holds."""
    longest = max(map(len, _FENCE.findall(text)), default=2) if "``" in text else 2
    fence = "`" * max(3, longest + 1)
    lines = [fence + language, *(text.split("\n") if text else ()), fence]
    return Block(
        lines=lines,
        in_cell=lambda: "<br>".join(map(code_span, _filled_lines(text))),
        is_several_lines="\n" in text.strip("\n"),
    )


def code_span(text: str) -> str:
    """One line of text as inline code."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * (1 if longest == 0 else longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    if text.startswith(" ") and text.endswith(" ") and text.strip():
        pad = " "
    return f"{ticks}{pad}{text}{pad}{ticks}"


def code_text(pre: tree.Element) -> str:
    """The code exactly as a browser shows it, without line numbers and buttons."""
    if pre.select_one("*") is None:
        text = pre.text
    else:
        pre.remove(_LINE_NUMBERS)
        text = pre.text if pre.select_one(_LINED) is None else _lines_as_shown(pre)
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")


def _unwrap_numbered(table: tree.Element) -> None:
    """A table that holds line numbers beside code becomes the code alone."""
    classes = tree.attribute(table, "class")
    if _NUMBERED.isdisjoint(classes.split()):
        return
    blocks = [
        pre
        for pre in table.iter_elements("pre")
        if not _is_line_numbers(pre.text) and pre.closest(_LINE_NUMBERS) is None
    ]
    if blocks:
        holder = tree.element("div", {"class": classes})
        # MkDocs Material has a row for the name of the file.
        names = [name.extract() for name in table.select("th.filename")]
        for name in names:
            name.tag = "p"
        holder.extend([*names, *(block.extract() for block in blocks)])
        table.replace_with(holder)


def _is_line_numbers(text: str) -> bool:
    words = text.split()
    return bool(words) and all(word.isdigit() for word in words)


def _gather_lines(part: tree.Element) -> None:
    """Doxygen writes code as a `<div>` per line: gather the lines into one block."""
    if part.select_one("pre") is not None:
        return
    lines = part.select("div.line")
    is_numbered = part.select_one(".lineno") is not None
    part.remove(_LINE_NUMBERS)
    texts = [line.text for line in lines] if lines else part.text.split("\n")
    if is_numbered:
        # A space stands between the number and the code.
        texts = [text[1:] if text[:1] in (" ", "\xa0") else text for text in texts]
    text = "\n".join(texts)
    pre = tree.element("pre", {"class": tree.attribute(part, "class")}, tree.Text(text))
    part.replace_with(pre)


def _gather_json(part: tree.Element) -> None:
    """Redoc writes JSON as lists of lists that open and close: gather their items as lines."""
    shown: list[str] = []
    stack: list[tuple[tree.Node, int]] = [(part, 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, tree.Text):
            shown.append(node.data)
        elif isinstance(node, tree.Element):
            if node.tag == "ul":
                # Below the last item, what closes the list stands as deep as what opened it.
                stack.append((tree.Text("\n" + "  " * depth), depth))
                depth = min(depth + 1, _MAX_DEPTH)
            elif node.tag == "li":
                shown.append("\n" + "  " * depth)
            stack.extend((child, depth) for child in reversed(node.children))
    text = tree.Text("".join(shown))
    part.replace_with(tree.element("pre", {"class": "language-json"}, text))


def _lines_as_shown(pre: tree.Element) -> str:
    """The text with the line breaks that the markup makes: `<br>`, and a block for each line.

    A block that stands among newlines of the text's own makes no second one.
    """
    shown: list[str] = []
    is_owed = False
    stack: list[tree.Node | None] = [pre]
    while stack:
        node = stack.pop()
        if node is None:
            is_owed = bool(shown) and not shown[-1].endswith("\n")
        elif isinstance(node, tree.Text):
            if is_owed and not node.data.startswith("\n"):
                shown.append("\n")
            shown.append(node.data)
            is_owed = False
        elif isinstance(node, tree.Element):
            if node.tag == "br":
                shown.append("\n")
            if node.tag in _LINE_TAGS:
                if shown and not shown[-1].endswith("\n"):
                    shown.append("\n")
                is_owed = False
                stack.append(None)
            stack.extend(reversed(node.children))
    return "".join(shown)


def _filled_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]
