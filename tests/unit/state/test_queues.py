"""Items are leased, finished, postponed or buried; nothing is ever lost in between."""

from datetime import UTC, datetime
from pathlib import Path

from markmirror.model import Fetched, Item, Validators
from markmirror.state.ledger import Ledger
from markmirror.state.queues import Downloaded

NOW = 1_000.0


def ledger_with(tmp_path: Path, pages: int) -> Ledger:
    ledger = Ledger(tmp_path / "_state.db", is_foreign=lambda path, url: False)
    items = [(Item(f"https://x.org/{n}"), None) for n in range(1, pages + 1)]
    assert ledger.pages.list_items(items, sitemap=1, run=1) == pages
    ledger.verdicts.fetch_the_rest(1)
    return ledger


def leased(ledger: Ledger, count: int, now: float = NOW) -> list[int]:
    return [item.page for item in ledger.downloads.lease(count, now=now)]


def test_a_leased_item_is_not_leased_twice_until_a_crash_is_over(tmp_path: Path) -> None:
    """Seed 002: D2."""
    ledger = ledger_with(tmp_path, 3)
    assert leased(ledger, 2) == [1, 2]
    assert leased(ledger, 2) == [3]
    ledger.close()
    after = Ledger(tmp_path / "_state.db", is_foreign=lambda path, url: False)
    assert leased(after, 9) == []
    after.downloads.reclaim()
    assert leased(after, 9) == [1, 2, 3]


def test_second_chances_come_after_everything_else_and_when_they_are_due(tmp_path: Path) -> None:
    """Seed 000: Transient error retry."""
    ledger = ledger_with(tmp_path, 3)
    leased(ledger, 1)
    ledger.downloads.postpone(1, due_at=NOW, throttled=False)
    assert leased(ledger, 3) == [2, 3, 1]
    ledger.downloads.postpone(1, due_at=NOW + 5, throttled=False)
    assert leased(ledger, 3) == []
    assert ledger.downloads.next_due() == NOW + 5
    (item,) = ledger.downloads.lease(3, now=NOW + 5)
    assert (item.attempts, item.throttled) == (2, 0)


def test_a_throttled_item_keeps_its_place(tmp_path: Path) -> None:
    ledger = ledger_with(tmp_path, 2)
    leased(ledger, 1)
    ledger.downloads.postpone(1, due_at=NOW, throttled=True)
    first, _ = ledger.downloads.lease(2, now=NOW)
    assert (first.page, first.attempts, first.throttled) == (1, 0, 1)


def downloaded(page: int, body: bytes) -> Downloaded:
    return Downloaded(
        page=page,
        url=f"https://x.org/{page}",
        lastmod=None,
        hops=0,
        fetched=Fetched(
            url="https://x.org/one",
            content_type="text/html",
            body=body,
            validators=Validators(etag='W/"1"'),
        ),
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_a_body_and_its_item_arrive_together(tmp_path: Path) -> None:
    ledger = ledger_with(tmp_path, 1)
    leased(ledger, 1)
    (waiting,) = ledger.processing.put([downloaded(1, b"\x00body")])
    ledger.downloads.reclaim()
    assert leased(ledger, 1) == []
    assert ledger.processing.waiting() == [waiting]
    assert ledger.processing.get(1) == waiting
    assert ledger.processing.body(waiting) == b"\x00body"
    ledger.processing.finish(1)
    assert ledger.processing.get(1) is None
    assert ledger.downloads.next_due() is None


def test_a_body_that_a_power_cut_took_is_fetched_again(tmp_path: Path) -> None:
    ledger = ledger_with(tmp_path, 2)
    leased(ledger, 2)
    ledger.processing.put([downloaded(1, b"on the disk"), downloaded(2, b"not there yet")])
    (spool,) = tmp_path.glob("_state.db-bodies-*")
    spool.write_bytes(b"on the disk" + bytes(len(b"not there yet")))
    ledger.processing.recover()
    (survivor,) = ledger.processing.waiting()
    assert ledger.processing.body(survivor) == b"on the disk"
    assert leased(ledger, 2) == [2]


def test_a_body_that_is_put_back_gives_way_to_a_newer_one(tmp_path: Path) -> None:
    ledger = ledger_with(tmp_path, 2)
    ledger.processing.put([downloaded(1, b"new")])
    for page in (1, 2):
        ledger.processing.put_again(downloaded(page, b"old"))
    assert [ledger.processing.body(page) for page in ledger.processing.waiting()] == [
        b"new",
        b"old",
    ]
    assert leased(ledger, 2) == [2]


def test_nothing_is_left_of_the_bodies_of_a_ledger_that_was_closed(tmp_path: Path) -> None:
    ledger = ledger_with(tmp_path, 1)
    with ledger.session():
        ledger.processing.put([downloaded(1, b"body")])
        ledger.processing.finish(1)
    ledger.close()
    assert [file.name for file in tmp_path.iterdir()] == ["_state.db"]
