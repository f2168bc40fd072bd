"""A link that somebody put into a mirror leads no write out of it."""

from contextlib import suppress
from pathlib import Path

import pytest

from markmirror.errors import MarkmirrorError
from tests.runs.mirroring import mirrored
from tests.web_server import Reply
from tests.web_server.misdeeds import MisbehavingServer

BEFORE = b"what was there before\n"


@pytest.mark.parametrize(
    "name",
    [
        *("_failed.log", "_log.jsonl", "_processed.txt"),
        *("_state.db", "_state.db-bodies-1"),
        *("_manifest.json", "_checkpoint.json", "_progress.json", "_index.md", "_lock"),
        *("a/index.md", "a", "_failed", "_skipped", "_tmp"),
    ],
)
@pytest.mark.parametrize("is_dangling", [False, True], ids=["to a file", "to nothing"])
async def test_a_link_in_the_mirror_is_not_followed(
    web: MisbehavingServer, tmp_path: Path, name: str, is_dangling: bool
) -> None:
    web.serve_pages(["/a", "/b", "/bad", "/paper"])
    web.serve("/bad", Reply(status=404))
    web.serve("/paper", Reply(body=b"%PDF", headers={"Content-Type": "application/pdf"}))
    outside = tmp_path / "outside"
    outside.mkdir()
    victim = outside / "victim"
    victim.write_bytes(BEFORE)
    link = tmp_path / "mirror" / web.host_dir / name
    link.parent.mkdir(parents=True)
    is_folder = name in ("a", "_failed", "_skipped", "_tmp")
    target = outside if is_folder else victim
    link.symlink_to(outside / "nothing" if is_dangling else target)
    with suppress(MarkmirrorError):
        await mirrored(web, tmp_path / "mirror")
    assert victim.read_bytes() == BEFORE
    assert [file.name for file in outside.rglob("*")] == ["victim"]
