"""Positions for tests, written as short as they can be read."""

from collections.abc import Mapping
from dataclasses import replace

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.hexes import OFFSETS, Cell, moved
from engine.caravanserai.observation import CaravanPiece, Decision, Observation, SeatView
from engine.caravanserai.pieces import PIECE_LETTERS, PIECES
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState
from engine.caravanserai.tiles import CATEGORIES, LaidTile, shapes
from engine.game import SPECTATOR, TERMINAL, Event
from engine.randomness import Stream
from tests.unit.engine.playing import play

ZERO_SEED = bytes(32)
EXPERT = {"expert": "true"}
PLAIN = "A-W/0"
"""Two white inns, in the centre and to the right of it. Row r=0 of the smallest board then goes from q=-5 to 5 and has
inns at 0 and 1 only."""

OUT_OF_THE_WAY = "6,-4c"
"""A caravan of one camel in a corner of the smallest board."""

PLENTY = (5, 5, 5, 5, 5)
PURPLE_MIDDLE = {(0, 0): "A-P/0"}
"""Purple inns on 0,0 and 1,0, in the row r=0."""


def a_match(
    seats: int = 2, *, seed: bytes = ZERO_SEED, options: Mapping[str, str] | None = None
) -> CaravanseraiState:
    """Return the position after the set-up."""
    return CARAVANSERAI.new_match(seats, CARAVANSERAI.options(seats, options or {}), seed)


def in_round_one(seats: int = 2, options: Mapping[str, str] | None = None) -> CaravanseraiState:
    """Return a match in which every seat has opened on the first cell of its list."""
    state = a_match(seats, options=options)
    while state.round == 0:
        state.apply(state.default_action())
    state.take_events()
    return state


def a_position(
    *caravans: str,
    goods: tuple[str, ...] | str = "WWWKKKPPPRRRYYY",
    camels: tuple[int, ...] | None = None,
    tiles: Mapping[tuple[int, int], str] | None = None,
    loose: str = "",
    market: tuple[int, ...] = PLENTY,
    to_act: int = 0,
    expert: bool = False,
    **changes: object,
) -> CaravanseraiState:
    """Return a position before the first step of a turn; one text per seat, as "-3,0c -2,0P -1,0c", from tail to head.

    `goods`: letters of the reserves, one text for all seats or one each; `camels` in the reserves, by default the
    other ones of eight; `tiles`: by place, PLAIN elsewhere; `changes` are fields of the observation.
    """
    seats = len(caravans)
    texts = goods if isinstance(goods, tuple) else (goods,) * seats
    views = []
    for seat, caravan in enumerate(caravans):
        pieces = a_caravan(caravan)
        used = sum(piece.piece >= len(market) for piece in pieces)
        reserve = camels[seat] if camels else 8 - used
        views.append(SeatView(reserve, tuple(texts[seat].count(letter) for letter in "WKPRY"), pieces))
    seen = replace(
        a_match(seats, options=EXPERT if expert else None).observe(SPECTATOR),
        tiles=tuple(a_tile((tiles or {}).get(place, PLAIN)) for place in shapes()[seats].places),
        first=0,
        round=1,
        seat_to_act=to_act,
        decision=Decision.STEP,
        market=market,
        loose=tuple(sorted(a_cell(word) for word in loose.split())),
        seats=tuple(views),
    )
    seen = replace(seen, **changes)  # type: ignore[arg-type]
    if seen.decision is Decision.STEP and seen.placement is None:
        seen = replace(seen, placement=in_round_one(seats).observe(SPECTATOR).placement)
    return CARAVANSERAI.from_observation(seen, Stream(ZERO_SEED))


def a_tile(text: str) -> LaidTile:
    """Return a tile, for example "A-W/0"."""
    category, colour, rotation = text[0], text[2], text[4]
    return LaidTile(5 * CATEGORIES.index(category) + PIECE_LETTERS.index(colour), int(rotation))


def a_cell(text: str) -> Cell:
    """Return a cell, for example "-3,0"."""
    q, r = text.split(",")
    return Cell(int(q), int(r))


def a_caravan(text: str) -> tuple[CaravanPiece, ...]:
    """Return a caravan, for example "-3,0c -2,0P"."""
    return tuple(
        CaravanPiece(a_cell(word[:-1]), PIECES[PIECE_LETTERS.index(word[-1])]) for word in text.split()
    )


def written(caravan: tuple[CaravanPiece, ...]) -> str:
    """Return the caravan as `a_caravan` reads it."""
    return " ".join(f"{cell.q},{cell.r}{PIECE_LETTERS[piece]}" for cell, piece in caravan)


def play_plan(state: CaravanseraiState, plan: Plan) -> CaravanseraiState:
    """Apply the steps of the plan and return the state."""
    for step in steps_of(plan, state):
        state.apply(step)
    return state


def straight(state: CaravanseraiState, pieces: str, direction: int = 0) -> Plan:
    """Return the plan that lays the pieces straight on from the leading camel of the seat to act."""
    cell = state.observe(SPECTATOR).seats[state.seat_to_act].caravan[-1].cell
    cells = []
    for _ in pieces:
        cell = moved(cell, OFFSETS[direction])
        cells.append(cell)
    return Plan(tuple(cells), pieces)


def view(state: CaravanseraiState) -> Observation:
    """Return what a spectator sees."""
    return state.observe(SPECTATOR)


def events_of(state: CaravanseraiState, *actions: str) -> list[Event]:
    """Apply the actions and return the events."""
    state.take_events()
    return play(state, *actions).take_events()


def caravan(state: CaravanseraiState, seat: int = 0) -> str:
    """Return the caravan of a seat, from tail to head."""
    return written(view(state).seats[seat].caravan)


def finish(state: CaravanseraiState) -> CaravanseraiState:
    """Play default actions to the end and return the state."""
    while state.seat_to_act != TERMINAL:
        state.apply(state.default_action())
    return state
