"""Verification finds plies, events and digests that do not follow from the rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.games.caravan.v1 import caravan_pb2
from arena.match_log.verify import VerificationExit
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import (
    KEY,
    RandomMatch,
    a_match,
    a_setup,
    logged,
)
from tests.unit.match_log.pile import BID, CODEC, PileOptions
from tests.unit.match_log.tamper import changed, ply_indices, records_of, resigned
from tests.unit.match_log.verifying import (
    Change,
    a_plain_match,
    a_troubled_match,
    failures,
    ply_change,
    sentence,
    verified,
)


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
    table = RandomMatch(a_setup(), Random(1), codec=CODEC, trouble=0.0)
    result = table.void_before_it_begins()
    data = logged(a_setup(), (), result, set_up=None).data
    assert len(records_of(data)) == 3
    assert verified(data).exit_code is VerificationExit.OK


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
