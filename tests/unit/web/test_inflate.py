"""Compressed sitemaps, honest and not."""

import gzip
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markmirror.web.sitemap import MAX_SITEMAP_BYTES, STEP_BYTES, InflateFault, Inflater

TEXT = b"https://example.com/\n" + bytes(random.Random(1).randbytes(2000)).hex().encode()


def inflated(
    data: bytes, *, step: int = 1 << 20, limit: int = MAX_SITEMAP_BYTES
) -> tuple[bytes, InflateFault | None]:
    inflater = Inflater(limit=limit)
    pieces: list[bytes] = []
    for start in range(0, len(data), step):
        pieces += inflater.feed(data[start : start + step])
    pieces += inflater.finish()
    assert all(0 < len(piece) <= STEP_BYTES for piece in pieces)
    return b"".join(pieces), inflater.fault


@pytest.mark.parametrize("step", [1, 2, 3, 1000, 1 << 20])
@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("not compressed", TEXT, None),
        ("compressed", gzip.compress(TEXT), None),
        ("twice compressed", gzip.compress(gzip.compress(TEXT)), None),
        ("two members", gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]), None),
        ("garbage behind", gzip.compress(TEXT) + b"\0" * 100, None),
        ("one byte of a member behind", gzip.compress(TEXT) + b"\x1f", None),
    ],
)
def test_a_sitemap_comes_out_as_it_went_in(
    name: str, data: bytes, fault: InflateFault | None, step: int
) -> None:
    assert inflated(data, step=step) == (TEXT, fault)


@pytest.mark.parametrize("step", [1, 7, 1 << 20])
def test_compressed_data_that_ends_early_is_told(step: int) -> None:
    data, fault = inflated(gzip.compress(TEXT)[:-20], step=step)
    assert TEXT.startswith(data)
    assert fault is InflateFault.TRUNCATED


def test_an_inner_layer_that_ends_early_is_told() -> None:
    assert inflated(gzip.compress(gzip.compress(TEXT)[:-20]))[1] is InflateFault.TRUNCATED


def test_damaged_data_is_told_and_what_came_before_is_kept() -> None:
    data = bytearray(gzip.compress(TEXT))
    data[-6] ^= 0xFF
    text, fault = inflated(bytes(data), step=64)
    assert TEXT.startswith(text)
    assert fault is InflateFault.DAMAGED


def test_over_50_mb_is_too_large_and_exactly_50_mb_is_not() -> None:
    """Seed 004: 限制 sitemap 大小."""
    assert inflated(b"x" * MAX_SITEMAP_BYTES) == (b"x" * MAX_SITEMAP_BYTES, None)
    data, fault = inflated(b"x" * (MAX_SITEMAP_BYTES + 1))
    assert len(data) <= MAX_SITEMAP_BYTES
    assert fault is InflateFault.TOO_LARGE
    assert "split it" in str(fault)


def test_what_unpacks_to_more_than_the_limit_is_too_large() -> None:
    noise = bytes(random.Random(2).randbytes(200_000)).hex().encode()
    data, fault = inflated(gzip.compress(noise), limit=300_000)
    assert len(data) <= 300_000
    assert fault is InflateFault.TOO_LARGE


def test_a_gzip_bomb_is_given_up_after_its_first_megabyte() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(b"\0" * (1 << 20)) for _ in range(256)) + packer.flush()
    data, fault = inflated(bomb)
    assert fault is InflateFault.BOMB
    assert len(data) <= 2 << 20


def test_a_bomb_inside_a_bomb_is_given_up_too() -> None:
    bomb = gzip.compress(gzip.compress(b"\0" * (8 << 20)) * 64)
    data, fault = inflated(bomb, step=4096)
    assert fault is InflateFault.BOMB
    assert len(data) <= 2 << 20


def test_nothing_comes_after_a_fault() -> None:
    inflater = Inflater(limit=10)
    assert list(inflater.feed(b"x" * 11)) == []
    assert list(inflater.feed(b"x")) == []
    assert list(inflater.finish()) == []


@given(st.binary(), st.binary(), st.integers(1, 50), st.booleans())
def test_no_bytes_make_it_raise(head: bytes, tail: bytes, step: int, packed: bool) -> None:
    data = gzip.compress(head) + tail if packed else head + tail
    text, _ = inflated(data, step=step)
    if packed and not tail.startswith(b"\x1f") and not head.startswith(b"\x1f"):
        assert text == head
