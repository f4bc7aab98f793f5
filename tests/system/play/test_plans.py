"""A whole placement of Caravanserai as one answer (S48): docs/protocol.md, "Plans". Rows are of docs/bad_inputs.md."""

from typing import Any

import pytest

from arena.codecs.caravanserai.codec import CODEC
from arena.v1 import games_pb2, happening_pb2, play_pb2, time_control_pb2
from engine.caravanserai.pieces import Piece
from tests.system.play.conftest import BotFactory
from tests.unit.sessions.caravanserai_match import CaravanseraiMatch, placement, plan_action

EARNING = time_control_pb2.TimeControl(
    per_decision_ms=60_000,
    bank_ms=0,
    increment_ms=40,
    strikes=3,
    absence_ms=30_000,
    hold_ms=5_000,
    seat_limit_ms=86_400_000,
)
LIVE = {"preferences": play_pb2.Preferences(live=True)}


def a_table(bot_factory: BotFactory, seats: int = 2, **table: Any) -> CaravanseraiMatch:
    """Return a match in which every seat has opened, before round 1."""
    bots = bot_factory.table(seats, game="caravanserai", time_control=EARNING, **table)
    table_ = CaravanseraiMatch.begun(bots)
    table_.open_all()
    return table_


def actions_in(happened: list[happening_pb2.Happening]) -> list[happening_pb2.SeatAction]:
    """Who did what among what happened."""
    return [each.action for each in happened if each.HasField("action")]


def typed(steps: tuple[int, ...]) -> list[games_pb2.Action]:
    """Return steps as on the wire."""
    return [games_pb2.Action.FromString(CODEC.encode_action(step)) for step in steps]


def test_a_plan_is_one_decision_with_one_number_and_an_increment_for_each_step(
    bot_factory: BotFactory,
) -> None:
    table = a_table(bot_factory)
    asked = table.asked()
    assert (asked.decision, asked.bank_ms) == (2, 40)
    placed = placement(table.state)
    assert len(placed.steps) >= 4
    seat = table.seat
    table.answer_by(asked, placed)
    left_open = table.asked()  # the camel of the opening came back: a good goes to the board (S35)
    assert (table.seat, left_open.decision) == (seat, 3)
    assert left_open.bank_ms == 40 + 40 * len(placed.steps)


def test_the_others_receive_a_plan_step_by_step_with_what_each_caused(bot_factory: BotFactory) -> None:
    table = a_table(bot_factory)
    seat, placed = table.seat, placement(table.state)
    table.answer_by(table.asked(), placed)
    while table.seat == seat:
        table.answer(table.asked())
    happened = list(table.asked().happened)
    acted = actions_in(happened)
    assert [each.action for each in acted[: len(placed.steps)]] == typed(placed.steps)
    assert {(each.seat, each.by_default) for each in acted} == {(seat, False)}
    kinds = [
        each.event.caravanserai.WhichOneof("kind") if each.HasField("event") else "step" for each in happened
    ]
    first = kinds.index("step")
    assert kinds[first : first + 4] == ["step", "piece_laid", "step", "piece_laid"]
    assert kinds.count("piece_laid") == len(placed.steps)


def test_a_bot_with_live_updates_receives_a_plan_at_once_and_whole(bot_factory: BotFactory) -> None:
    table = a_table(bot_factory, hellos=(LIVE, LIVE))
    seat, placed = table.seat, placement(table.state)
    other = table.bots[1 - seat]
    table.answer_by(table.asked(), placed)
    while len(told := actions_in(list(other.hear("match_news").happened))) < len(placed.steps):
        assert len(told) <= 1, "a plan in parts"  # the openings
    assert [each.action for each in told] == typed(placed.steps)


@pytest.mark.parametrize(("wrong", "rule"), [("first", "S24"), ("last", "S22")])
def test_row_12_a_plan_with_one_illegal_step_is_not_played_at_all_and_costs_one_strike(
    bot_factory: BotFactory, wrong: str, rule: str
) -> None:
    table = a_table(bot_factory)
    asked, seat, placed = table.asked(), table.seat, placement(table.state)
    pieces = list(placed.pieces)
    # Instead of a good a camel that may not lie here (S24 is for Expert), or a block that is too short (S22).
    if wrong == "first":
        pieces[0] = int(Piece.LYING) + 1
    else:
        pieces[-2] = pieces[0] if pieces[-2] != pieces[0] else pieces[0] % 5 + 1
    table.bots[seat].act(asked, plan_action(pieces, placed.cells))
    closed = table.bots[seat].hear("decision_closed")
    assert (closed.decision, closed.strikes, closed.bank_ms) == (2, 1, 40)
    assert closed.cause == play_pb2.DecisionClosed.CAUSE_ILLEGAL_ACTION
    assert f"of the plan's {len(placed.steps)}: " in closed.sentence
    assert f"({rule})" in closed.sentence
    assert list(closed.played) == typed((table.state.default_action(),))
    table.state.apply(table.state.default_action())
    table.asked()
