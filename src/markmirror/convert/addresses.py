"""What the addresses on a page mean."""

from urllib.parse import urljoin, urlsplit

from markmirror.convert import tree


def base_of(page: tree.Document, url: str) -> str:
    """What the page's relative addresses are relative to."""
    head = tree.head_of(page)
    stated = None if head is None else head.select_one("base[href]")
    if stated is None:
        return url
    try:
        base = urljoin(url, tree.attribute(stated, "href").strip())
        return base if urlsplit(base).scheme else url
    except ValueError:
        return url


def absolute(base: str, reference: str) -> str | None:
    """The http(s) address that `reference` means on a page at `base`; None if it means none."""
    try:
        joined = urljoin(base, reference.strip())
        scheme = urlsplit(joined).scheme
    except ValueError:
        return None
    return joined if scheme in {"http", "https"} else None
