"""Caravans of Ahldarahd for people: the maps drawn side by side, and turns told in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from arena.drawings.ahldarahd import table, words
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import overtaken
from engine.ahldarahd.observation import Observation
from engine.game import own


class AhldarahdDrawing(Drawing):
    """The position as a table; an auction, a building chance or a Night as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """The row, the seats, and who owns which route and city on which map."""
        return table.draw(own(observation, Observation), names)

    def turn(self, observation: object) -> int:
        """The turn (A9)."""
        return own(observation, Observation).turn

    def goes_on(self, last: Step, step: Step) -> bool:
        """An auction is told as a whole, so is a Night; a building chance with the replies to its offers."""
        return words.belongs(own(last.before, Observation), own(step.before, Observation), step.action)

    def heading(self, observation: object) -> str:
        """The phase, and how much is left of the deck."""
        return table.heading(own(observation, Observation))

    def tell(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """For example "claims Salt-Metals on the map of ant with a salt card; buys Gems-Salt on the map of bee"."""
        return words.sentence(steps, names)

    def tell_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Lots won, cities taken and lost, Nights, cards turned up, points, the lead."""
        return list(words.news(steps, names)) if steps else []

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Points and gold, the best first."""
        return table.standing(own(observation, Observation), names)

    def is_moment(self, before: object, after: object) -> bool:
        """A turn has begun that is the second or a later one, or another seat leads."""
        old, new = own(before, Observation), own(after, Observation)
        return new.turn > max(1, old.turn) or overtaken(_scores(old), _scores(new))


def _scores(seen: Observation) -> list[int]:
    return [seat.score for seat in seen.seats]


DRAWING: Final = AhldarahdDrawing()
