"""Boxes, folds and small macros."""

from tests.confluence.storage_cases.writing import case, macro, plain, rich

BOXES = [
    *(
        case(
            f"{kind} box",
            macro(kind, rich("<p>a</p><p>b</p>")),
            f"> **{kind.capitalize()}:** a\n>\n> b",
        )
        for kind in ("info", "note", "tip", "warning")
    ),
    *(
        case(
            f"{kind} box that begins with a table",
            macro(
                kind,
                rich(
                    "<table><tbody><tr><th>Owner</th><td>Ann</td></tr>"
                    "<tr><th>Pager</th><td>555-1234</td></tr></tbody></table>"
                ),
            ),
            f"> **{kind.capitalize()}:**\n>\n> |  |  |\n> | --- | --- |\n> | Owner | Ann |\n"
            "> | Pager | 555-1234 |",
        )
        for kind in ("info", "note", "tip", "warning")
    ),
    case(
        "a box with a title", macro("note", rich("<p>a</p>"), title="Mind"), "> **Note: Mind:** a"
    ),
    case(
        "an old box",
        '<ac:macro ac:name="tip"><ac:rich-text-body><p>a</p></ac:rich-text-body></ac:macro>',
        "> **Tip:** a",
    ),
    case("a panel", macro("panel", rich("<p>a</p>"), title="T", bgColor="#fff"), "> **T**\n>\n> a"),
    case(
        "a panel with an icon",
        macro("panel", rich("<p>a</p>"), panelIconText="🙂", title="T"),
        "> **🙂 T**\n>\n> a",
    ),
    case(
        "a panel of newer editors says its text once",
        '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note'
        "</ac:adf-attribute><ac:adf-content><p>a</p></ac:adf-content></ac:adf-node>"
        "<ac:adf-fallback><div><p>a</p></div></ac:adf-fallback></ac:adf-extension>",
        "> **Note:** a",
    ),
    case(
        "decisions",
        '<ac:adf-extension><ac:adf-node type="decision-list"><ac:adf-node type="decision-item">'
        '<ac:adf-attribute key="state">DECIDED</ac:adf-attribute><ac:adf-content>go'
        "</ac:adf-content></ac:adf-node></ac:adf-node><ac:adf-fallback>go</ac:adf-fallback></ac:adf-extension>",
        "- **Decided:** go",
    ),
    case(
        "decisions of other editors",
        '<ac:adf-node type="decisionList"><ac:adf-node type="decisionItem" state="UNDECIDED">'
        "<p>a</p></ac:adf-node></ac:adf-node>",
        "- **Undecided:**\n\n  a",
    ),
    case(
        "an app's formula",
        '<p>so <ac:adf-extension><ac:adf-node type="inline-extension"><ac:adf-attribute '
        'key="extension-key">1/2/static/mathinline</ac:adf-attribute><ac:adf-attribute '
        'key="parameters"><ac:adf-parameter key="guest-params"><ac:adf-parameter key="latex">x^2'
        "</ac:adf-parameter></ac:adf-parameter></ac:adf-attribute></ac:adf-node><ac:adf-fallback>"
        '<ac:adf-node type="inline-extension"/></ac:adf-fallback></ac:adf-extension></p>',
        "so $x^2$",
    ),
    case(
        "an app's macro keeps its body and says its name",
        '<ac:adf-extension><ac:adf-node type="bodied-extension"><ac:adf-attribute '
        'key="extension-key">native-tabs</ac:adf-attribute><ac:adf-content><p>a</p>'
        "</ac:adf-content></ac:adf-node><ac:adf-fallback><p>a</p></ac:adf-fallback>"
        "</ac:adf-extension>",
        "*[native-tabs]*\n\na",
    ),
    case(
        "an app's macro without a body shows its fallback",
        '<ac:adf-extension><ac:adf-node type="extension"><ac:adf-attribute key="extension-key">'
        "chart:default</ac:adf-attribute></ac:adf-node><ac:adf-fallback><p>a</p></ac:adf-fallback>"
        "</ac:adf-extension>",
        "*[chart]*\n\na",
    ),
    case(
        "an extension with nothing but a fallback",
        "<ac:adf-extension><ac:adf-fallback><p>a</p></ac:adf-fallback></ac:adf-extension>",
        "a",
    ),
    case("a fold", macro("expand", rich("<p>a</p>"), title="More"), "**More**\n\na"),
    case(
        "a fold without a title",
        macro("expand", rich("<p>a</p>")),
        "**Click here to expand...**\n\na",
    ),
    case("an excerpt", macro("excerpt", rich("<p>a</p>")), "a"),
    case(
        "a hidden excerpt",
        macro("excerpt", rich("<p>a</p>"), hidden="true"),
        "*[hidden excerpt]*\n\na",
    ),
    case(
        "sections and columns",
        macro(
            "section", rich(macro("column", rich("<p>l</p>")) + macro("column", rich("<p>r</p>")))
        ),
        "l\n\nr",
    ),
    case("page properties keep their table", macro("details", rich("<p>a</p>")), "a"),
    case("add-ons that only wrap", macro("scroll-ignore", rich("<p>a</p>")), "a"),
    case("a tab", macro("ui-tab", rich("<p>a</p>"), title="One"), "**One**\n\na"),
    case(
        "a footnote",
        "<p>a" + macro("footnote", rich("see b")) + " c</p>",
        "a[^1] c\n\n[^1]: see b",
    ),
    case(
        "a footnote of several blocks",
        "<p>a" + macro("footnote", rich("<p>b</p><ul><li>c</li></ul><p>d</p>")) + "</p>",
        "a[^1]\n\n[^1]: b\n\n    - c\n\n    d",
    ),
    case(
        "footnotes that refer to pages and to each other",
        "<p>a"
        + macro(
            "footnote",
            rich(
                '<p><ac:link><ri:page ri:content-title="The Guide"/></ac:link>'
                + macro("footnote", rich("<p>1 <u>litre</u></p>"))
                + "</p>"
            ),
        )
        + "</p>",
        "a[^2]\n\n[^1]: 1 <u>litre</u>\n\n[^2]: [The Guide](guide.md)[^1]",
    ),
    case("a footnote of nothing", "<p>a" + macro("footnote") + "</p>", "a[^1]\n\n[^1]:"),
]

DYNAMIC = """
jirachart roadmap chart livesearch recently-updated contentbylabel blog-posts popular-labels
listlabels content-report-table tasks-report-macro detailssummary
"""

SMALL_MACROS = [
    case("a table of contents is dropped", macro("toc") + "<p>a</p>", "a"),
    case("a status", "<p>" + macro("status", title="DONE", colour="Green") + "</p>", "`DONE`"),
    case("a status without a title", "<p>" + macro("status", colour="Green") + "</p>", "`Green`"),
    case("an anchor", "<p>" + macro("anchor", default="here") + "a</p>", '<a id="here"></a>a'),
    case(
        "an issue",
        "<p>" + macro("jira", key="AB-1") + "</p>",
        "[AB-1](https://jira.test/browse/AB-1)",
    ),
    case(
        "a query for issues",
        macro("jira", jqlQuery="project = AB", columns="key"),
        "*[jira: `project = AB`]*",
    ),
    case(
        "a query keeps the quotes it was written with",
        macro("contentbylabel", cql='label = "a" and title ~ "b--c..."'),
        '*[contentbylabel: `label = "a" and title ~ "b--c..."`]*',
    ),
    *(
        case(
            f"{name} says what it would show",
            macro(name, cql="label = x"),
            f"*[{name}: `label = x`]*",
        )
        for name in DYNAMIC.split()
    ),
    case(
        "a macro nobody knows, with a body", macro("mystery", rich("<p>a</p>")), "*[mystery]*\n\na"
    ),
    case(
        "a macro nobody knows, with a body of plain text",
        macro("sql", plain("select *\nfrom t\n\twhere a < 'b'  \n\n  -- \"c\" & `d` ...")),
        "*[sql]*\n\n```\nselect *\nfrom t\n\twhere a < 'b'  \n\n  -- \"c\" & `d` ...\n```",
    ),
    case("a macro nobody knows, with an empty body", macro("sql", plain("\n")), "*[sql]*"),
    case(
        "a dynamic macro with plain text",
        macro("chart", plain("a\nb")),
        "*[chart]*\n\n```\na\nb\n```",
    ),
    case("a macro nobody knows, without one", macro("mystery", size="9"), "*[mystery: 9]*"),
    case("a frame by its source", macro("iframe", src="https://a.test/"), "<https://a.test/>"),
    case(
        "a frame",
        macro("widget", url='<ri:url ri:value="https://video.test/1"/>'),
        "<https://video.test/1>",
    ),
]
