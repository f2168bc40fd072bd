"""A ledger remembers whether the process before left it in order."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from markmirror.errors import StateDamaged
from markmirror.state.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "_state.db", is_foreign=lambda path, url: False)) as opened:
        yield opened


def test_a_ledger_is_open_within_a_session_and_closed_after_it(ledger: Ledger) -> None:
    assert ledger.is_closed
    with ledger.session():
        assert not ledger.is_closed
    assert ledger.is_closed


def test_a_session_that_fails_closes_a_ledger_that_is_sound(ledger: Ledger) -> None:
    with pytest.raises(KeyboardInterrupt), ledger.session():
        raise KeyboardInterrupt
    assert ledger.is_closed


def test_a_ledger_found_damaged_stays_open_for_the_next_process_to_look_at(ledger: Ledger) -> None:
    with pytest.raises(StateDamaged), ledger.session():
        raise StateDamaged("The ledger is damaged.")
    assert not ledger.is_closed
