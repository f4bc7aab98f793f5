"""Verification of matches that play on from another one: what was given there, and that it is from there."""

from dataclasses import replace
from functools import cache

import pytest

from arena.core.match import Cause, Continuation, SeedPolicy, SuitePlace
from arena.core.ply import PlyRecord
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import VerificationExit
from tests.unit.match_log.matches import LoggedMatch, a_match, a_setup
from tests.unit.match_log.pile import codecs
from tests.unit.match_log.tamper import ply_indices
from tests.unit.match_log.verifying import a_plain_match, failures, failures_after, setting, verified, written

GIVEN = 5
BY_HAND = {"seed_policy": SeedPolicy.FIXED, "secret_commitment": b"", "rated": False}


@cache
def the_source() -> MatchLog:
    return read_log(a_plain_match().log.data, codecs)


@cache
def a_continuation(plies: int = GIVEN) -> LoggedMatch:
    """Another match from the same seed, whose first plies are those of the source."""
    source = the_source()
    setup = a_setup(**BY_HAND, continued_from=Continuation(source.name, plies))
    return a_match(8, setup=setup, given=[ply.action for ply in source.plies[:plies]])


@pytest.mark.parametrize("plies", [0, 1, GIVEN, 32])
def test_a_match_that_plays_on_from_a_ply_verifies_with_and_without_the_other_log(plies: int) -> None:
    match = a_continuation(plies)
    alone, beside = verified(match.log.data), verified(match.log.data, source=the_source())
    assert alone.exit_code is beside.exit_code is VerificationExit.OK
    assert "continuation" in [check.name for check in beside.checks]
    read = read_log(match.log.data, codecs)
    assert read.setup == match.setup
    assert [ply.cause for ply in read.plies] == [
        Cause.GIVEN if number < plies else Cause.CHOSEN for number in range(len(read.plies))
    ]
    own = [ply for ply in read.plies if ply.cause is Cause.CHOSEN]
    assert own[0].decision == 1


def test_a_match_from_its_set_up_has_no_such_check() -> None:
    assert "continuation" not in [check.name for check in verified(a_plain_match().log.data).checks]


def test_fewer_or_more_given_plies_than_the_header_says_are_found() -> None:
    match = a_continuation()
    indices = ply_indices(match.log.data)
    fewer = setting("header.continued_from.plies", GIVEN - 1)
    assert failures_after(match, 0, fewer) == {"continuation": indices[GIVEN - 1]}
    more = setting("header.continued_from.plies", GIVEN + 1)
    assert failures_after(match, 0, more) == {"continuation": indices[GIVEN]}


def test_a_decision_that_is_passed_off_as_given_is_found() -> None:
    match = a_plain_match()
    index, *_ = ply_indices(match.log.data)
    found = failures_after(match, index, setting("ply.cause", Cause.GIVEN.value))
    assert {"continuation", "clock"} <= set(found)
    assert found["continuation"] == index


def test_a_given_ply_that_charges_time_is_found() -> None:
    match = a_continuation()
    index, *_ = ply_indices(match.log.data)
    assert failures_after(match, index, setting("ply.used_ns", 1))["clock"] == index


def test_a_rated_match_cannot_play_on_from_another_one() -> None:
    assert failures_after(a_continuation(), 0, setting("header.rated", True))["continuation"] == 0


def test_the_log_at_hand_has_to_be_the_one_that_is_named() -> None:
    other = read_log(a_match(9).log.data, codecs)
    assert failures(verified(a_continuation().log.data, source=other)) == {"continuation": 0}


def test_given_plies_that_were_not_played_in_the_other_match_are_found() -> None:
    """They are legal, and follow from the seed: only the other log shows that they are from elsewhere."""
    source, other = the_source(), read_log(a_match(9).log.data, codecs)
    plies = next(
        number
        for number, pair in enumerate(zip(source.plies, other.plies, strict=False), 1)
        if pair[0].action != pair[1].action
    )
    setup = a_setup(**BY_HAND, continued_from=Continuation(source.name, plies))
    match = a_match(8, setup=setup, given=[ply.action for ply in other.plies[:plies]])
    assert verified(match.log.data).exit_code is VerificationExit.OK
    found = failures(verified(match.log.data, source=source))
    assert found == {"continuation": ply_indices(match.log.data)[plies - 1]}


def test_a_given_action_that_is_not_legal_is_found() -> None:
    match = a_continuation()
    first = next(record for record in match.records if isinstance(record, PlyRecord))
    wrong = replace_action(first, 250)
    data = written(match, wrong, *match.records[1:])
    assert "replay" in failures(verified(data))


def replace_action(ply: PlyRecord, action: int) -> PlyRecord:
    return PlyRecord(ply.seat, ply.decision, action, ply.cause, ply.events, 0, 0, 0, 0, 0, False, ply.digest)


def test_the_suite_of_a_match_is_kept_in_its_header() -> None:
    place = SuitePlace("mine", "ab" * 32, "007")
    match = a_match(3, setup=a_setup(**BY_HAND, suite=place))
    assert read_log(match.log.data, codecs).setup.suite == place
    assert failures_after(match, 0, setting("header.suite.sha256", b"short")) == {"format": 0}


def test_a_name_that_is_no_hash_is_no_log_to_play_on_from() -> None:
    match = a_continuation()
    assert failures_after(match, 0, setting("header.continued_from.log", "17.arenalog")) == {"format": 0}
    assert replace(match.setup.continued_from or Continuation("", 0), plies=GIVEN).plies == GIVEN
