"""URLs in one canonical spelling, so that two spellings of one page are one page."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import unquote

import idna

from markmirror.errors import UsageError

MAX_URL_CHARACTERS = 8192

_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
# A name ends in a letter here; the few that do not are for the slow path to judge.
_NAME = r"(?![^/]*\.(?:\.|0x))(?!0x)[a-z0-9_-][a-z0-9._-]*+(?<=[a-z])"
# 80 and 443 are left to the slow path, which knows which scheme they are the default of.
_PORT = r"(?::(?!(?:80|443)/)(?:[1-5]\d{4}|[1-9]\d{0,3}))?"
_PCHAR = r"A-Za-z0-9_~!$&'()*+,;=:@-"
# The escapes that a normal URL keeps: upper-case, and not of an unreserved character.
_ESCAPE = r"%(?:[01][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF]|[89A-F][0-9A-F])"
# Path and query at once: they differ in the question mark only, and each group costs time.
_TAIL = rf"/[/?.{_PCHAR}]*+(?:{_ESCAPE}[/?.{_PCHAR}]*+)*(?<!\?)"

_ORIGIN = rf"https?://(?:{_NAME}|(?:{_OCTET}\.){{3}}{_OCTET}){_PORT}"


def almost_normal_url(origin: str | None = None) -> str:
    """A pattern whose matches are normal URLs if they hold no `/.` and are not too long.

    URLs of the `origin` named, a normal one, are recognised faster than others.
    """
    return rf"(?:{re.escape(origin)}|{_ORIGIN}){_TAIL}" if origin else _ORIGIN + _TAIL


_is_almost_normal = re.compile(almost_normal_url(), re.ASCII).fullmatch

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ODD_ESCAPE = re.compile(rf"(?!{_ESCAPE})%[0-9A-Fa-f]{{2}}")
_UNSAFE_IN_PATH = re.compile(rf"[^%./{_PCHAR}]+")
_UNSAFE_IN_QUERY = re.compile(rf"[^%./?{_PCHAR}]+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HOST_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_ENDS_IN_NUMBER = re.compile(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)$", re.ASCII)
_AUTHORITY = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#\\]*)([^?#]*)")
_WITH_PORT = re.compile(r":\d+$", re.ASCII)
_ESCAPED = [f"%{byte:02X}" for byte in range(256)]
_BROWSERS_DROP = str.maketrans("", "", "\t\n\r")
_BROWSERS_STRIP = "".join(map(chr, range(33)))
DEFAULT_PORT = {"http": 80, "https": 443}
_MAX_HOST_CHARACTERS = 253


def normalise_url(url: str, base: str | None = None) -> str | None:
    """The URL in its canonical spelling, absolute and without fragment, or None if it is none.

    Only http and https URLs are URLs here; one that carries a user name or a password is refused.
    A relative reference is resolved against `base`. Lone bytes that a lenient decoder kept as
    surrogate escapes come out percent-encoded.
    """
    if _is_almost_normal(url) and "/." not in url and len(url) <= MAX_URL_CHARACTERS:
        return url
    return _normalise(url, base)


def _normalise(url: str, base: str | None) -> str | None:
    text = url.strip(_BROWSERS_STRIP).translate(_BROWSERS_DROP).partition("#")[0]
    if len(text) > MAX_URL_CHARACTERS or _CONTROL.search(text):
        return None
    before, question, query = text.partition("?")
    before = before.replace("\\", "/")
    if scheme := _SCHEME.match(before):
        if not before.startswith("//", scheme.end()):
            return None
        return _assemble(scheme[1].lower(), before[scheme.end() :].lstrip("/"), query)
    parent = normalise_url(base) if base is not None else None
    if parent is None:
        return None
    scheme_name, authority, parent_path, parent_query = _pieces(parent)
    if before.startswith("//"):
        return _assemble(scheme_name, before.lstrip("/"), query)
    if not before:
        path, query = parent_path, query if question else parent_query
    elif before.startswith("/"):
        path = before
    else:
        path = parent_path[: parent_path.rindex("/") + 1] + before
    return _assemble(scheme_name, authority + path, query)


def _pieces(normal_url: str) -> tuple[str, str, str, str]:
    scheme, _, rest = normal_url.partition("://")
    before, _, query = rest.partition("?")
    authority, _, path = before.partition("/")
    return scheme, authority, "/" + path, query


def _assemble(scheme: str, authority_and_path: str, query: str) -> str | None:
    if scheme not in DEFAULT_PORT:
        return None
    written_authority, _, written_path = authority_and_path.partition("/")
    authority = _normal_authority(scheme, written_authority)
    if authority is None:
        return None
    try:
        path = _without_dot_segments(_escaped("/" + written_path, _UNSAFE_IN_PATH))
        query = _escaped(query, _UNSAFE_IN_QUERY)
    except UnicodeEncodeError:
        return None
    url = f"{scheme}://{authority}{path}?{query}" if query else f"{scheme}://{authority}{path}"
    return url if len(url) <= MAX_URL_CHARACTERS else None


@lru_cache(maxsize=1024)
def _normal_authority(scheme: str, authority: str) -> str | None:
    if "@" in authority:
        return None
    written_host, colon, written_port = authority.rpartition(":")
    if not colon or written_port.endswith("]"):
        written_host, written_port = authority, ""
    host = _normal_host(written_host)
    if host is None:
        return None
    if not written_port:
        return host
    if not (written_port.isascii() and written_port.isdecimal() and len(written_port) <= 9):
        return None
    port = int(written_port)
    if not 0 < port < 65536:
        return None
    return host if port == DEFAULT_PORT[scheme] else f"{host}:{port}"


def _normal_host(written: str) -> str | None:
    if written.startswith("[") and written.endswith("]"):
        try:
            address = IPv6Address(written[1:-1])
        except AddressValueError:
            return None
        return None if address.scope_id else f"[{address.compressed}]"
    host = unquote(written) if "%" in written and written.isascii() else written
    if len(host) > _MAX_HOST_CHARACTERS:
        return None
    host = host.lower() if host.isascii() else _ascii_host(host)
    host = host.removesuffix(".")
    if not _HOST_NAME.fullmatch(host):
        return None
    if _ENDS_IN_NUMBER.search(host):
        # What ends in a number is an IPv4 address or nothing: browsers read 0x7f.1 and 2130706433
        # as addresses too, but only someone with something to hide writes them so.
        try:
            return str(IPv4Address(host))
        except AddressValueError:
            return None
    return host


def _ascii_host(host: str) -> str:
    """The host in Punycode; an empty string if there is no such host."""
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        pass
    try:
        # Symbols and emoji, which the newer standard forbids and some registries sell.
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def _escaped(text: str, unsafe: re.Pattern[str]) -> str:
    if "%" in text:
        text = _ODD_ESCAPE.sub(_normal_escape, _LONE_PERCENT.sub("%25", text))
    return unsafe.sub(_escape_bytes, text)


def _normal_escape(match: re.Match[str]) -> str:
    escape = match[0].upper()
    character = chr(int(escape[1:], 16))
    return character if character in _UNRESERVED else escape


def _escape_bytes(match: re.Match[str]) -> str:
    return "".join([_ESCAPED[byte] for byte in match[0].encode("utf-8", "surrogateescape")])


def _without_dot_segments(path: str) -> str:
    if "/." not in path:
        return path
    written = path[1:].split("/")
    kept: list[str] = []
    for segment in written:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if written[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def host_of(url: str) -> str:
    """The host, with its port if one is written, in lower case; empty if there is none."""
    match = _AUTHORITY.match(url)
    return match[2].rpartition("@")[2].lower() if match else ""


def origin_of(url: str) -> str:
    """Scheme, host and port, such as `https://example.com:8443`; empty if there is none."""
    match = _AUTHORITY.match(url)
    return f"{match[1].lower()}://{match[2].rpartition('@')[2].lower()}" if match else ""


def path_of(url: str) -> str:
    """The path without query and fragment, at least `/`."""
    match = _AUTHORITY.match(url)
    return (match[3] if match else "") or "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which hosts belong to a mirror: the start host, its subdomains, and those named besides.

    A leading `www.` of the start host does not count, so that example.com and docs.example.com
    are in the scope of www.example.com. The default ports of http and https are the same port.
    """

    home: str
    site: str
    start_hosts: frozenset[str]
    port: str
    any_port_hosts: frozenset[str]
    exact_authorities: frozenset[tuple[str, str]]
    _verdicts: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, start_url: str, allow_hosts: Iterable[str] = ()) -> "Scope":
        """The scope of a run that starts at a URL; `allow_hosts` are `host` or `host:port`."""
        start = normalise_url(start_url)
        if start is None:
            raise UsageError(
                f"{start_url!r} is not an http or https URL.", hint="Write https://example.com/."
            )
        host, port = _host_and_port(start)
        bare = host.removeprefix("www.")
        site = bare if "." in bare else host
        any_port: set[str] = set()
        exact: set[tuple[str, str]] = set()
        for written in allow_hosts:
            allowed = _host_as_url(written)
            if allowed is None:
                raise UsageError(
                    f"{written!r} is not a host.", hint="Write cdn.example.com or localhost:8000."
                )
            allowed_host, allowed_port = _host_and_port(allowed)
            if "://" in written or _WITH_PORT.search(written):
                exact.add((allowed_host, allowed_port))
            else:
                any_port.add(allowed_host)
        return cls(
            home=origin_of(start) + "/",
            site=site,
            start_hosts=frozenset({host, site}),
            port=port,
            any_port_hosts=frozenset(any_port),
            exact_authorities=frozenset(exact),
        )

    def allows(self, url: str) -> bool:
        """Whether a normalised URL is on a host of this scope."""
        # Most often by far, and asked a million times.
        if url.startswith(self.home):
            return True
        origin = url[: url.find("/", 8)]
        verdict = self._verdicts.get(origin)
        if verdict is None:
            if len(self._verdicts) >= _REMEMBERED_VERDICTS:
                self._verdicts.clear()
            verdict = self._verdicts[origin] = self._judge(origin)
        return verdict

    def is_trusted(self, url: str) -> bool:
        """Whether a secret for this scope may be told there: not in the clear if it has HTTPS."""
        is_open = url.startswith("http:") and self.home.startswith("https:")
        return not is_open and self.allows(url)

    def _judge(self, origin: str) -> bool:
        host, port = _host_and_port(origin + "/")
        if host in self.any_port_hosts or (host, port) in self.exact_authorities:
            return True
        if host in self.start_hosts:
            return port == self.port
        return (
            host.endswith("." + self.site)
            and not _is_address(self.site)
            and port in ("", self.port)
        )


_REMEMBERED_VERDICTS = 10_000


def is_host(written: str) -> bool:
    """Whether this is `host`, `host:port`, or a URL of no more than that."""
    return _host_as_url(written) is not None


def _host_as_url(written: str) -> str | None:
    url = normalise_url(written if "://" in written else f"http://{written}")
    return url if url is not None and path_of(url) == "/" else None


def _host_and_port(normal_url: str) -> tuple[str, str]:
    """Host and port of a normalised URL; the port is empty where it is 80 or 443."""
    authority = host_of(normal_url)
    host, colon, port = authority.rpartition(":")
    if not colon or port.endswith("]"):
        return authority, ""
    return host, "" if port in ("80", "443") else port


def _is_address(host: str) -> bool:
    return host.startswith("[") or _ENDS_IN_NUMBER.search(host) is not None
