"""Pages over HTTP. What a server does wrong comes back as a value, never as an exception."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import aiohttp
from yarl import URL

from markmirror import __version__
from markmirror.fetch.body import ACCEPTED_CODINGS, BodyBroken, BodyDecoder, UnknownCoding
from markmirror.fetch.connection import NotHttp, connector
from markmirror.fetch.guard import AddressGuard, AddressRefused
from markmirror.model import (
    Fetched,
    FetchOutcome,
    Gone,
    NotModified,
    Refused,
    TryLater,
    Unsuitable,
    Validators,
)
from markmirror.ports import Clock
from markmirror.web.dates import parse_retry_after
from markmirror.web.urls import host_of, normalise_url

USER_AGENT = f"markmirror/{__version__}"
MAX_PAGE_BYTES = 20 * 1024 * 1024
# Bodies larger than this are read two at a time, or a site of huge pages would fill the memory.
LARGE_BODY_BYTES = 1024 * 1024
MAX_LARGE_BODIES = 2
MAX_PAGE_REDIRECTS = 10
MAX_SITEMAP_REDIRECTS = 3
MAX_HEADER_BYTES = 64 * 1024
HTML_TYPES = ("text/html", "application/xhtml+xml")
REDIRECTS = (301, 302, 303, 307, 308)
PERMANENT_SERVER_ERRORS = (501, 505)
# A body that drips in forever must end some time; this many times the timeout is generous.
PATIENCE = 10

Admission = Callable[[str], Awaitable[Refused | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A successful response whose body has not been read yet. `url` is the final one."""

    url: str
    content_type: str
    validators: Validators
    _response: "Response"

    def pieces(self) -> AsyncIterator[bytes]:
        """The decoded body as it arrives; raises what `fault_of` understands."""
        return self._response.pieces()

    @property
    def is_small(self) -> bool:
        """Whether the server has bound itself to a body that is small, and sends it as it is."""
        headers = self._response.headers
        length = headers.get("Content-Length", "")
        return (
            length.isdecimal()
            and int(length) <= LARGE_BODY_BYTES
            and "Content-Encoding" not in headers
            and "Transfer-Encoding" not in headers
        )

    async def whole(self) -> bytes:
        """The body in one go, for one that is small; raises what `fault_of` understands."""
        return await self._response.whole()


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """Any answer but a redirect, whatever its status, with its body not read yet."""

    url: str
    status: int
    headers: Mapping[str, str]
    _response: aiohttp.ClientResponse

    async def pieces(self) -> AsyncIterator[bytes]:
        """The decoded body as it arrives; raises what `fault_of` understands."""
        decoder = BodyDecoder(self.headers.get("Content-Encoding", ""))
        async for chunk in self._response.content.iter_any():
            for piece in decoder.feed(chunk):
                yield piece
        decoder.finish()

    async def whole(self) -> bytes:
        """The body as it was sent, in one go; raises what `fault_of` understands."""
        return await self._response.content.read()

    def release(self) -> None:
        """Give the connection back to the pool; an unread rest of the body closes it."""
        self._response.release()


Failure = TryLater | Refused
BODY_FAULTS = (aiohttp.ClientError, TimeoutError, OSError, BodyBroken, UnknownCoding, ValueError)


class HttpClient:
    """The one place that talks HTTP.

    `admit` is asked before each request, redirects included; `on_sent` is told when it has left.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        guard: AddressGuard,
        clock: Clock,
        *,
        admit: Admission,
        headers: Mapping[str, str],
        is_trusted: Callable[[str], bool],
        on_sent: Callable[[str], None],
    ) -> None:
        self._session = session
        self._guard = guard
        self._clock = clock
        self._admit = admit
        self._headers = headers
        self._is_trusted = is_trusted
        self._on_sent = on_sent
        self._large_bodies = asyncio.Semaphore(MAX_LARGE_BODIES)

    async def fetch(self, url: str, validators: Validators | None = None) -> FetchOutcome:
        """A page with its whole body, or what happened instead."""
        found = await self._ask(url, validators, redirects=MAX_PAGE_REDIRECTS, second_try=True)
        if not isinstance(found, Response):
            return found
        try:
            answer = self._read_status(found)
            return await self._read_page(answer) if isinstance(answer, Answer) else answer
        finally:
            found.release()

    async def _read_page(self, answer: Answer) -> Fetched | Unsuitable | TryLater | Refused:
        media_type = answer.content_type.split(";", 1)[0].strip().lower()
        if media_type and media_type not in HTML_TYPES:
            return Unsuitable(url=answer.url, content_type=answer.content_type)
        try:
            body = await self._read_all(answer)
        except BODY_FAULTS as error:
            return fault_of(error, answer.url)
        if body is None:
            limit = MAX_PAGE_BYTES // (1024 * 1024)
            return Refused(url=answer.url, reason=f"the page is larger than {limit} MiB")
        if not media_type and b"<" not in body[:1024]:
            return Unsuitable(url=answer.url, content_type="unknown")
        return Fetched(
            url=answer.url,
            content_type=answer.content_type,
            body=body,
            validators=answer.validators,
        )

    async def _read_all(self, answer: Answer) -> bytes | None:
        """The whole body, or None if it is larger than a page may be."""
        if answer.is_small:
            return await answer.whole()
        pieces: list[bytes] = []
        size = 0
        async with AsyncExitStack() as turn:
            async for piece in answer.pieces():
                pieces.append(piece)
                was_large, size = size > LARGE_BODY_BYTES, size + len(piece)
                if size > MAX_PAGE_BYTES:
                    return None
                if size > LARGE_BODY_BYTES and not was_large:
                    await turn.enter_async_context(self._large_bodies)
        return b"".join(pieces)

    @asynccontextmanager
    async def open(
        self, url: str, *, redirects: int
    ) -> AsyncIterator[Answer | NotModified | Gone | Failure]:
        """A page's response to read piece by piece; otherwise as `exchange`."""
        async with self.exchange(url, redirects=redirects) as found:
            yield self._read_status(found) if isinstance(found, Response) else found

    @asynccontextmanager
    async def exchange(
        self, url: str, *, redirects: int, second_try: bool = False
    ) -> AsyncIterator[Response | Failure]:
        """Whatever the server answers, after at most so many redirects.

        With `second_try`, a connection that is dropped before any answer is dialled once more:
        servers close idle connections at any time, also just as a request goes out.
        """
        found = await self._ask(url, None, redirects=redirects, second_try=second_try)
        try:
            yield found
        finally:
            if isinstance(found, Response):
                found.release()

    async def _ask(
        self, url: str, validators: Validators | None, *, redirects: int, second_try: bool
    ) -> Response | Failure:
        """As `exchange`, but it is the caller who has to release the response."""
        current = url
        visited = {url}
        while True:
            if refusal := await self._admit(current):
                return refusal
            try:
                response = await self._request(current, url, validators)
            except BODY_FAULTS as error:
                if second_try and _is_dropped(error):
                    second_try = False
                    continue
                return fault_of(error, current)
            if response.status not in REDIRECTS:
                return Response(
                    url=current,
                    status=response.status,
                    headers=response.headers,
                    _response=response,
                )
            # An empty one would be the same address once more, and a circle that nobody has drawn.
            location = response.headers.get("Location", "").strip()
            target = normalise_url(location, current) if location else None
            response.release()
            if target is None:
                return Refused(url=current, reason="it redirects to no usable address")
            if target in visited or len(visited) > redirects:
                return Refused(
                    url=current, reason=f"it redirects more than {redirects} times or in a circle"
                )
            visited.add(target)
            current = target

    async def _request(
        self, current: str, first: str, validators: Validators | None
    ) -> aiohttp.ClientResponse:
        address = URL(current, encoded=True)
        self._guard.check_literal(address.host or "", address.port or 0)
        headers: dict[str, str] = {}
        # Names and secrets meant for the mirrored site must not follow a redirect elsewhere.
        if host_of(current) == host_of(first) and self._is_trusted(current):
            headers.update(self._headers)
        if validators is not None and validators.url == current:
            if validators.etag is not None:
                headers["If-None-Match"] = validators.etag
            if validators.last_modified is not None:
                headers["If-Modified-Since"] = validators.last_modified
        async with asyncio.timeout(None) as head:
            return await self._session.get(
                address,
                headers=headers,
                allow_redirects=False,
                trace_request_ctx=partial(self._sent, current, head),
            )

    def _sent(self, url: str, head: asyncio.Timeout) -> None:
        """The request has left, and with it begins the time in which the answer has to begin."""
        self._on_sent(url)
        seconds = self._session.timeout.sock_read
        if seconds is not None:
            head.reschedule(asyncio.get_running_loop().time() + seconds * PATIENCE)

    def _read_status(self, response: Response) -> Answer | NotModified | Gone | Failure:
        status, url = response.status, response.url
        validators = Validators(
            url=url,
            etag=_sendable(response.headers.get("ETag")),
            last_modified=_sendable(response.headers.get("Last-Modified")),
        )
        if status == 200:
            return Answer(
                url=url,
                content_type=_storable(response.headers.get("Content-Type", "")),
                validators=validators,
                _response=response,
            )
        if status == 304:
            return NotModified(url=url, validators=validators)
        reason = f"HTTP {status}"
        wait = parse_retry_after(response.headers.get("Retry-After", ""), self._clock.now())
        if status == 429:
            return TryLater(
                url=url, reason=reason, status=status, wait_seconds=wait, throttled=True
            )
        if status >= 500 and status not in PERMANENT_SERVER_ERRORS:
            return TryLater(url=url, reason=reason, status=status, wait_seconds=wait)
        if status in (404, 410):
            return Gone(url=url, status=status)
        return Refused(url=url, reason=reason, status=status)


def fault_of(error: Exception, url: str) -> TryLater | Refused:
    """Every exception of the network, as a value: this is the only table of them."""
    match error:
        case AddressRefused():
            return Refused(url=url, reason=str(error))
        case aiohttp.ClientConnectorError() if isinstance(error.os_error, AddressRefused):
            return Refused(url=url, reason=str(error.os_error))
        case UnknownCoding():
            return Refused(url=url, reason=f"unknown content coding {_words(error)}")
        case aiohttp.ClientResponseError() | NotHttp():
            return TryLater(url=url, reason=f"the answer is not valid HTTP: {_words(error)}")
        case ValueError():
            return Refused(url=url, reason=f"the address cannot be used: {_words(error)}")
        case TimeoutError():
            return TryLater(url=url, reason="the server did not answer in time")
        case BodyBroken():
            return TryLater(url=url, reason=str(error))
        case aiohttp.ClientPayloadError():
            return TryLater(url=url, reason="the body ended before it was whole")
        case aiohttp.ClientConnectorError() if not isinstance(error, aiohttp.ClientSSLError):
            words = _words_of_the_system(error.os_error)
            return TryLater(url=url, reason=f"the connection failed: {words}")
        case _:
            return TryLater(url=url, reason=f"the connection failed: {_words(error)}")


def _is_dropped(error: Exception) -> bool:
    """Whether the connection went away after it had been made."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return False
    return isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError)


def _words_of_the_system(error: OSError) -> str:
    """Why nothing could be dialled; a resolver has numbers, and words, of its own."""
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error)


def _words(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientResponseError):
        # Its text begins with a status of aiohttp's own, which the server never sent.
        return _storable(" ".join(error.message.split()))
    return _storable(str(error)) or type(error).__name__


def _storable(text: str) -> str:
    """A header's text without the lone surrogates that stand for bytes outside UTF-8."""
    return text.encode("utf-8", "replace").decode()


def _sendable(validator: str | None) -> str | None:
    """A validator, unless it holds bytes that could not be sent back as they came."""
    return validator if validator is not None and validator.isprintable() else None


async def _tell_that_it_was_sent(
    _session: aiohttp.ClientSession,
    context: SimpleNamespace,
    _headers: aiohttp.TraceRequestHeadersSentParams,
) -> None:
    context.trace_request_ctx()


@asynccontextmanager
async def http_session(
    guard: AddressGuard,
    *,
    timeout_seconds: float,
    user_agent: str,
    concurrency: int,
    tells_when_sent: bool,
    patience: float | None = PATIENCE,
) -> AsyncIterator[aiohttp.ClientSession]:
    """A session that dials only what the guard allows, keeps no cookies and bounds headers.

    Without `patience` a body may take as long as it keeps coming, as large files do; what comes
    before it may not, where the session tells when a request was sent.
    """
    sent = aiohttp.TraceConfig()
    sent.on_request_headers_sent.append(_tell_that_it_was_sent)
    session = aiohttp.ClientSession(
        connector=connector(guard, limit=concurrency),
        # Being told costs time with every request, which nobody needs without a rate limit.
        trace_configs=[sent] if tells_when_sent else [],
        timeout=aiohttp.ClientTimeout(
            total=timeout_seconds * patience if patience else None,
            sock_connect=timeout_seconds,
            sock_read=timeout_seconds,
        ),
        headers={
            "User-Agent": user_agent,
            "Accept": "text/html, application/xhtml+xml, */*;q=0.5",
            "Accept-Encoding": ACCEPTED_CODINGS,
        },
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=MAX_HEADER_BYTES,
        max_field_size=MAX_HEADER_BYTES,
    )
    # By itself aiohttp asks again at once when a connection drops, past every limit of ours.
    session._retry_connection = False
    try:
        yield session
    finally:
        await session.close()
        # aiohttp closes TLS transports on the next turn of the loop.
        await asyncio.sleep(0)
