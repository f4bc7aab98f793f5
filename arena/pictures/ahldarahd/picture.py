"""Caravans of Ahldarahd as SVG: what is for sale, the maps, then favours, Rights and hands by seat."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from arena.drawings.ahldarahd.drawing import DRAWING
from arena.drawings.drawing import Step
from arena.pictures.ahldarahd import maps
from arena.pictures.ahldarahd.marks import marks
from arena.pictures.ahldarahd.table import (
    SEAT_HEIGHT,
    bank,
    board_top,
    row_cards,
    seats_top,
    task,
    waiting,
    what_seats_have,
)
from arena.pictures.panel import ROW_TITLE, seat_rows, turn_line
from arena.pictures.picture import GamePicture, Moment, Part, Picture, known_hands
from engine.ahldarahd.events import Lost, Night, Ransom, Removed, TurnBegan
from engine.ahldarahd.notation import card_name
from engine.ahldarahd.observation import Observation
from engine.game import own


class AhldarahdPicture(GamePicture):
    """All maps side by side, and the things of each seat in its row."""

    def draw(
        self,
        observation: object,
        names: Sequence[str] = (),
        moment: Moment | None = None,
        others: Sequence[object] = (),
    ) -> Picture:
        """Return the row of cards, the maps, and what each seat has; of hands those that are known."""
        seen = own(observation, Observation)
        acts = seen.seat_to_act
        top = board_top(seen)
        parts = [
            turn_line(seen.turn, acts if acts is not None else 0, names, task(seen), over=acts is None),
            *waiting(seen, names),
            *row_cards(seen),
            *bank(seen),
            *maps.pieces(seen, top),
            *_rows(seen, names, moment),
            *what_seats_have(seen, known_hands(seen, others)),
            *(marks(moment, seen) if moment is not None else ()),
        ]
        height = seats_top(seen) + ROW_TITLE + SEAT_HEIGHT * len(seen.seats) + 6
        return Picture(
            height,
            maps.board(len(seen.maps), len(seen.seats), top),
            tuple(parts),
            f"Caravans of Ahldarahd, turn {seen.turn}. {DRAWING.standing(seen, names)}",
        )

    def moments(self, step: Step) -> Sequence[Moment]:
        """Return the action, then the Night that it brings (A38) or the cards that are turned up (A9)."""
        for place, event in enumerate(step.events):
            before, after = own(step.before, Observation), own(step.after, Observation)
            if isinstance(event, TurnBegan) and event.revealed:
                between, rest = _before_refresh(before, after, event), step.events[place:]
                cards = ", ".join(card_name(card.commodity, card.colour) for card in event.revealed)
                caption = f"Turn {event.turn}, turned up: {cards}"
            elif isinstance(event, Night) and event.card is not None:
                rest = step.events[place:]
                if any(isinstance(later, Removed | Lost | Ransom) for later in rest):
                    break
                between = _before_night(before, after, event)
                caption = f"A Night over {event.card.commodity.name.capitalize()}"
            else:
                continue
            return (
                Moment(step, between, events=step.events[:place]),
                Moment(step, after, acts=False, events=rest, caption=caption),
            )
        return super().moments(step)


def _before_refresh(before: Observation, after: Observation, event: TurnBegan) -> Observation:
    """Return the position between the last decision of a turn and the next refresh."""
    seats = [view._replace(flipped=old.flipped) for view, old in zip(after.seats, before.seats, strict=True)]
    return replace(
        after,
        turn=before.turn,
        row=tuple(card for card in after.row if card not in event.revealed),
        deck=after.deck + len(event.revealed),
        revealed=before.revealed,
        seats=tuple(seats),
    )


def _before_night(before: Observation, after: Observation, event: Night) -> Observation:
    """Return the position between an action and the card that names the city of the Night."""
    return replace(
        after,
        deck=before.deck,
        revealed=before.revealed,
        night=None,
        discards=tuple(
            count - (event.card is not None and commodity == event.card.commodity)
            for commodity, count in enumerate(after.discards)
        ),
        phase=before.phase,
        decision=before.decision,
        seat_to_act=before.seat_to_act,
        order=before.order,
        at=before.at,
    )


def _rows(seen: Observation, names: Sequence[str], moment: Moment | None) -> Iterator[Part]:
    before = own(moment.step.before, Observation) if moment is not None and moment.acts else seen
    yield from seat_rows(
        _columns(seen),
        _columns(before),
        names,
        top=seats_top(seen),
        height=SEAT_HEIGHT,
        acts=seen.seat_to_act,
    )


def _columns(seen: Observation) -> dict[str, list[int]]:
    return {
        "points": [seat.score for seat in seen.seats],
        "gold": [seat.gold for seat in seen.seats],
        "markers": [seat.markers for seat in seen.seats],
    }


PICTURE: Final = AhldarahdPicture()
