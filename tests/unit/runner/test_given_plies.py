"""A match that plays on from a ply of another one: bots see what they would see if they had played on."""

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.match import Cause
from arena.core.units import NS_PER_MS
from arena.runner.history import Happening, SeatActed
from arena.runner.question import Question
from engine.registry import GAMES
from tests.unit.runner.fakes import MatchFixture

PLIES = 40


def played(fixture: MatchFixture, plies: int) -> list[tuple[int, Question, list[Happening]]]:
    """Answer questions until so many plies are in the log; return each with all that its seat has been told so far."""
    told: dict[int, list[Happening]] = {player.seat: [] for player in fixture.players}
    asked: list[tuple[int, Question, list[Happening]]] = []
    counts = [0] * len(fixture.players)
    while True:
        for seat, player in enumerate(fixture.players):
            for question in player.questions[counts[seat] :]:
                told[seat] += question.happened
                asked.append((seat, question, list(told[seat])))
            counts[seat] = len(player.questions)
        if len(fixture.log.plies) >= plies:
            return asked
        seat = fixture.runner.state.seat_to_act
        listed = len(fixture.players[seat].questions[-1].legal_actions)
        fixture.players[seat].answer(len(fixture.log.plies) % listed)


def actions(fixture: MatchFixture) -> list[int]:
    return [ply.action for ply in fixture.log.plies]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [1, 17, PLIES])
def test_the_first_question_shows_what_it_would_have_shown_in_the_match_before(game: str, plies: int) -> None:
    first = MatchFixture(2, game=game).begin()
    seat, question, told = played(first, plies)[-1]
    second = MatchFixture(2, game=game).playing_on(actions(first)[:plies]).begin()
    (seat_again, again, told_again), *_ = played(second, plies)
    assert (seat_again, again.observation, list(again.legal_actions)) == (
        *(seat, question.observation),
        list(question.legal_actions),
    )
    own = [each for each in told if not (isinstance(each, SeatActed) and each.seat == seat)]
    assert [each for each in told_again if not (isinstance(each, SeatActed) and each.seat == seat)] == own
    assert again.decision == 1
    assert [ply.events for ply in second.log.plies] == [ply.events for ply in first.log.plies[:plies]]
    assert {ply.cause for ply in second.log.plies} == {Cause.GIVEN}


def test_clocks_are_those_of_a_new_match() -> None:
    control = TimeControl(per_decision_ms=100, bank_ms=500, increment_ms=20)
    first = MatchFixture(2, control=control).begin()
    played(first, PLIES)
    second = MatchFixture(2, control=control).playing_on(actions(first)).begin()
    [(_, question, _)] = played(second, PLIES)
    assert (question.bank_ms, question.per_decision_ms) == (500, 100)


def test_no_default_is_told_of_what_was_given() -> None:
    first = MatchFixture(2).begin()
    first.players[0].take(1)
    first.timers.move(101)
    assert [ply.cause for ply in first.log.plies] == [Cause.TIME_FORFEIT]
    second = MatchFixture(2).playing_on(actions(first)).begin()
    acted = [each for each in second.players[1].questions[0].happened if isinstance(each, SeatActed)]
    assert [each.by_default for each in acted] == [False]


def test_secret_questions_of_the_match_before_take_no_pad() -> None:
    control = TimeControl(per_decision_ms=10_000, secret_pad_ms=1_000)
    first = MatchFixture(2, game="wasteland").begin()
    while first.runner.state.secret_offers < 3:
        played(first, len(first.log.plies) + 1)
    second = MatchFixture(2, game="wasteland", control=control).playing_on(actions(first)).begin()
    assert sum(len(player.questions) for player in second.players) == 1
    assert second.timers.now() // NS_PER_MS == 1_000
