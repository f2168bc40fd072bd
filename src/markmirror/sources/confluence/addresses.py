"""Where a Confluence is, and the addresses of its API there."""

import re
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode, urlsplit

from markmirror.errors import UsageError
from markmirror.web.urls import DEFAULT_PORT

_CLOUD_HOST = ".atlassian.net"
_GATEWAY = re.compile(r"(/ex/confluence/[^/]+)(?:/.*)?")
# What people copy from the address bar stands after the base URL.
_INSIDE = re.compile(
    r"/(?:display|spaces|pages|rest|api/v2|x|login\.action|dashboard\.action|index\.action)(?:/.*)?$"
)
_HINT = "It looks like https://example.atlassian.net/wiki or https://wiki.example.com/confluence."


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfluenceSite:
    """A Confluence by its base URL, context path included, without a slash at the end.

    `web_url` is where people read it, which is elsewhere only if we ask through the gateway.
    """

    base_url: str
    cloud: bool
    _read_at: str = ""

    @property
    def web_url(self) -> str:
        return self._read_at or self.base_url

    def read_at(self, url: str) -> "ConfluenceSite":
        """The same site, which says of itself that people read it there."""
        is_gateway = _GATEWAY.match(urlsplit(self.base_url).path) is not None
        return replace(self, _read_at=url.rstrip("/")) if is_gateway else self

    def api(self, path: str, **query: str | int) -> str:
        """An address of API v1, its query in the order given; empty values are left out."""
        given = {name: value for name, value in query.items() if value != ""}
        question = f"?{urlencode(given)}" if given else ""
        return f"{self.base_url}/rest/api/{path}{question}"

    def space(self, key: str) -> str:
        return self.api(f"space/{quote(key, safe='~')}", expand="homepage")

    def page(self, page_id: str, *, expand: str, any_status: bool = False) -> str:
        """One page; with `any_status` also out of the trash and the archive."""
        status = "any" if any_status else ""
        return self.api(f"content/{quote(page_id, safe='')}", status=status, expand=expand)

    def user(self, key: str) -> str:
        """A person: by account in the cloud, by key at home."""
        name = "accountId" if self.cloud else "key"
        return self.api("user", **{name: key})

    def download(self, page_id: str, attachment_id: str) -> str:
        """The cloud's own way to a file, which redirects to where it is kept."""
        part = quote(attachment_id, safe="")
        return self.api(f"content/{quote(page_id, safe='')}/child/attachment/{part}/download")


def read_base_url(text: str) -> ConfluenceSite:
    """The site at a base URL, or at the address of any page of it.

    Raises UsageError for what cannot be one; a user name or password in it is never repeated.
    """
    try:
        parts = urlsplit(text.strip())
        host = parts.hostname or ""
        # The default one is not written in the addresses that a redirect or an answer names.
        is_usual = parts.port in (None, DEFAULT_PORT.get(parts.scheme))
        port = "" if is_usual else f":{parts.port}"
    except ValueError:
        raise UsageError("The base URL cannot be read.", hint=_HINT) from None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError("The base URL must begin with http:// or https://.", hint=_HINT)
    if "@" in parts.netloc:
        raise UsageError(
            "The base URL must not hold a user name or password.",
            hint="Give them as --username and --password, or in the environment.",
        )
    shown = f"[{host}]" if ":" in host else host
    path = _context_path(parts.path, cloud=host.endswith(_CLOUD_HOST))
    cloud = host.endswith(_CLOUD_HOST) or _GATEWAY.match(path) is not None
    return ConfluenceSite(base_url=f"{parts.scheme}://{shown}{port}{path}", cloud=cloud)


def _context_path(path: str, *, cloud: bool) -> str:
    gateway = _GATEWAY.match(path)
    if gateway is not None:
        return f"{gateway[1]}/wiki"
    if cloud:
        return "/wiki"
    return _INSIDE.sub("", path.rstrip("/"))
