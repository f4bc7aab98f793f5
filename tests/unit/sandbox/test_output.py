"""Head and tail of what a program writes are kept, whatever the pieces it comes in (row 38)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.output import TAIL_BYTES, CapturedOutput


def told(pieces: list[bytes], most: int) -> CapturedOutput:
    output = CapturedOutput(most)
    for piece in pieces:
        output.add(piece)
    return output


@given(st.lists(st.binary(max_size=40)), st.integers(200, 400))
def test_what_fits_is_kept_whole(pieces, most):
    whole = b"".join(pieces)[:most]
    output = told([whole[at : at + 7] for at in range(0, len(whole), 7)], most)
    assert output.content() == whole
    assert output.total_bytes == len(whole)


@given(st.lists(st.binary(min_size=1, max_size=50), min_size=20), st.integers(2, 19))
def test_of_more_the_first_and_the_last_are_kept_and_the_mark_says_how_much_is_missing(pieces, most):
    whole = b"".join(pieces)
    said = told(pieces, most).content()
    half = most // 2
    mark = re.fullmatch(
        rb"(.{%d})\n\[\.\.\. (\d+) bytes cut \.\.\.\]\n(.{%d})" % (half, half), said, re.DOTALL
    )
    assert mark is not None
    assert (mark[1], mark[3]) == (whole[:half], whole[-half:])
    assert int(mark[2]) == len(whole) - 2 * half


def test_a_flood_does_not_grow_what_is_kept_and_the_tail_is_text():
    output = told([b"x" * 65536] * 200, 1000)
    assert len(output.content()) < 1100
    assert output.total_bytes == 200 * 65536
    output = told([b"a" * 10_000, b"\xff\xfe end"], 64 * 1024)
    assert output.tail().endswith(" end")
    assert len(output.tail()) <= TAIL_BYTES
