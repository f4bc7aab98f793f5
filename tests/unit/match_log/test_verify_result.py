"""Verification finds a result that does not follow from the plies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.core.match import MatchResult, MatchState
from arena.match_log.verify import VerificationExit
from arena.v1 import ending_pb2, match_log_pb2, match_pb2
from tests.unit.match_log.matches import (
    FOREIGN_KEY,
    KEY,
    LoggedMatch,
    a_match,
    a_match_that_nobody_ends,
    a_setup,
)
from tests.unit.match_log.tamper import changed, records_of
from tests.unit.match_log.verifying import (
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


def a_solo_match(wanted: Callable[[MatchResult], bool]) -> LoggedMatch:
    """Return a match of one seat with such a result."""
    alone = a_setup(seats=a_setup().seats[:1])
    played = (a_match(source, trouble=0.3, setup=alone) for source in range(200))
    return next(match for match in played if wanted(match.result))


def an_aborted_match() -> LoggedMatch:
    """Return a match that the arena has aborted."""
    return a_solo_match(lambda result: result.state is MatchState.ABORTED)


@pytest.mark.parametrize("make", [an_aborted_match, a_match_that_nobody_ends])
@pytest.mark.parametrize("field", ["score", "placing"])
def test_a_void_match_has_neither_placings_nor_scores(make: Callable[[], LoggedMatch], field: str) -> None:
    match = make()
    assert verified(match.log.data).exit_code is VerificationExit.OK
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


def test_the_only_seat_may_forfeit_and_its_match_has_an_ending_of_its_own_and_no_score() -> None:
    match = a_solo_match(lambda result: result.ending == "FORFEIT")
    assert verified(match.log.data).exit_code is VerificationExit.OK
    assert [(seat.placing, seat.score) for seat in match.result.seats] == [(1, 0)]
    footer = len(match.records) + 2
    data = changed(match.log.data, -1, footer_change(setting("seat.score", 1)), KEY)
    assert failures(verified(data)) == {"placings": footer}
    for ending in ("LAST_STANDING", "COUNTED_OUT"):
        data = changed(match.log.data, -1, footer_change(setting("ending", ending)), KEY)
        assert set(failures(verified(data)).values()) == {footer}


def test_only_the_forfeit_of_the_only_seat_is_called_by_its_word() -> None:
    match = a_solo_match(lambda result: result.state is MatchState.FINISHED and result.ending != "FORFEIT")
    data = changed(match.log.data, -1, footer_change(setting("ending", "FORFEIT")), KEY)
    assert failures(verified(data))["endings"] == len(match.records) + 2
    pair = a_plain_match()
    data = changed(pair.log.data, -1, footer_change(setting("ending", "FORFEIT")), KEY)
    assert failures(verified(data))["endings"] == len(pair.records) + 2


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


def test_a_hosted_program_whose_time_was_up_has_forfeited_without_strikes() -> None:
    match = a_match(7, setup=a_setup(seats=a_setup().seats * 2))

    def change(footer: match_log_pb2.LogFooter) -> None:
        ending = footer.seats[3].ending
        ending.termination = ending_pb2.TERMINATION_TIME_FORFEIT
        ending.evidence.add(fact="cpu_limit_s", value="86400")

    verification = verified(changed(match.log.data, -1, footer_change(change), KEY))
    assert "strikes" not in sentence(verification, "endings")
