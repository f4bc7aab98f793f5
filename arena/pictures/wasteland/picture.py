"""Wasteland as SVG: the map, the missions, the fight, then what each seat has."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from arena.drawings.drawing import Step
from arena.drawings.wasteland.drawing import DRAWING
from arena.pictures.panel import ROW_TITLE, seat_rows, turn_line
from arena.pictures.picture import GamePicture, Moment, Part, Picture, known_hands
from arena.pictures.wasteland import board, table
from arena.pictures.wasteland.marks import CHANCE, caption, marks
from engine.game import own
from engine.wasteland import actions as packing
from engine.wasteland.events import EventDiscarded, EventDrawn, Played
from engine.wasteland.observation import Observation


class WastelandPicture(GamePicture):
    """The map of the country with all caravans, and the things of each seat in its row."""

    def draw(
        self,
        observation: object,
        names: Sequence[str] = (),
        moment: Moment | None = None,
        others: Sequence[object] = (),
    ) -> Picture:
        """Return the map, what is in force, and what each seat has; of hands those that are known."""
        seen = own(observation, Observation)
        before = own(moment.step.before, Observation) if moment is not None else seen
        title = f"Round {seen.round}" if seen.round else "Set-up"
        acts = seen.seat_to_act if seen.seat_to_act is not None else seen.current
        parts = [
            turn_line(title, acts or 0, names, table.task(seen), over=acts is None),
            *table.whose_turn(seen, names),
            *board.pieces(seen),
            *table.missions(seen),
            *table.decks_and_turn(seen, names),
            *table.fight(seen),
            *_rows(seen, before, names),
            *table.what_seats_have(seen, before, _hands(seen, others, moment)),
            *(marks(moment, seen) if moment is not None else ()),
        ]
        height = table.SEATS_TOP + ROW_TITLE + table.SEAT_HEIGHT * len(seen.seats) + 6
        standing = DRAWING.standing(seen, names)
        return Picture(height, board.board(), tuple(parts), f"Wasteland, round {seen.round}. {standing}")

    def moments(self, step: Step) -> Sequence[Moment]:
        """Return the action, then what dice and decks bring."""
        chance = next((at for at, each in enumerate(step.events) if isinstance(each, CHANCE)), None)
        if chance is None:
            return super().moments(step)
        rest = step.events[chance:]
        return (
            Moment(step, _before_chance(step), events=step.events[:chance]),
            Moment(step, step.after, acts=False, events=rest, caption=caption(rest)),
        )


def _before_chance(step: Step) -> Observation:
    """Return the position before dice and decks: the old one, but a caravan that moves has moved."""
    before = own(step.before, Observation)
    if packing.kind_of(step.action) == packing.STEP:
        space = packing.space_of(step.action)
    elif packing.kind_of(step.action) == packing.START_CITY:
        space = packing.field_of(step.action)
    else:
        return before
    seats = list(before.seats)
    seats[step.seat] = seats[step.seat]._replace(space=space)
    return replace(before, seats=tuple(seats))


def _hands(seen: Observation, others: Sequence[object], moment: Moment | None) -> list[Sequence[int] | None]:
    """Return the hands that are known; before chance those of others are as they were before the action."""
    hands = known_hands(seen, others)
    if moment is None or not moment.acts or moment.events == moment.step.events:
        return hands
    for event in moment.step.events:
        if not isinstance(event, Played | EventDiscarded | EventDrawn) or event.card is None:
            continue
        hand = hands[event.seat]
        if hand is not None and seen.seats[event.seat].hand is None:
            more = -1 if isinstance(event, EventDrawn) else 1
            hands[event.seat] = [number + more * (card == event.card) for card, number in enumerate(hand)]
    return hands


def _rows(seen: Observation, before: Observation, names: Sequence[str]) -> Iterator[Part]:
    yield from seat_rows(
        _columns(seen),
        _columns(before),
        names,
        top=table.SEATS_TOP,
        height=table.SEAT_HEIGHT,
        acts=seen.seat_to_act if seen.seat_to_act is not None else seen.current,
    )


def _columns(seen: Observation) -> dict[str, list[int]]:
    return {
        "score": [view.score for view in seen.seats],
        "cash": [view.cash for view in seen.seats],
        "cards": [view.cards for view in seen.seats],
    }


PICTURE: Final = WastelandPicture()
