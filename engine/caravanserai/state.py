"""The rules in motion: what each action changes, rewards, turns and the end."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from engine.caravanserai.actions import (
    CAMEL_STEP,
    CELL_FIELDS,
    LYING_STEP,
    OPEN,
    SEED,
    START,
    STEAL,
    colour_of,
    direction_of,
    format_action,
    is_action,
    is_declining,
    kind_of,
    parse_action,
    size_of,
    victim_of,
)
from engine.caravanserai.counting import omitted_pieces
from engine.caravanserai.digest import digest
from engine.caravanserai.events import (
    Ended,
    Ending,
    MarketEmptied,
    NoGood,
    Opened,
    Returned,
    SeedLost,
    Skipped,
    SkipReason,
    Stolen,
    TakenBack,
)
from engine.caravanserai.legal import legal_actions
from engine.caravanserai.objections import objection
from engine.caravanserai.observation import Decision, Observation
from engine.caravanserai.pieces import CAMEL, COLOUR_COUNT, COLOURS, LYING, NO_COLOUR, PIECES
from engine.caravanserai.position import NEVER, WAYS, Position
from engine.caravanserai.sensible import sensible_action
from engine.caravanserai.views import observe
from engine.game import TERMINAL, IllegalActionError, Outcome, outcome_of
from engine.randomness import Stream

LAST_ROUND: Final = 60
"""The match ends with it at the latest (S41)."""

_OPEN_CELL: Final = Decision.OPEN_CELL
_STEP: Final = Decision.STEP
_STEAL_FROM: Final = Decision.STEAL_FROM
_SEED_GOOD: Final = Decision.SEED_GOOD
"""Members of an enum are slow to look up."""

_BISECT: Final = bisect_left
_PIECES: Final = PIECES
_TAKEN_BACK: Final = TakenBack
"""Bound once: compiled code looks up by name what another module has that is not compiled."""

_BYTES: Final = [bytes((number,)) for number in range(256)]
"""By number: it as a byte string."""


class CaravanseraiState(Position):
    """One position of Caravanserai."""

    __slots__ = ()

    def legal_actions(self) -> memoryview:
        """Return the legal actions in the order of S46, as a read-only uint32 buffer."""
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
        if not self._is_listed(action):
            self._check(action)
        self.legal = None
        self.seat_views[self.seat_to_act] = None
        kind = kind_of(action)
        if kind == OPEN:
            self._open(self.setup.tables.numbers_by_field[action & CELL_FIELDS])
        elif kind == STEAL:
            self._steal(victim_of(action))
        elif kind == SEED:
            self._seed(self.setup.tables.numbers_by_field[action & CELL_FIELDS])
        else:
            self._step(kind, action)

    def outcome(self) -> Outcome | None:
        """Return the lengths of the caravans, placings (S42) and ending, or None while the match runs."""
        if self.ending is None:
            return None
        keys = [
            (
                len(self.cells[seat]),
                self.camels[seat] + sum(self.goods_of(seat)),
                self.place_in_turn_order(seat),
            )
            for seat in range(self.setup.seats)
        ]
        return outcome_of(keys, self.ending.name)

    def observe(self, viewer: int) -> Observation:
        """Return everything, for any viewer."""
        return observe(self, viewer)

    def clone(self) -> CaravanseraiState:
        """Return an independent copy with no events waiting."""
        copy = CaravanseraiState(self.setup)
        copy.copy_from(self)
        return copy

    def digest(self) -> bytes:
        """Return the SHA-256 of the full state."""
        return digest(self)

    def default_action(self) -> int:
        """Return the first action of the list (S47)."""
        return self.legal_actions()[0]

    def playout_action(self, stream: Stream) -> int:
        """Return the sensible action: random play would hardly ever end a match."""
        return sensible_action(self, stream)

    def format_action(self, action: int) -> str:
        """Return the action in the notation of docs/rules/caravanserai.md."""
        return format_action(action)

    def parse_action(self, text: str) -> int:
        """Parse the text of `format_action`. Raises UnreadableActionError."""
        return parse_action(text)

    def _is_listed(self, action: int) -> bool:
        """Return whether the list was asked for and has the action."""
        if self.legal is None:
            return False
        place = _BISECT(self.legal, action)
        return place < len(self.legal) and self.legal[place] == action

    def _check(self, action: int) -> None:
        why = objection(self, action)
        if why:
            name = format_action(action) if is_action(action) else str(action)
            raise IllegalActionError(f"{name[:80]} is not legal here: {why}.")

    def begin_opening(self) -> None:
        """Ask the first seat for its opening cell (S14)."""
        self._ask(self.setup.first, _OPEN_CELL)

    def _ask(self, seat: int, decision: Decision) -> None:
        self.seat_to_act = seat
        self.decision = decision

    def _open(self, cell: int) -> None:
        self.events.append(Opened(self.seat_to_act, self.setup.tables.cells[cell]))
        self._put(cell, CAMEL)
        self._reward(cell)

    def _put(self, cell: int, piece: int) -> None:
        """Put the piece at the head of the caravan, a camel from the reserve."""
        seat = self.seat_to_act
        self.cells[seat] += _BYTES[cell]
        self.pieces[seat] += _BYTES[piece]
        self.occupied |= self.setup.tables.bits[cell]
        if piece >= COLOUR_COUNT:
            self.camels[seat] -= 1

    def _step(self, kind: int, action: int) -> None:
        direction = direction_of(action)
        cell = self.setup.tables.beside[WAYS * self.cells[self.seat_to_act][-1] + direction]
        self.direction = direction
        if kind in (CAMEL_STEP, LYING_STEP):
            self._lay_camel(cell, CAMEL if kind == CAMEL_STEP else LYING)
            return
        if kind == START:
            self.size = self.missing = size_of(action)
            piece = colour_of(action)
        else:
            piece = self.pieces[self.seat_to_act][-1]
        self.missing -= 1
        self._lay_good(cell, piece, declined=is_declining(action))

    def _lay_good(self, cell: int, colour: int, *, declined: bool) -> None:
        """Lay the good on the cell, from the reserve unless the loose good is used (S25 to S27)."""
        lies = self.loose_colour(cell)
        used = lies == colour and not declined
        self._lay(cell, colour, from_board=used)
        if not used:
            self.goods[COLOUR_COUNT * self.seat_to_act + colour] -= 1
        if declined:
            self.declined += _BYTES[self.laid - 1]
        if lies != NO_COLOUR:
            self.loose ^= self.setup.tables.bits[cell]
            if not used:
                self.market[lies] += 1
                self.events.append(Returned(self.setup.tables.cells[cell], COLOURS[lies]))

    def _lay_camel(self, cell: int, piece: int) -> None:
        self._lay(cell, piece, from_board=False)
        if piece == LYING:
            self.size = self.next_sizes()[0]
        self._reward(cell)

    def _lay(self, cell: int, piece: int, *, from_board: bool) -> None:
        self._put(cell, piece)
        self.laid += 1
        reports = self.setup.tables.reports
        self.events.append(reports.piece_laid(self.seat_to_act, cell, piece, from_board=from_board))

    def _reward(self, cell: int) -> None:
        """Give the goods for the camel on the cell, or ask the seat from whom it takes one (S30, S31)."""
        colour = self.setup.inn_colour[cell]
        if colour != NO_COLOUR:
            if self.loose_colour(cell) != NO_COLOUR:
                self.loose ^= self.setup.tables.bits[cell]
                self._gain(colour, from_board=True)
            if self.market[colour]:
                self._gain(colour, from_board=False)
                self._take_from_market(colour)
            elif self.robbable(self.seat_to_act, colour):
                self.steal = colour
                self.decision = _STEAL_FROM
                return
            else:
                self.events.append(NoGood(self.seat_to_act, COLOURS[colour]))
        self._go_on_after_camel()

    def _gain(self, colour: int, *, from_board: bool) -> None:
        self.goods[COLOUR_COUNT * self.seat_to_act + colour] += 1
        reports = self.setup.tables.reports
        self.events.append(reports.gained(self.seat_to_act, colour, from_board=from_board))

    def _take_from_market(self, colour: int) -> None:
        self.market[colour] -= 1
        if self.trigger == NEVER and not any(self.market):
            self.trigger = self.round
            self.events.append(MarketEmptied(self.round))

    def _steal(self, victim: int) -> None:
        colour = self.steal
        self.goods[COLOUR_COUNT * victim + colour] -= 1
        self.goods[COLOUR_COUNT * self.seat_to_act + colour] += 1
        self.seat_views[victim] = None
        self.steal = NO_COLOUR
        self.events.append(Stolen(self.seat_to_act, COLOURS[colour], victim))
        self._go_on_after_camel()

    def _go_on_after_camel(self) -> None:
        """Continue opening, placement or turn once the reward of a camel is settled."""
        if self.round == 0:
            self._end_turn()
        elif self.pieces[self.seat_to_act][-1] == LYING:
            self.decision = _STEP
        else:
            self._count()

    def _count(self) -> None:
        laid, omitted = self.laid, omitted_pieces(self)
        self.events.append(self.setup.tables.reports.counted(self.seat_to_act, laid, omitted))
        self.clear_placement()
        self._take_back(laid - omitted)
        self._go_on_seeding()

    def _take_back(self, count: int) -> None:
        """Take so many pieces from the tail; their camels say how many goods go to the board (S34, S35)."""
        seat, tables = self.seat_to_act, self.setup.tables
        cells, pieces = self.cells[seat][:count], self.pieces[seat][:count]
        self.cells[seat] = self.cells[seat][count:]
        self.pieces[seat] = self.pieces[seat][count:]
        camels, occupied = 0, self.occupied
        for index in range(len(cells)):
            occupied ^= tables.bits[cells[index]]
            piece = pieces[index]
            if piece < COLOUR_COUNT:
                self.goods[COLOUR_COUNT * seat + piece] += 1
            else:
                camels += 1
        self.occupied = occupied
        self.camels[seat] += camels
        self.seeds = camels if self.setup.seats > 1 else 2 * camels
        self.events.append(
            _TAKEN_BACK(
                seat,
                tuple([tables.cells[cell] for cell in cells]),
                tuple([_PIECES[piece] for piece in pieces]),
            )
        )

    def _seed(self, cell: int) -> None:
        colour = self.setup.inn_colour[cell]
        self.loose |= self.setup.tables.bits[cell]
        self.events.append(self.setup.tables.reports.seeded(self.seat_to_act, cell, colour))
        self._take_from_market(colour)
        self.seeds -= 1
        self._go_on_seeding()

    def _go_on_seeding(self) -> None:
        """Ask the seat for the next good to the board, or end its turn (S35)."""
        if self.seeds and not self.can_seed():
            self.events.append(SeedLost(self.seat_to_act, self.seeds))
            self.seeds = 0
        if self.seeds:
            self.decision = _SEED_GOOD
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """End the match, or begin the turn of the next seat that can lay (S38)."""
        seat, seats = self.seat_to_act, self.setup.seats
        if self.round == 0 and self.place_in_turn_order(seat) < seats - 1:
            self._ask((seat + 1) % seats, _OPEN_CELL)
            return
        while not self._ends_after(seat):
            if self.place_in_turn_order(seat) == seats - 1:
                self.round += 1
                self.events.append(self.setup.tables.reports.round_began(self.round))
            seat = (seat + 1) % seats
            if self.can_lay(seat):
                self._ask(seat, _STEP)
                return
            reason = SkipReason.BLOCKED if self.camels[seat] else SkipReason.NO_CAMEL
            self.events.append(Skipped(seat, reason))

    def _ends_after(self, seat: int) -> bool:
        """Return whether the match ends with the turn of the seat; then it has ended."""
        ending = self._ending_after(seat)
        if ending is None:
            return False
        self.ending = ending
        self.seat_to_act, self.decision = TERMINAL, None
        self.events.append(Ended(ending))
        return True

    def _ending_after(self, seat: int) -> Ending | None:
        if self.place_in_turn_order(seat) == self.setup.seats - 1:
            rounds_more = 1 if self.setup.seats > 1 else 0
            if self.trigger != NEVER and self.round == self.trigger + rounds_more:
                return Ending.MARKET
            if self.round == LAST_ROUND:
                return Ending.ROUND_CAP
        if any(self.can_lay(other) for other in range(self.setup.seats)):
            return None
        return Ending.STUCK
