"""A link that somebody put into a mirror or an export leads no write out of it."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from markmirror.errors import MarkmirrorError
from tests.runs.confluence.wiki import wiki_at
from tests.runs.mirroring import mirrored
from tests.web_server import Reply, serving
from tests.web_server.misdeeds import MisbehavingServer

BEFORE = b"what was there before\n"
LEDGER = ("_state.db", "_state.db-wal", "_state.db-shm", "_state.db-journal", "_state.db-bodies-1")
OF_BOTH = (*LEDGER, "_lock", "_log.jsonl", "_tmp", "a")
OF_A_SITE = (
    *("_failed.log", "_processed.txt", "_failed", "_skipped"),
    *("_manifest.json", "_checkpoint.json", "_progress.json", "_index.md", "a/index.md"),
)
OF_A_SPACE = ("manifest.json", "queues.json", "a.md", "assets")
FOLDERS = ("a", "assets", "_failed", "_skipped", "_tmp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One of the commands, and the folder that is its own to write to."""

    folder: Path
    run: Callable[[], Awaitable[object]]


@contextmanager
def _site(output: Path) -> Iterator[Command]:
    web = MisbehavingServer()
    with serving(web):
        web.serve_pages(["/a", "/b", "/bad", "/paper"])
        web.serve("/bad", Reply(status=404))
        web.serve("/paper", Reply(body=b"%PDF", headers={"Content-Type": "application/pdf"}))
        yield Command(folder=output / web.host_dir, run=lambda: mirrored(web, output))


@contextmanager
def _confluence(output: Path) -> Iterator[Command]:
    with wiki_at(output) as wiki:
        page = wiki.content.add_page("DOCS", "A", "<p>Text.</p>")
        wiki.content.add_attachment(page, "a.txt", b"content")
        wiki.content.add_page("DOCS", "B", "<p>Text.</p>", parent_id=page.id)
        yield Command(folder=wiki.folder, run=wiki.export_here)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        *((_site, name) for name in (*OF_BOTH, *OF_A_SITE)),
        *((_confluence, name) for name in (*OF_BOTH, *OF_A_SPACE)),
    ],
)
@pytest.mark.parametrize("is_dangling", [False, True], ids=["to a file", "to nothing"])
async def test_a_link_in_the_mirror_is_not_followed(
    tmp_path: Path,
    command: Callable[[Path], AbstractContextManager[Command]],
    name: str,
    is_dangling: bool,
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    victim = outside / "victim"
    victim.write_bytes(BEFORE)
    with command(tmp_path / "mirror") as mirror:
        link = mirror.folder / name
        link.parent.mkdir(parents=True)
        target = outside if name in FOLDERS else victim
        link.symlink_to(outside / "nothing" if is_dangling else target)
        with suppress(MarkmirrorError):
            await mirror.run()
    assert victim.read_bytes() == BEFORE
    assert [file.name for file in outside.rglob("*")] == ["victim"]
