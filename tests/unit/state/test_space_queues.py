"""The queue of a space: breadth first, in the order of the tree."""

from pathlib import Path

from markmirror.state.ledger import Ledger
from markmirror.state.space import SpaceStore, ToldPage
from markmirror.state.space_queues import SpaceQueues


def told(page: int, *, position: int | None, source: str = "initial") -> ToldPage:
    return ToldPage(
        page=page,
        space_key="DOCS",
        title=f"Page {page}",
        ancestors=(),
        parent=None,
        position=position,
        version=1,
        modified="",
        author="",
        labels=(),
        web_url="",
        fingerprint="",
        source=source,
    )


def test_pages_come_breadth_first_and_those_that_references_led_to_last(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "_state.db", is_foreign=lambda path, url: False)
    store, queues = SpaceStore(ledger.database), SpaceQueues(ledger.database)
    waiting = {
        1: (told(1, position=None, source="reference"), 0),
        2: (told(2, position=7), 1),
        3: (told(3, position=None), 1),
        4: (told(4, position=2**50), 1),
        5: (told(5, position=0), 2),
        6: (told(6, position=-3), 1),
        7: (told(7, position=7), 0),
    }
    for page, depth in waiting.values():
        store.tell(page, depth=depth, run=1, url=f"https://x.org/{page.page}")
    queues.enqueue(waiting)
    assert queues.lease(2) == [7, 6]
    # A page that is put back takes its turn again.
    ledger.downloads.bury(7)
    queues.enqueue([7])
    assert queues.lease(9) == [7, 2, 3, 4, 5, 1]
    ledger.close()
