"""What is shown as typed: code, diagrams, formulas."""

import base64
import zlib
from urllib.parse import quote

from tests.confluence.storage_cases.writing import case, macro, plain


def _packed(text: str) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(quote(text).encode()) + deflate.flush()).decode()


CODE = [
    case(
        "code with its language and title",
        macro("code", plain("if a < b:\n    pass"), language="py", title="Why", linenumbers="true"),
        "**Why**\n\n```py\nif a < b:\n    pass\n```",
    ),
    case("code without a language has none", macro("code", plain("x = 1")), "```\nx = 1\n```"),
    case("no language by name", macro("code", plain("x"), language="none"), "```\nx\n```"),
    case(
        "a language by the name others know",
        macro("code", plain("x"), language="c#"),
        "```csharp\nx\n```",
    ),
    case(
        "markup's language", macro("code", plain("<a/>"), language="html/xml"), "```xml\n<a/>\n```"
    ),
    case(
        "the fence is longer than any inside",
        macro("code", plain("```\nx\n```")),
        "````\n```\nx\n```\n````",
    ),
    case(
        "CDATA that was split is joined",
        macro("code", plain("a[b[0]]]]><![CDATA[>c")),
        "```\na[b[0]]>c\n```",
    ),
    case("text that is not formatted", macro("noformat", plain("  a\n b")), "```\n  a\n b\n```"),
    case(
        "PlantUML",
        macro("plantuml", plain("@startuml\n@enduml")),
        "```plantuml\n@startuml\n@enduml\n```",
    ),
    case(
        "PlantUML that was packed",
        macro("plantumlcloud", data=_packed("A -> B: ü"), compressed="true"),
        "```plantuml\nA -> B: ü\n```",
    ),
    case("Mermaid", macro("mermaid-macro", plain("graph TD")), "```mermaid\ngraph TD\n```"),
    case(
        "HTML is shown, not run",
        macro("html", plain("<script>alert(1)</script>")),
        "```html\n<script>alert(1)</script>\n```",
    ),
    case("Markdown stays as it is", macro("markdown", plain("# A\n\n- *b*\n")), "# A\n\n- *b*"),
    case(
        "Markdown that leaves a fence open is closed",
        macro("markdown", plain("```\ncode")) + "<p>after</p>",
        "```\ncode\n```\n\nafter",
    ),
    case(
        "formulas",
        "<p>see "
        + macro("eazy-math-inline", body="a_1 * b")
        + "</p>"
        + macro("mathblock", body="x^2"),
        "see $a_1 * b$\n\n$$\nx^2\n$$",
    ),
]
