"""What verification says of true logs, and of files, keys, seeds and rules that are not the right ones."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.clock.time_control import TimeControl
from arena.core.match import Cause, SeedPolicy
from arena.core.ply import PlyRecord
from arena.match_log.checks.check import Status
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import FOREIGN_KEY, KEY, a_match, a_setup
from tests.unit.match_log.pile import codecs
from tests.unit.match_log.tamper import changed, file_of, records_of, resigned
from tests.unit.match_log.verifying import (
    a_plain_match,
    a_single_answer,
    failures,
    failures_after,
    sentence,
    setting,
    status,
    verified,
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from((0.0, 0.05, 0.3)), st.integers(1, 4))
def test_whatever_happens_in_a_match_its_log_verifies(source: int, trouble: float, seats: int) -> None:
    setup = a_setup(seats=(a_setup().seats * 2)[:seats])
    verification = verified(a_match(source, trouble=trouble, setup=setup).log.data)
    assert [check for check in verification.checks if check.status is not Status.OK] == []
    assert verification.exit_code is VerificationExit.OK
    assert verification.first_bad_record is None


def test_a_game_that_ends_on_the_ply_of_the_last_forfeit_ends_by_its_rules() -> None:
    match = next(
        match
        for source in range(2_000)
        if (match := a_match(source, trouble=0.3)).result.ending == "PILE_EMPTY"
        and any(seat.ending.forfeited for seat in match.result.seats)
        and isinstance(match.records[-2], PlyRecord)
        and match.records[-2].cause is not Cause.FORFEITED
    )
    assert verified(match.log.data).exit_code is VerificationExit.OK
    found = failures_after(match, -1, setting("footer.ending", "LAST_STANDING"))
    assert found["replay"] == len(match.records) + 2


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_slow_seats_over_their_limit_verify_too(source: int) -> None:
    control = TimeControl(
        per_decision_ms=300, bank_ms=60_000, increment_ms=0, grace_ms=3, strikes=1_000, seat_limit_ms=1_500
    )
    verification = verified(a_match(source, setup=a_setup(time_control=control), trouble=0.1).log.data)
    assert failures(verification) == {}


# The file and its chain (design: names the first record that does not fit)


def test_every_single_byte_that_changes_in_the_records_is_found() -> None:
    """Lengths, chain and signature are all bytes there are."""
    match = a_plain_match()
    records = records_of(match.log.data)
    for index, record in enumerate(records):
        for place in range(len(record)):
            for flip in (1, 0x80):
                other = bytearray(record)
                other[place] ^= flip
                data = file_of([*records[:index], bytes(other), *records[index + 1 :]])
                verification = verify(data, keys=[KEY.public], codecs=codecs)
                assert verification.exit_code is VerificationExit.FAILED, (index, place)
                assert verification.first_bad_record is not None


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_byte_of_the_file_changes_nothing_or_is_found(data: st.DataObject) -> None:
    original = a_plain_match().log.data
    place = data.draw(st.integers(0, len(original) - 1))
    other = bytearray(original)
    other[place] ^= data.draw(st.integers(1, 255))
    verification = verified(bytes(other))
    same = failures(verification) == {}
    assert not same or records_of(bytes(other)) == records_of(original)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_dropped_swapped_doubled_and_added_records_are_found(data: st.DataObject) -> None:
    records = records_of(a_plain_match().log.data)
    at = data.draw(st.integers(0, len(records) - 2))
    other = data.draw(st.integers(at + 1, len(records) - 1))
    altered = {
        "dropped": [*records[:at], *records[at + 1 :]],
        "doubled": [*records[: at + 1], *records[at:]],
        "swapped": [
            *records[:at],
            records[other],
            *records[at + 1 : other],
            records[at],
            *records[other + 1 :],
        ],
        "added": [*records, records[at]],
        "cut": records[: at + 1],
    }
    verification = verified(file_of(altered[data.draw(st.sampled_from(sorted(altered)))]))
    assert verification.exit_code is VerificationExit.FAILED
    assert verification.first_bad_record is not None
    assert verification.first_bad_record >= 0


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_bytes_that_are_no_log_are_refused_without_an_exception(data: bytes) -> None:
    assert verified(data).exit_code is VerificationExit.FAILED
    assert verified(file_of([data])).exit_code is VerificationExit.FAILED


def test_a_dropped_ply_is_named_even_if_all_is_signed_anew() -> None:
    match = a_plain_match()
    gone = a_single_answer(match)
    records = records_of(match.log.data)[:-1]
    verification = verified(resigned([*records[:gone], *records[gone + 1 :]], KEY))
    assert verification.first_bad_record == gone
    assert "signature" not in failures(verification)


def test_a_record_of_an_unknown_kind_is_chained_and_skipped() -> None:
    records = records_of(a_plain_match().log.data)[:-1]
    unknown = b"\xfa\x06\x03abc"  # field 111
    data = resigned([*records[:5], unknown, *records[5:]], KEY)
    assert verified(data).exit_code is VerificationExit.OK
    without = file_of(records_of(data)[:5] + records_of(data)[6:])
    assert failures(verified(without)) == {"signature": len(records)}


# Keys and names


def test_a_log_signed_by_another_key_is_refused_at_its_header() -> None:
    verification = verified(a_match(key=FOREIGN_KEY).log.data)
    assert failures(verification) == {"signature": 0}


def test_a_log_that_names_the_key_of_the_arena_but_is_signed_by_another_is_refused_at_its_signature() -> None:
    records = records_of(a_plain_match().log.data)[:-1]
    assert failures(verified(resigned(records, FOREIGN_KEY))) == {"signature": len(records)}


def test_an_old_key_of_the_arena_still_counts() -> None:
    data = a_match(key=FOREIGN_KEY).log.data
    assert verified(data, keys=[KEY.public, FOREIGN_KEY.public]).exit_code is VerificationExit.OK


def test_without_a_key_nothing_is_proven() -> None:
    assert failures(verified(a_plain_match().log.data, keys=[])) == {
        "signature": len(a_plain_match().records) + 3
    }


def test_a_log_under_another_name_than_the_one_that_was_asked_for_is_refused() -> None:
    match = a_plain_match()
    assert failures(verified(match.log.data, name=match.log.name)) == {}
    assert failures(verified(match.log.data, name="0" * 64)) == {"chain": len(match.records) + 2}


# Seeds


def test_a_seed_that_was_not_committed_to_is_found_and_nothing_is_re_simulated_with_it() -> None:
    match = a_plain_match()
    verification = verified(changed(match.log.data, -1, setting("footer.seed", bytes(32)), KEY))
    assert failures(verification) == {"seed": len(match.records) + 2, "derivation": len(match.records) + 2}
    assert status(verification, "replay") is Status.NOT_CHECKED


def test_a_seed_of_another_length_is_found() -> None:
    assert "seed" in failures_after(a_plain_match(), -1, setting("footer.seed", b"short"))


@pytest.mark.parametrize("secret", [b"x" * 32, b"short", b""])
def test_a_secret_that_was_not_committed_to_is_refused(secret: bytes) -> None:
    assert failures(verified(a_plain_match().log.data, secret=secret)) == {"derivation": 0}


def test_until_the_secret_is_revealed_the_derivation_is_left_open() -> None:
    verification = verified(a_plain_match().log.data, secret=None)
    assert status(verification, "derivation") is Status.NOT_CHECKED
    assert verification.exit_code is VerificationExit.OK


def test_a_fixed_seed_follows_from_nothing_and_cannot_be_rated() -> None:
    fixed = a_setup(seed_policy=SeedPolicy.FIXED, secret_commitment=b"", rated=False)
    verification = verified(a_match(setup=fixed).log.data)
    assert status(verification, "derivation") is Status.NOT_CHECKED
    assert verification.exit_code is VerificationExit.OK
    assert failures(verified(a_match(setup=replace(fixed, rated=True)).log.data)) == {"derivation": 0}


def test_a_seed_must_follow_from_the_secret_and_a_shared_one_has_index_0() -> None:
    chosen = a_match(setup=a_setup(seed=b"7" * 32))
    assert failures(verified(chosen.log.data)) == {"derivation": len(chosen.records) + 2}
    shared = a_match(setup=a_setup(seed_policy=SeedPolicy.SHARED))
    assert failures(verified(shared.log.data)) == {"derivation": 0}


def test_under_other_rules_a_log_is_not_re_simulated_and_says_so() -> None:
    verification = verified(a_match(setup=a_setup(rules_version=2)).log.data)
    assert status(verification, "replay") is Status.NOT_CHECKED
    assert verification.exit_code is VerificationExit.NOT_RESIMULATED
    assert "version 2" in sentence(verification, "replay")


def test_under_other_rules_placings_still_have_to_be_placings() -> None:
    match = a_match(setup=a_setup(rules_version=2))
    found = failures_after(match, -1, setting("footer.seats.0.placing", 7))
    assert found == {"placings": len(match.records) + 2}


def test_under_other_rules_records_that_make_no_sense_here_are_left_open() -> None:
    def change(record: match_log_pb2.LogRecord) -> None:
        record.header.rules_version = 2
        record.header.options.caravan.turn_limit = 0

    verification = verified(changed(a_plain_match().log.data, 0, change, KEY))
    assert verification.exit_code is VerificationExit.NOT_RESIMULATED


def test_a_game_that_is_not_known_here_is_not_re_simulated() -> None:
    verification = verified(changed(a_plain_match().log.data, 0, setting("header.game", "chess"), KEY))
    assert verification.exit_code is VerificationExit.NOT_RESIMULATED
    assert status(verification, "signature") is Status.OK
