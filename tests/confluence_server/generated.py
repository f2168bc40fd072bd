"""Spaces made to measure: N pages with attachments and links, the same ones each time."""

from dataclasses import dataclass

from tests.confluence_server.content import Content, Page, Space

CODE = 'def total(prices: list[float]) -> float:\n    return sum(prices)  # "all" of them'


@dataclass(frozen=True, slots=True, kw_only=True)
class SpacePlan:
    """How many pages a generated space has and what hangs on them."""

    key: str = "DOCS"
    name: str = "Documentation"
    pages: int = 10
    children_per_page: int = 5
    attachments_per_page: int = 1
    attachment_bytes: int = 512
    with_homepage: bool = True  # without one, the first pages are all roots


def generate_space(content: Content, plan: SpacePlan) -> Space:
    """Fill `content` with a space of `plan.pages` pages, the home page being one of them."""
    space = content.add_space(plan.key, plan.name)
    made: list[Page] = []
    for number in range(plan.pages):
        parent = made[(number - 1) // plan.children_per_page] if number else None
        if not plan.with_homepage and number <= plan.children_per_page:
            parent = None
        page = content.add_page(
            plan.key,
            f"{plan.name} Home" if number == 0 else f"Page {number:05d}",
            parent_id=parent.id if parent else None,
            position=number,
            labels=(f"label-{number % 3}",),
        )
        _write_body(content, plan, page, number, made)
        made.append(page)
    if made and plan.with_homepage:
        space.homepage_id = made[0].id
    return space


def _write_body(
    content: Content, plan: SpacePlan, page: Page, number: int, made: list[Page]
) -> None:
    names = [f"figure {number}-{index}.png" for index in range(plan.attachments_per_page)]
    for name in names:
        seed = f"{page.id}/{name}\n".encode()
        body = (seed * (plan.attachment_bytes // len(seed) + 1))[: plan.attachment_bytes]
        content.add_attachment(page, name, body, media_type="image/png")
    neighbour = made[number // 2] if made else page
    images = "".join(
        f'<p><ac:image ac:alt="Figure"><ri:attachment ri:filename="{name}"/></ac:image></p>'
        for name in names
    )
    page.body = (
        f"<h2>About {number}</h2><p>Body of <strong>page {number}</strong>, see "
        f'<ac:link><ri:page ri:content-title="{neighbour.title}"/></ac:link>.</p>{images}'
        '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">python</ac:parameter>'
        f"<ac:plain-text-body><![CDATA[{CODE}]]></ac:plain-text-body></ac:structured-macro>"
        f"<ul><li>first of {number}</li><li>second of {number}</li></ul>"
    )


def deep_chain(content: Content, space_key: str, *, depth: int) -> list[Page]:
    """Pages nested `depth` levels under each other, the topmost first."""
    chain: list[Page] = []
    for level in range(depth):
        parent_id = chain[-1].id if chain else None
        chain.append(
            content.add_page(
                space_key,
                f"Level {level + 1:02d} of a rather deep tree of pages",
                f"<p>At level {level + 1}.</p>",
                parent_id=parent_id,
            )
        )
    return chain


def huge_body(paragraphs: int = 25_000) -> str:
    """A body of more than a megabyte, each paragraph its own sentence."""
    return "".join(
        f"<p>Paragraph {number} of a very long page.</p>" for number in range(paragraphs)
    )
