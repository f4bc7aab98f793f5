"""Pieces of messages made by hand are those that protobuf makes."""

import pytest
from google.protobuf.wrappers_pb2 import BytesValue, UInt64Value
from hypothesis import given
from hypothesis import strategies as st

from arena.codecs.serialized import embedded, varint


@given(st.integers(1, 2**64 - 1))
def test_a_varint_is_protobufs(value: int) -> None:
    assert UInt64Value(value=value).SerializeToString() == b"\x08" + varint(value)


def test_zero_is_one_byte() -> None:
    assert varint(0) == b"\x00"


@pytest.mark.parametrize("length", [1, 127, 128, 300, 20000])
def test_an_embedded_message_is_a_length_delimited_field(length: int) -> None:
    assert embedded(1, b"x" * length) == BytesValue(value=b"x" * length).SerializeToString()
