import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from arena.match_log.framing import MAX_UNPACKED_BYTES, Flaw, pack, unpack
from tests.unit.match_log.tamper import records_of


def flaw_of(data: bytes) -> Flaw:
    flaw = unpack(data).flaw
    assert flaw is not None
    return flaw


def zstd(body: bytes, **more: bool) -> bytes:
    return zstandard.ZstdCompressor(**more).compress(body)  # type: ignore[arg-type]


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_records_come_back_as_they_were_packed(records: list[bytes]) -> None:
    unpacked = unpack(pack(records))
    assert unpacked.flaw is None
    assert list(unpacked.records) == records == records_of(pack(records))


def test_a_long_record_has_a_length_of_several_bytes() -> None:
    assert unpack(pack([b"x" * 300_000])).records == (b"x" * 300_000,)


@given(st.binary(max_size=200))
def test_any_bytes_at_all_are_records_or_a_flaw(body: bytes) -> None:
    unpacked = unpack(zstd(body))
    if unpacked.flaw is None:
        assert pack(unpacked.records) == pack(records_of(zstd(body)))
    else:
        assert unpacked.flaw.record == len(unpacked.records)


@pytest.mark.parametrize(
    ("body", "record", "why"),
    [
        (b"\x03ab", 0, "cut off: 1 bytes are missing"),
        (b"\x01a\x02b", 1, "cut off: 1 bytes are missing"),
        (b"\x01a\x80", 1, "the file ends within it"),
        (b"\x01a\x81\x00b", 1, "longer than needed"),
        (b"\x01a\xff\xff\xff\xff\x01", 1, "more than 4 bytes"),
    ],
)
def test_the_first_record_that_does_not_fit_is_named(body: bytes, record: int, why: str) -> None:
    flaw = flaw_of(zstd(body))
    assert flaw.record == record
    assert why in flaw.sentence


def test_bytes_after_the_frame_are_refused() -> None:
    data = pack([b"a"])
    for more in (b"\x00", data, zstd(b"\x01b")):
        assert unpack(data + more).flaw is not None


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_unpacked() -> None:
    bomb = zstd(bytes(MAX_UNPACKED_BYTES + 1))
    assert len(bomb) < 10_000
    assert f"at most {MAX_UNPACKED_BYTES}" in flaw_of(bomb).sentence


def test_a_file_that_hides_its_size_is_refused() -> None:
    assert "size" in flaw_of(zstd(b"\x01a", write_content_size=False)).sentence
