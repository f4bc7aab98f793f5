"""Gates: which set-ups both versions play, and when the sequential test ends them (docs/bots/gates.md)."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ErrorReason, FailedPreconditionError, InvalidArgumentError
from arena.core.finished_match import FinishedMatch
from arena.core.pairing.comparison import NEW, OLD, ComparisonPlan, ComparisonTally
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.gate import Gate
from arena.core.pairing.formats.parameters import FormatParameters, GateParameters
from arena.core.pairing.formats.plan import (
    History,
    NextRound,
    PlayedPairing,
    PlayedRound,
    RoundPairing,
    Withdrawal,
)
from arena.core.pairing.formats.played import GroupMatch, played_pairing
from arena.core.pairing.formats.verify import verify_rounds
from arena.core.pairing.groups import MatchPlan, plan_set_up
from arena.core.sequential.sprt import Hypotheses, Verdict
from arena.core.tournaments import TournamentFormat
from tests.unit.core.pairing.formats.playing import SECRET

COMPARED: Final = ("new", "old")
FIELD: Final = tuple(f"field{number}" for number in range(9))
QUICK: Final = GateParameters(elo0_milli=0, elo1_milli=200_000, set_ups=60)

seats_of = st.integers(2, 4)
fields = st.integers(3, 9).map(lambda size: FIELD[:size])
strengths = st.sampled_from([-1.0, -0.2, 0.0, 0.2, 1.0])
seeds = st.integers(0, 10**6)

Play = Callable[[RoundPairing, int], PlayedPairing]
"""Plays the set-up of this number, from 1."""


def a_gate(seats: int, parameters: GateParameters = QUICK) -> Gate:
    form = format_of(TournamentFormat.GATE, seats, FormatParameters(gate=parameters))
    assert isinstance(form, Gate)
    return form


def matches_of(pairing: RoundPairing, number: int) -> tuple[MatchPlan, ...]:
    """Return the matches of the set-up of this number, which is the id of its group, too."""
    return plan_set_up(SECRET, number, pairing.bots, COMPARED)


def placings_of(match: MatchPlan, place: int, number: int, better: float, seed: int) -> tuple[int, ...]:
    """Draw the result of a match: luck, and what the candidate is better by."""
    luck = Random(f"{seed} {number} {place}")
    merit = [luck.choice((0.0, 0.5, 1.0)) + better * (bot == COMPARED[NEW]) for bot in match.bots]
    return tuple(1 + sum(other > mine for other in merit) for mine in merit)


def playing(better: float, seed: int) -> Play:
    def play(pairing: RoundPairing, number: int) -> PlayedPairing:
        results = [
            GroupMatch(
                match.bots, placings_of(match, place, number, better, seed), (False,) * len(match.bots)
            )
            for place, match in enumerate(matches_of(pairing, number))
        ]
        return played_pairing(pairing, results, ())

    return play


def without_result(pairing: RoundPairing, absent: tuple[str, ...] = ()) -> PlayedPairing:
    zeros = (0,) * len(pairing.bots)
    return PlayedPairing(pairing, zeros, zeros, tuple(bot in absent for bot in pairing.bots))


def play_out(form: Gate, field: tuple[str, ...], play: Play) -> tuple[History, list[NextRound]]:
    history, made, number = History((*COMPARED, *field), secret=SECRET), list[NextRound](), 0
    while (following := form.next_round(history)).pairings:
        made.append(following)
        played = tuple(play(each, number + place) for place, each in enumerate(following.pairings, start=1))
        number += len(played)
        history = History(history.entrants, (*history.rounds, PlayedRound(played)), secret=SECRET)
    return history, [*made, following]


def set_ups(history: History) -> list[PlayedPairing]:
    return [each for of_round in history.rounds for each in of_round.pairings]


@given(seats_of, fields, st.integers(1, 500))
def test_both_play_every_seat_once_on_one_seed_against_the_same_bots_on_the_same_seats(
    seats: int, field: tuple[str, ...], group: int
) -> None:
    for pairing in a_gate(seats).next_round(History((*COMPARED, *field))).pairings:
        matches = matches_of(pairing, group)
        assert len(matches) == 2 * seats
        assert len({(match.seed, match.seed_group_index) for match in matches}) == 1
        seated = Counter(
            (bot, match.bots.index(bot)) for match in matches for bot in COMPARED if bot in match.bots
        )
        assert seated == Counter((bot, seat) for bot in COMPARED for seat in range(seats))
        swap = dict(zip(COMPARED, reversed(COMPARED), strict=True))
        line_ups = Counter(match.bots for match in matches)
        assert Counter(tuple(swap.get(bot, bot) for bot in bots) for bots in line_ups.elements()) == line_ups
        assert all(len(set(match.bots)) == seats for match in matches)


@given(seats_of, fields)
def test_all_of_the_field_play_equally_often_and_no_two_set_ups_share_a_seed(
    seats: int, field: tuple[str, ...]
) -> None:
    parameters = GateParameters(elo0_milli=-2_000_000, elo1_milli=2_000_000, set_ups=len(field) * 4)
    history, made = play_out(a_gate(seats, parameters), field, lambda pairing, _: without_result(pairing))
    played = Counter(bot for each in set_ups(history) for bot in each.pairing.bots[2:])
    assert set(played.values()) == {4 * (seats - 1)}
    assert [len(each.pairings) for each in made][-1] == 0
    seeds_of = {
        matches_of(each.pairing, group)[0].seed for group, each in enumerate(set_ups(history), start=1)
    }
    assert len(seeds_of) == len(set_ups(history)) == parameters.set_ups


@given(seats_of, fields, strengths, seeds)
def test_it_stops_when_arena_compare_would_with_the_same_results(
    seats: int, field: tuple[str, ...], better: float, seed: int
) -> None:
    form = a_gate(seats)
    history, _ = play_out(form, field, playing(better, seed))
    plan = ComparisonPlan(seats, len(field))
    tally = ComparisonTally(plan, Hypotheses(0, 200), QUICK.set_ups)
    for number, each in enumerate(set_ups(history)):
        played = {
            (bot, match.bots.index(COMPARED[bot])): (match, place)
            for place, match in enumerate(matches_of(each.pairing, number + 1))
            for bot in (NEW, OLD)
            if COMPARED[bot] in match.bots
        }
        for match in plan.group(number):
            bot = NEW if NEW in match.entrants else OLD
            same, place = played[bot, match.entrants.index(bot)]
            placings = placings_of(same, place, number + 1, better, seed)
            tally.add(match, FinishedMatch(same.bots, placings, (False,) * seats))
        tally.settle()
    test = form.test(history)
    assert test.verdict is tally.test.verdict
    assert test.ratios == pytest.approx(tally.test.ratios)
    assert test.estimate().groups == tally.test.estimate().groups
    decided = test.verdict is not Verdict.UNDECIDED
    assert decided or len(set_ups(history)) == QUICK.set_ups
    if decided:  # nothing was planned after the round in which the verdict fell
        before = History(history.entrants, history.rounds[:-1])
        assert form.test(before).verdict is Verdict.UNDECIDED
        assert len(test.ratios) > len(set_ups(before))


@given(seats_of, fields, strengths, seeds)
def test_every_round_follows_from_those_before_it(
    seats: int, field: tuple[str, ...], better: float, seed: int
) -> None:
    form = a_gate(seats)
    history, made = play_out(form, field, playing(better, seed))
    assert verify_rounds(a_gate(seats), history, made) == []
    size = form.expected_size(len(history.entrants))
    assert size.rounds[0] <= len(made) - 1 <= size.rounds[1]
    assert size.groups[0] <= len(set_ups(history)) <= size.groups[1]


@given(seats_of, fields, seeds)
def test_a_set_up_that_lacks_a_result_does_not_count_for_either(
    seats: int, field: tuple[str, ...], seed: int
) -> None:
    play = playing(0.2, seed)

    def every_other(pairing: RoundPairing, number: int) -> PlayedPairing:
        return play(pairing, number) if number % 2 else without_result(pairing)

    form = a_gate(seats)
    history, _ = play_out(form, field, every_other)
    counted = [each for each in set_ups(history) if form.score(each, history.entrants) is not None]
    assert counted == set_ups(history)[::2]
    assert len(form.test(history).ratios) <= len(counted)


def test_it_ends_without_a_verdict_if_a_compared_bot_plays_nothing_of_a_set_up() -> None:
    for bot in COMPARED:
        form = a_gate(2)
        history, _ = play_out(form, FIELD, lambda pairing, _, bot=bot: without_result(pairing, (bot,)))  # type: ignore[misc]
        assert len(history.rounds) == 1
        assert form.test(history).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("bot", COMPARED)
def test_it_ends_when_a_compared_bot_withdraws(bot: str) -> None:
    form = a_gate(2)
    first = History((*COMPARED, *FIELD))
    played = tuple(
        playing(0, 1)(each, number) for number, each in enumerate(form.next_round(first).pairings, 1)
    )
    history = History(first.entrants, (PlayedRound(played),), (Withdrawal(bot, 1),))
    assert form.next_round(history) == NextRound(())


def test_a_bot_of_the_field_that_plays_nothing_or_withdraws_is_in_no_later_set_up() -> None:
    form, away, gone = a_gate(3), FIELD[0], FIELD[3]
    first = History((*COMPARED, *FIELD[:5]))
    played = tuple(without_result(each, (away,)) for each in form.next_round(first).pairings)
    history = History(first.entrants, (PlayedRound(played),), (Withdrawal(gone, 1),))
    following = form.next_round(history).pairings
    assert {bot for each in following for bot in each.bots[2:]} == {FIELD[1], FIELD[2], FIELD[4]}
    alone = History(first.entrants, history.rounds, tuple(Withdrawal(bot, 1) for bot in FIELD[2:5]))
    assert form.next_round(alone) == NextRound(())


@pytest.mark.parametrize(
    "parameters",
    [
        GateParameters(elo0_milli=5, elo1_milli=5),
        GateParameters(elo1_milli=2_000_001),
        GateParameters(alpha_milli=0),
        GateParameters(beta_milli=500),
        GateParameters(set_ups=0),
    ],
)
def test_wrong_parameters_are_refused(parameters: GateParameters) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        a_gate(2, parameters)
    assert caught.value.reason is ErrorReason.FIELD_INVALID


def test_a_field_that_does_not_fill_a_match_and_too_many_matches_are_refused() -> None:
    with pytest.raises(FailedPreconditionError) as caught:
        a_gate(3).check((*COMPARED, "one"))
    assert caught.value.reason is ErrorReason.TOO_FEW_BOTS
    with pytest.raises(FailedPreconditionError) as caught:
        a_gate(2, GateParameters(set_ups=2_501)).check((*COMPARED, *FIELD))
    assert caught.value.reason is ErrorReason.PLAN_TOO_LARGE


def test_each_of_the_two_is_the_first_to_play_a_set_up_about_as_often() -> None:
    pairing = RoundPairing((*COMPARED, *FIELD[:2]))
    first = Counter(COMPARED[0] in matches_of(pairing, number)[0].bots for number in range(1, 201))
    assert 70 < first[True] < 130


def test_a_set_up_of_other_bots_is_refused() -> None:
    for bots in (("new", "old"), ("new", "a", "b"), ("new", "old", "a", "a")):
        with pytest.raises(ValueError, match="a set-up has two different bots"):
            plan_set_up(SECRET, 1, bots, COMPARED)


def test_the_parameters_have_one_text() -> None:
    written = FormatParameters(gate=QUICK).to_json()
    assert FormatParameters.from_json(written) == FormatParameters(gate=QUICK)
    assert '"set_ups":60' in written
