"""Verification finds a result that does not follow from the plies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.core.match import MatchState
from arena.v1 import ending_pb2, match_log_pb2, match_pb2
from tests.match_log.matches import (
    FOREIGN_KEY,
    KEY,
    a_match,
    a_setup,
)
from tests.match_log.tamper import changed, records_of
from tests.match_log.verifying import (
    a_plain_match,
    a_troubled_match,
    failures,
    footer_change,
    ply_change,
    sentence,
    setting,
    swap_placings,
    verified,
)


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
        (setting("seat.ending.termination", ending_pb2.TERMINATION_TIME_FORFEIT), "endings"),
        (setting("seat.ending.termination", ending_pb2.TERMINATION_RESIGNATION), "endings"),
        (setting("seat.ending.fault", ending_pb2.FAULT_ARENA), "endings"),
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
        footer.seats[seat].ending.termination = ending_pb2.TERMINATION_NORMAL

    found = failures(verified(changed(match.log.data, -1, footer_change(change), KEY)))
    assert "endings" in found
    assert "placings" in found


@pytest.mark.parametrize("termination", ["TIME_FORFEIT", "ILLEGAL_ACTION"])
def test_a_forfeit_by_strikes_needs_the_strikes(termination: str) -> None:
    match = a_match(7, setup=a_setup(seats=a_setup().seats * 2))

    def change(footer: match_log_pb2.LogFooter) -> None:
        footer.seats[3].ending.termination = ending_pb2.Termination.Value(f"TERMINATION_{termination}")

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
