"""robots.txt of each host the mirror meets, fetched once and kept for a day."""

import logging
from dataclasses import dataclass, field

from markmirror.fetch.client import BODY_FAULTS, Answer, HttpClient
from markmirror.model import Gone, Refused
from markmirror.ports import Clock
from markmirror.web.robots import MAX_ROBOTS_BYTES, RobotsTxt
from markmirror.web.urls import origin_of

log = logging.getLogger(__name__)

KEPT_SECONDS = 24 * 3600.0
# RFC 9309 asks for at least five.
MAX_REDIRECTS = 5


@dataclass(slots=True, kw_only=True)
class RobotsTexts:
    """The rules of each origin, as they were when last asked."""

    client: HttpClient
    clock: Clock
    _known: dict[str, tuple[float, RobotsTxt]] = field(default_factory=dict)

    async def of(self, url: str) -> RobotsTxt:
        """The rules that hold for this URL. Unreachable means everything is forbidden."""
        origin = origin_of(url)
        asked, robots = self._known.get(origin, (0.0, None))
        if robots is None or self.clock.monotonic() - asked > KEPT_SECONDS:
            robots = await self._fetch(f"{origin}/robots.txt")
            self._known[origin] = (self.clock.monotonic(), robots)
        return robots

    async def _fetch(self, url: str) -> RobotsTxt:
        async with self.client.open(url, redirects=MAX_REDIRECTS) as answer:
            if isinstance(answer, Answer):
                body = bytearray()
                try:
                    async for piece in answer.pieces():
                        body += piece
                        if len(body) >= MAX_ROBOTS_BYTES:
                            break
                except BODY_FAULTS:
                    log.warning("robots.txt could not be read", extra={"url": url})
                    return RobotsTxt.disallow_all()
                return RobotsTxt.parse(bytes(body), url)
            if isinstance(answer, Gone | Refused):
                return RobotsTxt.allow_all()
            log.warning("robots.txt cannot be reached", extra={"url": url})
            return RobotsTxt.disallow_all()
