"""A made-up team's Confluence space on loopback, for the demo to export."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.confluence_server import ConfluenceServer, Content, Page, Site, serving_in_a_thread

FOLDER = Path(__file__).parent / "space"
PORT = 8643
KEY = "LARK"


@dataclass(slots=True, kw_only=True)
class Wiki:
    """The running space, and the pages the story is about."""

    server: ConfluenceServer
    home: Page
    shown: Page
    changed: Page
    deleted: Page

    @property
    def environment(self) -> dict[str, str]:
        """Where it is and who may read it, as the command expects them."""
        return {
            "CONFLUENCE_URL": self.server.url,
            "CONFLUENCE_USERNAME": self.server.site.username,
            "CONFLUENCE_PASSWORD": self.server.site.password,
        }


def _body(name: str) -> str:
    return (FOLDER / f"{name}.xml").read_text(encoding="utf-8")


def _fill(content: Content) -> tuple[Page, Page, Page, Page]:
    """Ten pages, one of which nobody but its author may see, and a folder."""
    space = content.add_space(KEY, "Larkspur Team")
    content.add_user("8a7f808a", "grace", "Grace Hopper")

    def add(title: str, body: str, parent: int | None, *labels: str) -> Page:
        return content.add_page(KEY, title, _body(body), parent_id=parent, labels=labels)

    home = add("Larkspur Team", "home", None)
    space.homepage_id = home.id
    add("Onboarding", "onboarding", home.id, "new-people")
    runbooks = content.add_folder(KEY, "Runbooks", parent_id=home.id)
    deploy = add("Deploy a Release", "deploy", runbooks.id, "runbook", "release")
    add("Roll Back", "rollback", deploy.id, "runbook")
    on_call = add("On Call", "on-call", runbooks.id, "runbook")
    content.add_attachment(on_call, "escalation.png", _picture(), media_type="image/png")
    architecture = add("Architecture", "architecture", home.id)
    add("Clock & Calendar", "clock", architecture.id)
    add("備份", "backup", architecture.id)
    retro = add("Retro 2023", "retro", home.id)
    secret = add("Salaries", "salaries", home.id)
    secret.restricted = True
    home.body = home.body.replace("SALARIES_ID", str(secret.id))
    return home, deploy, on_call, retro


def _picture() -> bytes:
    """A real PNG: sixteen squares in two colours."""
    side = 16
    colours = (b"\xff\xff\xff", b"\x4b\x6c\xb7")
    lines = [[colours[(x // 4 + y // 4) % 2] for x in range(side)] for y in range(side)]
    pixels = b"".join(b"\0" + b"".join(line) for line in lines)
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(pixels)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


@contextmanager
def serving_space(port: int = PORT) -> Iterator[Wiki]:
    """The space, on its usual port of loopback, or on a free one if that is taken."""
    site = Site()
    home, shown, changed, deleted = _fill(site.content)
    with serving_in_a_thread(ConfluenceServer(site), port) as server:
        yield Wiki(server=server, home=home, shown=shown, changed=changed, deleted=deleted)
