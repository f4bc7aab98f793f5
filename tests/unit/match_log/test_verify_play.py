"""Verification finds plies, events and digests that do not follow from the rules."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.games.caravan.v1 import caravan_pb2
from arena.match_log.verify import VerificationExit
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import KEY, LoggedMatch, RandomMatch, a_match, a_setup, logged
from tests.unit.match_log.pile import BID, CODEC, PileOptions
from tests.unit.match_log.tamper import changed, records_of, resigned
from tests.unit.match_log.verifying import (
    Change,
    a_plain_match,
    a_short_match,
    a_troubled_match,
    failures,
    failures_after,
    first_ply,
    numbered,
    sentence,
    setting,
    verified,
    written,
)


def test_a_ply_of_a_seat_that_was_not_to_act_is_named() -> None:
    match, _ = a_short_match()
    verification = verified(changed(match.log.data, 2, setting("ply.seat", 1), KEY))
    assert failures(verification)["replay"] == 2
    assert all(seat in sentence(verification, "replay") for seat in ("seat 0", "seat 1"))


def another_draw(record: match_log_pb2.LogRecord) -> None:
    record.ply.events[-1].event.caravan.turn.points += 1


def a_draw_that_everybody_saw(record: match_log_pb2.LogRecord) -> None:
    record.ply.events[-1].everybody = True


@pytest.mark.parametrize(
    ("make", "wanted", "change"),
    [
        pytest.param(a_plain_match, lambda _: True, setting("ply.listed", 4), id="illegal action"),
        pytest.param(
            a_plain_match, lambda ply: ply.action == 3, setting("ply.listed", 2), id="another action"
        ),
        pytest.param(a_plain_match, lambda ply: ply.events, another_draw, id="another draw"),
        pytest.param(a_plain_match, lambda ply: ply.events, a_draw_that_everybody_saw, id="seen draw"),
        pytest.param(
            a_troubled_match,
            lambda ply: ply.cause is Cause.FORFEITED,
            setting("ply.listed", 2),
            id="another default",
        ),
    ],
)
def test_a_ply_that_does_not_follow_from_the_rules_is_named(
    make: Callable[[], LoggedMatch], wanted: Callable[[PlyRecord], object], change: Change
) -> None:
    match = make()
    index = first_ply(match, wanted)
    assert failures_after(match, index, change)["replay"] == index


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
    assert failures_after(a_plain_match(), 1, change)["replay"] == 1


def test_a_match_without_its_set_up_is_named() -> None:
    records = records_of(a_plain_match().log.data)[:-1]
    verification = verified(resigned([records[0], *records[2:]], KEY))
    assert failures(verification) == {"replay": 1}
    assert "set-up" in sentence(verification, "replay")


def test_a_match_that_the_arena_voids_before_it_begins_has_no_set_up() -> None:
    table = RandomMatch(a_setup(), Random(1), codec=CODEC, trouble=0.0)
    result = table.void()
    data = logged(a_setup(), (), result, set_up=None).data
    assert len(records_of(data)) == 3
    assert verified(data).exit_code is VerificationExit.OK


@pytest.mark.parametrize(("ply", "digest"), [(31, bytes(8)), (63, b"")])
def test_a_digest_of_another_position_or_one_that_is_missing_is_named(ply: int, digest: bytes) -> None:
    match = a_match(setup=a_setup(options=PileOptions(200)))
    index, record = numbered(match)[ply]
    assert len(record.digest) == 8
    assert failures_after(match, index, setting("ply.digest", digest)) == {"replay": index}


def test_a_chosen_action_in_place_of_the_default_is_named() -> None:
    match, bid = a_short_match(action=BID + 9, cause=Cause.ILLEGAL_ACTION, events=())
    verification = verified(written(match, bid))
    assert failures(verification)["replay"] == 2
    assert "take:1" in sentence(verification, "replay")


def test_a_ply_after_the_end_of_the_game_is_named() -> None:
    match = a_plain_match()
    verification = verified(written(match, *match.records, match.records[-1]))
    assert failures(verification)["replay"] == len(match.records) + 2
    assert "over" in sentence(verification, "replay")


def test_an_ending_by_the_rules_before_the_game_is_over_is_named() -> None:
    match = a_plain_match()
    plies = [ply for _, ply in numbered(match)]
    state = CODEC.game.new_match(2, match.setup.options, match.setup.seed)
    for ply in plies[:-1]:
        state.apply(ply.action)
    result = replace(match.result, digest=state.digest()[:8])
    verification = verified(written(match, *plies[:-1], result=result))
    assert failures(verification)["replay"] == len(plies) + 1
    assert "not over" in sentence(verification, "replay")
