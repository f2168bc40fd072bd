"""One Confluence as its request handlers see it: its content, its flavour, where it stands."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from tests.confluence_server.content import Content, Flavour
from tests.confluence_server.documents import Documents


@dataclass(slots=True, kw_only=True)
class Site:
    """What requests are answered from. `media_url` is the other host that serves files.

    `listing_cap` is how many pages a listing shows at once, however many are asked for. `read_at`
    is where links lead if not to where the client asked, as those of the cloud's gateway do.
    """

    content: Content = field(default_factory=Content)
    flavour: Flavour = "data-center"
    context: str = ""
    username: str = "user"
    password: str = "pass"
    token: str = "personal-access-token"
    anonymous: bool = False
    has_scan: bool = True
    listing_cap: int = 500
    media_url: str = ""
    read_at: str = ""

    @property
    def cloud(self) -> bool:
        return self.flavour == "cloud"

    def documents(self, request: web.Request) -> Documents:
        """Answers with links under the host name the client used, as a real one's are."""
        return Documents(
            content=self.content,
            flavour=self.flavour,
            base_url=self.read_at or f"{request.url.origin()}{self.context}",
            context=self.context,
        )


Handler = Callable[[Site, web.Request], Awaitable[web.StreamResponse]]


def expansions(request: web.Request) -> frozenset[str]:
    """The names in `expand`, each with its parents: `history.createdBy` asks for `history` too."""
    names: set[str] = set()
    for name in request.query.get("expand", "").split(","):
        parts = name.strip().split(".")
        names.update(".".join(parts[: count + 1]) for count in range(len(parts)))
    return frozenset(names - {""})
