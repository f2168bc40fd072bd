"""Documents nobody would write: pieces of real ones, cut, doubled, swapped and sprinkled."""

import random
from collections.abc import Iterator, Sequence

_SPRINKLES = (
    *(
        "*",
        "**",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "```",
        "~~~",
        '"',
        "'",
        "\\",
        "\\\\",
        "[",
        "]",
        "](",
        ")",
    ),
    *(
        "(",
        "!",
        "![",
        "<",
        ">",
        "> ",
        "- ",
        "+ ",
        "* ",
        "1. ",
        "1) ",
        "# ",
        "## ",
        "---",
        "--",
        " -- ",
    ),
    *(
        "===",
        "|",
        "|---|",
        "\n|-|-|\n",
        "$",
        "$$",
        "[^1]",
        "[^1]: ",
        "[a]: /b\n",
        ": ",
        ":::",
        "...",
        "…",
    ),
    *(
        "\n",
        "\n\n",
        "\n\n\n",
        "  \n",
        "\\\n",
        "\t",
        "    ",
        "  ",
        "\u00a0",
        "\u200b",
        "&amp;",
        "&nbsp;",
    ),
    *(
        "<!-- -->",
        "<b>",
        "</b>",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<code>",
        "<br>",
        "http://a.b/c",
    ),
    *(
        "www.x.y",
        "a@b.c",
        "{{",
        "}}",
        "{%",
        "%}",
        "--flag",
        "x=1",
        '="',
        "()",
        "[]()",
        "[x]",
        "[ ]",
    ),
    *(
        "é",
        "中文",
        "。",
        "ß",
        "“",
        "”",
        "’",
        "- [ ] ",
        "- [x] ",
        "\r\n",
        "\ufeff",
        "!!! note",
        "[!NOTE]",
    ),
    *(
        "'s",
        "s'",
        "'90s",
        "5'11",
        '12"',
        "**a **b",
        "[ t ](x)",
        "[](u)",
        "1--2",
        "a---b",
        "?",
        "!",
        ":",
    ),
)
_LONGEST = 1200


def mutated_documents(sources: Sequence[str], count: int, *, seed: int) -> Iterator[str]:
    """`count` documents made from `sources`, the same ones for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        text = _piece(chance, sources)
        for _ in range(chance.randint(1, 6)):
            text = chance.choice(_MUTATIONS)(chance, text, sources)
        yield text[: 2 * _LONGEST]


def _piece(chance: random.Random, sources: Sequence[str]) -> str:
    source = chance.choice(sources)
    start = chance.randrange(max(1, len(source) - 40))
    return source[start : start + chance.randint(20, _LONGEST)]


def _sprinkle(chance: random.Random, text: str, _: Sequence[str]) -> str:
    for _time in range(chance.randint(1, 5)):
        at = chance.randint(0, len(text))
        text = text[:at] + chance.choice(_SPRINKLES) + text[at:]
    return text


def _delete(chance: random.Random, text: str, _: Sequence[str]) -> str:
    start = chance.randint(0, len(text))
    return text[:start] + text[start + chance.randint(1, 30) :]


def _double(chance: random.Random, text: str, _: Sequence[str]) -> str:
    start = chance.randint(0, len(text))
    end = start + chance.randint(1, 60)
    return text[:end] + text[start:end] + text[end:]


def _swap(chance: random.Random, text: str, _: Sequence[str]) -> str:
    first, second, third = sorted(chance.randint(0, len(text)) for _ in range(3))
    return text[:first] + text[second:third] + text[first:second] + text[third:]


def _graft(chance: random.Random, text: str, sources: Sequence[str]) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + _piece(chance, sources)[:200] + text[at:]


def _indent(chance: random.Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    start = chance.randrange(len(lines))
    prefix = chance.choice(("> ", "  ", "    ", "- ", "1. ", "\t", ">", "   ", "* "))
    for number in range(start, min(len(lines), start + chance.randint(1, 5))):
        lines[number] = prefix + lines[number]
    return "\n".join(lines)


def _shuffle_lines(chance: random.Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    start = chance.randrange(len(lines))
    part = lines[start : start + 6]
    chance.shuffle(part)
    return "\n".join(lines[:start] + part + lines[start + 6 :])


def _join_lines(chance: random.Random, text: str, _: Sequence[str]) -> str:
    at = text.find("\n", chance.randint(0, len(text)))
    return text if at < 0 else text[:at] + " " + text[at + 1 :]


_MUTATIONS = (
    *(_sprinkle, _sprinkle, _sprinkle, _delete, _double, _swap, _graft, _indent),
    *(_shuffle_lines, _join_lines),
)
