"""Bodies that wait are read back as they were, and take no more room than they need."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.errors import BodyLost
from markmirror.output import spool as spool_module
from markmirror.output.spool import BodyPlace, Spool


class Rows:
    """What a ledger would say of the bodies: those that were put and not yet finished."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waiting: dict[BodyPlace, bytes] = {}
        self.spool = self.opened()

    def opened(self) -> Spool:
        return Spool(self.folder / "_state.db", in_use=lambda: {p.segment for p in self.waiting})

    def put(self, bodies: list[bytes]) -> None:
        self.waiting.update(zip(self.spool.append(bodies), bodies, strict=True))

    def files(self) -> list[str]:
        return sorted(file.name for file in self.folder.iterdir())


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "SEGMENT_BYTES", 10)


def test_a_segment_whose_bodies_are_done_is_used_again(
    tmp_path: Path, small_segments: None
) -> None:
    rows = Rows(tmp_path)
    for number in range(100):
        rows.put([b"0123456789", b"%d" % number])
        if number >= 2:
            for place in list(rows.waiting)[:2]:
                del rows.waiting[place]
    assert len(rows.files()) == 3
    assert all(rows.spool.read(place) == body for place, body in rows.waiting.items())


def test_nothing_is_left_of_bodies_that_are_done(tmp_path: Path, small_segments: None) -> None:
    rows = Rows(tmp_path)
    rows.put([b"0123456789"])
    rows.put([b"another"])
    (first, _) = rows.waiting
    del rows.waiting[first]
    rows.spool.remove_unused()
    assert rows.files() == ["_state.db-bodies-2"]
    rows.waiting.clear()
    rows.opened().remove_unused()
    assert rows.files() == []


def test_a_body_that_did_not_survive_is_told_from_one_that_did(tmp_path: Path) -> None:
    rows = Rows(tmp_path)
    rows.put([b"whole", b"zeroes", b"cut off"])
    whole, zeroes, cut_off = rows.waiting
    file = tmp_path / "_state.db-bodies-1"
    file.write_bytes(b"whole" + bytes(6) + b"cut")
    assert [rows.spool.holds(place) for place in (whole, zeroes, cut_off)] == [True, False, False]
    with pytest.raises(BodyLost):
        rows.spool.read(cut_off)
    file.unlink()
    assert not rows.spool.holds(whole)


@given(
    st.lists(
        st.one_of(
            st.lists(st.binary(max_size=30), min_size=1, max_size=4),  # arrive
            st.integers(min_value=0, max_value=50),  # this one is done
            st.just("killed"),
        ),
        max_size=60,
    )
)
def test_whatever_happens_every_body_that_waits_is_there(
    tmp_path_factory: pytest.TempPathFactory, events: list[list[bytes] | int | str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool_module, "SEGMENT_BYTES", 40)
        rows = Rows(tmp_path_factory.mktemp("spool"))
        for event in events:
            if isinstance(event, list):
                rows.put(event)
            elif isinstance(event, int) and event < len(rows.waiting):
                del rows.waiting[list(rows.waiting)[event]]
            elif event == "killed":
                rows.spool.close()
                rows.spool = rows.opened()
                rows.spool.remove_unused()
        assert all(rows.spool.read(place) == body for place, body in rows.waiting.items())
        assert all(rows.spool.holds(place) for place in rows.waiting)
        rows.spool.close()
