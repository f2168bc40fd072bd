"""Which language a page states for a code block, in the words of the common highlighters."""

import itertools
import re
from functools import lru_cache

from markmirror.convert import tree
from markmirror.convert.vocabulary import words

# What a page says when it means that there is no language.
_NO_LANGUAGE = words(
    "auto default listing literal literal-block myst-ansi no-highlight nohighlight none nolang",
    "plain plain-text plaintext pre prettyprint raw source-none text text-plain txt unknown",
)
_PREFIXES = (
    "mw-highlight-lang-",
    "highlight-source-",
    "highlight-text-",
    "language-",
    "lang-",
    "src-",
    "highlight-",
    "code-",
    "hl-",
)
# Too short to be sure of what follows them.
_WEAK_PREFIXES = frozenset({"code-", "hl-"})
# Classes that say "this is highlighted code", so that a bare language name may stand beside them.
_HIGHLIGHTERS = words(
    "brush code crayon-syntax hljs highlight highlighter-rouge makeup prettyprint prism",
    "programlisting rust sourceCode sourcecode src syntaxhighlighter verbatim",
)
_LANGUAGES = words(
    "ada apache applescript asm awk bash basic batch c c++ clojure cmake cobol coffee console",
    "cpp cs csharp css cuda d dart delphi diff docker dockerfile elixir elm erlang fish fortran",
    "fsharp gherkin glsl go golang graphql groovy haskell hcl html http idris ini ipython",
    "ipython3 java javascript jinja js json json5 jsonc jsx julia kotlin latex less lisp llvm",
    "lua make makefile markdown matlab md mermaid nginx nim nix objc objective-c ocaml octave",
    "pascal perl php pgsql plsql postgresql powershell prolog properties proto protobuf ps1",
    "puppet pycon py python python3 r racket rb reason rst ruby rust sass scala scheme scss sed sh",
    "shell shell-session smalltalk sql swift tcl terraform tex toml ts tsx typescript vala vb",
    "verilog vhdl vim vue wasm xhtml xml xslt yaml yml zig zsh",
)
_BRUSH = re.compile(r"brush\s*:\s*([\w+#-]+)")
_NAME = re.compile(r"[^\s`]+\Z")
_DATA = ("data-lang", "data-language", "data-enlighter-language", "data-code-language")
# How far around a block its language may be stated, and on what.
_ANCESTORS = 4
_WRAPPERS = frozenset({"div", "figure", "td", "tr", "tbody", "table", "section"})


def language_of(pre: tree.Element) -> str:
    """The language the page states for a code block, or nothing."""
    for node in (pre.select_one("code"), pre):
        found = None if node is None else _stated(node)
        if found is not None:
            return found
    for holder in itertools.islice(pre.ancestors, _ANCESTORS):
        if not isinstance(holder, tree.Element) or holder.tag not in _WRAPPERS:
            break
        found = _stated(holder, wrapper=True)
        if found is not None:
            return found
    return ""


def _stated(node: tree.Element, *, wrapper: bool = False) -> str | None:
    """The language this element states; "" where it states that there is none."""
    classes = node.attr("class")
    found = _language_in(classes, wrapper=wrapper) if classes else None
    if found is not None:
        return found
    for name in _DATA:
        value = node.attr(name)
        if value:
            return _accepted(value)
    parameters = node.attr("data-syntaxhighlighter-params")
    brush = _BRUSH.search(parameters) if parameters else None
    if brush:
        return _accepted(brush[1])
    if node.tag == "code" and node.attr("lang"):
        return _accepted(tree.attribute(node, "lang"))
    return None


@lru_cache(maxsize=4096)
def _language_in(classes: str, *, wrapper: bool) -> str | None:
    brush = _BRUSH.search(classes)
    if brush:
        return _accepted(brush[1])
    tokens = classes.split()
    if "mermaid-pre" in tokens:
        return "mermaid"
    if "doctest" in tokens:
        # Sphinx knows it by its prompt, and names the lexer of the page's other code.
        return "pycon"
    if "hl-" in classes:
        # Notebooks name their own highlighter in a class before the language's.
        tokens.sort(key=lambda token: not token.startswith("hl-"))
    for token in tokens:
        lowered = token.lower()
        for prefix in _PREFIXES:
            if lowered.startswith(prefix) and (
                prefix not in _WEAK_PREFIXES or lowered[len(prefix) :] in _LANGUAGES
            ):
                return _accepted(token[len(prefix) :])
    if wrapper and not _HIGHLIGHTERS.intersection(tokens):
        return None
    for token in tokens:
        if token.lower() in _LANGUAGES:
            return token.lower()
    if _HIGHLIGHTERS.intersection(tokens) and _NO_LANGUAGE.intersection(map(str.lower, tokens)):
        return ""
    return None


def _accepted(name: str) -> str:
    name = name.strip()
    if name.lower() in _NO_LANGUAGE or not _NAME.match(name):
        return ""
    return name
