"""The endpoints that answer with one thing: a space, a page, a user, a file."""

from collections.abc import AsyncIterator

from aiohttp import web

from tests.confluence_server import answers
from tests.confluence_server.content import Attachment, Page
from tests.confluence_server.faults import FAULT, FaultKind
from tests.confluence_server.site import Site, expansions

DEFAULT_EXPAND = frozenset({"history", "space", "version"})
BLOCK = bytes(range(256)) * 256


def visible_page(site: Site, request: web.Request) -> Page | None:
    """The page a request is about, if whoever asks may see it in the status asked for."""
    text = request.match_info["id"]
    page = site.content.pages.get(int(text)) if text.isdigit() else None
    if page is None or page.restricted:
        return None
    asked = {
        status.strip() for text in request.query.getall("status", []) for status in text.split(",")
    }
    if page.status == "current" or page.status in asked or "any" in asked:
        return page
    return None


async def space(site: Site, request: web.Request) -> web.StreamResponse:
    key = request.match_info["key"]
    found = site.content.spaces.get(key)
    if found is None:
        return answers.no_space(key)
    documents = site.documents(request)
    return web.json_response(documents.single(documents.space(found, expansions(request))))


async def page(site: Site, request: web.Request) -> web.StreamResponse:
    found = visible_page(site, request)
    if found is None:
        return answers.no_content(request.match_info["id"])
    documents = site.documents(request)
    expand = expansions(request) or DEFAULT_EXPAND
    return web.json_response(documents.single(documents.page(found, expand)))


async def user(site: Site, request: web.Request) -> web.StreamResponse:
    asked = request.query.get("accountId") or request.query.get("key")
    name = request.query.get("username")
    for key, known in site.content.users.items():
        if key == asked or known.name == name:
            return web.json_response(site.documents(request).user(key))
    return answers.refusal(404, f"No user found with key : {asked or name}")


async def current_user(site: Site, request: web.Request) -> web.StreamResponse:
    return web.json_response(site.documents(request).user(site.username))


async def download(site: Site, request: web.Request) -> web.StreamResponse:
    """The address in `_links.download`. The cloud wants its query string."""
    found = _file_asked_for(site, request)
    if found is None or (site.cloud and not request.query_string):
        return answers.html(404, "<html><body>Page Not Found</body></html>")
    return await send_file(request, found)


async def rest_download(site: Site, request: web.Request) -> web.StreamResponse:
    """The cloud's own way to a file, a redirect to the media host; Data Center has none."""
    if not site.cloud:
        return answers.no_content(request.match_info["attachment"])
    return await redirected(site, request)


def media_address(site: Site, holder: Page, attachment: Attachment) -> str:
    return f"{site.media_url}/file/{holder.id}/{attachment.id}/binary?token=eyJhbGciOi&client=sim"


async def media(site: Site, request: web.Request) -> web.StreamResponse:
    """A file on the other host, which takes the token in the query and nothing else."""
    if "Authorization" in request.headers:
        return web.json_response({"error": "only one auth mechanism is allowed"}, status=400)
    holder = site.content.pages.get(int(request.match_info["id"]))
    for attachment in holder.attachments if holder else []:
        if attachment.id == request.match_info["attachment"]:
            return await send_file(request, attachment)
    return web.json_response({"error": "not found"}, status=404)


async def redirected(site: Site, request: web.Request) -> web.StreamResponse:
    """A redirect to the media host: of the cloud always, of others as a fault."""
    found = _file_asked_for(site, request)
    if found is None:
        return answers.no_content(request.match_info["id"])
    raise web.HTTPFound(
        media_address(site, site.content.pages[int(request.match_info["id"])], found)
    )


async def send_file(request: web.Request, attachment: Attachment) -> web.StreamResponse:
    """The bytes of a file in blocks, so that a large one never lies whole in memory."""
    fault = request.get(FAULT)
    kind = fault.kind if fault else None
    size = attachment.size
    sent = size // 2 if kind in (FaultKind.CUT, FaultKind.TRUNCATED) else size
    claimed = sent if kind is FaultKind.TRUNCATED else size
    headers = {"Content-Type": attachment.media_type, "Content-Length": str(claimed)}
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    async for block in _blocks(attachment, sent):
        await response.write(block)
        attachment.sent_bytes += len(block)
    if kind is FaultKind.CUT and request.transport is not None:
        request.transport.close()
        return response
    await response.write_eof()
    return response


async def _blocks(attachment: Attachment, size: int) -> AsyncIterator[bytes]:
    if attachment.size_bytes is None:
        yield attachment.body[:size]
        return
    for position in range(0, size, len(BLOCK)):
        yield BLOCK[: min(len(BLOCK), size - position)]


def _file_asked_for(site: Site, request: web.Request) -> Attachment | None:
    """The file that the address names, or says the number of."""
    holder = visible_page(site, request)
    asked = request.match_info
    name, number = asked.get("name"), asked.get("attachment")
    for attachment in holder.attachments if holder else []:
        if attachment.name == name or attachment.id in (number, f"att{number}"):
            return attachment
    return None
