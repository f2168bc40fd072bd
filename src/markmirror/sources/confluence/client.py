"""Questions to a Confluence: asked again while that makes sense, answered with a value."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from markmirror.errors import SourceUnavailable
from markmirror.fetch.client import BODY_FAULTS, HttpClient, Response, fault_of
from markmirror.fetch.politeness import Politeness
from markmirror.model import Refused, TryLater
from markmirror.output.files import Receiving, Written
from markmirror.ports import Clock
from markmirror.retry import CONFLUENCE, CONFLUENCE_ATTEMPTS
from markmirror.sources.confluence.addresses import ConfluenceSite
from markmirror.sources.confluence.answers import (
    Meaning,
    Reply,
    Verdict,
    judge,
    read_reply,
    too_large,
)
from markmirror.sources.confluence.downloads import AttachmentRecord
from markmirror.sources.confluence.listing import Listing
from markmirror.web.dates import parse_retry_after
from markmirror.web.urls import host_of

log = logging.getLogger(__name__)

MAX_REDIRECTS = 5
MAX_ANSWER_BYTES = 64 * 1024 * 1024
MAX_ERROR_BYTES = 64 * 1024

_WAITING = (Meaning.LATER, Meaning.THROTTLED)


class LoginRefused(SourceUnavailable):
    """The credentials are not accepted; asking again may lock the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEnd:
    """How reading a list ended: `whole` if it was read to its end and did not change meanwhile."""

    whole: bool
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class ConfluenceClient:
    """One site. Waits and retries here, so that whoever asks gets a final answer.

    An answer's body may take `answer_seconds`; a file, as long as it keeps coming.
    """

    site: ConfluenceSite
    http: HttpClient
    politeness: Politeness
    clock: Clock
    chance: random.Random
    answer_seconds: float
    _refused: LoginRefused | None = None

    async def get(self, url: str, *, ask_for_less: Callable[[], str] | None = None) -> Reply:
        """The answer after at most six attempts; raises LoginRefused.

        `ask_for_less` gives another address for a server that could not answer this one twice.
        """
        for attempt in range(1, CONFLUENCE_ATTEMPTS + 1):
            if self._refused is not None:
                raise self._refused
            reply = await self._ask(url)
            self._check_login(reply.verdict)
            if reply.verdict.meaning not in _WAITING or attempt == CONFLUENCE_ATTEMPTS:
                return reply
            if reply.verdict.ask_for_less and ask_for_less is not None and attempt > 1:
                url = ask_for_less()
            await self._wait(url, reply.verdict, attempt)
        raise AssertionError("the last attempt returns")

    async def items(self, listing: Listing) -> AsyncIterator[list[Mapping[str, Any]] | ListEnd]:
        """A list's items, an answer at a time, and at last how it ended."""
        state = [listing]

        def ask_for_less() -> str:
            state[0] = state[0].asking_for_less()
            return state[0].url

        while not state[0].done:
            reply = await self.get(state[0].url, ask_for_less=ask_for_less)
            if reply.verdict.meaning is not Meaning.GOOD:
                yield ListEnd(whole=False, reason=reply.verdict.reason)
                return
            state[0], items = state[0].take(reply.body)
            yield items
        shifted = "the list kept changing while it was read"
        yield ListEnd(whole=state[0].trusted, reason="" if state[0].trusted else shifted)

    async def download(
        self, attachment: AttachmentRecord, receive: Callable[[], Any], *, largest: int | None
    ) -> Written | Verdict:
        """Stream a file into what `receive` opens, or say why it could not be had.

        No more of it is received than `largest` bytes, or without that than were announced. Raises
        LoginRefused if not only this file is refused.
        """
        found = await self._download(attachment, receive, largest)
        if isinstance(found, Verdict) and found.meaning is Meaning.LOGIN_REFUSED:
            await self.get(self.site.api("space", limit=1))
        return found

    async def _download(
        self, attachment: AttachmentRecord, receive: Callable[[], Any], largest: int | None
    ) -> Written | Verdict:
        verdict = Verdict(meaning=Meaning.REFUSED, reason="the server names no address for it")
        other_way = self.site.download(attachment.page_id, attachment.attachment_id)
        for url in dict.fromkeys((attachment.url, other_way)):
            if not url:
                continue
            found = await self._download_from(url, attachment, receive, largest)
            if isinstance(found, Written):
                return found
            # The other way to a file is worth a try only if this one led nowhere.
            if url == other_way and verdict.reason and attachment.url:
                return verdict
            verdict = found
            if found.meaning not in (Meaning.LOGIN_REFUSED, Meaning.MISSING):
                return verdict
        return verdict

    async def _download_from(
        self,
        url: str,
        attachment: AttachmentRecord,
        receive: Callable[[], Any],
        largest: int | None,
    ) -> Written | Verdict:
        for attempt in range(1, CONFLUENCE_ATTEMPTS + 1):
            with receive() as file:
                verdict = await self._receive(url, attachment, file, largest)
                if verdict.meaning is Meaning.GOOD:
                    written: Written = file.keep()
                    return written
            if verdict.meaning not in _WAITING or attempt == CONFLUENCE_ATTEMPTS:
                return verdict
            await self._wait(url, verdict, attempt)
        raise AssertionError("the last attempt returns")

    async def _receive(
        self, url: str, attachment: AttachmentRecord, file: Receiving, largest: int | None
    ) -> Verdict:
        try:
            async with self.http.exchange(url, redirects=MAX_REDIRECTS, second_try=True) as answer:
                if not isinstance(answer, Response):
                    return _verdict_of(answer)
                is_good = 200 <= answer.status < 300
                is_page = answer.headers.get("Content-Type", "").startswith("text/html")
                expects_page = attachment.media_type.startswith("text/html")
                if not is_good or (is_page and not expects_page):
                    return judge(
                        answer.status, answer.headers, await self._body(answer, MAX_ERROR_BYTES)
                    )
                async for piece in answer.pieces():
                    file.write(piece)
                    if too_much := _too_much(file.size, attachment.size_bytes, largest):
                        return too_much
        except BODY_FAULTS as error:
            return _verdict_of(fault_of(error, url))
        if attachment.size_bytes is not None and file.size != attachment.size_bytes:
            reason = f"{file.size} bytes came, {attachment.size_bytes} were announced"
            return Verdict(meaning=Meaning.LATER, reason=reason)
        return Verdict(meaning=Meaning.GOOD)

    async def _ask(self, url: str) -> Reply:
        try:
            async with self.http.exchange(url, redirects=MAX_REDIRECTS, second_try=True) as answer:
                if not isinstance(answer, Response):
                    return Reply(verdict=_verdict_of(answer), body={})
                body = await self._body(answer, MAX_ANSWER_BYTES)
                if len(body) > MAX_ANSWER_BYTES:
                    return _too_large()
                return read_reply(answer.status, answer.headers, body)
        except BODY_FAULTS as error:
            verdict = _verdict_of(fault_of(error, url))
            # What takes too long may be too much as well.
            is_slow = isinstance(error, TimeoutError)
            return Reply(verdict=replace(verdict, ask_for_less=is_slow), body={})

    async def _body(self, answer: Response, most: int) -> bytes:
        """An answer's body, or a little more than the `most` that is wanted of it."""
        body = bytearray()
        async with asyncio.timeout(self.answer_seconds):
            async for piece in answer.pieces():
                body += piece
                if len(body) > most:
                    break
        return bytes(body)

    async def _wait(self, url: str, verdict: Verdict, attempt: int) -> None:
        asked = parse_retry_after(verdict.retry_after, self.clock.now())
        seconds = CONFLUENCE.delay(attempt, asked, self.chance)
        if verdict.meaning is Meaning.THROTTLED:
            self.politeness.pause(host_of(self.site.base_url), seconds)
        log.warning(
            "a request is tried again",
            extra={
                "url": url,
                "why": verdict.reason,
                "attempt": attempt,
                "seconds": round(seconds, 1),
            },
        )
        await self.clock.sleep(seconds)

    def _check_login(self, verdict: Verdict) -> None:
        if verdict.meaning is Meaning.LOGIN_REFUSED:
            # Remembered, because every further attempt brings the account closer to being locked.
            self._refused = LoginRefused(
                f"{self.site.base_url} does not let us in: {verdict.reason}.",
                hint="Check CONFLUENCE_USERNAME and CONFLUENCE_PASSWORD, or CONFLUENCE_TOKEN.",
            )
            raise self._refused


def _too_large() -> Reply:
    megabytes = MAX_ANSWER_BYTES // (1024 * 1024)
    reason = f"the answer is larger than {megabytes} MiB"
    return Reply(verdict=Verdict(meaning=Meaning.LATER, reason=reason, ask_for_less=True), body={})


def _too_much(size: int, announced: int | None, largest: int | None) -> Verdict | None:
    """Why the rest of a file is not received, or None while it may come."""
    if largest is not None:
        return too_large(largest) if size > largest else None
    if announced is not None and size > announced:
        reason = f"more bytes came than the {announced} that were announced"
        return Verdict(meaning=Meaning.LATER, reason=reason)
    return None


def _verdict_of(failure: TryLater | Refused) -> Verdict:
    match failure:
        case TryLater(reason=reason):
            return Verdict(meaning=Meaning.LATER, reason=reason)
        case Refused(reason=reason):
            return Verdict(meaning=Meaning.REFUSED, reason=reason)
