"""Lists that grow: whole lines or none, and never through a link."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from markmirror.errors import DiskFull, MarkmirrorError
from markmirror.output.appended import AppendedLines


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Within: a write past this size is cut short, and the next one fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_lines_are_added_at_the_end_also_after_a_pause(tmp_path: Path) -> None:
    lines = AppendedLines(tmp_path / "list")
    lines.append("one\ntwo\n")
    lines.close()
    lines.append("three\n")
    lines.close()
    assert lines.path.read_text() == "one\ntwo\nthree\n"


def test_a_last_line_without_its_end_stays_a_line(tmp_path: Path) -> None:
    lines = AppendedLines(tmp_path / "list")
    lines.path.write_text("by hand")
    lines.append("one\n")
    lines.close()
    assert lines.path.read_text() == "by hand\none\n"


def test_lines_that_do_not_fit_leave_no_piece_behind(tmp_path: Path) -> None:
    """Seed 000: Disk space check."""
    lines = AppendedLines(tmp_path / "list")
    lines.append("https://example.com/a\n")
    with files_no_longer_than(30), pytest.raises(MarkmirrorError, match="list cannot be written"):
        lines.append("https://example.com/b\n")
    lines.append("https://example.com/c\n")
    lines.close()
    assert lines.path.read_text() == "https://example.com/a\nhttps://example.com/c\n"


def test_a_full_disk_is_called_so() -> None:
    """Seed 000: Disk space check."""
    lines = AppendedLines(Path("/dev/full"))
    with pytest.raises(DiskFull):
        lines.append("one\n")
    lines.close()


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("before\n")
    lines = AppendedLines(tmp_path / "list")
    lines.path.symlink_to(elsewhere)
    lines.append("one\n")
    lines.close()
    assert elsewhere.read_text() == "before\n"
    assert lines.path.read_text() == "one\n"
