"""What to do with a page that is already on disk."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from markmirror.model import Entry
from markmirror.plan import Action, Wish, action_for

FETCHED = datetime(2026, 5, 10, 12, 0, tzinfo=UTC)
MTIME = int(FETCHED.timestamp() * 1e9)
UPDATE = Wish(recipe="r", update=True)


def entry(lastmod: str | None = None, verified_at: datetime = FETCHED) -> Entry:
    return Entry(
        url="https://example.com/",
        path="example.com/index.md",
        final_url="https://example.com/",
        recipe="r",
        content_hash="0",
        size_bytes=1,
        mtime_ns=MTIME,
        fetched_at=FETCHED,
        verified_at=verified_at,
        lastmod=lastmod,
    )


def decide(
    known: Entry,
    wish: Wish,
    *,
    lastmod: str | None = None,
    mtime_ns: int | None = MTIME,
    is_processed: bool = True,
    is_doubtful: bool = False,
) -> Action:
    return action_for(
        known,
        wish=wish,
        lastmod=lastmod,
        mtime_ns=mtime_ns,
        is_processed=is_processed,
        is_doubtful=is_doubtful,
    )


def test_without_update_a_page_on_disk_is_kept() -> None:
    assert decide(entry(), Wish(recipe="r"), lastmod="2099-01-01") is Action.KEEP


@pytest.mark.parametrize("wish", [Wish(recipe="r"), UPDATE])
def test_what_is_missing_unlisted_or_made_otherwise_is_fetched(wish: Wish) -> None:
    assert decide(entry(), wish, mtime_ns=None) is Action.FETCH
    assert decide(entry(), wish, is_processed=False) is Action.FETCH
    assert decide(entry(), Wish(recipe="other", update=wish.update)) is Action.FETCH
    assert decide(entry(), Wish(recipe="r", fresh=True)) is Action.FETCH


@pytest.mark.parametrize("wish", [Wish(recipe="r"), UPDATE])
def test_a_page_of_which_nobody_could_say_whether_it_is_current_is_asked_about(wish: Wish) -> None:
    assert decide(entry("2026-05-09"), wish, lastmod="2026-05-09", is_doubtful=True) is Action.CHECK
    assert decide(entry(), wish, mtime_ns=None, is_doubtful=True) is Action.FETCH
    assert decide(entry(), UPDATE, lastmod="2026-05-11", is_doubtful=True) is Action.FETCH


def test_a_newer_lastmod_is_fetched_and_an_older_one_kept() -> None:
    """Seed 000: Selective re-fetching."""
    assert decide(entry(), UPDATE, lastmod="2026-05-10T12:00:01Z") is Action.FETCH
    assert decide(entry(), UPDATE, lastmod="2026-05-10T11:59:59Z") is Action.KEEP
    assert decide(entry(), UPDATE, lastmod="2026-05-09") is Action.KEEP
    assert decide(entry(), UPDATE, lastmod="2026-05-10") is Action.FETCH


def test_a_file_is_as_old_as_the_answer_in_it_even_if_that_was_written_later() -> None:
    """Seed 000: Selective re-fetching."""
    days_later = MTIME + 10 * 24 * 3600 * 10**9
    waited = replace(entry(), mtime_ns=days_later)
    between = "2026-05-12T00:00:00Z"
    assert decide(waited, UPDATE, lastmod=between, mtime_ns=days_later) is Action.FETCH
    assert decide(entry(), UPDATE, lastmod=between, mtime_ns=days_later) is Action.KEEP


def test_without_a_usable_lastmod_the_server_is_asked() -> None:
    assert decide(entry(), UPDATE) is Action.CHECK
    assert decide(entry(), UPDATE, lastmod="yesterday") is Action.CHECK


def test_a_lastmod_that_has_not_moved_costs_nothing_even_if_it_lies_in_the_future() -> None:
    future = "2099-01-01T00:00:00Z"
    assert decide(entry(lastmod=future), UPDATE, lastmod=future) is Action.KEEP


def test_a_bare_date_may_hide_a_change_later_that_day() -> None:
    day = "2026-05-10"
    assert decide(entry(lastmod=day), UPDATE, lastmod=day) is Action.CHECK
    later = datetime(2026, 5, 11, 0, 0, tzinfo=UTC)
    assert decide(entry(lastmod=day, verified_at=later), UPDATE, lastmod=day) is Action.KEEP


def test_a_file_somebody_touched_is_judged_by_its_own_time() -> None:
    """Seed 000: Update mode activation."""
    lastmod = "2026-05-01T00:00:00Z"
    old = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp() * 1e9)
    assert decide(entry(lastmod=lastmod), UPDATE, lastmod=lastmod) is Action.KEEP
    assert decide(entry(lastmod=lastmod), UPDATE, lastmod=lastmod, mtime_ns=old) is Action.FETCH
