"""Caravanserai's codec: answers out of range (row 17 of docs/bad_inputs.md), plans, the board, and words for people."""

import pytest

from arena.codecs.caravanserai.codec import CODEC
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.v1 import games_pb2
from engine.caravanserai import actions, events
from engine.caravanserai.hexes import OFFSETS, Cell, moved
from engine.caravanserai.pieces import Colour, Piece
from engine.caravanserai.tiles import LaidTile
from engine.game import SPECTATOR, Event, UnreadableActionError
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.screens import an_action, answers, bad_answers, bad_events, bad_observations, in_words
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    a_match,
    a_position,
    in_round_one,
    straight,
)
from tests.unit.engine.playing import play

PURPLE = Colour.PURPLE


CELL = Cell(-2, 1)
ANSWERS = """
open { cell { q: -4 r: 3 } }
open { cell {} }
camel {}
camel { direction: 5 }
continue_block { direction: 2 }
continue_block { direction: 2 decline: true }
start_block { direction: 2 colour: COLOUR_PURPLE size: 1 }
start_block { colour: COLOUR_YELLOW size: 31 decline: true }
lying_camel { direction: 3 }
steal { victim: 1 }
seed { colour: COLOUR_WHITE cell { q: 15 r: -16 } }
"""

BAD_ANSWERS = """
open { cell { q: 16 } }
open { cell { r: -17 } }
open { cell { q: 2147483647 r: -2147483648 } }
camel { direction: 6 }
continue_block { direction: 4294967295 }
start_block { direction: 6 colour: COLOUR_RED size: 1 }
start_block { size: 1 }
start_block { colour: 6 size: 1 }
start_block { colour: -1 size: 1 }
start_block { colour: COLOUR_RED size: 32 }
lying_camel { direction: 7 }
steal { victim: 2 }
seed { cell {} }
seed { colour: COLOUR_RED cell { q: 99 } }
"""

BAD_PLANS = """
plan {}
plan { pieces: [PIECE_UNSPECIFIED] cells {} }
plan { pieces: [8] cells {} }
plan { pieces: [PIECE_CAMEL] }
plan { pieces: [PIECE_CAMEL] cells { q: 9 } }
plan { pieces: [PIECE_CAMEL] cells { q: -3 } declined: [0] }
plan { pieces: [PIECE_CAMEL] cells { q: -3 } victim: 1 }
"""
BAD_OBSERVATIONS = """
loose_goods { q: 12 }
market: 1
seats { goods: 1 }
seats { goods: [1, 1, 1, 1, 1] }
board { tiles { category: 1 } }
placement { pieces: [9] }
"""
BAD_EVENTS = """
piece_laid { piece: PIECE_RED source: 4 }
skipped {}
ended { ending: 9 }
returned { colour: 6 }
"""
EVENTS: list[Event] = [
    events.BoardLaid(1, tuple(LaidTile(n, n % 6) for n in range(19)), (CELL, Cell(0, 3))),
    events.Opened(2, CELL),
    events.PieceLaid(0, CELL, Piece.RED, events.Source.BOARD),
    events.PieceLaid(0, CELL, Piece.LYING, events.Source.RESERVE),
    events.Returned(CELL, PURPLE),
    events.Gained(3, PURPLE, events.Source.MARKET),
    events.Stolen(0, PURPLE, 5),
    events.NoGood(0, PURPLE),
    events.Counted(1, 7, 3, 4),
    events.TakenBack(1, (CELL, Cell(0, 3)), (Piece.CAMEL, Piece.WHITE)),
    events.TakenBack(1, (), ()),
    events.Seeded(1, CELL, PURPLE),
    events.SeedLost(1, 2),
    events.MarketEmptied(6),
    events.Skipped(4, events.SkipReason.BLOCKED),
    events.Skipped(4, events.SkipReason.NO_CAMEL),
    events.RoundBegan(3),
    events.Ended(events.Ending.STUCK),
]


def test_row_17_what_is_read_and_what_is_refused_with_the_field_named() -> None:
    check_screen(
        "codecs/caravanserai",
        {
            "answers": answers(CODEC, a_match(), ANSWERS),
            "bad answers": bad_answers(CODEC, a_match(), BAD_ANSWERS),
            "bad plans": bad_answers(CODEC, a_position("-4,0c", OUT_OF_THE_WAY), BAD_PLANS),
            "bad observations": bad_observations(CODEC, a_match().observe(0), BAD_OBSERVATIONS),
            "bad events": bad_events(CODEC, BAD_EVENTS),
            "events": in_words(CODEC, EVENTS),
        },
    )


def test_s48_a_plan_is_read_as_its_steps() -> None:
    plan = an_action(
        "caravanserai",
        """plan { pieces: [PIECE_RED, PIECE_RED, PIECE_CAMEL] declined: [1]
           cells { q: -3 } cells { q: -3 r: 1 } cells { q: -4 r: 1 } }""",
    )
    state = a_position("-4,0c", OUT_OF_THE_WAY)
    notations = [actions.format_action(step) for step in CODEC.decode_action(plan, state)]
    assert notations == ["START(0,R,2)", "CONTINUE(1,decline)", "CAMEL(3)"]


def test_s48_a_plan_on_the_wire_does_what_its_steps_do() -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY)
    plan = straight(state, "PYYWWWc")
    wire = caravanserai_pb2.Plan(
        pieces=["WKPRYlc".index(letter) + 1 for letter in plan.pieces],  # type: ignore[misc]
        cells=[caravanserai_pb2.Cell(q=cell.q, r=cell.r) for cell in plan.cells],
    )
    message = games_pb2.Action(caravanserai=caravanserai_pb2.Action(plan=wire))
    played = state.clone()
    for step in CODEC.decode_action(message, state):
        played.apply(step)
    by_hand = play(state, "START(0,P,1)", "START(0,Y,2)", "CONTINUE(0)", "START(0,W,3)", "CONTINUE(0)")
    assert played.digest() == play(by_hand, "CONTINUE(0)", "CAMEL(0)").digest()


def test_s48_a_plan_may_say_from_whom_its_lying_camel_steals() -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY, expert=True)
    text = "plan { pieces: [PIECE_LYING_CAMEL, PIECE_CAMEL] cells { q: -3 } cells { q: -2 } victim: 1 }"
    notations = [
        actions.format_action(step) for step in CODEC.decode_action(an_action("caravanserai", text), state)
    ]
    assert notations == ["LYING(0)", "STEAL(1)", "CAMEL(0)"]


@pytest.mark.parametrize("field", ["pieces", "cells", "declined"])
def test_row_17_a_plan_longer_than_the_board_is_refused_before_it_is_read(field: str) -> None:
    plan = caravanserai_pb2.Plan()
    if field == "cells":
        plan.cells.extend([caravanserai_pb2.Cell()] * 134)
    else:
        getattr(plan, field).extend([0] * 134)
    message = games_pb2.Action(caravanserai=caravanserai_pb2.Action(plan=plan))
    with pytest.raises(UnreadableActionError, match=f"plan.{field} .*134.*133"):
        CODEC.decode_action(message, in_round_one())


def test_the_board_on_the_wire_needs_no_tables() -> None:
    for seats in range(1, 7):
        state = a_match(seats)
        wire = _observation(CODEC.encode_observation(state.observe(SPECTATOR))).board
        centres = [Cell(tile.centre.q, tile.centre.r) for tile in wire.tiles]
        cells = {moved(centre, offset) for centre in centres for offset in (*OFFSETS, Cell(0, 0))}
        assert cells == set(state.setup.tables.cells)
        outer = [tile for tile in wire.tiles if tile.ring == caravanserai_pb2.Tile.RING_OUTER]
        openings = {(inn.q, inn.r) for tile in outer for inn in tile.inns}
        assert openings == {tuple(actions.cell_of(action)) for action in state.legal_actions()}
        inns = {Cell(inn.q, inn.r): tile.colour - 1 for tile in wire.tiles for inn in tile.inns}
        numbers = state.setup.tables.numbers
        assert all(state.setup.inn_colour[numbers[inn]] == colour for inn, colour in inns.items())
        assert len(inns) == 2 * len(wire.tiles)


def test_a_tile_that_there_is_not_is_refused() -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(a_match().observe(0)))
    message.caravanserai.board.tiles[0].rotation = 6
    with pytest.raises(UnreadableActionError, match="rotation 6"):
        CODEC.decode_observation(message)


def _observation(encoded: bytes) -> caravanserai_pb2.Observation:
    return games_pb2.Observation.FromString(encoded).caravanserai
