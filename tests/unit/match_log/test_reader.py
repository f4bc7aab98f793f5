import pytest

from arena.core.errors import DataLossError, ErrorReason
from arena.match_log.reader import UnreadableLogError, read_log
from tests.unit.match_log.matches import KEY, a_match
from tests.unit.match_log.pile import codecs
from tests.unit.match_log.tamper import changed, file_of, records_of
from tests.unit.match_log.verifying import setting


def refusal(data: bytes) -> UnreadableLogError:
    with pytest.raises(UnreadableLogError) as caught:
        read_log(data, codecs)
    return caught.value


def test_a_broken_log_is_data_loss_and_says_where() -> None:
    error = refusal(b"nonsense")
    assert isinstance(error, DataLossError)
    assert error.reason is ErrorReason.LOG_MISSING
    assert error.metadata == {"record": "0"}
    assert "zstd frame" in error.sentence


def test_the_order_of_records_is_kept_to() -> None:
    records = records_of(a_match().log.data)
    last = len(records) - 1
    orders = {
        0: [records[1], records[0], *records[2:]],
        2: [records[0], records[2], records[1], *records[3:]],
        3: [*records[:3], records[0], *records[3:]],
        4: [*records[:4], records[-1], *records[4:]],
        last: [*records[:-2], records[-2], records[-2], records[-1]],
        last + 1: [*records, records[2]],
    }
    for index, order in orders.items():
        assert refusal(file_of(order)).flaw.record == index


@pytest.mark.parametrize("kept", [0, 1, 5, -2, -1])
def test_a_log_without_its_end_is_named_where_it_breaks_off(kept: int) -> None:
    records = records_of(a_match().log.data)[:kept]
    error = refusal(file_of(records))
    assert error.flaw.record == len(records)
    assert "footer" in error.sentence


def test_a_record_that_is_no_message_is_named() -> None:
    records = records_of(a_match().log.data)
    error = refusal(file_of([*records[:6], b"\x12\xff", *records[7:]]))
    assert error.flaw.record == 6
    assert "Record 6 " in error.sentence


def test_nothing_can_be_added_to_the_signature_which_no_chain_covers() -> None:
    *chained, signature = records_of(a_match().log.data)
    for altered in (signature + b"\x32\x00", signature[:-1], b"\x2a\x43" + signature[2:] + b"\x00"):
        assert refusal(file_of([*chained, altered])).flaw.record == len(chained)


@pytest.mark.parametrize(
    ("index", "field", "value", "named"),
    [
        (0, "header.format", 2, "format 1"),
        (0, "header.match", "matches/x", '"matches/x"'),
        (0, "header.group", "12", '"12"'),
        (0, "header.seed_policy", 0, "0 is not a valid SeedPolicy"),
        (0, "header.time_control.per_decision_ms", 0, "time_control.per_decision_ms is 0"),
        (0, "header.options.caravan.turn_limit", 0, "A pile has at least one token"),
        (2, "ply.seat", 2, "seat 2"),
        (2, "ply.cause", 0, "0 is not a valid Cause"),
        (2, "ply.unlisted", b"\x01", "action"),
        (-1, "footer.state", 99, "99 is not a valid MatchState"),
    ],
)
def test_a_record_that_no_log_can_hold_is_named_with_the_reason(
    index: int, field: str, value: object, named: str
) -> None:
    data = a_match().log.data
    error = refusal(changed(data, index, setting(field, value), KEY))
    assert error.flaw.record == (index if index >= 0 else len(records_of(data)) - 2)
    assert error.sentence.startswith(f"Record {error.flaw.record} ")
    assert named in error.sentence


def test_a_game_that_is_not_known_is_named() -> None:
    with pytest.raises(UnreadableLogError, match='game "pile"'):
        read_log(a_match().log.data)
