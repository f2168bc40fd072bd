import os
import shutil
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from markmirror.errors import DiskFull, MarkmirrorError, UnsafePath, UsageError
from markmirror.output.files import TEMPORARY_FOLDER, MirrorFolder
from markmirror.output.paths import OWN_NAMES


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[MirrorFolder]:
    with MirrorFolder(tmp_path / "output" / "example.com") as folder:
        yield folder


def temporary_files(mirror: MirrorFolder) -> list[Path]:
    return list((mirror.root / TEMPORARY_FOLDER).glob("*"))


def test_a_file_is_written_with_the_folders_it_needs(mirror: MirrorFolder) -> None:
    written = mirror.write("docs/api/index.md", b"# API\n")
    file = mirror.root / "docs/api/index.md"
    assert file.read_bytes() == b"# API\n"
    assert (written.mtime_ns, written.size) == (file.stat().st_mtime_ns, 6)
    assert mirror.stat("docs/api/index.md") == written
    assert mirror.read("docs/api/index.md") == b"# API\n"
    assert temporary_files(mirror) == []


def test_a_file_is_replaced_as_a_whole(mirror: MirrorFolder) -> None:
    """NFR-003."""
    mirror.write("page.md", b"a longer text than the next")
    with (mirror.root / "page.md").open("rb") as reader:
        mirror.write("page.md", b"short")
        assert reader.read() == b"a longer text than the next"
    assert mirror.read("page.md") == b"short"


def test_files_have_the_permissions_the_person_asked_for(mirror: MirrorFolder) -> None:
    before = os.umask(0o027)
    try:
        mirror.write("docs/page.md", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((mirror.root / "docs/page.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((mirror.root / "docs").stat().st_mode) == 0o750


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "/etc/passwd",
        "../x.md",
        "a/../../x.md",
        "a/./b.md",
        "a//b.md",
        "a/",
        "a\0.md",
    ],
)
def test_a_path_that_is_not_plainly_inside_is_refused(mirror: MirrorFolder, path: str) -> None:
    """Seed 000: Parent directory traversal."""
    for attempt in (
        lambda: mirror.write(path, b""),
        lambda: mirror.read(path),
        lambda: mirror.remove(path),
    ):
        with pytest.raises(UnsafePath):
            attempt()


def test_a_folder_that_is_a_link_is_not_written_through(
    mirror: MirrorFolder, outside: Path
) -> None:
    """Seed 000: Symlink escape prevention."""
    (mirror.root / "docs").symlink_to(outside)
    (outside / "old.md").write_text("theirs")
    for path in ("docs/page.md", "docs/deeper/page.md"):
        with pytest.raises(UnsafePath, match="symbolic link"):
            mirror.write(path, b"x")
    with pytest.raises(UnsafePath):
        mirror.read("docs/old.md")
    with pytest.raises(UnsafePath):
        mirror.remove("docs/old.md")
    assert not mirror.exists("docs/old.md")
    assert [file.name for file in outside.iterdir()] == ["old.md"]
    assert temporary_files(mirror) == []


def test_a_link_to_another_place_in_the_mirror_is_refused_too(mirror: MirrorFolder) -> None:
    """Two paths would be one file otherwise."""
    mirror.write("real/page.md", b"x")
    (mirror.root / "alias").symlink_to(mirror.root / "real")
    with pytest.raises(UnsafePath):
        mirror.write("alias/page.md", b"y")
    assert mirror.read("real/page.md") == b"x"


def test_a_file_that_is_a_link_is_replaced_and_not_followed(
    mirror: MirrorFolder, outside: Path
) -> None:
    """Seed 000: Symlink escape prevention."""
    target = outside / "theirs.md"
    target.write_text("theirs")
    (mirror.root / "page.md").symlink_to(target)
    assert not mirror.exists("page.md")
    with pytest.raises(UnsafePath):
        mirror.read("page.md")
    mirror.write("page.md", b"ours")
    assert target.read_text() == "theirs"
    assert not (mirror.root / "page.md").is_symlink()
    assert mirror.read("page.md") == b"ours"


def test_a_folder_exchanged_for_a_link_between_two_writes_is_noticed(
    mirror: MirrorFolder, outside: Path
) -> None:
    """Seed 000: Symlink escape prevention."""
    mirror.write("docs/api/one.md", b"1")
    (mirror.root / "docs").rename(mirror.root / "docs-before")
    (outside / "api").mkdir()
    (mirror.root / "docs").symlink_to(outside)
    with pytest.raises(UnsafePath):
        mirror.write("docs/api/two.md", b"2")
    assert list((outside / "api").iterdir()) == []


def test_nothing_gets_out_while_a_folder_is_being_exchanged_for_a_link(
    mirror: MirrorFolder, outside: Path
) -> None:
    """Seed 000: Symlink escape prevention."""
    docs, aside = mirror.root / "docs", mirror.root / "aside"
    finished = threading.Event()

    def exchange() -> None:
        while not finished.is_set():
            with suppress(OSError):
                docs.rename(aside)
                docs.symlink_to(outside)
            if docs.is_symlink():
                docs.unlink()
            shutil.rmtree(aside, ignore_errors=True)

    thread = threading.Thread(target=exchange)
    thread.start()
    refused = 0
    try:
        for number in range(2000):
            try:
                mirror.write(f"docs/{number % 10}/page.md", b"x")
            except (UnsafePath, MarkmirrorError):
                refused += 1
    finally:
        finished.set()
        thread.join()
    assert refused < 2000
    assert list(outside.iterdir()) == []
    assert temporary_files(mirror) == []


def test_the_folder_for_temporary_files_may_not_be_a_link(tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "output"
    root.mkdir()
    (root / TEMPORARY_FOLDER).symlink_to(outside)
    with MirrorFolder(root) as mirror, pytest.raises(UnsafePath):
        mirror.write("page.md", b"x")
    assert list(outside.iterdir()) == []


def test_the_mirror_itself_may_be_reached_through_a_link(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "output").symlink_to(outside)
    with MirrorFolder(tmp_path / "output") as mirror:
        mirror.write("page.md", b"x")
        assert mirror.root == outside
    assert (outside / "page.md").read_bytes() == b"x"


def test_a_file_where_a_folder_is_needed_is_named(mirror: MirrorFolder) -> None:
    (mirror.root / "docs").write_text("notes of a person")
    with pytest.raises(UsageError, match="docs in the mirror is a file"):
        mirror.write("docs/page.md", b"x")
    assert (mirror.root / "docs").read_text() == "notes of a person"


def test_a_folder_where_a_file_belongs_is_an_error_that_leaves_nothing(
    mirror: MirrorFolder,
) -> None:
    (mirror.root / "page.md").mkdir()
    with pytest.raises(UsageError, match=r"page\.md"):
        mirror.write("page.md", b"x")
    assert temporary_files(mirror) == []


def test_a_pipe_is_not_waited_for(mirror: MirrorFolder) -> None:
    os.mkfifo(mirror.root / "page.md")
    with pytest.raises(UsageError, match="not a regular file"):
        mirror.read("page.md")


def test_an_output_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "output").write_text("")
    for root in (tmp_path / "output", tmp_path / "output" / "example.com"):
        with pytest.raises(UsageError, match="a file in the way"):
            MirrorFolder(root)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_an_output_that_cannot_be_written_is_refused_in_words(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UsageError, match="Permission denied"):
            MirrorFolder(tmp_path / "output")
    finally:
        tmp_path.chmod(0o700)


def test_leftovers_of_a_killed_run_are_cleared_and_nothing_else(mirror: MirrorFolder) -> None:
    folder = mirror.root / TEMPORARY_FOLDER
    folder.mkdir()
    (folder / ".markmirror-0a1b2c3d-7.tmp").write_text("half a pa")
    (folder / "theirs.txt").write_text("kept")
    (folder / ".markmirror-theirs.tmp").mkdir()
    assert mirror.remove_leftovers() == 1
    assert {file.name for file in folder.iterdir()} == {"theirs.txt", ".markmirror-theirs.tmp"}


def test_clearing_up_a_new_mirror_finds_nothing(mirror: MirrorFolder) -> None:
    assert mirror.remove_leftovers() == 0
    assert list(mirror.root.iterdir()) == []


def test_the_folder_for_temporary_files_is_one_of_our_names_and_goes_when_done(
    tmp_path: Path,
) -> None:
    assert TEMPORARY_FOLDER in OWN_NAMES
    with MirrorFolder(tmp_path / "output") as mirror:
        mirror.write("page.md", b"x")
    assert [file.name for file in (tmp_path / "output").iterdir()] == ["page.md"]


def test_writing_goes_on_when_the_folder_for_temporary_files_was_tidied_away(
    mirror: MirrorFolder,
) -> None:
    mirror.write("one.md", b"1")
    (mirror.root / TEMPORARY_FOLDER).rmdir()
    mirror.write("two.md", b"2")
    assert mirror.read("two.md") == b"2"


def test_removing_a_file_removes_the_folders_it_leaves_empty(mirror: MirrorFolder) -> None:
    mirror.write("docs/a/b/index.md", b"")
    mirror.write("docs/other.md", b"")
    assert mirror.remove("docs/a/b/index.md")
    assert not (mirror.root / "docs/a").exists()
    assert mirror.exists("docs/other.md")
    assert mirror.remove("docs/other.md")
    assert not (mirror.root / "docs").exists()
    assert mirror.root.is_dir()
    assert not mirror.remove("docs/other.md")


def test_a_file_is_reachable_under_a_second_path_and_stays_independent(
    mirror: MirrorFolder,
) -> None:
    written = mirror.write("old/page.md", b"text")
    assert mirror.link_or_copy("old/page.md", "new/place/page.md") == written
    mirror.write("old/page.md", b"other")
    assert mirror.read("new/place/page.md") == b"text"
    assert temporary_files(mirror) == []


def test_linking_a_file_to_where_it_already_is_leaves_no_temporary_file(
    mirror: MirrorFolder,
) -> None:
    mirror.write("old.md", b"text")
    mirror.link_or_copy("old.md", "new.md")
    mirror.link_or_copy("old.md", "new.md")
    assert temporary_files(mirror) == []
    assert mirror.read("new.md") == b"text"


@pytest.fixture
def unlinkable(mirror: MirrorFolder) -> Iterator[str]:
    """A file that the system allows no further names for, as on disks without hard links."""
    mirror.write("old.md", b"text")
    file = mirror.root / "old.md"
    try:
        frozen = subprocess.run(["chattr", "+i", file], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("chattr is not installed")
    if frozen.returncode:
        pytest.skip(f"files cannot be made immutable here: {frozen.stderr.strip()}")
    yield "old.md"
    subprocess.run(["chattr", "-i", file], check=True)


def test_a_file_is_copied_where_it_cannot_be_linked(mirror: MirrorFolder, unlinkable: str) -> None:
    mirror.link_or_copy(unlinkable, "new.md")
    assert mirror.read("new.md") == b"text"
    assert (mirror.root / "new.md").stat().st_nlink == 1
    assert temporary_files(mirror) == []


def test_a_link_out_of_the_mirror_is_not_copied_in(mirror: MirrorFolder, outside: Path) -> None:
    (outside / "secret").write_text("secret")
    (mirror.root / "page.md").symlink_to(outside / "secret")
    with pytest.raises(UnsafePath):
        mirror.link_or_copy("page.md", "copy.md")
    with pytest.raises(FileNotFoundError):
        mirror.link_or_copy("missing.md", "copy.md")
    assert not mirror.exists("copy.md")


def test_what_was_flushed_is_still_there(mirror: MirrorFolder) -> None:
    mirror.write("a/b/c.md", b"x")
    mirror.flush_to_disk()
    assert mirror.read("a/b/c.md") == b"x"


def test_the_free_space_is_that_of_the_disk(mirror: MirrorFolder) -> None:
    assert mirror.free_bytes() > 0


def open_handles() -> int:
    return sum(1 for _ in Path("/dev/fd").iterdir())


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    before = open_handles()
    with MirrorFolder(tmp_path / "output") as mirror:
        (mirror.root / "file").write_text("")
        (mirror.root / "link").symlink_to("/")
        for path in ("a/b.md", "file/x.md", "link/x.md", "file", "link"):
            for attempt in (
                lambda path=path: mirror.write(path, b""),
                lambda path=path: mirror.read(path),
                lambda path=path: mirror.exists(path),
                lambda path=path: mirror.link_or_copy(path, "z/z.md"),
                lambda path=path: mirror.remove(path),
            ):
                try:
                    attempt()
                except (MarkmirrorError, OSError):
                    continue
    mirror.close()
    assert open_handles() == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_said_and_leaves_the_old_file_and_no_half_one(small_disk: Path) -> None:
    """Seed 000: Disk space check. NFR-003."""
    with MirrorFolder(small_disk / "mirror") as mirror:
        mirror.write("page.md", b"before")
        with pytest.raises(DiskFull, match=r"page\.md"):
            mirror.write("page.md", b"x" * 1_000_000)
        assert mirror.read("page.md") == b"before"
        assert temporary_files(mirror) == []
        assert mirror.free_bytes() < 300_000
