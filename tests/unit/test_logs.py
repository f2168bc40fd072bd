"""The mirror's own log, when it cannot be written."""

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
