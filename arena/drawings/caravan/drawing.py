"""Caravan for people: the board, and turns in plain words. Cities and goods spaces go by their names."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from arena.drawings.caravan.board import CITY_NAMES, ENDING_WORDS, GOOD_STYLES, drawn, name_of, own
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import LOUD, QUIET, change, counted, listed, named, overtaken, ranked, scores_of
from engine.caravan import actions as packing
from engine.caravan.board import Board
from engine.caravan.events import Delivered, EndArmed, Refill
from engine.caravan.goods import GOODS, POINTS, Good
from engine.caravan.observation import Observation, SeatView
from engine.game import Event


def _clauses(kind: int, steps: list[Step], names: Sequence[str]) -> Iterator[Text]:
    """Yield clauses for steps of one kind; places and moves become one clause."""
    board = own(steps[0].before).board
    match kind:
        case packing.PLACE:
            places = [_place(board, packing.to_of(step.action)) for step in steps]
            yield Text.assemble(
                "places ", "a camel" if len(places) == 1 else "camels", " on ", listed(places)
            )
        case packing.MOVE:
            moves = [_way(board, step.action) for step in steps]
            yield Text.assemble("moves ", "a camel " if len(moves) == 1 else "camels ", listed(moves))
        case packing.PASS:
            points = own(steps[0].before).points
            yield Text("passes").append(f" with {counted(points, 'point')} left", style=QUIET)
        case packing.PICK_UP:
            yield Text("picks up ").append_text(listed([_picked(board, step) for step in steps]))
        case packing.STEAL:
            for action in (step.action for step in steps):
                good = _good(GOODS[packing.good_of(action)])
                victim, place = named(packing.victim_of(action), names), _place(board, packing.at_of(action))
                yield Text.assemble("steals ", good, " from ", victim, " on ", place)
        case _:
            yield from (_carry(board, step) for step in steps)


def _picked(board: Board, step: Step) -> Text:
    at = packing.at_of(step.action)
    space = own(step.before).goods_spaces[board.goods_spaces.index(at)]
    text = Text().append_text(_good(space.good)) if space.good is not None else Text("a good")
    text.append(" on ").append_text(_place(board, at))
    if space.demand_markers:
        markers = "a demand marker" if space.demand_markers == 1 else f"{space.demand_markers} demand markers"
        text.append(f" with {markers}")
    return text


def _carry(board: Board, step: Step) -> Text:
    good = GOODS[packing.good_of(step.action)]
    delivered = any(isinstance(event, Delivered) for event in step.events)
    text = Text("delivers " if delivered else "carries ").append_text(_good(good)).append(" ")
    text.append_text(_way(board, step.action))
    return text.append(f" (+{POINTS[good]})", style="bold") if delivered else text


def _refills(steps: Sequence[Step]) -> Iterator[Text]:
    """Yield what was drawn from the bag, and that it is empty."""
    for step in steps:
        board = own(step.after).board
        for event in step.events:
            if isinstance(event, Refill):
                goods = [
                    _good(good).append(" on ").append_text(_place(board, square))
                    for square, good in event.drawn
                ]
                yield Text.assemble(("Refill: ", QUIET), listed(goods), ".")
            elif isinstance(event, EndArmed):
                yield Text("The bag is empty: the next delivery ends the match.", style=LOUD)


def _good(good: Good) -> Text:
    return Text.assemble((name_of(good), f"bold {GOOD_STYLES[good]}"))


def _way(board: Board, action: int) -> Text:
    origin, to = packing.at_of(action), packing.to_of(action)
    return Text("from ").append_text(_place(board, origin)).append(" to ").append_text(_place(board, to))


def _place(board: Board, square: int) -> Text:
    if square in board.cities:
        good = board.cities.index(square)
        return Text.assemble((CITY_NAMES[good], GOOD_STYLES[good]))
    if square in board.goods_spaces:
        return Text(f"({board.goods_spaces.index(square) + 1})")
    return Text(str(square))


class CaravanDrawing(Drawing):
    """The position as a board of squares with camels and goods; a turn as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the board, whose turn it is, the bag, and what each seat has."""
        return drawn(own(observation), names)

    def interrupts(self, step: Step) -> bool:
        """Return whether a refill interrupts the turn (C15)."""
        return any(isinstance(event, Refill) for event in step.events)

    def turn(self, observation: object) -> int:
        """Return the turn, counted over all seats (C6)."""
        return own(observation).turn

    def redrawn(self, observation: object, drawn: Sequence[Event], seen: Sequence[Event]) -> object | None:
        """Return the view with the goods of the refill that was seen; None if more than the refill differs."""
        if [type(event) for event in drawn] != [type(event) for event in seen]:
            return None
        view = own(observation)
        for instead, event in zip(drawn, seen, strict=True):
            if isinstance(instead, Refill) and isinstance(event, Refill):
                view = _refilled(view, instead, event)
            elif instead != event:
                return None
        return view

    def heading(self, observation: object) -> str:
        """Return what the turn is worth."""
        return counted(own(observation).points, "point")

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return for example "places a camel on 24, picks up gems at space 3 and carries them to Agadez"."""
        clauses: list[Text] = []
        for kind, same in groupby(steps, key=lambda step: packing.kind_of(step.action)):
            clauses += _clauses(kind, list(same), names)
        return listed(clauses)

    def note(self, step: Step) -> str:
        """Return that an action costs 2 points (C8), that goods are drawn after it (C15), or that it ends the match."""
        notes = []
        if packing.kind_of(step.action) in (packing.PLACE, packing.MOVE):
            to = packing.to_of(step.action)
            if any(to in _squares_of(seat) for seat in own(step.before).seats):
                notes.append("costs 2 points")
        if any(isinstance(event, Refill) for event in step.events):
            notes.append("then new goods are drawn")
        if own(step.after).ending is not None:
            notes.append("ends the match")
        return "; ".join(notes)

    def left(self, observation: object) -> str:
        """Return the action points that are left (C6)."""
        return counted(own(observation).points, "point")

    def chance(self, step: Step) -> str:
        """Return that the refill is drawn (C15)."""
        return "New goods are drawn now."

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return scores that changed, the new leader, a refill, the empty bag."""
        if not steps:
            return []
        before, after = own(steps[0].before), own(steps[-1].after)
        reasons = [_reasons(*each) for each in zip(before.seats, after.seats, strict=True)]
        return [*_refills(steps), *change("Score", scores_of(before), scores_of(after), names, reasons)]

    def ending(self, name: str) -> str:
        """Return for example "too many idle turns"."""
        return ENDING_WORDS.get(name, name)

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return the scores, the best first; of equal ones the seat with more deliveries (C20)."""
        return ranked([(seat.score, sum(seat.delivered)) for seat in own(observation).seats], names)

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether a delivery has changed the leader, or the bag is empty now."""
        old, new = own(before), own(after)
        delivered = _deliveries(new) > _deliveries(old)
        leads = delivered and overtaken(scores_of(old), scores_of(new))
        return leads or (new.end_armed and not old.end_armed)


def _reasons(before: SeatView, after: SeatView) -> str:
    """Return what the change of a seat's score is made of (C19); empty if it is a delivery alone."""
    parts = {
        "delivered": _worth(after) - _worth(before),
        "demand": after.demand_markers - before.demand_markers,
        "carried goods": _burden(before) - _burden(after),
    }
    told = {what: points for what, points in parts.items() if points}
    if told.keys() <= {"delivered"}:
        return ""
    return ", ".join(f"{points:+} {what}" for what, points in told.items())


def _worth(seat: SeatView) -> int:
    return sum(number * POINTS[good] for good, number in zip(GOODS, seat.delivered, strict=True))


def _burden(seat: SeatView) -> int:
    """Return what the carried goods of a seat take off its score (C19)."""
    carried = len(seat.laden_camels)
    return carried * (carried - 1) // 2


def _squares_of(seat: SeatView) -> set[int]:
    """Return the squares with camels of a seat."""
    return {square for square, _ in seat.empty_camels} | {camel.square for camel in seat.laden_camels}


def _refilled(view: Observation, instead: Refill, refill: Refill) -> Observation:
    """Return the view with the goods of one refill in place of another at the same moment (C15)."""
    spaces, bag = list(view.goods_spaces), list(view.bag)
    for square, good in instead.drawn:
        bag[good] += 1
        space = view.board.goods_spaces.index(square)
        spaces[space] = spaces[space]._replace(good=None)
    for square, good in refill.drawn:
        bag[good] -= 1
        space = view.board.goods_spaces.index(square)
        spaces[space] = spaces[space]._replace(good=good)
    return view._replace(goods_spaces=tuple(spaces), bag=tuple(bag))


def _deliveries(observation: Observation) -> int:
    return sum(sum(seat.delivered) for seat in observation.seats)


DRAWING: Final = CaravanDrawing()
