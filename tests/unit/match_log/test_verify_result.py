"""Verification finds a result that does not follow from the plies."""

from collections.abc import Callable

import pytest

from arena.core.match import Cause, MatchResult, MatchState
from arena.match_log.keys import SigningKey
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
from tests.unit.match_log.tamper import changed
from tests.unit.match_log.verifying import (
    Change,
    a_plain_match,
    a_troubled_match,
    failures,
    failures_after,
    numbered,
    sentence,
    setting,
    verified,
)


def swap_placings(record: match_log_pb2.LogRecord) -> None:
    first, second = record.footer.seats[:2]
    first.placing, second.placing = second.placing, first.placing


@pytest.mark.parametrize("key", [KEY, FOREIGN_KEY])
@pytest.mark.parametrize(
    ("change", "check"),
    [
        (swap_placings, "placings"),
        (setting("footer.seats.0.placing", 7), "placings"),
        (setting("footer.seats.0.score", -3), "placings"),
        (setting("footer.seats.0.strikes", 1), "endings"),
        (setting("footer.seats.0.decisions", 2), "endings"),
        (setting("footer.seats.0.used_ms", 1), "endings"),
        (setting("footer.seats.0.ending.termination", ending_pb2.TERMINATION_TIME_FORFEIT), "endings"),
        (setting("footer.seats.0.ending.termination", ending_pb2.TERMINATION_RESIGNATION), "endings"),
        (setting("footer.seats.0.ending.fault", ending_pb2.FAULT_ARENA), "endings"),
        (setting("footer.seats.0.bot", "bots/carl"), "format"),
        (setting("footer.state", match_pb2.MATCH_STATE_RUNNING), "endings"),
        (setting("footer.state", match_pb2.MATCH_STATE_ABORTED), "endings"),
        (setting("footer.ending", "TURN_LIMIT"), "replay"),
        (setting("footer.ending", "LAST_STANDING"), "endings"),
        (setting("footer.void_reason", "It rained."), "endings"),
        (setting("footer.digest", bytes(8)), "replay"),
    ],
)
def test_a_result_that_does_not_follow_from_the_plies_is_named(
    change: Change, check: str, key: SigningKey
) -> None:
    match = a_plain_match()
    footer = len(match.records) + 2
    found = failures_after(match, -1, change, key)
    assert found[check] == footer
    assert found.get("signature") == (footer + 1 if key is FOREIGN_KEY else None)


def test_a_forfeit_that_its_strikes_do_not_make_is_named() -> None:
    match = a_troubled_match()
    seat = next(number for number, seat in enumerate(match.result.seats) if seat.ending.forfeited)
    change = setting(f"footer.seats.{seat}.ending.termination", ending_pb2.TERMINATION_NORMAL)
    assert {"endings", "placings"} <= set(failures_after(match, -1, change))


@pytest.mark.parametrize("termination", ["TIME_FORFEIT", "ILLEGAL_ACTION"])
def test_a_forfeit_by_strikes_needs_the_strikes(termination: str) -> None:
    match = a_match(7, setup=a_setup(seats=a_setup().seats * 2))
    value = ending_pb2.Termination.Value(f"TERMINATION_{termination}")
    verification = verified(
        changed(match.log.data, -1, setting("footer.seats.3.ending.termination", value), KEY)
    )
    assert failures(verification)["endings"] == len(match.records) + 2
    assert "0 strikes" in sentence(verification, "endings")


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
    assert failures_after(match, -1, setting(f"footer.seats.0.{field}", 1)) == {
        "placings": len(match.records) + 2
    }


def test_the_last_one_standing_has_no_score() -> None:
    match = next(
        match
        for source in range(2_000)
        if (match := a_match(source, trouble=0.3)).result.ending == "LAST_STANDING"
    )
    assert failures_after(match, -1, setting("footer.seats.0.score", 1)) == {
        "placings": len(match.records) + 2
    }


def test_the_only_seat_may_forfeit_and_its_match_has_an_ending_of_its_own_and_no_score() -> None:
    match = a_solo_match(lambda result: result.ending == "FORFEIT")
    assert verified(match.log.data).exit_code is VerificationExit.OK
    assert [(seat.placing, seat.score) for seat in match.result.seats] == [(1, 0)]
    footer = len(match.records) + 2
    assert failures_after(match, -1, setting("footer.seats.0.score", 1)) == {"placings": footer}
    for ending in ("LAST_STANDING", "COUNTED_OUT"):
        assert set(failures_after(match, -1, setting("footer.ending", ending)).values()) == {footer}


def test_only_the_forfeit_of_the_only_seat_is_called_by_its_word() -> None:
    solo = a_solo_match(lambda result: result.state is MatchState.FINISHED and result.ending != "FORFEIT")
    for match in (solo, a_plain_match()):
        found = failures_after(match, -1, setting("footer.ending", "FORFEIT"))
        assert found["endings"] == len(match.records) + 2


def test_a_seat_that_plays_on_after_its_forfeit_is_named() -> None:
    match = a_troubled_match()
    forfeited = [(index, ply.seat) for index, ply in numbered(match) if ply.cause is Cause.FORFEITED]
    index = next(later for later, seat in forfeited[1:] if seat == forfeited[0][1])
    assert failures_after(match, index, setting("ply.cause", 1))["endings"] == index


def test_a_hosted_program_whose_time_was_up_has_forfeited_without_strikes() -> None:
    match = a_match(7, setup=a_setup(seats=a_setup().seats * 2))

    def change(record: match_log_pb2.LogRecord) -> None:
        ending = record.footer.seats[3].ending
        ending.termination = ending_pb2.TERMINATION_TIME_FORFEIT
        ending.evidence.add(fact="cpu_limit_s", value="86400")

    verification = verified(changed(match.log.data, -1, change, KEY))
    assert "strikes" not in sentence(verification, "endings")
