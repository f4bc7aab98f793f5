"""Caravanserai's codec: answers out of range (row 17 of docs/bad_inputs.md), plans, the board, and words for people."""

from __future__ import annotations

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.caravanserai.codec import CODEC
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.v1 import games_pb2
from engine.caravanserai import CARAVANSERAI, actions
from engine.caravanserai.events import (
    BoardLaid,
    Counted,
    Ended,
    Ending,
    Gained,
    MarketEmptied,
    NoGood,
    Opened,
    PieceLaid,
    Returned,
    RoundBegan,
    Seeded,
    SeedLost,
    Skipped,
    SkipReason,
    Source,
    Stolen,
    TakenBack,
)
from engine.caravanserai.hexes import OFFSETS, Cell, moved
from engine.caravanserai.pieces import Colour, Piece
from engine.caravanserai.tiles import LaidTile
from engine.game import SPECTATOR, Event, InvalidOptionsError, UnreadableActionError
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    a_match,
    a_position,
    in_round_one,
    play,
    straight,
)

PURPLE = Colour.PURPLE


def an_action(text: str) -> games_pb2.Action:
    return Parse(f"caravanserai {{ {text} }}", games_pb2.Action())


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("open { cell { q: -4 r: 3 } }", "OPEN(-4,3)"),
        ("open { cell {} }", "OPEN(0,0)"),
        ("camel {}", "CAMEL(0)"),
        ("camel { direction: 5 }", "CAMEL(5)"),
        ("continue_block { direction: 2 }", "CONTINUE(2)"),
        ("continue_block { direction: 2 decline: true }", "CONTINUE(2,decline)"),
        ("start_block { direction: 2 colour: COLOUR_PURPLE size: 1 }", "START(2,P,1)"),
        ("start_block { colour: COLOUR_YELLOW size: 31 decline: true }", "START(0,Y,31,decline)"),
        ("lying_camel { direction: 3 }", "LYING(3)"),
        ("steal { victim: 1 }", "STEAL(1)"),
        ("seed { colour: COLOUR_WHITE cell { q: 15 r: -16 } }", "SEED(W,15,-16)"),
    ],
)
def test_an_answer_is_read_by_its_fields(text: str, notation: str) -> None:
    packed = actions.parse_action(notation)
    assert CODEC.decode_action(an_action(text), a_match()) == (packed,)
    assert games_pb2.Action.FromString(CODEC.encode_action(packed)) == an_action(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("open { cell { q: 16 } }", r"open.cell is \(16,0\): no board reaches beyond -16 and 15"),
        ("open { cell { r: -17 } }", r"open.cell is \(0,-17\)"),
        ("open { cell { q: 2147483647 r: -2147483648 } }", "open.cell"),
        ("camel { direction: 6 }", "camel.direction is 6: it goes from 0 to 5"),
        ("continue_block { direction: 4294967295 }", "continue_block.direction is 4294967295"),
        ("start_block { direction: 6 colour: COLOUR_RED size: 1 }", "start_block.direction is 6"),
        ("start_block { size: 1 }", "start_block.colour is 0: a colour is 1 to 5"),
        ("start_block { colour: 6 size: 1 }", "start_block.colour is 6"),
        ("start_block { colour: -1 size: 1 }", "start_block.colour is -1"),
        ("start_block { colour: COLOUR_RED size: 32 }", "start_block.size is 32: it goes from 0 to 31"),
        ("lying_camel { direction: 7 }", "lying_camel.direction is 7"),
        ("steal { victim: 2 }", "steal.victim is 2: it goes from 0 to 1"),
        ("seed { cell {} }", "seed.colour is 0"),
        ("seed { colour: COLOUR_RED cell { q: 99 } }", "seed.cell"),
        ("", "has no kind: set one of open, camel"),
    ],
)
def test_row_17_an_answer_out_of_range_is_refused_with_the_field_named(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_action(an_action(text), a_match())


def test_s48_a_plan_is_read_as_the_steps_that_it_stands_for() -> None:
    plan = an_action(
        """plan { pieces: [PIECE_RED, PIECE_RED, PIECE_CAMEL] declined: [1]
           cells { q: -3 } cells { q: -3 r: 1 } cells { q: -4 r: 1 } }"""
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
    notations = [actions.format_action(step) for step in CODEC.decode_action(an_action(text), state)]
    assert notations == ["LYING(0)", "STEAL(1)", "CAMEL(0)"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("plan {}", "field plan.pieces must have one standing camel"),
        ("plan { pieces: [PIECE_UNSPECIFIED] cells {} }", "plan.pieces is 0: a piece is 1 to 7"),
        ("plan { pieces: [8] cells {} }", "plan.pieces is 8"),
        ("plan { pieces: [PIECE_CAMEL] }", "field plan.cells must have as many as pieces, 1, and has 0"),
        ("plan { pieces: [PIECE_CAMEL] cells { q: 9 } }", r"field plan.cells has \(9,0\) at index 0"),
        ("plan { pieces: [PIECE_CAMEL] cells { q: -3 } declined: [0] }", "field plan.declined"),
        ("plan { pieces: [PIECE_CAMEL] cells { q: -3 } victim: 1 }", "field plan.victim"),
    ],
)
def test_row_17_a_plan_that_is_none_is_refused_with_the_field_named(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_action(an_action(text), a_position("-4,0c", OUT_OF_THE_WAY))


@pytest.mark.parametrize("field", ["pieces", "cells", "declined"])
def test_row_17_a_plan_longer_than_the_board_is_refused_before_it_is_read(field: str) -> None:
    plan = caravanserai_pb2.Plan()
    if field == "cells":
        plan.cells.extend([caravanserai_pb2.Cell()] * 134)
    else:
        getattr(plan, field).extend([0] * 134)
    message = games_pb2.Action(caravanserai=caravanserai_pb2.Action(plan=plan))
    with pytest.raises(UnreadableActionError, match=f"plan.{field} has 134 entries: the board has 133 cells"):
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


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("loose_goods { q: 12 }", r"something on \(12,0\): it is not on the board"),
        ("market: 1", "field market has 6 entries"),
        ("seats { goods: 1 }", "field goods has 1 entries"),
        ("seats { goods: [1, 1, 1, 1, 1] }", "has 19 tiles: not those for 3 seats"),
        ("board { tiles { category: 1 } }", "field board has 20 tiles"),
        ("placement { pieces: [9] }", "placement.pieces is 9"),
    ],
)
def test_an_observation_that_no_position_can_be_made_of_is_refused(change: str, complaint: str) -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(a_match().observe(0)))
    message.caravanserai.MergeFrom(Parse(change, caravanserai_pb2.Observation()))
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_observation(message)


def test_a_tile_that_there_is_not_is_refused() -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(a_match().observe(0)))
    message.caravanserai.board.tiles[0].rotation = 6
    with pytest.raises(UnreadableActionError, match="rotation 6: both go from 0 to 5"):
        CODEC.decode_observation(message)


def test_options_that_are_not_set_have_their_defaults() -> None:
    message = Parse("caravanserai {}", games_pb2.GameOptions())
    assert CODEC.decode_options(message, 6) == CARAVANSERAI.options(6, {})
    with pytest.raises(InvalidOptionsError, match="7"):
        CODEC.decode_options(message, 7)


CELL = Cell(-2, 1)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            BoardLaid(1, tuple(LaidTile(n, n % 6) for n in range(19)), (CELL, Cell(0, 3))),
            "The board of 19 tiles is laid, with loose goods on (-2,1), (0,3); seat 1 begins.",
        ),
        (Opened(2, CELL), "Seat 2 opens on (-2,1)."),
        (
            PieceLaid(0, CELL, Piece.RED, Source.BOARD),
            "Seat 0 lays a red good on (-2,1), from the board.",
        ),
        (
            PieceLaid(0, CELL, Piece.LYING, Source.RESERVE),
            "Seat 0 lays a lying camel on (-2,1), from the reserve.",
        ),
        (Returned(CELL, PURPLE), "The loose purple good on (-2,1) returns to the market."),
        (Gained(3, PURPLE, Source.MARKET), "Seat 3 gains a purple good from the market."),
        (Stolen(0, PURPLE, 5), "Seat 0 takes a purple good from seat 5."),
        (NoGood(0, PURPLE), "Seat 0 gains nothing: nobody has a purple good."),
        (Counted(1, 7, 3, 4), "Seat 1 has laid 7 pieces, of which 3 are omitted: the count is 4."),
        (
            TakenBack(1, (CELL, Cell(0, 3)), (Piece.CAMEL, Piece.WHITE)),
            "Seat 1 takes back a camel, a white good.",
        ),
        (TakenBack(1, (), ()), "Seat 1 takes back nothing."),
        (Seeded(1, CELL, PURPLE), "Seat 1 moves a purple good from the market to (-2,1)."),
        (SeedLost(1, 2), "Seat 1 has no place for goods of the market: 2 not moved."),
        (MarketEmptied(6), "The market is empty in round 6: the end is near."),
        (Skipped(4, SkipReason.BLOCKED), "Seat 4 has no room and is skipped."),
        (Skipped(4, SkipReason.NO_CAMEL), "Seat 4 has no camel and is skipped."),
        (RoundBegan(3), "Round 3 begins."),
        (Ended(Ending.STUCK), "The match ends: STUCK."),
    ],
)
def test_an_event_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    assert CODEC.describe_event(event) == sentence
    message = games_pb2.GameEvent.FromString(CODEC.encode_event(event))
    assert CODEC.decode_event(message) == event


@pytest.mark.parametrize(
    "text",
    [
        "piece_laid { piece: PIECE_RED source: 4 }",
        "skipped {}",
        "ended { ending: 9 }",
        "returned { colour: 6 }",
        "",
    ],
)
def test_an_event_that_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(UnreadableActionError):
        CODEC.decode_event(Parse(f"caravanserai {{ {text} }}", games_pb2.GameEvent()))


def test_values_of_other_games_are_refused() -> None:
    with pytest.raises(TypeError, match=r"engine\.caravanserai\.observation\.Observation is needed"):
        CODEC.encode_observation("a view")
    with pytest.raises(TypeError, match="no event of Caravanserai"):
        CODEC.encode_event(Event())
    with pytest.raises(TypeError, match="no event of Caravanserai"):
        CODEC.describe_event(Event())
    with pytest.raises(ValueError, match="no action of Caravanserai"):
        CODEC.encode_action(7 << 25)


def _observation(encoded: bytes) -> caravanserai_pb2.Observation:
    return games_pb2.Observation.FromString(encoded).caravanserai
