"""The server itself: routes, credentials, counting, faults, and how it is started."""

import asyncio
import base64
import json
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http import HTTPStatus

from aiohttp import web

from tests.confluence_server import answers, lists, single, v2
from tests.confluence_server.content import Page
from tests.confluence_server.faults import (
    EDITS,
    FAULT,
    LISTING_ONLY,
    Endpoint,
    Fault,
    FaultBoard,
    FaultKind,
)
from tests.confluence_server.site import Handler, Site

ROUTES: tuple[tuple[str, Endpoint, Handler], ...] = (
    ("/rest/api/space", Endpoint.SPACES, lists.spaces),
    ("/rest/api/space/{key}", Endpoint.SPACE, single.space),
    ("/rest/api/space/{key}/content/page", Endpoint.LISTING, lists.space_content),
    ("/rest/api/content", Endpoint.LISTING, lists.content),
    ("/rest/api/content/search", Endpoint.SEARCH, lists.content_search),
    ("/rest/api/search", Endpoint.SEARCH, lists.any_search),
    ("/rest/api/content/{id:\\d+}", Endpoint.PAGE, single.page),
    ("/rest/api/content/{id:\\d+}/child", Endpoint.CHILDREN, lists.child),
    ("/rest/api/content/{id:\\d+}/child/page", Endpoint.CHILDREN, lists.child_pages),
    ("/rest/api/content/{id:\\d+}/descendant/page", Endpoint.CHILDREN, lists.descendant_pages),
    ("/rest/api/content/{id:\\d+}/child/attachment", Endpoint.ATTACHMENTS, lists.attachments),
    (
        "/rest/api/content/{id:\\d+}/child/attachment/{attachment}/download",
        Endpoint.DOWNLOAD,
        single.rest_download,
    ),
    ("/rest/api/content/{id:\\d+}/child/comment", Endpoint.OTHER, lists.comments),
    ("/rest/api/content/{id:\\d+}/label", Endpoint.LABELS, lists.labels),
    ("/rest/api/user", Endpoint.USER, single.user),
    ("/rest/api/user/current", Endpoint.USER, single.current_user),
    ("/download/attachments/{id:\\d+}/{name}", Endpoint.DOWNLOAD, single.download),
    ("/api/v2/spaces", Endpoint.SPACES, v2.spaces),
    ("/api/v2/pages", Endpoint.LISTING, v2.pages),
    ("/api/v2/pages/{id:\\d+}", Endpoint.PAGE, v2.page),
    ("/api/v2/folders/{id:\\d+}", Endpoint.OTHER, v2.folder),
)

SCAN = ("/rest/api/content/scan", Endpoint.LISTING, lists.scan)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watch:
    """Somebody waits until something has been asked for so often."""

    endpoint: Endpoint
    times: int
    reached: threading.Event


@dataclass(slots=True)
class ConfluenceServer:
    """A running Confluence on loopback. Change `site` and `faults` while it runs as you like."""

    site: Site
    faults: FaultBoard = field(default_factory=FaultBoard)
    requests: Counter[Endpoint] = field(default_factory=Counter)
    paths: list[str] = field(default_factory=list)
    latency_seconds: float = 0.0
    url: str = ""
    leaked_authorization: int = 0
    _watches: list[_Watch] = field(default_factory=list)
    _mistakes: list[Exception] = field(default_factory=list)
    _let_go: asyncio.Event = field(default_factory=asyncio.Event)
    _loop: asyncio.AbstractEventLoop | None = None

    def when_asked(self, endpoint: Endpoint, *, times: int = 1) -> threading.Event:
        """An event that is set when this has been asked for so often, from now on."""
        reached = threading.Event()
        total = self.requests[endpoint] + times
        self._watches.append(_Watch(endpoint=endpoint, times=total, reached=reached))
        return reached

    def let_go(self) -> None:
        """Answer what is held back, and hold nothing back any more."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._let_go.set)

    def application(self) -> web.Application:
        app = web.Application()
        if not self.site.cloud:
            app.on_response_prepare.append(_tell_budget)
        routes = [*ROUTES]
        if self.site.has_scan and not self.site.cloud:
            routes.append(SCAN)
        for path, endpoint, handler in routes:
            app.router.add_get(self.site.context + path, self._guarded(endpoint, handler))
        return app

    def media_application(self) -> web.Application:
        app = web.Application()
        path = "/file/{id:\\d+}/{attachment}/binary"
        app.router.add_get(path, self._guarded(Endpoint.MEDIA, single.media))
        return app

    def _guarded(
        self, endpoint: Endpoint, handler: Handler
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def answer(request: web.Request) -> web.StreamResponse:
            self.requests[endpoint] += 1
            self.paths.append(request.path_qs)
            for watch in self._watches:
                if watch.endpoint is endpoint and self.requests[endpoint] >= watch.times:
                    watch.reached.set()
            if endpoint is Endpoint.MEDIA and "Authorization" in request.headers:
                self.leaked_authorization += 1
            if self.latency_seconds:
                await asyncio.sleep(self.latency_seconds)
            if endpoint is not Endpoint.MEDIA and not self._admits(request):
                return answers.login_failed(cloud=self.site.cloud)
            fault = self.faults.strike(endpoint, self._ids(request))
            try:
                if fault is None:
                    return await handler(self.site, request)
                return await self._broken(fault, handler, request)
            except (web.HTTPException, ConnectionError):
                raise
            except Exception as mistake:
                self._mistakes.append(mistake)
                raise

        return answer

    def _admits(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization")
        pair = f"{self.site.username}:{self.site.password}".encode()
        good = {f"Basic {base64.b64encode(pair).decode()}", f"Bearer {self.site.token}"}
        return given in good or (given is None and self.site.anonymous)

    def _ids(self, request: web.Request) -> frozenset[str]:
        """What a request is about, by id and, for files, by name."""
        ids = {value for key, value in request.match_info.items() if key != "key"}
        page_id = request.match_info.get("id", "")
        page = self.site.content.pages.get(int(page_id)) if page_id.isdigit() else None
        if page is not None and "name" in request.match_info:
            name = request.match_info["name"]
            ids.update(item.id for item in page.attachments if item.name == name)
        return frozenset(ids)

    async def _broken(
        self, fault: Fault, handler: Handler, request: web.Request
    ) -> web.StreamResponse:
        at_once = _refusals(fault, request)
        if at_once is not None:
            return at_once
        request[FAULT] = fault
        match fault.kind:
            case FaultKind.HELD:
                await self._let_go.wait()
                return await handler(self.site, request)
            case FaultKind.GARBLED:
                return await _garbled(request)
            case FaultKind.REDIRECTED:
                return await single.redirected(self.site, request)
            case kind if kind in EDITS:
                return await self._edited(fault, handler, request)
            case kind if kind in LISTING_ONLY:
                return await handler(self.site, request)
            case _:
                return await _cut(await handler(self.site, request), fault, request)

    async def _edited(
        self, fault: Fault, handler: Handler, request: web.Request
    ) -> web.StreamResponse:
        """The answer, and a new version of every page it is about: in it already, or after it."""
        pages = await self._pages_of(handler, request)
        if fault.kind is FaultKind.EDITED_AFTER:
            answer = await handler(self.site, request)
        for page in pages:
            self.site.content.revise(page)
        if fault.kind is FaultKind.EDITED_BEFORE:
            answer = await handler(self.site, request)
        return answer

    async def _pages_of(self, handler: Handler, request: web.Request) -> list[Page]:
        if "id" in request.match_info:
            ids = [request.match_info["id"]]
        else:
            listed = await handler(self.site, request)
            assert isinstance(listed, web.Response)
            assert isinstance(listed.body, bytes)
            ids = [item["id"] for item in json.loads(listed.body)["results"]]
        return [self.site.content.pages[int(page_id)] for page_id in ids]

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["ConfluenceServer"]:
        """Serve until the block ends."""
        self._loop = asyncio.get_running_loop()
        media = web.AppRunner(self.media_application(), shutdown_timeout=0.1, access_log=None)
        runner = web.AppRunner(self.application(), shutdown_timeout=0.1, access_log=None)
        try:
            # "localhost" is another host than 127.0.0.1 to every client.
            self.site.media_url = f"http://localhost:{await _listen(media, 0)}"
            self.url = f"http://127.0.0.1:{await _listen(runner, port)}{self.site.context}"
            yield self
        finally:
            self._let_go.set()
            await runner.cleanup()
            await media.cleanup()
        if self._mistakes:
            # A client would take the 500 for one of the faults that were asked for.
            raise ExceptionGroup("the server itself failed", self._mistakes)


async def _tell_budget(request: web.Request, response: web.StreamResponse) -> None:
    """What a Data Center with rate limits says on every good answer: wait no seconds."""
    if response.status < 400:
        response.headers["X-RateLimit-Limit"] = "100"
        response.headers["X-RateLimit-Remaining"] = "99"
        response.headers["Retry-After"] = "0"


async def _listen(runner: web.AppRunner, port: int) -> int:
    """Listen on this port, or on any free one if somebody has it."""
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    try:
        await site.start()
    except OSError:
        await site.stop()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
    return int(runner.addresses[0][1])


def _refusals(fault: Fault, request: web.Request) -> web.Response | None:
    """The answer of a fault that never reaches the content."""
    seconds = fault.retry_after_seconds
    match fault.kind:
        case FaultKind.THROTTLED_SECONDS:
            return _throttled({"Retry-After": str(seconds), "X-RateLimit-Remaining": "0"})
        case FaultKind.THROTTLED_DATE:
            moment = datetime.now(UTC) + timedelta(seconds=seconds)
            return _throttled({"Retry-After": format_datetime(moment, usegmt=True)})
        case FaultKind.THROTTLED_BARE:
            return _throttled({})
        case FaultKind.SERVER_ERROR:
            body = {"statusCode": 500, "message": "java.lang.NullPointerException"}
            return web.json_response(body, status=500)
        case FaultKind.BAD_GATEWAY:
            return answers.html(502, "<html><body>502 Bad Gateway</body></html>")
        case FaultKind.UNAVAILABLE:
            headers = {"Retry-After": str(seconds)}
            return answers.html(503, "<html><body>503</body></html>", headers)
        case FaultKind.LOGIN_PAGE:
            return answers.html(200, answers.LOGIN_PAGE)
        case FaultKind.HTML_UNAUTHORIZED:
            return answers.login_failed(cloud=False)
        case FaultKind.UNAUTHORIZED:
            headers = {"WWW-Authenticate": 'OAuth realm="http%3A%2F%2F127.0.0.1"'}
            return web.Response(status=401, headers=headers)
        case FaultKind.FORBIDDEN:
            return answers.refusal(403, "User not permitted to view content")
        case FaultKind.NOT_FOUND:
            return answers.no_content(request.match_info.get("id", "0"))
        case _:
            return None


def _throttled(headers: dict[str, str]) -> web.Response:
    body = {"statusCode": 429, "message": HTTPStatus.TOO_MANY_REQUESTS.phrase}
    return web.json_response(body, status=429, headers=headers)


async def _cut(whole: web.StreamResponse, fault: Fault, request: web.Request) -> web.StreamResponse:
    """Half of an answer: with a length that gives it away, or with one that does not."""
    if not isinstance(whole, web.Response) or not isinstance(whole.body, bytes):
        return whole  # a file, which was cut while it was sent
    half = whole.body[: len(whole.body) // 2]
    if fault.kind is FaultKind.TRUNCATED:
        return web.Response(status=whole.status, body=half, content_type=whole.content_type)
    headers = {"Content-Type": whole.content_type, "Content-Length": str(len(whole.body))}
    response = web.StreamResponse(status=whole.status, headers=headers)
    await response.prepare(request)
    await response.write(half)
    if request.transport is not None:
        request.transport.close()
    return response


async def _garbled(request: web.Request) -> web.StreamResponse:
    """A head that promises chunks, and then what a proxy says whose own server has gone away."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    await response.write(b'{"results": [')
    # Long enough for the head to be read alone, as it mostly is.
    await asyncio.sleep(0.02)
    if request.transport is not None:
        request.transport.write(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")
        request.transport.close()
    return response


@contextmanager
def serving_in_a_thread(server: ConfluenceServer, port: int = 0) -> Iterator[ConfluenceServer]:
    """Serve from a thread of its own, for tests that run commands as subprocesses."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    stop = asyncio.Event()

    async def serve() -> None:
        async with server.running(port):
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
