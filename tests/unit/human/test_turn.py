"""What a person plans before it is sent."""

import pytest

from arena.codecs.codec import codec_for
from arena.drawings.caravan.board import own
from arena.human.turn import Choice, PlannedTurn
from engine.caravan.events import Refill
from engine.game import IllegalActionError, UnreadableActionError
from engine.randomness import SEED_BYTES, Stream
from engine.registry import GAMES
from tests.unit.human.positions import positions


def planned(game: str, state) -> PlannedTurn:
    """Return the turn of the seat to act."""
    return PlannedTurn(game, state.observe(state.seat_to_act))


@pytest.mark.parametrize("game", GAMES)
def test_the_choices_are_the_legal_actions_each_with_its_notation_and_a_sentence(game):
    for state in positions(game, 3, seed=1, plies=60):
        choices = planned(game, state).choices()
        assert [each.action for each in choices] == list(state.legal_actions())
        assert [each.notation for each in choices] == [state.format_action(each.action) for each in choices]
        assert all(each.words for each in choices)


@pytest.mark.parametrize("game", GAMES)
def test_choices_and_plans_tell_nothing_that_the_seat_does_not_see(game):
    rules = codec_for(game).game
    for number, state in enumerate(positions(game, 3, seed=2, plies=120)):
        if number % 6:
            continue
        seen = state.observe(state.seat_to_act)
        other = rules.from_observation(seen, Stream(bytes([number + 50]) * SEED_BYTES))
        for each in planned(game, state).choices()[:20]:
            told, same = planned(game, state), planned(game, other)
            told.plan(each)
            same.plan(each)
            assert told.planned == same.planned
            assert told.observation == same.observation


def test_in_caravan_what_is_shown_after_an_action_is_what_comes_and_a_draw_is_not_foretold():
    foretold = []
    for state in positions("caravan", 3, seed=3):
        turn = planned("caravan", state)
        choices = turn.choices()
        for each in [*choices[::60], *(each for each in choices if each.notation.startswith("PICK_UP"))]:
            turn.plan(each)
            after = state.clone()
            after.take_events()
            after.apply(each.action)
            foretold.append(turn.planned[-1].leads_to is not None)
            if foretold[-1]:
                assert turn.planned[-1].leads_to == after.observe(turn.seat)
            turn.undo()
    assert any(foretold)
    assert not all(foretold)


def test_before_new_goods_are_drawn_the_pick_up_is_shown_and_what_comes_is_said_as_it_will_be():
    found = 0
    for state in positions("caravan", 2, seed=3):
        turn = planned("caravan", state)
        for each in turn.choices():
            after = state.clone()
            after.take_events()
            after.apply(each.action)
            refills = any(isinstance(event, Refill) for event in after.take_events())
            assert ("new goods" in each.note) == refills
            if not refills:
                continue
            gain = turn.gain(each)
            turn.plan(each)
            before, seen = own(state.observe(turn.seat)), own(turn.observation)
            assert sum(map(bool, goods(seen))) == sum(map(bool, goods(before))) - 1 == 4
            assert len(seen.seats[turn.seat].laden_camels) == len(before.seats[turn.seat].laden_camels) + 1
            points = (
                f"with {own(after.observe(turn.seat)).points} point"
                if after.seat_to_act == turn.seat
                else "or take it back"
            )
            assert points in turn.outlook
            assert gain == seen.seats[turn.seat].score - before.seats[turn.seat].score
            turn.undo()
            found += 1
    assert found


def goods(view):
    """Return whether there is a good on each goods space."""
    return [space.good is not None for space in view.goods_spaces]


def test_an_action_that_costs_two_points_says_so():
    for state in positions("caravan", 2, seed=4, plies=30):
        turn = planned("caravan", state)
        for each in turn.choices():
            after = state.clone()
            after.apply(each.action)
            now, then = own(state.observe(turn.seat)), own(after.observe(turn.seat))
            if now.turn == then.turn:
                assert ("2 points" in each.note) == (now.points - then.points == 2)


@pytest.mark.parametrize("game", GAMES)
def test_undo_takes_back_action_by_action(game):
    for state in positions(game, 2, seed=4, plies=12):
        turn = planned(game, state)
        first = turn.choices()
        shown: list[tuple[object, list[Choice]]] = []
        while turn.is_open and len(shown) < 4 and (choices := turn.choices()):
            shown.append((turn.observation, choices))
            turn.plan(choices[-1])
        while shown:
            assert turn.undo()
            assert (turn.observation, turn.choices()) == shown.pop()
        assert not turn.undo()
        assert turn.choices() == first


def test_a_turn_of_caravan_is_planned_to_its_end_and_no_further():
    *_, state = positions("caravan", 2, seed=5, plies=40)
    turn = planned("caravan", state)
    while turn.is_open:
        last = [each for each in turn.choices() if each.notation.startswith(("MOVE(", "PLACE("))][-1]
        turn.plan(last)
    assert 1 <= len(turn.planned) <= 4
    assert turn.choices() == []


def test_an_action_in_notation_is_read_and_an_illegal_one_names_its_rule():
    state = next(positions("caravan", 2, seed=6))
    turn = planned("caravan", state)
    assert turn.read("PLACE(24)").action in state.legal_actions()
    with pytest.raises(IllegalActionError, match="C8"):
        turn.read("MOVE(1,2)")
    with pytest.raises(UnreadableActionError):
        turn.read("camel")
    assert turn.planned == []
