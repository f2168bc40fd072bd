"""The mirror's own log, when it cannot be written."""

import io
import json
import logging
from pathlib import Path

import pytest

from markmirror import logs
from markmirror.errors import UsageError


def test_a_log_that_does_not_fit_on_the_disk_is_silent(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seed 000: Disk space check."""
    monkeypatch.setattr(logs, "LOG_FILE", "full")
    with logs.logging_to_mirror(Path("/dev")):
        logging.getLogger("markmirror.test").warning("nobody can read this")
    assert capfd.readouterr().err == ""


def test_a_log_that_something_stands_in_the_way_of_is_named(tmp_path: Path) -> None:
    (tmp_path / "_log.jsonl").mkdir()
    with logs.logging_to_mirror(tmp_path), pytest.raises(UsageError, match=r"_log\.jsonl cannot"):
        logging.getLogger("markmirror.test").warning("nobody can read this")


def test_a_name_that_is_no_text_is_logged_as_json_writes_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with logs.logging_to_mirror(tmp_path):
        logging.getLogger("markmirror.test").info("done", extra={"folder": "b\udcff"})
    (line,) = (tmp_path / logs.LOG_FILE).read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["context"] == {"folder": "b\udcff"}
    assert capfd.readouterr().err == ""


def test_text_from_outside_acts_on_no_terminal_that_shows_a_json_log() -> None:
    """What was said stays what it was, once the JSON is read."""
    said = "\x1b[2J\x9b2J\x7f\u202e\u2028\ud800\U000e0001 é"
    shown = io.StringIO()
    with logs.logging_to_stderr(log_format="json", quiet=False, stream=shown):
        logging.getLogger("markmirror.test").info("done", extra={"error": said})
    line = shown.getvalue().removesuffix("\n")
    assert line.isprintable()
    assert "é" in line
    assert json.loads(line)["context"] == {"error": said}
