"""`markmirror which`: from a URL to its file and back."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from markmirror.api import look_up
from markmirror.errors import UsageError
from tests.runs.command import markmirror
from tests.runs.mirroring import mirrored
from tests.web_server import Reply, WebServer

PATHS = ["/", "/docs", "/docs/a"]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Within: nobody, not even root, may write to the folder."""
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True).returncode:
        pytest.skip("mounting is not permitted here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


async def test_which_answers_both_ways(web: WebServer, tmp_path: Path) -> None:
    """Seed 002: D1."""
    web.serve_pages([*PATHS, "/alias", "/broken", "/no"])
    web.serve("/alias", Reply(status=301, headers={"Location": "/docs"}))
    web.serve("/broken", Reply(status=404))
    await mirrored(web, tmp_path, url=f"{web.url}/sitemap.xml", exclude_paths="/no")
    file = tmp_path / web.host_dir / "docs" / "index.md"
    assert look_up(f"{web.url}/docs#part", output=tmp_path) == str(file)
    assert look_up(f"{web.url}/alias", output=tmp_path) == str(file)
    assert look_up(str(file), output=tmp_path) == f"{web.url}/docs"
    assert look_up(f"{web.host_dir}/docs/index.md", output=tmp_path) == f"{web.url}/docs"
    for path, status in (("/broken", "failed"), ("/no", "filtered")):
        with pytest.raises(UsageError, match=status):
            look_up(web.url + path, output=tmp_path)
    for unknown in (f"{web.url}/never", "nothing.md", "https://elsewhere.example/"):
        with pytest.raises(UsageError, match="No mirror"):
            look_up(unknown, output=tmp_path)


def test_which_speaks_to_a_shell(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    markmirror("site", web.url, "-o", tmp_path, "--rate-limit", 0)
    said = markmirror("which", f"{web.url}/docs", "-o", tmp_path)
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{tmp_path}/{web.host_dir}/docs/index.md\n"
    assert markmirror("which", said.out.strip(), "-o", tmp_path).out == f"{web.url}/docs\n"
    assert markmirror("which", f"{web.url}/x", "-o", tmp_path).code == 2
    assert markmirror("which", f"{web.url}/x", "-o", tmp_path / "none").code == 2
    (tmp_path / web.host_dir / "_state.db").write_bytes(b"no database" * 1000)
    said = markmirror("which", f"{web.url}/docs", "-o", tmp_path)
    assert said.code == 2
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", ["C# docs", "100%", "what?", "ü"])
async def test_a_folder_may_have_any_name(web: WebServer, tmp_path: Path, name: str) -> None:
    web.serve_pages(PATHS)
    output = tmp_path / name
    await mirrored(web, output)
    file = output / web.host_dir / "docs" / "index.md"
    assert look_up(f"{web.url}/docs", output=output) == str(file)
    assert look_up(str(file), output=output) == f"{web.url}/docs"
    assert [folder.name for folder in tmp_path.iterdir()] == [name]
    assert not list(output.rglob("_state.db-*"))


async def test_a_mirror_that_may_only_be_read_is_asked_all_the_same(
    web: WebServer, tmp_path: Path
) -> None:
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    file = str(tmp_path / web.host_dir / "docs" / "index.md")
    with read_only(tmp_path):
        assert look_up(f"{web.url}/docs", output=tmp_path) == file


async def test_a_file_that_somebody_took_away_is_not_named(web: WebServer, tmp_path: Path) -> None:
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    (tmp_path / web.host_dir / "docs" / "index.md").unlink()
    with pytest.raises(UsageError, match="is not there any more"):
        look_up(f"{web.url}/docs", output=tmp_path)


@pytest.mark.parametrize("target", ["nowhere.md", "caf\udce9.md", "https://x.org/caf\udce9"])
async def test_what_no_mirror_knows_is_said_with_where_it_was_looked_for(
    web: WebServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    web.serve_pages(PATHS)
    await mirrored(web, tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as error:
        look_up(target)
    assert str(error.value).startswith(f"No mirror in output or . knows {target}. Say with -o ")
