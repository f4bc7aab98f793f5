"""What an agent means by an action, and why it may not be played."""

import re
from collections import Counter
from random import Random

import pytest

from arena.human.turn import PlannedTurn
from arena.sdk.mcp.actions import choice_meant, what_it_leads_to
from arena.sdk.mcp.errors import Reason, RefusedCallError
from engine.game import TERMINAL
from engine.registry import GAMES
from tests.unit.contract.hidden import HIDDEN
from tests.unit.human.positions import positions
from tests.unit.sdk.llm.matches import legal, new_state
from tests.unit.sdk.mcp.tables import Table


@pytest.mark.parametrize("game", GAMES)
def test_an_action_is_meant_by_its_number_its_notation_and_its_whole_sentence(game: str) -> None:
    by_sentence = 0
    for state in list(positions(game, 2, seed=3))[::40]:
        decision = Table().decide(game, state=state)
        turn = PlannedTurn(game, decision.observation)
        choices = [turn.choice_of(action) for action in legal(state)]
        often = Counter(choice.told.casefold() for choice in choices)
        for number, choice in list(enumerate(choices, start=1))[:12]:
            assert choice_meant(decision, number) == choice
            assert choice_meant(decision, f" {number} ") == choice
            assert choice_meant(decision, choice.notation) == choice
            if often[choice.told.casefold()] == 1:
                by_sentence += 1
                assert choice_meant(decision, f"{choice.told.upper()}.") == choice
    assert by_sentence


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (0, Reason.ACTION_UNKNOWN),
        (-1, Reason.ACTION_UNKNOWN),
        (10**30, Reason.ACTION_UNKNOWN),
        ("999", Reason.ACTION_UNKNOWN),
        ("", Reason.ACTION_UNKNOWN),
        ("fly to the moon", Reason.ACTION_UNKNOWN),
        ("\x00\x1b[31m" * 400, Reason.ACTION_UNKNOWN),
        ("{" * 5000, Reason.ACTION_UNKNOWN),
        ("places a camel", Reason.ACTION_AMBIGUOUS),
        ("PICK_UP(0)", Reason.ACTION_ILLEGAL),
        ("MOVE(0,1)", Reason.ACTION_ILLEGAL),
    ],
)
def test_what_is_no_legal_action_is_refused_with_its_reason(action: int | str, reason: Reason) -> None:
    with pytest.raises(RefusedCallError) as refused:
        choice_meant(Table().decide(), action)
    assert refused.value.reason is reason
    assert len(str(refused.value)) < 1500
    assert all(character.isprintable() for character in str(refused.value))


def test_an_action_that_is_legal_without_being_listed_is_found_by_its_notation() -> None:
    dice, state, found = Random(1), new_state("ahldarahd", seats=3, trading="true"), 0
    while state.seat_to_act != TERMINAL and found < 5:
        action = HIDDEN["ahldarahd"].choose(state, dice)
        if action not in legal(state):
            found += 1
            decision = Table().decide("ahldarahd", state=state)
            assert choice_meant(decision, state.format_action(action)).action == action
        state.apply(action)
    assert found


def test_what_a_certain_action_leads_to_is_the_position_after_it() -> None:
    decision = Table().decide()
    place = next(number for number, each in enumerate(decision.question.notations, 1) if each == "PLACE(1)")
    after = what_it_leads_to(decision, choice_meant(decision, place))
    assert after.startswith("The position after it:")
    assert "Turn 2" in after


def test_what_chance_decides_is_not_told_before() -> None:
    uncertain, told = 0, ""
    for state in list(positions("wasteland", 2, seed=2))[::25]:
        decision = Table().decide("wasteland", state=state)
        for number in range(1, min(4, len(legal(state))) + 1):
            leads_to = what_it_leads_to(decision, choice_meant(decision, number))
            uncertain += "depends on chance" in leads_to
            told += leads_to
    assert uncertain > 0
    assert "You continue" in told
    assert not re.search(r"Send (this|it)|take it back", told)
