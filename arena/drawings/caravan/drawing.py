"""Caravan for people: the board, and turns in plain words."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from arena.drawings.caravan import board, words
from arena.drawings.caravan.board import own
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import change, counted, overtaken, ranked
from engine.caravan.observation import Observation


class CaravanDrawing(Drawing):
    """The position as a board of squares with camels and goods; a turn as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the board, whose turn it is, the bag, and what each seat has."""
        return board.draw(own(observation), names)

    def turn(self, observation: object) -> int:
        """Return the turn, counted over all seats (C6)."""
        return own(observation).turn

    def heading(self, observation: object) -> str:
        """Return what the turn is worth."""
        return counted(own(observation).points, "point")

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return for example "places a camel on 24, picks up gems at space 3 and carries them to Agadez"."""
        return words.sentence(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return scores that changed, the new leader, a refill, the empty bag."""
        scores = change("Score", _scores(steps[0].before), _scores(steps[-1].after), names) if steps else ()
        return [*words.refills(steps), *scores]

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return the scores, the best first; of equal ones the seat with more deliveries (C20)."""
        return ranked([(seat.score, sum(seat.delivered)) for seat in own(observation).seats], names)

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether a delivery has changed the leader, or the bag is empty now."""
        old, new = own(before), own(after)
        delivered = _deliveries(new) > _deliveries(old)
        leads = delivered and overtaken(_scores(before), _scores(after))
        return leads or (new.end_armed and not old.end_armed)


def _scores(observation: object) -> list[int]:
    return [seat.score for seat in own(observation).seats]


def _deliveries(observation: Observation) -> int:
    return sum(sum(seat.delivered) for seat in observation.seats)


DRAWING: Final = CaravanDrawing()
