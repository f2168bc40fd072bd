"""What a site's robots.txt says to us, by RFC 9309."""

import re
from dataclasses import dataclass
from functools import cached_property

from protego import Protego

from markmirror.web.urls import normalise_url, path_of

MAX_ROBOTS_BYTES = 500 * 1024

_LINE = re.compile(r"\r\n|\r|\n")
_RECORD = re.compile(
    r"(?P<agent>user[- ]?agent)|(?P<allow>allow)|(?P<disallow>dis+al+[oa]w|diasllow)"
    r"|(?P<sitemap>site-?maps?)|(?P<delay>crawl[- ]delay)",
    re.IGNORECASE,
)
_PRODUCT_TOKEN = re.compile(r"[a-z_-]+|\*")
# What str.splitlines takes for the end of a line and RFC 9309 does not.
_NOT_LINE_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, kw_only=True)
class RobotsTxt:
    """The rules of one robots.txt. A user agent is known by its product token, `markmirror`.

    Matching is Protego's. Two things are put right before it reads the file. Records that the
    standard does not define must not end a list of User-agent lines, so they are left out.
    And a group for `mark` is not one for `markmirror`, so a token that no group names in full is
    asked for under a name that fits only the group of `*`.
    """

    rules: str
    delays: str
    agents: frozenset[str]
    sitemaps: tuple[str, ...] = ()
    refuses_all: bool = False

    @classmethod
    def parse(cls, body: bytes | str, url: str) -> "RobotsTxt":
        """Read a robots.txt; what lies past its first 500 KiB is not read. Never raises."""
        raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
        text = raw[:MAX_ROBOTS_BYTES].decode("utf-8", "replace").lstrip("\ufeff")
        rules: list[str] = []
        delays: list[str] = []
        agents: set[str] = set()
        sitemaps: dict[str, None] = {}
        for line in _LINE.split(text):
            field, value = _record(line)
            if field == "agent":
                token = _product_token(value)
                # Nobody has an empty name: the group stays one that fits no one.
                agents.add(token)
                rules.append(f"User-agent: {token or '/'}")
                delays.append(f"User-agent: {token or '/'}")
            elif field in ("allow", "disallow"):
                rules.append(f"{field}: {value}")
                # An empty rule ends the list of agents here as it does above.
                delays.append("Disallow:")
            elif field == "delay":
                delays.append(f"Crawl-delay: {value}")
            elif field == "sitemap" and value and (sitemap := normalise_url(value, url)):
                sitemaps[sitemap] = None
        return cls(
            rules="\n".join(rules),
            delays="\n".join(delays),
            agents=frozenset(agents),
            sitemaps=tuple(sitemaps),
        )

    @classmethod
    def allow_all(cls) -> "RobotsTxt":
        """The answer to a robots.txt that is not there (4xx)."""
        return cls(rules="", delays="", agents=frozenset())

    @classmethod
    def disallow_all(cls) -> "RobotsTxt":
        """The answer to a robots.txt that cannot be reached (5xx, network errors)."""
        return cls(rules="", delays="", agents=frozenset(), refuses_all=True)

    def allows(self, url: str, user_agent: str) -> bool:
        """Whether a user agent may fetch a URL of this site."""
        if path_of(url) == "/robots.txt":
            return True
        if self.refuses_all:
            return False
        return self._rules.can_fetch(url, self._known_agent(user_agent))

    def crawl_delay(self, user_agent: str) -> float | None:
        """The seconds that a user agent is asked to leave between requests, if it is asked."""
        return self._delays.crawl_delay(self._known_agent(user_agent))

    def _known_agent(self, user_agent: str) -> str:
        token = _product_token(user_agent)
        return token if token in self.agents else ""

    @cached_property
    def _rules(self) -> Protego:
        return Protego.parse(self.rules)

    @cached_property
    def _delays(self) -> Protego:
        return Protego.parse(self.delays)


def _record(line: str) -> tuple[str | None, str]:
    """The kind of a line and its value; the colon may be missing, as it often is."""
    content = _NOT_LINE_ENDS.sub(" ", line.partition("#")[0]).strip()
    match = _RECORD.match(content)
    if not match:
        return None, ""
    rest = content[match.end() :]
    value = rest.lstrip()
    if value.startswith(":"):
        return match.lastgroup, value[1:].strip()
    return (match.lastgroup, value) if rest != value else (None, "")


def _product_token(name: str) -> str:
    match = _PRODUCT_TOKEN.match(name.strip().lower())
    return match[0] if match else ""
