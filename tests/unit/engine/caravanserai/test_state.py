"""S52 and S53: the position as data and from observations, and what is reported, in the order in which it happens."""

from typing import Any

import pytest

from engine.caravanserai import CARAVANSERAI, events
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision, Placement
from engine.caravanserai.pieces import Colour, Piece
from engine.game import EVERYBODY, TERMINAL
from engine.randomness import Stream
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_match,
    a_position,
    events_of,
    finish,
    in_round_one,
    view,
)
from tests.unit.engine.playing import legal, play

A_STREAM = Stream(bytes(32))


def test_s52_the_opening_is_round_0_and_has_neither_trigger_nor_placement() -> None:
    seen = view(a_match(3))
    assert (seen.round, seen.trigger, seen.placement, seen.steal, seen.seeds) == (0, None, None, None, 0)
    assert (seen.seat_to_act, seen.decision, seen.ending) == (0, Decision.OPEN_CELL, None)


def test_s52_a_placement_is_seen_from_its_first_step_until_the_count() -> None:
    state = a_position("-2,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0", market=(5, 5, 0, 5, 5))
    assert view(state).placement == Placement((), 0, None, ())
    play(state, "START(0,P,2)", "CONTINUE(0,decline)")
    assert view(state).placement == Placement((Piece.PURPLE, Piece.PURPLE), 2, 0, (1,))
    play(state, "CAMEL(0)")
    assert view(state).placement is None


def test_s52_a_placement_is_seen_while_its_last_camel_steals() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=(5, 5, 0, 5, 5))
    play(state, "CAMEL(0)")
    assert view(state).placement == Placement((Piece.CAMEL,), 0, 0, ())
    assert view(state).steal is Colour.PURPLE


def test_s52_a_finished_match_asks_nothing_and_is_seen_with_its_ending() -> None:
    seen = view(finish(a_match(2)))
    assert {seen.seat_to_act, seen.decision, seen.placement, seen.steal} == {None}
    assert seen.seeds == 0
    assert seen.ending is not None


@pytest.mark.parametrize("expert", ["false", "true"])
def test_s52_nothing_else_matters_an_observation_is_the_whole_position(expert: str) -> None:
    for seats in (1, 3, 6):
        match, ply = a_match(seats, options={"expert": expert}), 0
        while match.seat_to_act != TERMINAL:
            listed = match.legal_actions()
            match.apply(listed[(11 * ply + 5) % len(listed)])
            made = CARAVANSERAI.from_observation(match.observe(0), A_STREAM)
            assert made.digest() == match.digest()
            assert list(made.legal_actions()) == list(match.legal_actions())
            ply += 1


def test_the_digest_changes_with_the_first_seat_and_the_tiles() -> None:
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"first": 1},
        {"tiles": {(0, 0): "A-W/1"}},
        {"tiles": {(0, 0): "E-W/0"}},
    )
    digests = {a_position("-4,0c", OUT_OF_THE_WAY, **change).digest() for change in changes}
    assert len(digests) == len(changes)


def test_positions_reached_in_different_ways_are_equal() -> None:
    one = play(a_position("-5,0c -4,0c -3,0c", OUT_OF_THE_WAY), "START(0,P,1)", "CAMEL(0)")
    other = one.clone()
    play(one, "SEED(W,0,0)", "SEED(W,1,0)")
    play(other, "SEED(W,1,0)", "SEED(W,0,0)")
    assert one.digest() == other.digest()
    assert one.observe(0) == other.observe(0)


def test_an_unchanged_seat_is_shown_by_the_same_object() -> None:
    match = in_round_one(3)
    before = view(match).seats
    play(match, legal(match)[0])
    assert view(match).seats[1] is before[1]
    assert view(match).seats[0] != before[0]


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
