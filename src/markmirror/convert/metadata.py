"""What a page says about itself: its title, summary, language, proper address and forwarding."""

import re
from dataclasses import dataclass

from markmirror.convert import tree
from markmirror.convert.addresses import absolute

# Where one title holds both the page's name and the site's. A hyphen is too common inside names
# to cut at without a second witness.
_SITE_SEPARATOR = re.compile(r"\s+(?:[|—–·•»«‹›]|::|-)\s+")
_HYPHEN_SEPARATOR = re.compile(r"\s+-\s+")
_PERMALINK_SIGNS = "◆¶#§🔗⚓\ue157\uf0c1 \t\r\n"
_STUB_DELAY_SECONDS = 15
_STUB_TEXT_CHARACTERS = 600
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The page's own account of itself; empty where it gives none."""

    title: str
    description: str
    language: str
    canonical: str | None
    refresh: str | None


def read_metadata(page: tree.Document, *, url: str, base: str) -> Metadata:
    """The page's account of itself, with addresses made absolute."""
    metas = _metas(page)
    return Metadata(
        title=_title(page, metas),
        description=_line(metas.get("description") or metas.get("og:description", "")),
        language=_language(page, metas),
        canonical=_canonical(page, base),
        refresh=_refresh(page, url=url, base=base),
    )


def _metas(page: tree.Document) -> dict[str, str]:
    """The first value of each named `<meta>`, by lower-case name or property."""
    metas: dict[str, str] = {}
    for meta in (tree.head_of(page) or page).iter_elements("meta"):
        name = tree.attribute(meta, "name") or tree.attribute(meta, "property")
        content = tree.attribute(meta, "content").strip()
        if name and content:
            metas.setdefault(name.strip().lower(), content)
    return metas


def _title(page: tree.Document, metas: dict[str, str]) -> str:
    # JSDoc names itself before each title.
    given = (_line(metas.get("og:title", "")) or _document_title(page)).removeprefix("JSDoc: ")
    heading = _first_heading(page)
    if not given:
        return heading
    return _without_site(given, heading=heading, site=_line(metas.get("og:site_name", "")))


def _document_title(page: tree.Document) -> str:
    # The first title outside SVG, where a title labels a drawing.
    for part in (tree.head_of(page), page):
        for title in part.iter_elements("title") if part is not None else ():
            if getattr(title.parent, "tag", "") != "svg":
                return _line(title.text)
    return ""


def _first_heading(page: tree.Document) -> str:
    for heading in page.iter_elements(("h1", "h2")):
        text = _line(heading.text).strip(_PERMALINK_SIGNS)
        if text:
            return text
    return ""


def _without_site(title: str, *, heading: str, site: str) -> str:
    """The title without the site's name, where it is certain which part that is."""
    parts = _SITE_SEPARATOR.split(title)
    if len(parts) == 1:
        return title
    if heading and heading in (title, parts[0], parts[-1]):
        return heading
    if site and parts[-1] == site:
        return title[: title.rindex(site)].rstrip(" \t|—–·•»«‹›:-")
    last = list(_SITE_SEPARATOR.finditer(title))[-1]
    if _HYPHEN_SEPARATOR.fullmatch(last.group()):
        return title
    return title[: last.start()].strip() or title


def _language(page: tree.Document, metas: dict[str, str]) -> str:
    root = page.root
    if root is not None:
        stated = tree.attribute(root, "lang") or tree.attribute(root, "xml:lang")
        if stated.strip():
            return stated.strip()
    return metas.get("content-language", "") or metas.get("language", "")


def _canonical(page: tree.Document, base: str) -> str | None:
    for link in (tree.head_of(page) or page).iter_elements("link"):
        if "canonical" in tree.attribute(link, "rel").lower().split():
            address = absolute(base, tree.attribute(link, "href"))
            if tree.attribute(link, "href").strip() and address is not None:
                return address
    return None


def _refresh(page: tree.Document, *, url: str, base: str) -> str | None:
    """Where a page that only forwards sends its reader."""
    refresh = tree.meta_refresh(page, base)
    if refresh is None or refresh[0] > _STUB_DELAY_SECONDS:
        return None
    target = absolute(base, refresh[1])
    if target is None or target.partition("#")[0] == url.partition("#")[0]:
        return None
    body = tree.body_of(page)
    if body is not None and len(_line(body.text)) > _STUB_TEXT_CHARACTERS:
        return None
    return target


def _line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
