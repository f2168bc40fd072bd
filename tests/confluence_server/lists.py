"""The endpoints that answer with lists."""

from collections.abc import Callable

from aiohttp import web

from tests.confluence_server import answers
from tests.confluence_server.content import Page
from tests.confluence_server.cql import CqlError, Hit, search
from tests.confluence_server.documents import Documents, Json
from tests.confluence_server.paging import answer, caps_content, caps_search, scan_answer
from tests.confluence_server.single import visible_page
from tests.confluence_server.site import Site, expansions

CHILD_CAP = 200
FIXED_CHILD_LIMIT = 25


async def spaces(site: Site, request: web.Request) -> web.StreamResponse:
    documents = site.documents(request)
    wanted = set(request.query.getall("spaceKey", []))
    found = [space for space in site.content.spaces.values() if not wanted or space.key in wanted]
    expand = expansions(request)
    body = answer(site, request, found, lambda space: documents.space(space, expand), cap=500)
    return web.json_response(body)


async def content(site: Site, request: web.Request) -> web.StreamResponse:
    """Content of a space, or of all; with a title, the page of that title."""
    key = request.query.get("spaceKey")
    if key is not None and key not in site.content.spaces:
        return answers.no_space(key)
    title = request.query.get("title")
    kind = request.query.get("type", "page")
    found = [
        page
        for page in site.content.listed(key, status=request.query.get("status", "current"))
        if page.type == kind and (title is None or page.title == title)
    ]
    expand = expansions(request)
    write = _writer(site.documents(request), expand)
    return web.json_response(answer(site, request, found, write, cap=caps_content(site, expand)))


async def space_content(site: Site, request: web.Request) -> web.StreamResponse:
    key = request.match_info["key"]
    if key not in site.content.spaces:
        return answers.no_space(key)
    found = [page for page in site.content.listed(key) if page.type == "page"]
    expand = expansions(request)
    write = _writer(site.documents(request), expand)
    return web.json_response(answer(site, request, found, write, cap=caps_content(site, expand)))


async def scan(site: Site, request: web.Request) -> web.StreamResponse:
    """Pages by cursor; Data Center 7.18 and later."""
    key = request.query.get("spaceKey")
    if key is not None and key not in site.content.spaces:
        return answers.no_space(key)
    found = [page for page in site.content.listed(key) if page.type == "page"]
    expand = expansions(request)
    write = _writer(site.documents(request), expand)
    return web.json_response(
        scan_answer(site, request, found, write, cap=caps_content(site, expand))
    )


async def content_search(site: Site, request: web.Request) -> web.StreamResponse:
    try:
        hits = search(site.content, request.query.get("cql", ""))
    except CqlError as error:
        return answers.refusal(400, str(error))
    expand = expansions(request)
    documents = site.documents(request)
    body = answer(
        site,
        request,
        hits,
        lambda hit: _hit(documents, hit, expand),
        cap=caps_search(expand),
        by_cursor=site.cloud,
    )
    body |= {"cqlQuery": request.query.get("cql", ""), "searchDuration": 7}
    return web.json_response(body | {"totalSize": len(hits)})


async def any_search(site: Site, request: web.Request) -> web.StreamResponse:
    """The search of all kinds: hits wrap the content they found."""
    try:
        hits = search(site.content, request.query.get("cql", ""))
    except CqlError as error:
        return answers.refusal(400, str(error))
    documents = site.documents(request)
    expand = expansions(request)

    def write(hit: Hit) -> Json:
        found = _hit(documents, hit, expand)
        space = site.content.spaces[hit.page.space_key]
        return {
            "content": found,
            "title": found["title"],
            "excerpt": "",
            "url": found["_links"]["webui"],
            "resultGlobalContainer": {"title": space.name, "displayUrl": f"/spaces/{space.key}"},
            "entityType": "content",
            "lastModified": documents.date(hit.page.modified),
        }

    body = answer(site, request, hits, write, cap=caps_search(expand), by_cursor=site.cloud)
    body |= {"cqlQuery": request.query.get("cql", ""), "searchDuration": 7}
    return web.json_response(body | {"totalSize": len(hits)})


async def child(site: Site, request: web.Request) -> web.StreamResponse:
    """All kinds of children at once: always 25 of them, whatever limit is asked for."""
    page = visible_page(site, request)
    if page is None:
        return answers.no_content(request.match_info["id"])
    documents = site.documents(request)
    body: Json = {"_expandable": {"attachment": "", "comment": ""}, "_links": {}}
    if "page" in expansions(request):
        children = site.content.children(page.id)[:FIXED_CHILD_LIMIT]
        written = [documents.page(item, frozenset()) for item in children]
        size = len(written)
        body["page"] = {"results": written, "start": 0, "limit": FIXED_CHILD_LIMIT, "size": size}
    return web.json_response(body)


async def child_pages(site: Site, request: web.Request) -> web.StreamResponse:
    page = visible_page(site, request)
    if page is None:
        return answers.no_content(request.match_info["id"])
    write = _writer(site.documents(request), expansions(request))
    found = site.content.children(page.id)
    return web.json_response(answer(site, request, found, write, cap=CHILD_CAP))


async def descendant_pages(site: Site, request: web.Request) -> web.StreamResponse:
    page = visible_page(site, request)
    if page is None:
        return answers.no_content(request.match_info["id"])
    write = _writer(site.documents(request), expansions(request))
    found = site.content.descendants(page.id)
    return web.json_response(answer(site, request, found, write, cap=CHILD_CAP))


async def attachments(site: Site, request: web.Request) -> web.StreamResponse:
    page = visible_page(site, request)
    if page is None:
        return answers.no_content(request.match_info["id"])
    documents = site.documents(request)
    expand = expansions(request)
    name = request.query.get("filename")
    found = [item for item in page.attachments if name is None or item.name == name]
    body = answer(
        site, request, found, lambda item: documents.attachment(page, item, expand), cap=CHILD_CAP
    )
    return web.json_response(body)


async def comments(site: Site, request: web.Request) -> web.StreamResponse:
    nothing: list[Page] = []
    write = _writer(site.documents(request), frozenset())
    return web.json_response(answer(site, request, nothing, write, cap=CHILD_CAP))


async def labels(site: Site, request: web.Request) -> web.StreamResponse:
    page = visible_page(site, request)
    if page is None:
        return answers.no_content(request.match_info["id"])
    found = site.documents(request).labels(page)
    return web.json_response(answer(site, request, found, lambda label: label, cap=CHILD_CAP))


def _writer(documents: Documents, expand: frozenset[str]) -> Callable[[Page], Json]:
    return lambda page: documents.page(page, expand)


def _hit(documents: Documents, hit: Hit, expand: frozenset[str]) -> Json:
    if hit.attachment is not None:
        return documents.attachment(hit.page, hit.attachment, expand)
    return documents.page(hit.page, expand)
