"""The position and the legal actions of a decision as text."""

from typing import Any

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchSetup
from arena.drawings.drawing import drawing_for
from arena.runner.question import Question
from arena.sdk import Position
from arena.sdk.game_messages import inner
from arena.sessions.decision_window import Asked
from arena.sessions.handshake import Preferences
from arena.v1 import play_pb2
from arena.wire.play.frames import FRAME_BYTES
from arena.wire.play.incoming import read_preferences
from arena.wire.play.outgoing import encode_message
from engine.game import State
from tests.unit.contract.cases import Case, sample
from tests.unit.runner.fakes import MatchFixture


class Seat:
    """A seat that is asked."""

    assignment = 1

    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup

    def delayed(self, decision: int, by_ns: int) -> None: ...

    def written(self, decision: int, at: int) -> None: ...


def a_seat(case: Case) -> Seat:
    return Seat(
        MatchFixture(case.seats, game=case.game, control=TimeControl(), match=1, **case.options).setup
    )


def asked(seat: Seat, state: State, **preferences: bool) -> bytes:
    """Return the message that asks for a decision in the position."""
    seen = state.observe(state.seat_to_act)
    question = Question(1, state.legal_actions(), seen, [], per_decision_ms=1, bank_ms=1, increment_ms=1)
    return encode_message(Asked(seat, question, 2), Preferences(**preferences))


def decision_of(data: bytes) -> play_pb2.Decision:
    return play_pb2.ServerMessage.FromString(data).decision


def test_the_text_is_the_drawing_for_the_seat_and_each_action_has_its_notation(case: Case) -> None:
    seat = a_seat(case)
    for step in sample(case, every=60):
        state = step.state
        data = asked(seat, state, text=True)
        decision = decision_of(data)
        seen = state.observe(state.seat_to_act)
        assert decision.position_text == drawing_for(case.game).draw(seen).plain
        assert list(decision.legal_action_notations) == [
            state.format_action(action) for action in state.legal_actions()
        ]
        assert len(data) <= FRAME_BYTES


def test_the_sdk_writes_the_same_texts(case: Case) -> None:
    decision = decision_of(asked(a_seat(case), case.new_match(), text=True))
    position: Position[Any, Any] = Position(inner(decision.view))
    assert position.text() == decision.position_text
    assert [position.notation(inner(action)) for action in decision.legal_actions] == list(
        decision.legal_action_notations
    )


def test_without_the_preference_a_decision_has_no_text(case: Case) -> None:
    seat, state = a_seat(case), case.new_match()
    plain, full = decision_of(asked(seat, state)), decision_of(asked(seat, state, text=True))
    assert not plain.position_text
    assert not plain.legal_action_notations
    full.ClearField("position_text")
    full.ClearField("legal_action_notations")
    assert full == plain


@pytest.mark.parametrize(
    ("form", "listed"),
    [
        ({"typed_actions": False, "packed_actions": True}, True),
        ({"typed_actions": False, "full_view": False}, False),
    ],
)
def test_the_text_of_the_position_does_not_depend_on_the_form_and_notations_come_with_a_list(
    case: Case, form: dict[str, bool], listed: bool
) -> None:
    seat, state = a_seat(case), case.new_match()
    decision = decision_of(asked(seat, state, text=True, **form))
    assert decision.position_text
    assert len(decision.legal_action_notations) == (len(state.legal_actions()) if listed else 0)


@pytest.mark.parametrize("text", [True, False])
def test_the_preference_is_read_from_hello(text: bool) -> None:
    assert read_preferences(play_pb2.Preferences(text=text)) == Preferences(text=text)
