"""How a Confluence says no: the bodies of its errors, word for word."""

from collections.abc import Mapping

from aiohttp import web

_DATA = {
    "authorized": False,
    "valid": True,
    "allowedInReadOnlyMode": True,
    "errors": [],
    "successful": False,
}
_REASONS = {400: "Bad Request", 403: "Forbidden", 404: "Not Found"}

LOGIN_PAGE = (
    "<!DOCTYPE html><html><head><title>Log in</title></head><body><form action='https://sso.test/'"
    " method='post'><input type='hidden' name='SAMLRequest' value='fZJ'></form></body></html>"
)
TOMCAT_UNAUTHORIZED = (
    '<html><head><title>Unauthorized (401)</title></head><body>\n<div class="aui-message">'
    "Basic Authentication Failure - Reason : AUTHENTICATED_FAILED</div></body></html>"
)


def refusal(status: int, message: str) -> web.Response:
    """An error of API v1."""
    body = {"statusCode": status, "data": _DATA, "message": message, "reason": _REASONS[status]}
    return web.json_response(body, status=status)


def no_content(content_id: str) -> web.Response:
    """The same words whether it never was, is in the trash, or must not be seen."""
    return refusal(404, f"No content found with id: ContentId{{id={content_id}}}")


def no_space(key: str) -> web.Response:
    return refusal(404, f"No space with key : {key}")


def v2_refusal(status: int, code: str, title: str) -> web.Response:
    """An error of API v2."""
    error = {"status": status, "code": code, "title": title, "detail": None}
    return web.json_response({"errors": [error]}, status=status)


def html(status: int, text: str, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(status=status, text=text, content_type="text/html", headers=headers)


def login_failed(*, cloud: bool) -> web.Response:
    """Bad credentials: HTML from the servlet container at home, JSON in the cloud."""
    if cloud:
        message = "Current user not permitted to use Confluence"
        return web.json_response({"message": message, "statusCode": 403}, status=403)
    headers = {
        "X-Seraph-LoginReason": "AUTHENTICATED_FAILED",
        "WWW-Authenticate": 'Basic realm="Confluence"',
    }
    return html(401, TOMCAT_UNAUTHORIZED, headers)
