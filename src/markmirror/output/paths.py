"""Where a page is written: from a URL to a path that is safe on every disk. Pure, no I/O.

Three promises hold for any URL, however hostile:

* every component is at most 200 bytes long, printable, and a name that Linux, macOS and Windows
  all accept; none is `.`, `..`, `.git` or a name that this program uses itself;
* every file ends in `.md` and no directory does, so a file and a directory never want the same
  name;
* the same URL always gives the same path.

Two URLs can still ask for the same path, or for paths that differ only in case. `path_key` tells
when, and `with_suffix` gives the second one a name of its own.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_to_bytes

MAX_COMPONENT_BYTES = 200
MAX_PATH_BYTES = 1024

# What the program keeps in a mirror's top folder; no page may sit at one of these names there.
OWN_NAMES = frozenset(
    {
        "_checkpoint.json",
        "_failed",
        "_failed.log",
        "_index.md",
        "_lock",
        "_log.jsonl",
        "_manifest.json",
        "_processed.txt",
        "_progress.json",
        "_skipped",
        "_state.db",
        "_tmp",
    }
)

_PAGE_EXTENSION = re.compile(r"(?i)(?<=.)\.(?:html|htm|xhtml|php|asp|aspx|jsp)\Z", re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")
_FORBIDDEN = frozenset('<>:"/\\|?*')
# Invisible although Unicode files them under letters and marks, which pass otherwise.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_WINDOWS_RESERVED = re.compile(
    r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?\Z", re.DOTALL
)
# The second is the short name that Windows gives the first.
_REPOSITORY_NAMES = frozenset({".git", "git~1"})
_DOT_SEGMENTS = frozenset({".", "%2e"})
_DOUBLE_DOT_SEGMENTS = frozenset({"..", ".%2e", "%2e.", "%2e%2e"})
_DEFAULT_PORT = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePath:
    """A page's place: the folder of its host, and the POSIX path inside that folder."""

    host_dir: str
    path: str


def page_path(url: str) -> PagePath:
    """Say where the page of an absolute URL is written, before any collision is looked at.

    Dot segments are resolved as a browser does, so `..` climbs no higher than the host's folder.
    An empty segment (`//`) becomes `_`, because `/a//b` and `/a/b` are different URLs.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        raise ValueError(f"not an absolute URL: {url!r}")
    address, _, query = rest.partition("#")[0].partition("?")
    authority, _, path = address.partition("/")
    suffix = f"__q_{_md5(query)[:8]}" if query else ""

    *directories, last = _resolve_dots(path.split("/"))
    if not last:
        segments = directories if suffix and directories else [*directories, "index"]
        names = [_sanitised(segment) for segment in segments]
    else:
        names = [_sanitised(segment) for segment in (*directories, last)]
        if extension := _PAGE_EXTENSION.search(names[-1]):
            names[-1] = names[-1][: extension.start()]
        elif not suffix:
            names.append("index")

    *folders, stem = names
    parts = [_fitted(_guarded(_directory_name(name), top=i == 0)) for i, name in enumerate(folders)]
    parts.append(_fitted(_guarded(f"{_without_final_dots(stem)}{suffix}.md", top=not folders)))
    return PagePath(host_dir=_host_directory(scheme, authority), path=_folded(parts))


def with_suffix(path: str, url: str, digits: int = 8) -> str:
    """Give a URL whose path is already taken a name of its own, beside the one it asked for.

    Eight digits of the URL's hash are enough in practice; when even that name is taken, ask
    again with more (up to 32).
    """
    *folders, name = path.split("/")
    tail = f"__u_{_md5(url)[:digits]}.md"
    stem = _cut(name.removesuffix(".md"), MAX_COMPONENT_BYTES - len(tail))
    return _folded([*folders, stem + tail])


def path_key(path: str) -> str:
    """Reduce a path to what disks compare by: equal keys are one file somewhere.

    Case and composition of accents are ignored, more broadly than any one file system does
    (`ß` and `SS` are equal here), so that it holds on all of them.
    """
    if path.isascii():
        return path.lower()
    decomposed = unicodedata.normalize("NFD", path)
    return unicodedata.normalize("NFC", decomposed.upper().casefold())


def placeholder_name(url: str) -> str:
    """Name the file that stands in for a page in `_failed/` or `_skipped/`."""
    return f"{_md5(url)[:16]}.md"


def is_own_name(name: str) -> bool:
    """Whether a name in a mirror's top folder belongs to the program rather than to a page."""
    key = path_key(name)
    return key in OWN_NAMES or key.startswith("_state.db") or key.endswith(".corrupt")


def _md5(text: str) -> str:
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def _resolve_dots(segments: list[str]) -> list[str]:
    resolved: list[str] = []
    final = len(segments) - 1
    for position, segment in enumerate(segments):
        spelling = segment.lower()
        if spelling in _DOUBLE_DOT_SEGMENTS:
            if resolved:
                resolved.pop()
        elif spelling not in _DOT_SEGMENTS:
            resolved.append(segment)
            continue
        if position == final:
            resolved.append("")
    return resolved


@lru_cache(maxsize=4096)
def _sanitised(segment: str) -> str:
    """Decode one URL segment, once, and replace what a file name should not hold."""
    if _PLAIN.fullmatch(segment):
        return segment
    # A lone surrogate has no UTF-8 form; "replace" makes it a question mark, forbidden below.
    encoded = segment.encode("utf-8", "replace")
    decoded = unquote_to_bytes(encoded).decode("utf-8", "replace")
    composed = unicodedata.normalize("NFC", decoded)
    return "".join("_" if _is_unsafe(char) else char for char in composed) or "_"


def _is_unsafe(char: str) -> bool:
    # C: control, format (bidi marks, joiners), surrogate, private use, unassigned. Z: every
    # kind of space. Private-use characters are how some Windows layers spell `:` and `/`.
    return (
        char in _FORBIDDEN
        or unicodedata.category(char)[0] in "CZ"
        or _INVISIBLE.match(char) is not None
    )


def _without_final_dots(name: str) -> str:
    # Windows drops them, which would make `a.` and `a` one file, and `..` something else entirely.
    bare = name.rstrip(".")
    return bare + "_" * (len(name) - len(bare))


def _directory_name(name: str) -> str:
    safe = _without_final_dots(name)
    # `.md` is how files end, and `.corrupt` what damaged files of the program are renamed to.
    return f"{safe}_" if path_key(safe).endswith((".md", ".corrupt")) else safe


def _guarded(name: str, *, top: bool) -> str:
    """Put a `_` before a name that means something to Windows, to git, or to this program."""
    if (
        _WINDOWS_RESERVED.match(name)
        or path_key(name) in _REPOSITORY_NAMES
        or (top and is_own_name(name))
    ):
        return f"_{name}"
    return name


def _fitted(name: str) -> str:
    """Cut a component that is too long; its hash keeps it apart from others cut alike.

    A name of 200 UTF-8 bytes never has more than 200 characters, so bytes are all that counts.
    """
    if len(name.encode()) <= MAX_COMPONENT_BYTES:
        return name
    extension = ".md" if name.endswith(".md") else ""
    tail = f"_{_md5(name)[:8]}{extension}"
    return _cut(name.removesuffix(extension), MAX_COMPONENT_BYTES - len(tail)) + tail


def _cut(text: str, size: int) -> str:
    encoded = text.encode()
    if len(encoded) <= size:
        return text
    kept = encoded[:size].decode("utf-8", "ignore")
    # An accent stays with its letter or goes with it.
    end = len(kept)
    while end and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return kept[:end] or kept


def _folded(parts: list[str]) -> str:
    """Join components; when the whole is too long, the last ones become one hashed name."""
    path = "/".join(parts)
    if len(path.encode()) <= MAX_PATH_BYTES:
        return path
    stem = _cut(parts[-1].removesuffix(".md"), MAX_COMPONENT_BYTES - len("_12345678.md"))
    room = MAX_PATH_BYTES - len(f"{stem}_12345678.md".encode())
    kept = 0
    for part in parts:
        room -= len(part.encode()) + 1
        if room < 0:
            break
        kept += 1
    digest = _md5("/".join(parts[kept:]))[:8]
    return "/".join([*parts[:kept], f"{stem}_{digest}.md"])


@lru_cache(maxsize=256)
def _host_directory(scheme: str, authority: str) -> str:
    host = authority.rpartition("@")[2].lower()
    port = ""
    if host.startswith("["):
        # Colons become `-` and `_` is kept for the port, so that `[1::2]:3` is not `[1::2:3]`;
        # the prefix is there because a folder named `--1` reads as an option in a shell.
        host, _, port = host[1:].partition("]")
        host, port = "ipv6-" + host.replace(":", "-"), port.removeprefix(":")
    elif ":" in host:
        host, _, port = host.rpartition(":")
    name = _without_final_dots(_sanitised(host))
    if port and port != _DEFAULT_PORT.get(scheme.lower()):
        name = f"{name}_{_without_final_dots(_sanitised(port))}"
    return _fitted(_guarded(name, top=True))
