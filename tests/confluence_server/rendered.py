"""A rough rendered body for clients that read HTML: links, images and code, little more."""

import html
import re
from urllib.parse import quote, quote_plus

from tests.confluence_server.content import Content, Page

_IMAGE = re.compile(r'<ac:image[^>]*>\s*<ri:attachment ri:filename="([^"]*)"\s*/>\s*</ac:image>')
_LINK = re.compile(r'<ac:link>\s*<ri:page[^>]*ri:content-title="([^"]*)"[^>]*/>\s*</ac:link>')
_CODE = re.compile(
    r'<ac:structured-macro ac:name="code"[^>]*>'
    r'(?:<ac:parameter ac:name="language">(?P<language>[^<]*)</ac:parameter>)?'
    r"<ac:plain-text-body><!\[CDATA\[(?P<code>.*?)\]\]></ac:plain-text-body></ac:structured-macro>",
    re.DOTALL,
)
_LEFT_OVER = re.compile(r"</?(?:ac|ri):[^>]*>|<!\[CDATA\[|\]\]>")


def view_html(content: Content, page: Page, base_url: str) -> str:
    """The page as a reader's browser would get it, without the attributes of the editor."""
    if page.view is not None:
        return page.view

    def image(match: re.Match[str]) -> str:
        name = html.unescape(match[1])
        for attachment in page.attachments:
            if attachment.name == name:
                source = f"{base_url}/download/attachments/{page.id}/{quote(name)}?version=1&api=v2"
                return (
                    f'<img class="confluence-embedded-image" src="{html.escape(source)}" '
                    f'data-linked-resource-id="{attachment.id[3:]}" '
                    f'data-linked-resource-type="attachment" '
                    f'data-linked-resource-container-id="{page.id}" '
                    f'data-linked-resource-default-alias="{html.escape(name)}">'
                )
        return ""

    def link(match: re.Match[str]) -> str:
        title = html.unescape(match[1])
        other = content.page_titled(page.space_key, title)
        if other is None:
            return html.escape(title)
        address = f"{base_url}/display/{page.space_key}/{quote_plus(title)}"
        return (
            f'<a href="{address}" data-linked-resource-id="{other.id}" '
            f'data-linked-resource-type="page">{html.escape(title)}</a>'
        )

    def code(match: re.Match[str]) -> str:
        language = match["language"] or "java"  # what a real one makes of none given
        text = html.escape(match["code"])
        return (
            '<div class="code panel pdl"><pre class="syntaxhighlighter-pre" '
            f'data-syntaxhighlighter-params="brush: {language}">{text}</pre></div>'
        )

    rendered = _CODE.sub(code, _LINK.sub(link, _IMAGE.sub(image, page.body)))
    return _LEFT_OVER.sub("", rendered)
