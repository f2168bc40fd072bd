"""Text, lists and tables."""

from tests.confluence.storage_cases.writing import case, macro, plain, rich

TEXT = [
    case(
        "headings keep their levels", "<h1>A</h1><h3>B</h3><h6>C</h6>", "# A\n\n### B\n\n###### C"
    ),
    case("empty paragraphs are dropped", "<p>a</p><p/><p><br/></p><p>b</p>", "a\n\nb"),
    case("a break is a hard break", "<p>a<br/>b</p>", "a\\\nb"),
    case(
        "emphasis",
        "<p><strong>a</strong> <b>b</b> <em>c</em> <i>d</i> <s>e</s> <del>f</del> <code>g</code>",
        "**a** **b** *c* *d* ~~e~~ ~~f~~ `g`",
    ),
    case(
        "underline, subscript and superscript stay HTML",
        "<p><u>a</u> H<sub>2</sub>O x<sup>2</sup></p>",
        "<u>a</u> H<sub>2</sub>O x<sup>2</sup>",
    ),
    case(
        "coloured text is text",
        '<p><span style="color: rgb(1,2,3);">red</span> <span data-colorid="x">blue</span></p>',
        "red blue",
    ),
    case("preformatted text is fenced", "<pre>a\n  b ```</pre>", "```\na\n  b ```\n```"),
    case(
        "entities need no declaration",
        "<p>a&nbsp;b &uuml; &rarr; &lt;x&gt;</p>",
        "a\xa0b ü → \\<x>",
    ),
    case(
        "a comment's marker may split a word",
        '<p>un<ac:inline-comment-marker ac:ref="1">believ</ac:inline-comment-marker>able</p>',
        "unbelievable",
    ),
    case("a template's hint is dropped", "<p>a<ac:placeholder>type here</ac:placeholder></p>", "a"),
    case("a date", '<p>due <time datetime="2026-05-01"/></p>', "due 2026-05-01"),
    case(
        "an emoticon by its fallback",
        '<p><ac:emoticon ac:name="blue-star" ac:emoji-id="1f680" ac:emoji-fallback="🚀"/></p>',
        "🚀",
    ),
    case(
        "an emoticon by its code points",
        '<p><ac:emoticon ac:name="x" ac:emoji-id="1f468-200d-1f4bb" ac:emoji-fallback=":d:"/></p>',
        "👨\u200d💻",
    ),
    case("an emoticon by its old name", '<p><ac:emoticon ac:name="thumbs-up"/></p>', "👍"),
    case(
        "a custom emoticon by its short name",
        '<p><ac:emoticon ac:name="x" ac:emoji-id="a-b-z" ac:emoji-shortname=":party:"/></p>',
        ":party:",
    ),
    case(
        "layouts are stacked in order",
        '<ac:layout><ac:layout-section ac:type="two_equal"><ac:layout-cell><p>l</p>'
        "</ac:layout-cell><ac:layout-cell><p>r</p></ac:layout-cell></ac:layout-section></ac:layout>",
        "l\n\nr",
    ),
]

LISTS_AND_TABLES = [
    case("a list counts from its start", '<ol start="3"><li>c</li><li>d</li></ol>', "3. c\n4. d"),
    case(
        "single paragraphs in items keep a list tight",
        '<ol start="1"><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ol>',
        "1. a\n2. b\n   - c",
    ),
    case(
        "tasks, nested and assigned",
        "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status>"
        '<ac:task-body>done by <ac:link><ri:user ri:account-id="u-1"/></ac:link> on '
        '<time datetime="2026-01-02"/><ac:task-list><ac:task><ac:task-uuid>q</ac:task-uuid>'
        "<ac:task-status>incomplete</ac:task-status><ac:task-body>left</ac:task-body></ac:task>"
        "</ac:task-list></ac:task-body></ac:task></ac:task-list>",
        "- [x] done by @Ada Lovelace on 2026-01-02\n  - [ ] left",
    ),
    case(
        "a table with a header row and a header column",
        "<table><colgroup><col/><col/></colgroup><tbody><tr><th>a</th><th>b</th></tr>"
        "<tr><th>c</th><td>d|e<br/>f</td></tr></tbody></table>",
        "| a | b |\n| --- | --- |\n| c | d\\|e<br>f |",
    ),
    case(
        "a table without a header row gets an empty one",
        '<table><tbody><tr><td data-highlight-colour="#fff">a</td><td>b</td></tr></tbody></table>',
        "|  |  |\n| --- | --- |\n| a | b |",
    ),
    case(
        "merged cells are repeated downwards and blank sideways",
        '<table><tbody><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">x</td><td>1</td></tr>'
        '<tr><td>2</td></tr><tr><td colspan="2">y</td></tr></tbody></table>',
        "| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| y |  |",
    ),
    case(
        "lists, code and boxes fit into cells",
        "<table><tbody><tr><th><ul><li>a</li><li>b</li></ul></th><th>"
        + macro("code", plain("x = 1"))
        + "</th></tr><tr><td>"
        + macro("info", rich("<p>c</p>"))
        + "</td><td><p>d</p><p>e</p></td></tr></tbody></table>",
        "| - a<br>- b | `x = 1` |\n| --- | --- |\n| > **Info:** c | d<br>e |",
    ),
    case(
        "a table in a cell keeps its words",
        "<table><tbody><tr><th>a</th></tr><tr><td><table><tbody><tr><td>in</td></tr></tbody></table>"
        "</td></tr></tbody></table>",
        "| a |\n| --- |\n| in |",
    ),
    case(
        "bars in formulas and Markdown end no cell",
        "<table><tbody><tr><th>"
        + macro("mathinline", body="|a|")
        + "</th></tr><tr><td>"
        + macro("markdown", plain("b | c\n\nd"))
        + "</td></tr></tbody></table>",
        "| $\\|a\\|$ |\n| --- |\n| b \\| c<br>d |",
    ),
    case(
        "alignment comes from the cells' style",
        '<table><tbody><tr><th style="text-align: right;">a</th></tr><tr>'
        '<td style="text-align: right;">1</td></tr></tbody></table>',
        "| a |\n| ---: |\n| 1 |",
    ),
]
