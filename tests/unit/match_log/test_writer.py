from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.codecs.codec import codec_for
from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.match_log.decode import LoggedPly, LoggedSetUp
from arena.match_log.reader import read_log
from arena.match_log.writer import MatchLogBuilder
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import KEY, a_match, a_setup, caravan_setup, logged
from tests.unit.match_log.pile import BID, CODEC, Drew, Piled, codecs
from tests.unit.match_log.tamper import end_of_chain, records_of

BIG = 2**63 - 1
times = st.integers(0, BIG)
events = st.one_of(
    st.builds(Drew, st.integers(0, 1), st.integers(0, 2**32 - 1)), st.builds(Piled, st.integers(0, 2**32 - 1))
)
plies = st.builds(
    PlyRecord,
    seat=st.integers(0, 1),
    decision=st.integers(0, 2**32 - 1),
    action=st.one_of(st.integers(0, 2**32 - 1), st.integers(BID, BID**3)),
    cause=st.sampled_from(Cause),
    events=st.lists(events, max_size=4).map(tuple),
    started_ns=times,
    used_ns=st.integers(0, 2**50),
    credit_ns=times,
    stall_ns=times,
    bank_ns=times,
    over_seat_limit=st.booleans(),
    digest=st.sampled_from((b"", b"12345678")),
)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from((0.0, 0.1, 0.4)), st.sampled_from(("main", None)))
def test_a_match_is_read_back_as_it_was_written(source: int, trouble: float, ladder: str | None) -> None:
    match = a_match(source, trouble=trouble, setup=a_setup(ladder=ladder))
    log = read_log(match.log.data, codecs)
    assert log.setup == match.setup
    set_up, *told = (
        entry.content.record if isinstance(entry.content, LoggedPly) else entry.content
        for entry in log.entries
    )
    assert set_up == LoggedSetUp(match.set_up, (None,))
    assert tuple(told) == match.records
    assert log.result == match.result
    assert log.name == match.log.name


@settings(max_examples=100, deadline=None)
@given(st.lists(plies, max_size=5))
def test_every_ply_comes_back_with_all_its_fields_and_audiences(records: list[PlyRecord]) -> None:
    match = a_match()
    log = read_log(logged(match.setup, tuple(records), match.result, set_up=match.set_up).data, codecs)
    assert log.plies == tuple(records)
    for _, told in log.numbered_plies:
        assert told.audiences == tuple(event.audience() for event in told.record.events)


def test_no_record_holds_a_byte_more_than_its_message_needs() -> None:
    for record in records_of(a_match(trouble=0.1).log.data):
        assert len(match_log_pb2.LogRecord.FromString(record).SerializeToString()) == len(record)


def test_the_name_is_the_end_of_the_chain_over_the_records_as_stored() -> None:
    log = a_match().log
    assert bytes.fromhex(log.name) == end_of_chain(records_of(log.data)[:-1])


def test_the_same_match_is_the_same_file() -> None:
    assert a_match(3, trouble=0.2).log == a_match(3, trouble=0.2).log


def test_a_log_is_the_same_however_often_it_is_asked_for_and_by_whichever_thread() -> None:
    """A disk that is full is tried again and again."""
    match = a_match(4, trouble=0.2)
    builder = MatchLogBuilder(match.setup, CODEC, software="test", key=KEY, start_time_ms=0)
    for record in match.records:
        builder.ply(record) if isinstance(record, PlyRecord) else builder.note(record)
    builder.end(match.result)
    with ThreadPoolExecutor(3) as threads:
        logs = list(threads.map(lambda _: builder.finish(), range(6)))
    assert set(logs) == {builder.finish()}
    assert read_log(logs[0].data, codecs).result == match.result


def test_the_seed_is_in_the_footer_and_nowhere_before() -> None:
    match = a_match()
    *before, footer, _ = records_of(match.log.data)
    assert match.setup.seed in footer
    assert all(match.setup.seed not in record for record in before)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_log_of_caravan_takes_at_most_4_kilobytes_for_150_decisions(seats: int) -> None:
    match = a_match(setup=caravan_setup(seats), codec=codec_for("caravan"))
    decisions = sum(seat.decisions for seat in match.result.seats)
    assert len(match.log.data) <= 4_096 * max(1, decisions / 150)
