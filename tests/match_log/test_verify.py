from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.codecs.codec import codec_for
from arena.core.match import Cause, MatchState, PlyRecord, SeedPolicy
from arena.core.time_control import TimeControl
from arena.games.caravan.v1 import caravan_pb2
from arena.match_log.checks.check import Status
from arena.match_log.verify import ExitCode, Verification, verify
from arena.v1 import match_log_pb2, match_pb2
from tests.match_log.matches import (
    FOREIGN_KEY,
    KEY,
    SECRET,
    LoggedMatch,
    Table,
    a_match,
    a_setup,
    caravan_setup,
    logged,
)
from tests.match_log.pile import BID, CODEC, PileOptions, codecs
from tests.match_log.tamper import changed, file_of, ply_indices, records_of, resigned

Change = Callable[[match_log_pb2.LogRecord], None]


def verified(data: bytes, **more: object) -> Verification:
    return verify(data, **({"keys": [KEY.public], "codecs": codecs, "secret": SECRET} | more))  # type: ignore[arg-type]


def failures(verification: Verification) -> dict[str, int | None]:
    return {check.name: check.record for check in verification.checks if check.status is Status.FAILED}


def status(verification: Verification, name: str) -> Status:
    return next(check.status for check in verification.checks if check.name == name)


def sentence(verification: Verification, name: str) -> str:
    return next(check.sentence for check in verification.checks if check.name == name)


@cache
def a_plain_match() -> LoggedMatch:
    return a_match(7)


@cache
def a_troubled_match() -> LoggedMatch:
    """With misses, illegal answers and a forfeit, finished by the rules."""
    return next(
        match
        for source in range(1_000)
        if (match := a_match(source, trouble=0.25, setup=a_setup(seats=a_setup().seats * 2))).result.state
        is MatchState.FINISHED
        and match.result.ending == "PILE_EMPTY"
        and {record.cause for record in match.records if isinstance(record, PlyRecord)} == set(Cause)
    )


# What is right


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from((0.0, 0.05, 0.3)), st.integers(1, 4))
def test_whatever_happens_in_a_match_its_log_verifies(source: int, trouble: float, seats: int) -> None:
    setup = a_setup(seats=(a_setup().seats * 2)[:seats])
    verification = verified(a_match(source, trouble=trouble, setup=setup).log.data)
    assert [check for check in verification.checks if check.status is not Status.OK] == []
    assert verification.exit_code is ExitCode.OK
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
    assert verified(match.log.data).exit_code is ExitCode.OK
    last_standing = footer_change(setting("ending", "LAST_STANDING"))
    found = failures(verified(changed(match.log.data, -1, last_standing, KEY)))
    assert found["replay"] == len(match.records) + 2


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_slow_seats_over_their_limit_verify_too(source: int) -> None:
    control = TimeControl(
        per_decision_ms=300, bank_ms=60_000, increment_ms=0, grace_ms=3, strikes=1_000, seat_limit_ms=1_500
    )
    verification = verified(a_match(source, setup=a_setup(time_control=control), trouble=0.1).log.data)
    assert failures(verification) == {}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("trouble", [0.0, 0.02])
def test_a_log_of_caravan_verifies(seats: int, trouble: float) -> None:
    match = a_match(seats, setup=caravan_setup(seats), codec=codec_for("caravan"), trouble=trouble)
    verification = verify(match.log.data, keys=[KEY.public], secret=SECRET)
    assert [check for check in verification.checks if check.status is not Status.OK] == []


def test_every_check_speaks_in_one_sentence() -> None:
    for check in verified(a_troubled_match().log.data).checks:
        assert check.sentence.endswith(".")
        assert check.sentence[0].isupper() or check.sentence[0].isdigit()


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
                assert verification.exit_code is ExitCode.FAILED, (index, place)
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
    assert verification.exit_code is ExitCode.FAILED
    assert verification.first_bad_record is not None
    assert verification.first_bad_record >= 0


@pytest.mark.parametrize("length", [0, 1, 10, 200, -1])
def test_a_file_that_is_cut_off_is_no_log(length: int) -> None:
    verification = verified(a_plain_match().log.data[:length])
    assert failures(verification) == {"format": 0}


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_bytes_that_are_no_log_are_refused_without_an_exception(data: bytes) -> None:
    assert verified(data).exit_code is ExitCode.FAILED
    assert verified(file_of([data])).exit_code is ExitCode.FAILED


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
    assert verified(data).exit_code is ExitCode.OK
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
    assert verified(data, keys=[KEY.public, FOREIGN_KEY.public]).exit_code is ExitCode.OK


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

    def change(record: match_log_pb2.LogRecord) -> None:
        record.footer.seed = bytes(32)

    verification = verified(changed(match.log.data, -1, change, KEY))
    assert failures(verification) == {"seed": len(match.records) + 2, "derivation": len(match.records) + 2}
    assert status(verification, "replay") is Status.NOT_CHECKED


def test_a_seed_of_another_length_is_found() -> None:
    def change(record: match_log_pb2.LogRecord) -> None:
        record.footer.seed = b"short"

    match = a_plain_match()
    assert "seed" in failures(verified(changed(match.log.data, -1, change, KEY)))


def test_a_seed_that_the_arena_chose_by_itself_does_not_follow_from_the_secret() -> None:
    match = a_match(setup=a_setup(seed=b"7" * 32))
    assert failures(verified(match.log.data)) == {"derivation": len(match.records) + 2}


@pytest.mark.parametrize("secret", [b"x" * 32, b"short", b""])
def test_a_secret_that_was_not_committed_to_is_refused(secret: bytes) -> None:
    assert failures(verified(a_plain_match().log.data, secret=secret)) == {"derivation": 0}


def test_until_the_secret_is_revealed_the_derivation_is_left_open() -> None:
    verification = verified(a_plain_match().log.data, secret=None)
    assert status(verification, "derivation") is Status.NOT_CHECKED
    assert verification.exit_code is ExitCode.OK


def test_a_fixed_seed_follows_from_nothing_and_cannot_be_rated() -> None:
    fixed = a_setup(seed_policy=SeedPolicy.FIXED, secret_commitment=b"", rated=False)
    verification = verified(a_match(setup=fixed).log.data)
    assert status(verification, "derivation") is Status.NOT_CHECKED
    assert verification.exit_code is ExitCode.OK
    assert failures(verified(a_match(setup=replace(fixed, rated=True)).log.data)) == {"derivation": 0}


def test_a_shared_seed_has_index_0() -> None:
    shared = a_setup(seed_policy=SeedPolicy.SHARED)
    assert failures(verified(a_match(setup=shared).log.data)) == {"derivation": 0}


# The clock


def a_single_answer(match: LoggedMatch) -> int:
    """The index of a ply, not the first, that alone was an answer in time and left something in the bank."""
    plies = [record for record in match.records if isinstance(record, PlyRecord)]
    asked = [(ply.seat, ply.decision) for ply in plies]
    number = next(
        number
        for number, ply in enumerate(plies)
        if number > 3 and asked.count(asked[number]) == 1 and ply.cause is Cause.CHOSEN and ply.bank_ns > 1
    )
    return ply_indices(match.log.data)[number]


def cause_at(match: LoggedMatch, index: int) -> Cause:
    record = match.records[index - 2]
    assert isinstance(record, PlyRecord)
    return record.cause


def ply_change(**fields: int) -> Change:
    def change(record: match_log_pb2.LogRecord) -> None:
        for name, value in fields.items():
            setattr(record.ply, name, value)

    return change


@pytest.mark.parametrize("key", [KEY, FOREIGN_KEY])
@pytest.mark.parametrize("delta", [-1, 1, 40_000_000])
def test_a_bank_that_is_a_nanosecond_off_is_named(delta: int, key: object) -> None:
    match = a_plain_match()
    index = a_single_answer(match)
    bank = match_log_pb2.LogRecord.FromString(records_of(match.log.data)[index]).ply.bank_ns
    verification = verified(changed(match.log.data, index, ply_change(bank_ns=bank + delta), key))  # type: ignore[arg-type]
    assert failures(verification)["clock"] == index
    assert ("signature" in failures(verification)) == (key is FOREIGN_KEY)


def test_a_clock_that_starts_before_the_answer_before_it_came_is_named() -> None:
    match = a_plain_match()
    index = a_single_answer(match)
    assert failures(verified(changed(match.log.data, index, ply_change(started_ns=5), KEY))) == {
        "clock": index
    }


def test_more_network_time_than_the_cap_is_named() -> None:
    """At most 100 ms, and at most a tenth of per_decision, which is 1 s here."""
    match = a_plain_match()
    last = ply_indices(match.log.data)[-1]
    most = changed(match.log.data, last, ply_change(credit_ns=100_000_000), KEY)
    assert failures(verified(most)) == {}
    more = changed(match.log.data, last, ply_change(credit_ns=100_000_001), KEY)
    assert failures(verified(more)) == {"clock": last}


@pytest.mark.parametrize(
    ("used_ms", "cause", "bank_ms", "fits"),
    [
        # per_decision 1000, bank 3000, increment 40, grace 5
        (0, Cause.CHOSEN, 3_040, True),
        (1_000, Cause.CHOSEN, 3_040, True),
        (1_500, Cause.CHOSEN, 2_540, True),
        (1_500, Cause.CHOSEN, 3_040, False),
        (4_000, Cause.CHOSEN, 40, True),
        (4_005, Cause.CHOSEN, 40, True),
        (4_006, Cause.CHOSEN, 40, False),
        (4_006, Cause.TIME_FORFEIT, 0, True),
        (4_006, Cause.TIME_FORFEIT, 40, False),
        (4_005, Cause.TIME_FORFEIT, 0, False),
        (0, Cause.ILLEGAL_ACTION, 3_000, True),
        (0, Cause.ILLEGAL_ACTION, 3_040, False),
        (1_500, Cause.ILLEGAL_ACTION, 2_500, True),
        (1_500, Cause.ILLEGAL_ACTION, 3_000, True),  # an illegal plan of two pieces
        (1_500, Cause.ILLEGAL_ACTION, 2_400, False),
        (4_006, Cause.ILLEGAL_ACTION, 994, True),  # an illegal plan of two pieces
        (4_006, Cause.ILLEGAL_ACTION, 0, False),
    ],
)
def test_a_decision_is_charged_by_the_formula(used_ms: int, cause: Cause, bank_ms: int, fits: bool) -> None:
    """used and over, in time iff over <= bank + grace, bank = max(0, bank - over) + increment: worked out by hand."""
    match = a_match(setup=a_setup(options=PileOptions(1)))
    (ply,) = match.records
    assert isinstance(ply, PlyRecord)
    ply = replace(
        ply, action=1, cause=cause, used_ns=used_ms * 10**6, credit_ns=0, stall_ns=0, bank_ns=bank_ms * 10**6
    )
    data = logged(match.setup, (ply,), match.result, set_up=match.set_up).data
    assert ("clock" in failures(verified(data))) is not fits


def test_a_decision_number_that_is_skipped_is_named() -> None:
    match = a_match(setup=a_setup(options=PileOptions(1)))
    assert failures(verified(changed(match.log.data, 2, ply_change(decision=2), KEY)))["clock"] == 2


def test_times_on_a_later_action_of_a_plan_are_named_at_its_first() -> None:
    match = a_plain_match()
    plies = [record for record in match.records if isinstance(record, PlyRecord)]
    asked = [(ply.seat, ply.decision) for ply in plies]
    first = next(number for number in range(len(asked)) if asked[number] == asked[number + 1])
    indices = ply_indices(match.log.data)
    data = changed(match.log.data, indices[first + 1], ply_change(stall_ns=5), KEY)
    assert failures(verified(data)) == {"clock": indices[first]}


def test_a_seat_that_is_said_to_be_over_its_limit_but_is_not_is_named() -> None:
    match = a_plain_match()
    index = a_single_answer(match)
    assert failures(verified(changed(match.log.data, index, ply_change(over_seat_limit=True), KEY))) == {
        "clock": index
    }


def test_a_default_is_one_action() -> None:
    match = a_match(setup=a_setup(options=PileOptions(2)))
    first = match.records[0]
    assert isinstance(first, PlyRecord)
    missed = replace(first, action=1, cause=Cause.TIME_FORFEIT, used_ns=9_000 * 10**6, bank_ns=0)
    later = replace(missed, cause=Cause.CHOSEN, started_ns=0, used_ns=0, credit_ns=0, stall_ns=0)
    verification = verified(logged(match.setup, (missed, later), match.result, set_up=match.set_up).data)
    assert failures(verification)["clock"] == 2
    assert sentence(verification, "clock").endswith("a default is one action.")


@pytest.mark.parametrize("field", ["decision", "started_ns", "used_ns", "credit_ns", "stall_ns", "bank_ns"])
def test_a_seat_that_has_forfeited_is_not_charged(field: str) -> None:
    match = a_troubled_match()
    index = next(index for index in ply_indices(match.log.data) if cause_at(match, index) is Cause.FORFEITED)
    assert failures(verified(changed(match.log.data, index, ply_change(**{field: 1}), KEY)))["clock"] == index


# What was played


def test_an_illegal_action_is_named() -> None:
    match = a_plain_match()
    index = ply_indices(match.log.data)[3]
    verification = verified(changed(match.log.data, index, ply_change(listed=4), KEY))
    assert failures(verification) == {"replay": index}


def test_a_ply_of_a_seat_that_was_not_to_act_is_named() -> None:
    match = a_match(setup=a_setup(options=PileOptions(1)))
    verification = verified(changed(match.log.data, 2, ply_change(seat=1), KEY))
    assert failures(verification)["replay"] == 2
    assert sentence(verification, "replay").endswith("does not fit: seat 0 is to act, not seat 1.")


def test_another_legal_action_is_named_where_it_first_makes_a_difference() -> None:
    match = a_plain_match()
    index, record = next(
        (index, record)
        for index, record in enumerate(records_of(match.log.data))
        if index in ply_indices(match.log.data) and match_log_pb2.LogRecord.FromString(record).ply.listed == 3
    )
    assert record
    verification = verified(changed(match.log.data, index, ply_change(listed=2), KEY))
    assert failures(verification)["replay"] == index


def test_an_event_that_did_not_happen_is_named() -> None:
    match = a_plain_match()
    index = ply_indices(match.log.data)[0]

    def change(record: match_log_pb2.LogRecord) -> None:
        record.ply.events[-1].event.caravan.turn.points += 1

    assert failures(verified(changed(match.log.data, index, change, KEY))) == {"replay": index}


def test_an_event_that_too_many_saw_is_named() -> None:
    match = a_plain_match()
    index = ply_indices(match.log.data)[0]

    def change(record: match_log_pb2.LogRecord) -> None:
        record.ply.events[-1].everybody = True

    assert failures(verified(changed(match.log.data, index, change, KEY))) == {"replay": index}


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.set_up.events[0].event.caravan.turn.MergeFrom(caravan_pb2.TurnBegan(points=61)),
        lambda record: record.set_up.events.append(record.set_up.events[0]),
        lambda record: record.set_up.events[0].ClearField("everybody"),
        lambda record: record.set_up.ClearField("events"),
    ],
)
def test_a_set_up_that_does_not_follow_from_the_seed_is_named(change: Change) -> None:
    assert failures(verified(changed(a_plain_match().log.data, 1, change, KEY)))["replay"] == 1


def test_a_match_without_its_set_up_is_named() -> None:
    records = records_of(a_plain_match().log.data)[:-1]
    verification = verified(resigned([records[0], *records[2:]], KEY))
    assert failures(verification) == {"replay": 1}
    assert sentence(verification, "replay") == "The set-up, record 1, does not fit: there is none."


def test_a_match_that_the_arena_voids_before_it_begins_has_no_set_up() -> None:
    table = Table(a_setup(), Random(1), codec=CODEC, trouble=0.0)
    result = table.void_before_it_begins()
    data = logged(a_setup(), (), result, set_up=None).data
    assert len(records_of(data)) == 3
    assert verified(data).exit_code is ExitCode.OK


def test_a_digest_of_another_position_is_named() -> None:
    match = a_match(setup=a_setup(options=PileOptions(200)))
    index = ply_indices(match.log.data)[31]

    def change(record: match_log_pb2.LogRecord) -> None:
        assert len(record.ply.digest) == 8
        record.ply.digest = bytes(8)

    assert failures(verified(changed(match.log.data, index, change, KEY))) == {"replay": index}


def test_a_digest_that_is_missing_is_named() -> None:
    match = a_match(setup=a_setup(options=PileOptions(200)))
    index = ply_indices(match.log.data)[63]
    assert failures(
        verified(changed(match.log.data, index, lambda record: record.ply.ClearField("digest"), KEY))
    ) == {"replay": index}


def test_a_chosen_action_in_place_of_the_default_is_named() -> None:
    match = a_match(setup=a_setup(options=PileOptions(1)))
    (ply,) = match.records
    assert isinstance(ply, PlyRecord)
    bid = replace(ply, action=BID + 9, cause=Cause.ILLEGAL_ACTION, events=())
    verification = verified(logged(match.setup, (bid,), match.result, set_up=match.set_up).data)
    assert failures(verification)["replay"] == 2
    assert "the default action is take:1" in sentence(verification, "replay")


def test_a_ply_after_the_end_of_the_game_is_named() -> None:
    match = a_plain_match()
    data = logged(match.setup, (*match.records, match.records[-1]), match.result, set_up=match.set_up).data
    verification = verified(data)
    assert failures(verification)["replay"] == len(match.records) + 2
    assert sentence(verification, "replay").endswith("does not fit: the game is over.")


def test_an_ending_by_the_rules_before_the_game_is_over_is_named() -> None:
    match = a_plain_match()
    plies = [record for record in match.records if isinstance(record, PlyRecord)]
    state = CODEC.game.new_match(2, match.setup.options, match.setup.seed)
    for ply in plies[:-1]:
        state.apply(ply.action)
    result = replace(match.result, digest=state.digest()[:8])
    verification = verified(logged(match.setup, tuple(plies[:-1]), result, set_up=match.set_up).data)
    assert failures(verification)["replay"] == len(plies) + 1
    assert "by the rules the game is not over" in sentence(verification, "replay")


def test_a_default_that_is_not_the_default_is_named() -> None:
    match = a_troubled_match()
    index = next(
        index
        for index in ply_indices(match.log.data)
        if match_log_pb2.LogRecord.FromString(records_of(match.log.data)[index]).ply.cause
        == match_log_pb2.LogPly.CAUSE_FORFEITED
    )
    assert failures(verified(changed(match.log.data, index, ply_change(listed=2), KEY)))["replay"] == index


# The footer


def footer_change(change: Callable[[match_log_pb2.LogFooter], object]) -> Change:
    def changes(record: match_log_pb2.LogRecord) -> None:
        change(record.footer)

    return changes


def swap_placings(footer: match_log_pb2.LogFooter) -> None:
    first, second = footer.seats[:2]
    first.placing, second.placing = second.placing, first.placing


def setting(path: str, value: object) -> Callable[[match_log_pb2.LogFooter], object]:
    def change(footer: match_log_pb2.LogFooter) -> None:
        target: object = footer.seats[0] if path.startswith("seat.") else footer
        *parents, name = path.removeprefix("seat.").split(".")
        for parent in parents:
            target = getattr(target, parent)
        setattr(target, name, value)

    return change


@pytest.mark.parametrize("key", [KEY, FOREIGN_KEY])
@pytest.mark.parametrize(
    ("change", "check"),
    [
        (swap_placings, "placings"),
        (setting("seat.placing", 7), "placings"),
        (setting("seat.score", -3), "placings"),
        (setting("seat.strikes", 1), "endings"),
        (setting("seat.decisions", 2), "endings"),
        (setting("seat.used_ms", 1), "endings"),
        (setting("seat.ending.termination", match_pb2.TERMINATION_TIME_FORFEIT), "endings"),
        (setting("seat.ending.termination", match_pb2.TERMINATION_RESIGNATION), "endings"),
        (setting("seat.ending.fault", match_pb2.FAULT_ARENA), "endings"),
        (setting("seat.bot", "bots/carl"), "format"),
        (setting("state", match_pb2.MATCH_STATE_RUNNING), "endings"),
        (setting("state", match_pb2.MATCH_STATE_ABORTED), "endings"),
        (setting("ending", "TURN_LIMIT"), "replay"),
        (setting("ending", "LAST_STANDING"), "endings"),
        (setting("void_reason", "It rained."), "endings"),
        (setting("digest", bytes(8)), "replay"),
    ],
)
def test_a_result_that_does_not_follow_from_the_plies_is_named(
    change: Callable[[match_log_pb2.LogFooter], object], check: str, key: object
) -> None:
    match = a_plain_match()
    footer = len(match.records) + 2
    data = changed(match.log.data, -1, footer_change(change), key)  # type: ignore[arg-type]
    found = failures(verified(data))
    assert found[check] == footer
    assert found.get("signature") == (footer + 1 if key is FOREIGN_KEY else None)


def test_a_forfeit_that_its_strikes_do_not_make_is_named() -> None:
    match = a_troubled_match()
    seat = next(number for number, seat in enumerate(match.result.seats) if seat.ending.forfeited)

    def change(footer: match_log_pb2.LogFooter) -> None:
        footer.seats[seat].ending.termination = match_pb2.TERMINATION_NORMAL

    found = failures(verified(changed(match.log.data, -1, footer_change(change), KEY)))
    assert "endings" in found
    assert "placings" in found


@pytest.mark.parametrize("termination", ["TIME_FORFEIT", "ILLEGAL_ACTION"])
def test_a_forfeit_by_strikes_needs_the_strikes(termination: str) -> None:
    match = a_match(7, setup=a_setup(seats=a_setup().seats * 2))

    def change(footer: match_log_pb2.LogFooter) -> None:
        footer.seats[3].ending.termination = match_pb2.Termination.Value(f"TERMINATION_{termination}")

    verification = verified(changed(match.log.data, -1, footer_change(change), KEY))
    assert failures(verification)["endings"] == len(match.records) + 2
    assert "0 strikes are not too many" in sentence(verification, "endings")


@pytest.mark.parametrize("state", [MatchState.ABORTED, MatchState.NO_CONTEST])
@pytest.mark.parametrize("field", ["score", "placing"])
def test_a_void_match_has_neither_placings_nor_scores(state: MatchState, field: str) -> None:
    alone = a_setup(seats=a_setup().seats[:1])
    match = next(
        match
        for source in range(200)
        if (match := a_match(source, trouble=0.3, setup=alone)).result.state is state
    )
    data = changed(match.log.data, -1, footer_change(setting(f"seat.{field}", 1)), KEY)
    assert failures(verified(data)) == {"placings": len(match.records) + 2}


def test_the_last_one_standing_has_no_score() -> None:
    match = next(
        match
        for source in range(2_000)
        if (match := a_match(source, trouble=0.3)).result.ending == "LAST_STANDING"
    )
    data = changed(match.log.data, -1, footer_change(setting("seat.score", 1)), KEY)
    assert failures(verified(data)) == {"placings": len(match.records) + 2}


def test_a_seat_that_plays_on_after_its_forfeit_is_named() -> None:
    match = a_troubled_match()
    messages = [match_log_pb2.LogRecord.FromString(record) for record in records_of(match.log.data)]
    forfeited = [
        index
        for index, message in enumerate(messages)
        if message.ply.cause == match_log_pb2.LogPly.CAUSE_FORFEITED
    ]
    index = next(
        later for later in forfeited[1:] if messages[later].ply.seat == messages[forfeited[0]].ply.seat
    )
    found = failures(verified(changed(match.log.data, index, ply_change(cause=1), KEY)))
    assert found["endings"] == index


# Other rules, other games


def test_under_other_rules_a_log_is_not_re_simulated_and_says_so() -> None:
    verification = verified(a_match(setup=a_setup(rules_version=2)).log.data)
    assert status(verification, "replay") is Status.NOT_CHECKED
    assert verification.exit_code is ExitCode.NOT_RESIMULATED
    assert "version 2" in next(check.sentence for check in verification.checks if check.name == "replay")


def test_under_other_rules_placings_still_have_to_be_placings() -> None:
    match = a_match(setup=a_setup(rules_version=2))
    data = changed(match.log.data, -1, footer_change(setting("seat.placing", 7)), KEY)
    assert failures(verified(data)) == {"placings": len(match.records) + 2}


def test_under_other_rules_records_that_make_no_sense_here_are_left_open() -> None:
    def change(record: match_log_pb2.LogRecord) -> None:
        record.header.rules_version = 2
        record.header.options.caravan.turn_limit = 0

    verification = verified(changed(a_plain_match().log.data, 0, change, KEY))
    assert verification.exit_code is ExitCode.NOT_RESIMULATED


def test_a_game_that_is_not_known_here_is_not_re_simulated() -> None:
    def change(record: match_log_pb2.LogRecord) -> None:
        record.header.game = "chess"

    verification = verified(changed(a_plain_match().log.data, 0, change, KEY))
    assert verification.exit_code is ExitCode.NOT_RESIMULATED
    assert status(verification, "signature") is Status.OK
