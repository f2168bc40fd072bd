"""Content codings are undone however a body is cut into pieces, and whatever follows it."""

import gzip
import time
import zlib

import pytest

from markmirror.fetch.body import BodyBroken, BodyDecoder

TEXT = b"<h1>A page</h1>" * 100


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def decoded(coding: str, *chunks: bytes) -> bytes:
    decoder = BodyDecoder(coding)
    text = b"".join(piece for chunk in chunks for piece in decoder.feed(chunk))
    decoder.finish()
    return text


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 11, -1])
@pytest.mark.parametrize(
    ("coding", "body"),
    [
        pytest.param("gzip", gzip.compress(TEXT), id="gzip"),
        pytest.param("x-gzip", gzip.compress(TEXT[:600]) + gzip.compress(TEXT[600:]), id="members"),
        pytest.param("gzip", gzip.compress(TEXT) + b"\x1f", id="gzip with a byte behind it"),
        pytest.param("deflate", zlib.compress(TEXT), id="zlib"),
        pytest.param("deflate", raw_deflate(TEXT), id="raw deflate"),
        pytest.param("deflate", zlib.compress(TEXT) + b"behind", id="zlib and something else"),
        pytest.param("identity", TEXT, id="as it is"),
        pytest.param("UTF-8", TEXT, id="a charset in place of a coding"),
        pytest.param("gzip,aws-chunked", gzip.compress(TEXT), id="and what a store left there"),
    ],
)
def test_a_body_is_the_same_wherever_it_is_cut(coding: str, body: bytes, cut: int) -> None:
    assert decoded(coding, body[:cut], body[cut:]) == TEXT
    assert decoded(coding, *(bytes([byte]) for byte in body)) == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_body_that_is_cut_short_is_broken_and_an_empty_one_is_not(coding: str) -> None:
    body = gzip.compress(TEXT) if coding == "gzip" else zlib.compress(TEXT)
    assert decoded(coding) == b""
    for length in (1, 2, len(body) - 1):
        with pytest.raises(BodyBroken, match="ended early"):
            decoded(coding, body[:length])


def test_what_follows_a_packed_body_costs_neither_time_nor_memory() -> None:
    """Kept by zlib, and copied with every chunk, 64 MB of it took half a minute."""
    started = time.process_time()
    assert decoded("gzip", gzip.compress(TEXT), *([b"\0" * 65536] * 1000)) == TEXT
    assert time.process_time() - started < 2
