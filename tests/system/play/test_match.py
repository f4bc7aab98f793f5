"""A match over the wire: assignments, decisions, answers, ends. Rows are those of docs/bad_inputs.md."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.v1 import ending_pb2, games_pb2, match_pb2, play_pb2
from engine.randomness import commitment
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot

SHORT = {"turn_limit": "3", "no_progress_turns": "100"}
"""A match of three turns: 1 + 2 + 3 points."""


def answer_everything(bots: list[RawBot], *, turn: int = 0) -> list[play_pb2.MatchEnded]:
    """All seats pass in turn, that of `turn` first, until the match has ended; PASS is index 0 in Caravan."""
    ended: list[play_pb2.MatchEnded] = []
    while len(ended) < len(bots):
        bot = bots[turn % len(bots)]
        message = bot.hear_any()
        assert message is not None, bot.kinds()
        if message.HasField("decision"):
            bot.answer(message.decision)
            turn += 1
        elif message.HasField("match_ended"):
            ended.append(message.match_ended)
            turn += 1
    return ended


@contextmanager
def undisturbed_match(bot_factory: BotFactory, **ladder: Any) -> Iterator[None]:
    """Play a match while something else happens, and check that it ends as any other."""
    bots = bot_factory.table(2, options=SHORT, **ladder)
    bots[0].answer(bots[0].hear("decision"))
    yield
    for ended in answer_everything(bots, turn=1):
        assert ended.match.state == match_pb2.MATCH_STATE_FINISHED
        assert {seat.ending.termination for seat in ended.match.seats} == {ending_pb2.TERMINATION_NORMAL}
        assert {seat.strikes for seat in ended.match.seats} == {0}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_is_played_from_its_assignment_to_its_end(bot_factory: BotFactory, seats: int) -> None:
    bots = bot_factory.table(seats, options=SHORT)
    ended = answer_everything(bots)
    matches = [each.match for each in ended]
    assert {match.state for match in matches} == {match_pb2.MATCH_STATE_FINISHED}
    assert {match.ending for match in matches} == {"TURN_LIMIT"}
    assert [seat.placing for seat in matches[0].seats] == [1] * seats
    assert commitment(matches[0].seed) == matches[0].seed_commitment
    shown = bot_factory.arena.match(matches[0].name)
    assert shown == matches[0]
    assert len(shown.log) == 64


def test_an_assignment_has_everything_but_position_and_names(bot_factory: BotFactory) -> None:
    ids, bots = bot_factory.welcomed("ab")
    bot_factory.arena.ladder(f"l{bot_factory.number}", *ids, options=SHORT)
    assigned = [bot.take_seat() for bot in bots]
    assert sorted(each.seat for each in assigned) == [0, 1]
    first = assigned[0]
    assert (first.game, first.rules_version, first.seats, first.rated) == ("caravan", 1, 2, True)
    assert first.options.caravan.turn_limit == 3
    assert first.options.caravan.camels == 5
    assert first.time_control.per_decision_ms == 60_000
    assert first.ladder == f"ladders/l{bot_factory.number}"
    assert len(first.seed_commitment) == 32
    assert first.ready_within_ms == 10_000
    started = bots[0].hear("match_started")
    names = [participant.bot for participant in started.participants]
    assert sorted(names) == sorted(f"bots/{bot}" for bot in ids)
    assert not started.comeback
    assert started.view.caravan.turn == 1


def test_a_decision_holds_view_list_clock_and_what_happened(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    first = bots[0].hear("decision")
    assert first.decision == 1
    assert first.view.caravan.points == 1
    assert first.legal_actions[0].caravan.HasField("pass_turn")
    assert len(first.legal_actions) == 1 + 49
    assert first.per_decision_ms == first.time_left_ms == 60_000
    assert [happening.event.caravan.WhichOneof("kind") for happening in first.happened] == ["turn"]
    bots[0].answer(first, 7)
    second = bots[1].hear("decision")
    acted = second.happened[1].action
    assert (acted.seat, acted.by_default) == (0, False)
    assert acted.action == first.legal_actions[7]
    assert second.decision == 1


def test_lists_may_be_packed_or_left_out_and_views_too(bot_factory: BotFactory) -> None:
    packed = {"preferences": play_pb2.Preferences(legal_actions=play_pb2.LEGAL_ACTIONS_FORM_PACKED)}
    nothing = {
        "preferences": play_pb2.Preferences(
            legal_actions=play_pb2.LEGAL_ACTIONS_FORM_NONE, view=play_pb2.VIEW_FORM_EVENTS
        )
    }
    bots = bot_factory.table(2, hellos=(packed, nothing), options=SHORT)
    for _ in range(2):
        bot = bots[0]
        decision = bot.hear("decision")
        if decision.packed_legal_actions:
            assert not decision.legal_actions
            codec = codec_for("caravan")
            typed = games_pb2.Action.FromString(codec.encode_action(decision.packed_legal_actions[0]))
            assert typed.caravan.HasField("pass_turn")
            bot.answer(decision)
        else:
            assert not decision.HasField("view")
            assert not decision.legal_actions
            bot.act(decision, _pass())
        bots.reverse()


def test_a_bot_that_asks_for_text_gets_it_with_its_decisions_and_the_others_do_not(
    bot_factory: BotFactory,
) -> None:
    text = {"preferences": play_pb2.Preferences(text=True)}
    bots = bot_factory.table(2, hellos=(text,), options=SHORT)  # by seat, which is drawn
    (welcome,) = [message.welcome for message in bots[0].heard if message.HasField("welcome")]
    assert list(welcome.features) == ["text"]
    first = bots[0].hear("decision")
    bots[0].answer(first)
    decisions = first, bots[1].hear("decision")
    asked, other = sorted(decisions, key=lambda decision: not decision.position_text)
    assert "▶  " in asked.position_text  # before the seat to act
    assert asked.legal_action_notations[:2] == ["PASS", "PLACE(0)"]
    assert len(asked.legal_action_notations) == len(asked.legal_actions)
    assert not other.position_text
    assert not other.legal_action_notations


def _pass() -> games_pb2.Action:
    action = games_pb2.Action()
    action.caravan.pass_turn.SetInParent()
    return action
