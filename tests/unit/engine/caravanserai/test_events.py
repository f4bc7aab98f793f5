"""S53: what is reported, in the order in which it happens."""

from engine.caravanserai import events
from engine.caravanserai.hexes import Cell
from engine.caravanserai.pieces import Colour, Piece
from engine.game import EVERYBODY
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_match,
    a_position,
    events_of,
    view,
)
from tests.unit.engine.playing import legal


def test_s53_the_board_is_reported_with_the_set_up() -> None:
    match = a_match(5)
    (event,) = match.take_events()
    assert isinstance(event, events.BoardLaid)
    assert (event.first, event.tiles) == (3, view(match).tiles)
    assert sorted(event.loose) == list(view(match).loose)
    assert event.audience() is EVERYBODY
    assert match.take_events() == []


def test_s53_an_opening_is_reported_before_its_reward_and_the_last_one_before_round_1() -> None:
    match = a_match(1)
    cell = match.setup.tables.cells.index(Cell(*map(int, legal(match)[0][5:-1].split(","))))
    colour = Colour(match.setup.inn_colour[cell])
    assert events_of(match, legal(match)[0]) == [
        events.Opened(0, match.setup.tables.cells[cell]),
        events.Gained(0, colour, events.Source.MARKET),
        events.RoundBegan(1),
    ]


def test_s53_a_piece_is_reported_with_where_it_comes_from_and_a_return_after_it() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0 1,0")
    assert events_of(state, "START(0,P,2)", "CONTINUE(0,decline)") == [
        events.PieceLaid(0, Cell(0, 0), Piece.PURPLE, events.Source.BOARD),
        events.PieceLaid(0, Cell(1, 0), Piece.PURPLE, events.Source.RESERVE),
        events.Returned(Cell(1, 0), Colour.PURPLE),
    ]


def test_s53_a_turn_is_reported_from_its_last_camel_to_the_good_on_the_board() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0", market=(1, 0, 1, 0, 0))
    assert events_of(state, "CAMEL(0)", "SEED(W,-2,-1)") == [
        events.PieceLaid(0, Cell(0, 0), Piece.CAMEL, events.Source.RESERVE),
        events.Gained(0, Colour.PURPLE, events.Source.BOARD),
        events.Gained(0, Colour.PURPLE, events.Source.MARKET),
        events.Counted(0, 1, 0, 1),
        events.TakenBack(0, (Cell(-1, 0),), (Piece.CAMEL,)),
        events.Seeded(0, Cell(-2, -1), Colour.WHITE),
        events.MarketEmptied(1),
    ]


def test_s53_a_theft_is_reported_before_the_count() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=(0, 5, 0, 5, 5))
    assert events_of(state, "CAMEL(0)", "STEAL(1)") == [
        events.PieceLaid(0, Cell(0, 0), Piece.CAMEL, events.Source.RESERVE),
        events.Stolen(0, Colour.PURPLE, 1),
        events.Counted(0, 1, 0, 1),
        events.TakenBack(0, (Cell(-1, 0),), (Piece.CAMEL,)),
        events.SeedLost(0, 1),
    ]


def test_s53_a_camel_that_brings_nothing_and_the_end_are_reported() -> None:
    state = a_position("-1,0c", tiles=PURPLE_MIDDLE, market=(1, 0, 0, 0, 0), round=9)
    assert events_of(state, "CAMEL(0)", "SEED(W,-2,-1)") == [
        events.PieceLaid(0, Cell(0, 0), Piece.CAMEL, events.Source.RESERVE),
        events.NoGood(0, Colour.PURPLE),
        events.Counted(0, 1, 0, 1),
        events.TakenBack(0, (Cell(-1, 0),), (Piece.CAMEL,)),
        events.Seeded(0, Cell(-2, -1), Colour.WHITE),
        events.MarketEmptied(9),
        events.SeedLost(0, 1),
        events.Ended(events.Ending.MARKET),
    ]
