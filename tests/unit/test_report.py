"""The words and the exit code of a run."""

from pathlib import Path

import pytest

from markmirror.errors import ExitCode
from markmirror.model import Status
from markmirror.report import Delta, Report, exit_code_of, skip_reasons


def counts(**numbers: int) -> dict[Status, int]:
    return {status: numbers.get(status.value, 0) for status in Status}


def verdict(present: int = 1, on_error: str = "skip", whole: bool = True, **n: int) -> ExitCode:
    return exit_code_of(counts(**n), on_error=on_error, discovery_whole=whole, present=present)


@pytest.mark.parametrize("on_error", ["skip", "retry", "abort"])
def test_nothing_pending_ever_passes_for_success(on_error: str) -> None:
    assert verdict(saved=9, pending=1, on_error=on_error) is ExitCode.CONTENT_FAILURE


def test_skip_succeeds_while_something_is_there() -> None:
    """Seed 000: Skip mode (default)."""
    assert verdict(saved=1, failed=99) is ExitCode.SUCCESS
    assert verdict(failed=99, present=5) is ExitCode.SUCCESS
    assert verdict(failed=99, present=0) is ExitCode.CONTENT_FAILURE


def test_retry_fails_if_anything_still_fails() -> None:
    assert verdict(saved=99, failed=1, on_error="retry") is ExitCode.CONTENT_FAILURE
    assert verdict(saved=99, on_error="retry", whole=False) is ExitCode.CONTENT_FAILURE
    assert verdict(saved=99, on_error="retry") is ExitCode.SUCCESS


def test_answers_that_are_no_pages_are_one_reason_however_many_kinds_there_are() -> None:
    reasons = {"robots": 1, "application/pdf": 2, "image/png": 3, "processed": 4}
    assert skip_reasons(reasons) == {"robots.txt": 1, "content type": 5, "_processed.txt": 4}


def test_the_summary_says_plainly_what_is_missing() -> None:
    report = Report(
        folder=Path("output/x.org"),
        counts=counts(saved=2, failed=1, left=7, pending=3, filtered=4),
        filtered_by={"host": 4},
        delta=Delta(added=2),
        gone=5,
        limit=2,
        discovery_whole=False,
    )
    text = "\n".join(report.sentences())
    for part in (
        "2 saved",
        "of 17 URLs",
        "--max-pages 2: 7 pages left",
        "5 pages on disk no longer in the sitemap; --update --prune deletes them.",
        "Not every sitemap could be read",
        "1 page failed",
        "3 pages still to be fetched",
        "4 host",
    ):
        assert part in text
    assert report.as_dict()["total"] == 17
