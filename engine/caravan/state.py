"""The rules in motion: what each action changes, refills, turns and the end."""

from __future__ import annotations

from typing import Final

from engine.caravan.actions import (
    AT_SHIFT,
    GOOD_MASK,
    GOOD_SHIFT,
    KIND_NAMES,
    KIND_SHIFT,
    LADEN_CAMEL,
    MOVE,
    MOVE_GOOD,
    PASS_ACTION,
    PICK_UP,
    PLACE,
    PROTECTED,
    SQUARE_MASK,
    STEAL,
    at_of,
    format_action,
    good_of,
    kind_of,
    laden_camel,
    parse_action,
    victim_of,
)
from engine.caravan.digest import digest
from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import GOODS, NO_GOOD, Good
from engine.caravan.legal import legal_actions
from engine.caravan.objections import cost_of_target, objection
from engine.caravan.observation import Observation
from engine.caravan.options import MAX_SEATS
from engine.caravan.position import KINDS, NOT_LISTED, Position, plus
from engine.caravan.sensible import sensible_action
from engine.caravan.tables import BYTES
from engine.caravan.views import observe
from engine.game import TERMINAL, IllegalActionError, Outcome, outcome_of
from engine.randomness import Stream

MOST_POINTS: Final = 4
"""Of one turn (C6)."""

REFILL_AT: Final = 4
"""Goods on goods spaces that bring a refill, and goods that it draws (C15)."""

_TURN_EVENTS: Final = [
    [TurnBegan(seat, points) for points in range(MOST_POINTS + 1)] for seat in range(MAX_SEATS)
]
"""By seat and points."""

_DELIVERIES: Final = [[Delivered(seat, good) for good in GOODS] for seat in range(MAX_SEATS)]
"""By seat and good."""


class CaravanState(Position):
    """One position of Caravan."""

    __slots__ = ()

    def legal_actions(self) -> memoryview:
        """Return the legal actions in the order of C22, as a read-only uint32 buffer."""
        if self.legal is None:
            self.legal = legal_actions(self)
        return self.legal

    def is_legal(self, action: int) -> bool:
        """Return whether the action may be played now."""
        return not objection(self, action)

    def apply(self, action: int) -> None:
        """Play one action of `seat_to_act`.

        Raises IllegalActionError: the action may not be played; the state is untouched.
        """
        kind = action >> KIND_SHIFT
        if kind < PICK_UP or action not in self.good_actions:
            why = objection(self, action)
            if why:
                raise IllegalActionError(f"{self._name(action)} is not legal here: {why}.")
        self.legal, self.good_actions = None, NOT_LISTED
        self.seat_views[self.seat_to_act] = None
        if kind == MOVE:
            self._move(action >> AT_SHIFT & SQUARE_MASK, action & SQUARE_MASK)
        elif kind == MOVE_GOOD:
            self._move_good(action)
        elif kind == PICK_UP:
            self._pick_up(at_of(action))
        elif kind == PLACE:
            self._place(action & SQUARE_MASK)
        elif kind == STEAL:
            self._steal(at_of(action), victim_of(action), good_of(action))
        else:
            self.points = 0
        if self.points == 0 and self.seat_to_act != TERMINAL:
            self._end_turn()

    def outcome(self) -> Outcome | None:
        """Return the scores, placings (C20) and ending, or None while the match runs."""
        if self.ending is None:
            return None
        keys = [(self.score(seat), self.goods_delivered(seat)) for seat in range(self.setup.seats)]
        return outcome_of(keys, self.ending.name)

    def observe(self, viewer: int) -> Observation:
        """Return everything but the order of the bag, for any viewer."""
        return observe(self, viewer)

    def clone(self) -> CaravanState:
        """Return an independent copy with no events waiting."""
        copy = CaravanState(self.setup)
        copy.copy_from(self)
        return copy

    def digest(self) -> bytes:
        """Return the SHA-256 of the full state, the order of the bag included."""
        return digest(self)

    def default_action(self) -> int:
        """PASS (C21)."""
        return PASS_ACTION

    def playout_action(self, stream: Stream) -> int:
        """Return the sensible action: random play would hardly ever end a match."""
        return sensible_action(self, stream)

    def format_action(self, action: int) -> str:
        """Return the action in the notation of docs/rules/caravan.md."""
        return format_action(action)

    def parse_action(self, text: str) -> int:
        """Parse the text of `format_action`. Raises UnreadableActionError."""
        return parse_action(text, squares=self.setup.tables.squares, seats=self.setup.seats)

    def _name(self, action: int) -> str:
        return format_action(action) if 0 <= kind_of(action) < len(KIND_NAMES) else str(action)

    def begin_turn(self) -> None:
        """Begin the next turn: its seat is to act with its points (C6)."""
        turn = self.turn + 1
        self.turn = turn
        self.points = points = min(turn, MOST_POINTS)
        self.seat_to_act = seat = (turn - 1) % self.setup.seats
        self.idle = True
        self.events.append(_TURN_EVENTS[seat][points])

    def _place(self, square: int) -> None:
        seat = self.seat_to_act
        self.points -= cost_of_target(self, square)
        self.supply[seat] -= 1
        self.empty[seat] = _with(self.empty[seat], square)
        self.occupied[seat] |= self.setup.tables.bits[square]
        self.camels += BYTES[square]

    def _move(self, origin: int, square: int) -> None:
        seat, bits = self.seat_to_act, self.setup.tables.bits
        self.points -= cost_of_target(self, square)
        camels = _changed(self.empty[seat], origin, square)
        self.empty[seat] = camels
        stays = origin in camels
        for camel in self.laden[seat]:
            if camel >> AT_SHIFT == origin:
                stays = True
        occupied = self.occupied[seat] | bits[square]
        self.occupied[seat] = occupied if stays else occupied ^ bits[origin]
        self.camels = self.camels.replace(BYTES[origin], BYTES[square], 1)

    def _load(self, seat: int, camel: int) -> None:
        """Load the good onto an empty camel on the square."""
        self.empty[seat] = _without(self.empty[seat], camel >> AT_SHIFT)
        self.laden[seat] = _with(self.laden[seat], camel)

    def _unload(self, seat: int, camel: int) -> None:
        """Unload that laden camel."""
        self.laden[seat] = _without(self.laden[seat], camel)
        self.empty[seat] = _with(self.empty[seat], camel >> AT_SHIFT)

    def _pick_up(self, square: int) -> None:
        seat, space = self.seat_to_act, self.setup.tables.space_at[square]
        self.points -= 1
        self.idle = False
        self._load(seat, laden_camel(square, self.space_goods[space]))
        markers = self.space_markers[space]
        if markers:
            self.demand_markers = plus(self.demand_markers, seat, markers)
            self.space_markers[space] = 0
        self.space_goods[space] = NO_GOOD
        self.goods_on_spaces ^= self.setup.tables.bits[square]
        self.space_views = None
        if self.goods_on_spaces.bit_count() == REFILL_AT and not self.end_armed:
            self._refill()

    def _steal(self, square: int, victim: int, good: int) -> None:
        seat, camel = self.seat_to_act, laden_camel(square, good)
        self.points -= 1
        self.idle = False
        self.seat_views[victim] = None
        self._unload(victim, camel)
        self._load(seat, camel | PROTECTED)
        self.theft_markers = plus(plus(self.theft_markers, seat, -1), victim, 1)

    def _move_good(self, action: int) -> None:
        seat, good, square = self.seat_to_act, action >> GOOD_SHIFT & GOOD_MASK, action & SQUARE_MASK
        camel = action & LADEN_CAMEL
        self.points -= 1
        if square == self.setup.tables.cities[good]:
            self._unload(seat, camel)
            self._deliver(seat, good)
        else:
            self.laden[seat] = _changed(self.laden[seat], camel, square << AT_SHIFT | good << GOOD_SHIFT)
            self.empty[seat] = _changed(self.empty[seat], square, camel >> AT_SHIFT)

    def _deliver(self, seat: int, good: int) -> None:
        self.idle = False
        self.delivered = plus(self.delivered, KINDS * seat + good, 1)
        self.events.append(_DELIVERIES[seat][good])
        if self.end_armed:
            self._end(Ending.FINAL_DELIVERY)

    def draw_onto(self, space: int) -> tuple[int, Good]:
        """Lay the next good of the bag on the space; return its square and the good."""
        square, good = self.setup.tables.goods_spaces[space], self.bag[self.drawn]
        self.drawn += 1
        self.bag_left = plus(self.bag_left, good, -1)
        self.space_goods[space] = good
        self.goods_on_spaces |= self.setup.tables.bits[square]
        self.space_views = None
        return square, GOODS[good]

    def _refill(self) -> None:
        squares, markers = self.setup.tables.goods_spaces, self.space_markers
        marked: list[int] = []
        drawn: list[tuple[int, Good]] = []
        for space, good in enumerate(self.space_goods):
            if good == NO_GOOD:
                drawn.append(self.draw_onto(space))
            else:
                markers[space] += 1
                marked.append(squares[space])
        self.events.append(Refill(tuple(marked), tuple(drawn)))
        if self.end_armed:
            self.events.append(EndArmed())

    def _end_turn(self) -> None:
        setup = self.setup
        idle_turns = self.idle_turns + 1 if self.idle else 0
        if idle_turns >= setup.idle_turns:
            self._end(Ending.NO_PROGRESS)
        elif self.turn >= setup.turns:
            self._end(Ending.TURN_LIMIT)
        else:
            self.idle_turns = idle_turns
            self.begin_turn()

    def _end(self, ending: Ending) -> None:
        """End the match; turn, idle and idle_turns stay those of its last turn."""
        self.ending = ending
        self.points = 0
        self.seat_to_act = TERMINAL
        self.events.append(Ended(ending))


def _with(camels: tuple[int, ...], camel: int) -> tuple[int, ...]:
    more = list(camels)
    more.append(camel)
    more.sort()
    return tuple(more)


def _without(camels: tuple[int, ...], camel: int) -> tuple[int, ...]:
    fewer = list(camels)
    fewer.remove(camel)
    return tuple(fewer)


def _changed(camels: tuple[int, ...], camel: int, into: int) -> tuple[int, ...]:
    changed = list(camels)
    changed[changed.index(camel)] = into
    changed.sort()
    return tuple(changed)
