"""What a case is, how macros are written, and the site that all cases are on."""

from dataclasses import dataclass

from markmirror.convert.storage_format import (
    AttachmentKey,
    PageKey,
    PageLink,
    StorageContext,
)

GUIDE = PageLink(content_id="20", title="The Guide", path="guide.md")
FIRST = PageLink(content_id="21", title="First Steps", path="guide/first steps.md")
NEXT = PageLink(content_id="22", title="Next", path="guide/next.md")
OTHER = PageLink(content_id="30", title="Elsewhere", path="../OPS/elsewhere.md")

CONTEXT = StorageContext(
    base_url="https://wiki.test/wiki",
    space_key="DOC",
    page_id="10",
    page_title="My Page",
    pages={
        PageKey(title="The Guide"): GUIDE,
        PageKey(space_key="DOC", title="The Guide"): GUIDE,
        PageKey(content_id="20"): GUIDE,
        PageKey(space_key="OPS", title="Elsewhere"): OTHER,
        PageKey(content_id="30"): OTHER,
        PageKey(space_key="OPS"): OTHER,
    },
    attachments={
        AttachmentKey(name="plan.png"): "assets/my-page/plan.png",
        AttachmentKey(name="notes.pdf"): "assets/my-page/notes.pdf",
        AttachmentKey(name="flow.png"): "assets/my-page/flow.png",
        AttachmentKey(name="flow"): "assets/my-page/flow",
        AttachmentKey(name="r\u00e9sum\u00e9.pdf"): "assets/my-page/resume.pdf",
        AttachmentKey(name="map.svg", page=PageKey(title="The Guide")): "assets/guide/map (1).svg",
    },
    users={"u-1": "Ada Lovelace"},
    children={"10": (GUIDE,), "20": (FIRST, NEXT)},
    jira_url="https://jira.test",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    storage: str
    markdown: str


def macro(name: str, body: str = "", /, **parameters: str) -> str:
    given = "".join(
        f'<ac:parameter ac:name="{"" if key == "default" else key}">{value}</ac:parameter>'
        for key, value in parameters.items()
    )
    return f'<ac:structured-macro ac:name="{name}">{given}{body}</ac:structured-macro>'


def rich(body: str) -> str:
    return f"<ac:rich-text-body>{body}</ac:rich-text-body>"


def plain(body: str) -> str:
    return f"<ac:plain-text-body><![CDATA[{body}]]></ac:plain-text-body>"


def case(name: str, storage: str, markdown: str) -> Case:
    return Case(name=name, storage=storage, markdown=markdown)


GUIDE_PAGE = '<ri:page ri:content-title="The Guide"/>'
