"""The little of API v2 that clients ask for: pages by id or space, spaces by key, folders."""

from aiohttp import web

from tests.confluence_server import answers
from tests.confluence_server.content import Folder, Page
from tests.confluence_server.documents import Json, tiny_id
from tests.confluence_server.paging import window
from tests.confluence_server.site import Site

CAP = 250


async def spaces(site: Site, request: web.Request) -> web.StreamResponse:
    keys = {key for text in request.query.getall("keys", []) for key in text.split(",")}
    results = [
        {
            "id": str(space.id),
            "key": space.key,
            "name": space.name,
            "type": space.type,
            "status": space.status,
            "homepageId": str(space.homepage_id) if space.homepage_id else None,
            "currentActiveAlias": space.key,
            "_links": {"webui": f"/spaces/{space.key}"},
        }
        for space in site.content.spaces.values()
        if not keys or space.key in keys
    ]
    return web.json_response({"results": results, "_links": {"base": _base(site, request)}})


async def pages(site: Site, request: web.Request) -> web.StreamResponse:
    """Current and archived pages unless a status is asked for."""
    ids = {one for text in request.query.getall("id", []) for one in text.split(",")}
    keys = {str(space.id): space.key for space in site.content.spaces.values()}
    wanted = {keys.get(one) for one in request.query.getall("space-id", [])}
    statuses = request.query.getall("status", ["current", "archived"])
    found = [
        page
        for page in site.content.listed(status="any")
        if page.type == "page"
        and page.status in statuses
        and (not ids or str(page.id) in ids)
        and (not wanted or page.space_key in wanted)
    ]
    seen = window(request, len(found), CAP)
    links = {"base": _base(site, request)}
    if seen.next_start is not None:
        # Unlike in v1, the link already holds the context path.
        following = request.rel_url.update_query(start=seen.next_start, limit=seen.asked)
        links["next"] = str(following)
    shown = found[seen.start : seen.start + seen.shown]
    return web.json_response(
        {"results": [_page(site, one, request) for one in shown], "_links": links}
    )


async def page(site: Site, request: web.Request) -> web.StreamResponse:
    found = site.content.pages.get(int(request.match_info["id"]))
    if found is None or found.restricted or found.status == "trashed":
        return answers.v2_refusal(404, "NOT_FOUND", "Not Found")
    return web.json_response(_page(site, found, request))


async def folder(site: Site, request: web.Request) -> web.StreamResponse:
    found = site.content.folders.get(int(request.match_info["id"]))
    if found is None:
        return answers.v2_refusal(404, "NOT_FOUND", "Not Found")
    return web.json_response(
        {
            "id": str(found.id),
            "type": found.type,
            "status": "current",
            "title": found.title,
            "parentId": str(found.parent_id) if found.parent_id else None,
            "parentType": _parent_type(site, found),
            "createdAt": 1704110400000,
            "_links": {"base": _base(site, request)},
        }
    )


def _base(site: Site, request: web.Request) -> str:
    return f"{request.url.origin()}{site.context}"


def _parent_type(site: Site, node: Page | Folder) -> str | None:
    parent = site.content.node(node.parent_id) if node.parent_id else None
    return None if parent is None else "page" if isinstance(parent, Page) else parent.type


def _page(site: Site, found: Page, request: web.Request) -> Json:
    moment = site.documents(request).date(found.modified)
    body: Json = {}
    if request.query.get("body-format") == "storage":
        body = {"storage": {"representation": "storage", "value": found.body}}
    return {
        "id": str(found.id),
        "status": found.status,
        "title": found.title,
        "spaceId": str(site.content.spaces[found.space_key].id),
        "parentId": str(found.parent_id) if found.parent_id else None,
        "parentType": _parent_type(site, found),
        "position": found.position,
        "authorId": found.author,
        "ownerId": found.author,
        "createdAt": moment,
        "version": {"number": found.version, "message": "", "createdAt": moment},
        "body": body,
        "_links": {
            "webui": f"/spaces/{found.space_key}/pages/{found.id}",
            "tinyui": f"/x/{tiny_id(found.id)}",
            "base": _base(site, request),
        },
    }
