"""The macros of Confluence and its usual add-ons, each with the function that writes it."""

from html import escape

from markmirror.convert.storage_format import macro_code, macro_files, macro_pages
from markmirror.convert.storage_format.callouts import admonition, fold, panel
from markmirror.convert.storage_format.parameters import (
    has_body,
    macro_name,
    parameter,
    parameter_text,
    parameters,
    resource_in,
    rich_body,
)
from markmirror.convert.storage_format.reader import Element
from markmirror.convert.storage_format.translation import Handler, Translation, link


def macro(translation: Translation, element: Element) -> str:
    """A macro as its name says; one nobody knows keeps its body and says its name."""
    name = macro_name(element)
    handler = MACROS.get(name)
    if handler is not None:
        return handler(translation, element)
    translation.unknown_macros[name] = None
    label = f"<em>[{escape(name)}]</em>"
    if not has_body(element):
        return translation.standing(_named(translation, element))
    return f"<p>{label}</p>{_kept_body(translation, element)}"


def _named(translation: Translation, element: Element) -> str:
    """One neutral line for what exists only on the server: the macro and what it was asked for."""
    name = element.attribute("ac:name").strip()
    said = parameter_text(element, *_MAIN_PARAMETERS)
    resource = resource_in(element, "ri:page", "ri:attachment", "ri:url", "ri:user", "ri:space")
    if said and said == parameter_text(element, *_QUERIES):
        # Nothing polishes code: a query with other quotes finds nothing.
        shown = f"<code>{escape(said)}</code>"
    elif resource is not None and not said:
        shown = translation.html(resource)
    else:
        given = (value.text().strip() for _, value in parameters(element))
        shown = escape(said or next((text for text in given if text), ""))
    return f"<em>[{escape(name)}{': ' if shown else ''}{shown}]</em>"


_QUERIES = ("cql", "jqlQuery", "query")
_MAIN_PARAMETERS = (
    "title",
    *_QUERIES,
    "labels",
    "label",
    "shared-block-key",
    "page",
    "spaces",
    "space",
    "spaceKey",
    "url",
    "name",
    "key",
    "",
)


def _dynamic(translation: Translation, element: Element) -> str:
    shown = translation.standing(_named(translation, element))
    return f"{shown}{_kept_body(translation, element)}" if has_body(element) else shown


def _kept_body(translation: Translation, element: Element) -> str:
    """The body of a macro that is only named: what was typed as plain text is shown as typed."""
    typed = element.first("ac:plain-text-body")
    if typed is None:
        return _body(translation, element)
    return macro_code.fence(typed.text()) if typed.text().strip() else ""


def _body(translation: Translation, element: Element) -> str:
    return f"<div>{rich_body(translation, element)}</div>"


def _nothing(translation: Translation, element: Element) -> str:
    return rich_body(translation, element)


def _callout(translation: Translation, element: Element) -> str:
    title = parameter_text(element, "title")
    return admonition(macro_name(element), title, rich_body(translation, element))


def _panel(translation: Translation, element: Element) -> str:
    icon = parameter_text(element, "panelIconText")
    return panel(parameter_text(element, "title"), icon, rich_body(translation, element))


def _expand(translation: Translation, element: Element) -> str:
    # The words are what Confluence itself shows on a fold that was given no title.
    title = parameter_text(element, "title", "") or "Click here to expand..."
    return fold(title, rich_body(translation, element))


def _excerpt(translation: Translation, element: Element) -> str:
    hidden = parameter_text(element, "hidden") == "true"
    note = translation.standing("<em>[hidden excerpt]</em>") if hidden else ""
    return note + rich_body(translation, element)


def _status(translation: Translation, element: Element) -> str:  # noqa: ARG001
    shown = parameter_text(element, "title") or parameter_text(element, "colour", "color")
    return f"<code>{escape(shown or 'status')}</code>"


def _anchor(translation: Translation, element: Element) -> str:
    name = parameter_text(element, "", "name")
    return translation.marks.inline(f'<a id="{escape(name)}"></a>') if name else ""


def _jira(translation: Translation, element: Element) -> str:
    key = parameter_text(element, "key", "")
    if not key:
        return _dynamic(translation, element)
    if translation.context.jira_url:
        return link(f"{translation.context.jira_url}/browse/{key}", escape(key))
    return f"<code>{escape(key)}</code>"


def _web_address(translation: Translation, element: Element) -> str:
    """A link to what would have been shown in a frame."""
    resource = resource_in(element, "ri:url")
    address = resource.attribute("ri:value") if resource is not None else ""
    address = address or parameter_text(element, "url", "src", "")
    if not address.lower().startswith(("http://", "https://")):
        return _dynamic(translation, element)
    return translation.standing(link(address, escape(address)))


def _footnote(translation: Translation, element: Element) -> str:
    translation.footnotes.append(rich_body(translation, element))
    return translation.marks.inline(f"[^{len(translation.footnotes)}]")


def _column(translation: Translation, element: Element) -> str:
    return _body(translation, element)


def _titled_body(translation: Translation, element: Element) -> str:
    """A body under a heading of its own, such as a tab or a card."""
    title = parameter_text(element, "title", "label", "shared-block-key")
    heading = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return heading + _body(translation, element)


def _files(translation: Translation, element: Element) -> str:
    """The files of the page; those of another one are not known here, and only named."""
    if parameter(element, "page") is not None:
        return _dynamic(translation, element)
    if macro_name(element) == "gallery":
        return macro_files.gallery(translation)
    return macro_files.attachments(translation)


def _shared_block(translation: Translation, element: Element) -> str:
    page = resource_in(parameter(element, "page"), "ri:page")
    included = macro_pages.include(translation, element) if page is not None else ""
    return translation.standing(_named(translation, element)) + included


def _table(rows: dict[str, Handler]) -> dict[str, Handler]:
    """One entry for each of the names that a row puts together."""
    return {name: handler for names, handler in rows.items() for name in names.split()}


MACROS: dict[str, Handler] = _table(
    {
        "info note tip warning success error": _callout,
        "alert message-box": _callout,
        "panel ui-panel": _panel,
        "expand ui-expand": _expand,
        "code code-block codeblock newcode": macro_code.code,
        "noformat preformatted": macro_code.noformat,
        "html html-bobswift": macro_code.html_source,
        "plantuml plantumlrender": macro_code.plantuml,
        "plantumlcloud": macro_code.packed_plantuml,
        "mermaid mermaid-macro mermaid-cloud mermaiddiagram": macro_code.mermaid,
        "mathblock easy-math-block eazy-math-block latex mathdisplay": macro_code.formula,
        "mathinline easy-math-inline eazy-math-inline": macro_code.formula_in_line,
        "markdown markdown-from-text": macro_code.markdown,
        "toc floatmenu": _nothing,
        "children pagetree content-tree childpages": macro_pages.children,
        "include excerpt-include include-page": macro_pages.include,
        "include-shared-block": _shared_block,
        "shared-block": _titled_body,
        "profile": macro_pages.profile,
        "excerpt": _excerpt,
        "status": _status,
        "anchor": _anchor,
        "jira jiraissues": _jira,
        "attachments gallery": _files,
        "view-file viewpdf viewdoc viewxls viewppt multimedia": macro_files.one_file,
        "drawio inc-drawio gliffy": macro_files.diagram,
        "iframe widget html-include": _web_address,
        "footnote": _footnote,
        "display-footnotes": _nothing,
        "section column": _column,
        "details toc-zone tooltip cite": _body,
        "sv-translation show-if hide-if scroll-ignore scroll-only scroll-office": _body,
        "scroll-pagebreak scroll-title": _body,
        "ui-tabs ui-steps ui-children aui auihorizontalnav auitabs": _body,
        "english german french spanish japanese korean chinese": _body,
        "ui-tab ui-step auitab auihorizontalnavpage": _titled_body,
        "jirachart roadmap chart livesearch recently-updated contentbylabel blog-posts": _dynamic,
        "popular-labels listlabels content-report-table tasks-report-macro": _dynamic,
        "detailssummary contributors change-history create-from-template": _dynamic,
    }
)
