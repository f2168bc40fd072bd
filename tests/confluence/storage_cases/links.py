"""Links, images and files."""

from tests.confluence.storage_cases.writing import GUIDE_PAGE, case, macro

FILES = [
    case(
        "an image with everything",
        '<ac:image ac:alt="Alt" ac:title="T" ac:width="9"><ri:attachment ri:filename="plan.png"/>'
        '<ac:adf-mark key="border"/><ac:caption>A <em>cap</em>tion</ac:caption></ac:image>',
        '![Alt](assets/my-page/plan.png "T")\\\n*A *cap*tion*',
    ),
    case(
        "a caption of paragraphs is one line",
        '<ac:image ac:alt="x"><ri:url ri:value="https://a.test/b.png"/><ac:caption><p>a</p>'
        "<p><strong>b</strong></p></ac:caption></ac:image>",
        "![x](https://a.test/b.png)\\\n*a **b***",
    ),
    case(
        "a diagram on another page",
        macro("inc-drawio", diagramName="d", pageId="20"),
        "[d](https://wiki.test/wiki/download/attachments/20/d)",
    ),
    case(
        "an image is called by its caption, then by its file",
        '<p><ac:image><ri:attachment ri:filename="plan.png"/></ac:image></p>',
        "![plan.png](assets/my-page/plan.png)",
    ),
    case(
        "an image from elsewhere",
        '<p><ac:image ac:alt="x"><ri:url ri:value="https://a.test/b.png"/></ac:image></p>',
        "![x](https://a.test/b.png)",
    ),
    case(
        "an image in a link",
        f'<p><ac:link>{GUIDE_PAGE}<ac:link-body><ac:image ac:alt="x">'
        '<ri:attachment ri:filename="plan.png"/></ac:image></ac:link-body></ac:link></p>',
        "[![x](assets/my-page/plan.png)](guide.md)",
    ),
    case(
        "the list of files",
        macro("attachments"),
        "\n".join(
            f"- [{name}](assets/my-page/{name})"
            for name in ("plan.png", "notes.pdf", "flow.png", "flow")
        )
        + "\n- [r\u00e9sum\u00e9.pdf](assets/my-page/resume.pdf)",
    ),
    case(
        "a gallery",
        macro("gallery"),
        "![plan.png](assets/my-page/plan.png)\n\n![flow.png](assets/my-page/flow.png)",
    ),
    *(
        case(
            f"the {name} of another page are its own",
            macro(name, upload="false", page=GUIDE_PAGE),
            f"*\\[{name}: [The Guide](guide.md)\\]*",
        )
        for name in ("attachments", "gallery")
    ),
    case(
        "a file on a disk somewhere",
        '<p><a href="file://server/a%20b.docx">plan</a></p>',
        "plan (`file://server/a%20b.docx`)",
    ),
    *(
        case(
            f"{name} leads to its file",
            macro(name, name='<ri:attachment ri:filename="notes.pdf"/>'),
            "[notes.pdf](assets/my-page/notes.pdf)",
        )
        for name in ("view-file", "viewpdf", "viewdoc", "viewxls", "viewppt", "multimedia")
    ),
    *(
        case(
            f"{name} shows its picture and its source",
            macro(name, **{key: "flow"}),
            "![flow](assets/my-page/flow.png)\\\n[flow](assets/my-page/flow)",
        )
        for name, key in (
            ("drawio", "diagramName"),
            ("gliffy", "name"),
            ("mermaid-cloud", "filename"),
        )
    ),
]

LINKS = [
    case("a page by its title", f"<p><ac:link>{GUIDE_PAGE}</ac:link></p>", "[The Guide](guide.md)"),
    case(
        "a page in another space, with a rich label",
        '<p><ac:link><ri:page ri:space-key="OPS" ri:content-title="Elsewhere"/>'
        "<ac:link-body><strong>go</strong></ac:link-body></ac:link></p>",
        "[**go**](../OPS/elsewhere.md)",
    ),
    case(
        "a page with a plain label",
        f"<p><ac:link>{GUIDE_PAGE}<ac:plain-text-link-body><![CDATA[a < b]]>"
        "</ac:plain-text-link-body></ac:link></p>",
        "[a < b](guide.md)",
    ),
    case(
        "a page nobody exported keeps its label and its address",
        '<p><ac:link><ri:page ri:content-title="Not Here"/></ac:link></p>',
        "[Not Here](https://wiki.test/wiki/display/DOC/Not+Here)",
    ),
    case(
        "a place on another page",
        f'<p><ac:link ac:anchor="Some Place">{GUIDE_PAGE}</ac:link></p>',
        "[The Guide](guide.md#Some%20Place)",
    ),
    case(
        "a file on this page",
        '<p><ac:link><ri:attachment ri:filename="notes.pdf"/><ac:link-body>n</ac:link-body>'
        "</ac:link></p>",
        "[n](assets/my-page/notes.pdf)",
    ),
    case(
        "a file on another page",
        f'<p><ac:link><ri:attachment ri:filename="map.svg">{GUIDE_PAGE}</ri:attachment>'
        "</ac:link></p>",
        "[map.svg](assets/guide/map%20%281%29.svg)",
    ),
    case(
        "a file of this page by its whole address",
        '<p><a href="/wiki/download/attachments/10/notes.pdf?version=1">n</a></p>',
        "[n](assets/my-page/notes.pdf)",
    ),
    case(
        "a file of this page by its title",
        '<p><ac:link><ri:attachment ri:filename="notes.pdf"><ri:page ri:content-title="My Page"/>'
        "</ri:attachment></ac:link></p>",
        "[notes.pdf](assets/my-page/notes.pdf)",
    ),
    case(
        "a file whose name is spelled in parts",
        '<p><ac:link><ri:attachment ri:filename="re\u0301sume\u0301.pdf"/></ac:link></p>',
        "[re\u0301sume\u0301.pdf](assets/my-page/resume.pdf)",
    ),
    case(
        "a space",
        '<p><ac:link><ri:space ri:space-key="OPS"/></ac:link></p>',
        "[Elsewhere](../OPS/elsewhere.md)",
    ),
    case(
        "a blog post",
        '<p><ac:link><ri:blog-post ri:content-title="News" ri:posting-day="2026/01/02"/>'
        "</ac:link></p>",
        "[News](https://wiki.test/wiki/display/DOC/2026/01/02/News)",
    ),
    case(
        "a file of a blog post in another space",
        '<p><ac:link><ri:attachment ri:filename="a.pdf"><ri:blog-post ri:space-key="OPS" '
        'ri:content-title="Big News" ri:posting-day="2026/01/02"/></ri:attachment></ac:link></p>',
        "[a.pdf](https://wiki.test/wiki/display/OPS/2026/01/02/Big+News)",
    ),
    case(
        "content by its id",
        '<p><ac:link><ri:content-entity ri:content-id="20"/></ac:link></p>',
        "[The Guide](guide.md)",
    ),
    case(
        "an address",
        '<p><ac:link><ri:url ri:value="https://a.test/?x=1&amp;y=2"/><ac:link-body>a</ac:link-body></ac:link></p>',
        "[a](https://a.test/?x=1&y=2)",
    ),
    case(
        "a shortcut is text",
        '<p><ac:link><ri:shortcut ri:key="jira" ri:parameter="AB-1"/></ac:link></p>',
        "AB-1@jira",
    ),
    case("a person", '<p><ac:link><ri:user ri:userkey="u-1"/></ac:link></p>', "@Ada Lovelace"),
    case("a person nobody knows", '<p><ac:link><ri:user ri:username="bob"/></ac:link></p>', "@bob"),
    case("a profile", macro("profile", user='<ri:user ri:account-id="u-1"/>'), "@Ada Lovelace"),
    case(
        "children, in their order",
        macro("children", all="true"),
        "- [The Guide](guide.md)\n  - [First Steps](guide/first%20steps.md)\n"
        "  - [Next](guide/next.md)",
    ),
    case("children of the first level", macro("children"), "- [The Guide](guide.md)"),
    case(
        "a tree however its name is written",
        macro("PageTree"),
        "- [The Guide](guide.md)\n  - [First Steps](guide/first%20steps.md)\n"
        "  - [Next](guide/next.md)",
    ),
    case(
        "children of another page",
        macro("pagetree", root=f"<ac:link>{GUIDE_PAGE}</ac:link>"),
        "- [First Steps](guide/first%20steps.md)\n- [Next](guide/next.md)",
    ),
    *(
        case(
            f"{name} leads to the page",
            macro(name, default=f"<ac:link>{GUIDE_PAGE}</ac:link>"),
            "*Included:* [The Guide](guide.md)",
        )
        for name in ("include", "excerpt-include")
    ),
    *(
        case(f"own address {address}", f'<p><a href="{address}">x</a></p>', f"[x]({path})")
        for address, path in {
            "https://wiki.test/wiki/spaces/DOC/pages/20/The+Guide": "guide.md",
            "/wiki/spaces/DOC/pages/20": "guide.md",
            "/wiki/pages/viewpage.action?pageId=20&amp;focusedCommentId=7": "guide.md",
            "/wiki/pages/viewpage.action?spaceKey=DOC&amp;title=The+Guide": "guide.md",
            "https://wiki.test/wiki/display/DOC/The+Guide#Place": "guide.md#Place",
            "https://wiki.test/wiki/x/FA": "guide.md",
            "https://wiki.test/wiki/spaces/OPS/overview": "../OPS/elsewhere.md",
            "https://elsewhere.test/wiki/x/FA": "https://elsewhere.test/wiki/x/FA",
            "https://wiki.test/other/x/FA": "https://wiki.test/other/x/FA",
            "mailto:a@b.test": "mailto:a@b.test",
        }.items()
    ),
    case(
        "a bare address of a page reads as its title",
        '<p><a href="https://wiki.test/wiki/x/FA" data-card-appearance="inline">'
        "https://wiki.test/wiki/x/FA</a></p>",
        "[The Guide](guide.md)",
    ),
]
