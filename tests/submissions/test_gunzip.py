"""A gzip stream is the same in whatever pieces it is read."""

from __future__ import annotations

import gzip
import io

from hypothesis import given
from hypothesis import strategies as st

from arena.submissions.gunzip import Gunzip


@given(
    data=st.binary(max_size=300) | st.integers(0, 300_000).map(bytes),
    sizes=st.lists(st.integers(1, 100_000), min_size=1),
)
def test_it_is_the_same_in_whatever_pieces_it_is_read(data: bytes, sizes: list[int]) -> None:
    stream = Gunzip(io.BytesIO(gzip.compress(data)))
    read = b""
    while piece := stream.read(sizes[len(read) % len(sizes)]):
        read += piece
        assert len(read) <= len(data)
    assert read == data


@given(size=st.integers(1, 5_000))
def test_no_more_is_unpacked_than_was_asked_for(size: int) -> None:
    assert 1 <= len(Gunzip(io.BytesIO(gzip.compress(bytes(10**6)))).read(size)) <= size
