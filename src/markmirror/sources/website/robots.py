"""robots.txt of each host the mirror meets, fetched once and kept for a day."""

import asyncio
import logging
from collections import defaultdict
from dataclasses import dataclass, field

from markmirror.fetch.client import BODY_FAULTS, Answer, HttpClient, fault_of
from markmirror.model import Gone, NotModified, Refused, TryLater
from markmirror.ports import Clock
from markmirror.retry import LONGEST_WAIT_SECONDS, SITEMAP_RETRIES, SITEMAP_RETRY_SECONDS
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
    # Many pages may want the same file at once; one of them asks, the others wait.
    _asking: defaultdict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )

    async def of(self, url: str) -> RobotsTxt:
        """The rules that hold for this URL. Unreachable means everything is forbidden."""
        origin = origin_of(url)
        async with self._asking[origin]:
            asked, robots = self._known.get(origin, (0.0, None))
            if robots is None or self.clock.monotonic() - asked > KEPT_SECONDS:
                robots = await self._fetch_patiently(f"{origin}/robots.txt")
                self._known[origin] = (self.clock.monotonic(), robots)
            return robots

    async def _fetch_patiently(self, url: str) -> RobotsTxt:
        for attempt in range(1 + SITEMAP_RETRIES):
            found = await self._fetch(url)
            if isinstance(found, RobotsTxt):
                return found
            log.warning("robots.txt cannot be reached", extra={"url": url, "error": found.reason})
            if attempt < SITEMAP_RETRIES:
                asked = min(found.wait_seconds or 0.0, LONGEST_WAIT_SECONDS)
                await self.clock.sleep(max(asked, SITEMAP_RETRY_SECONDS))
        return RobotsTxt.disallow_all()

    async def _fetch(self, url: str) -> RobotsTxt | TryLater:
        async with self.client.open(url, redirects=MAX_REDIRECTS) as answer:
            match answer:
                case Answer():
                    return await _read(answer, url)
                case TryLater():
                    return answer
                case Refused(status=int(status)) if status >= 500:
                    return RobotsTxt.disallow_all()
                case Gone() | Refused():
                    return RobotsTxt.allow_all()
                case NotModified():
                    return TryLater(url=url, reason="HTTP 304 to a question nobody asked")


async def _read(answer: Answer, url: str) -> RobotsTxt | TryLater:
    body = bytearray()
    try:
        async for piece in answer.pieces():
            body += piece
            if len(body) > MAX_ROBOTS_BYTES:
                break
    except BODY_FAULTS as error:
        fault = fault_of(error, url)
        return fault if isinstance(fault, TryLater) else RobotsTxt.disallow_all()
    return RobotsTxt.parse(bytes(body), url)
