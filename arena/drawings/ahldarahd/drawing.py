"""Caravans of Ahldarahd for people: the maps side by side, and turns in plain words."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from arena.drawings.ahldarahd import table, words
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import overtaken, scores_of
from engine.ahldarahd.observation import Observation
from engine.game import own


class AhldarahdDrawing(Drawing):
    """The position as a table; an auction, a building chance or a Night as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the row, the seats, and the owners of routes and cities on each map."""
        return table.draw(own(observation, Observation), names)

    def turn(self, observation: object) -> int:
        """Return the turn (A9)."""
        return own(observation, Observation).turn

    def continues(self, last: Step, step: Step) -> bool:
        """Keep an auction, a Night, or a building chance with the replies to its offers together."""
        return words.belongs(own(last.before, Observation), own(step.before, Observation), step.action)

    def heading(self, observation: object) -> str:
        """Return the phase, and how much is left of the deck."""
        return table.heading(own(observation, Observation))

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return "claims Salt-Metals on the map of ant with a salt card; buys Gems-Salt on the map of bee" or the
        like.
        """
        return words.sentence(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return lots won, cities taken and lost, Nights, cards turned up, points, the lead."""
        return list(words.news(steps, names)) if steps else []

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return points and gold, the best first."""
        return table.standing(own(observation, Observation), names)

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether a turn after the first has begun, or another seat leads."""
        old, new = own(before, Observation), own(after, Observation)
        return new.turn > max(1, old.turn) or overtaken(scores_of(old), scores_of(new))


DRAWING: Final = AhldarahdDrawing()
