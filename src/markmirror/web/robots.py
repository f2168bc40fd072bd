"""What a site's robots.txt says to us, by RFC 9309."""

import math
import re
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class _Group:
    """The records that follow a list of User-agent lines."""

    rules: list[str] = field(default_factory=list)
    delay: float | None = None


class _Groups:
    """Which groups name which user agent; one group may have thousands of names."""

    def __init__(self) -> None:
        self.by_agent: dict[str, list[_Group]] = {}
        self.current = _Group()
        self._naming = False

    def name(self, agent: str) -> None:
        if not self._naming:
            self.current = _Group()
            self._naming = True
        if not agent:
            return
        groups = self.by_agent.setdefault(agent, [])
        if not groups or groups[-1] is not self.current:
            groups.append(self.current)

    def end_names(self) -> None:
        self._naming = False

    def of(self, user_agent: str) -> list[_Group]:
        """The groups that name a user agent in full, or else those for all."""
        return self.by_agent.get(_product_token(user_agent)) or self.by_agent.get("*", [])


class RobotsTxt:
    """The rules of one robots.txt. A user agent is known by its product token, `markmirror`.

    Matching of rules is Protego's; which groups apply is decided here, since Protego lets records
    that the standard does not define end a list of User-agent lines, and takes a group for `mark`
    as one for `markmirror`.
    """

    def __init__(self, *, refuses_all: bool = False) -> None:
        self.sitemaps: tuple[str, ...] = ()
        self.refuses_all = refuses_all
        self._groups = _Groups()
        self._delays = _Groups()
        self._matchers: dict[str, Protego] = {}

    @classmethod
    def parse(cls, body: bytes | str, url: str) -> "RobotsTxt":
        """Read a robots.txt; what lies past its first 500 KiB is not read. Never raises."""
        raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
        text = raw[: MAX_ROBOTS_BYTES + 1].decode("utf-8", "replace").lstrip("\ufeff")
        lines = _LINE.split(text)
        if len(raw) > MAX_ROBOTS_BYTES:
            # Half a rule is another one: of `Disallow: /private` the first half forbids all.
            del lines[-1]
        robots = cls()
        sitemaps: dict[str, None] = {}
        for line in lines:
            kind, value = _record(line)
            if kind == "sitemap":
                if value and (sitemap := normalise_url(value, url)):
                    sitemaps[sitemap] = None
            elif kind:
                robots._add(kind, value)
        robots.sitemaps = tuple(sitemaps)
        return robots

    @classmethod
    def allow_all(cls) -> "RobotsTxt":
        """The answer to a robots.txt that is not there (4xx)."""
        return cls()

    @classmethod
    def disallow_all(cls) -> "RobotsTxt":
        """The answer to a robots.txt that cannot be reached (5xx, network errors)."""
        return cls(refuses_all=True)

    def allows(self, url: str, user_agent: str) -> bool:
        """Whether a user agent may fetch a URL of this site."""
        if path_of(url) == "/robots.txt":
            return True
        if self.refuses_all:
            return False
        matcher = self._matchers.get(user_agent)
        if matcher is None:
            rules = (rule for group in self._groups.of(user_agent) for rule in group.rules)
            matcher = Protego.parse("\n".join(("User-agent: *", *rules)))
            self._matchers = {user_agent: matcher}
        return matcher.can_fetch(url, "*")

    def crawl_delay(self, user_agent: str) -> float | None:
        """The seconds that a user agent is asked to leave between requests, if it is asked."""
        delays = [group.delay for group in self._delays.of(user_agent) if group.delay is not None]
        return delays[-1] if delays else None

    def _add(self, kind: str, value: str) -> None:
        if kind == "agent":
            token = _product_token(value)
            self._groups.name(token)
            self._delays.name(token)
            return
        # A delay does not end a list of names, by the standard. Who writes one means the names
        # before it, though, so for delays alone it does.
        self._delays.end_names()
        if kind == "delay":
            seconds = _seconds(value)
            if seconds is not None:
                self._delays.current.delay = seconds
        else:
            self._groups.end_names()
            self._groups.current.rules.append(f"{kind}: {value}")


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


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
