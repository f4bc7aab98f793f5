"""Wasteland for people: the board and the caravans, and turns in plain words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rich.text import Text

from arena.drawings.drawing import Drawing, Step
from arena.drawings.wasteland import story, table
from arena.drawings.wording import counted, overtaken, scores_of
from engine.game import Event, own
from engine.wasteland.events import TurnBegan
from engine.wasteland.observation import Observation


class WastelandDrawing(Drawing):
    """The position as a map and a table; a stretch of one seat's actions in their order."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the board, the missions, what is in force, and what each seat has."""
        return table.draw(own(observation, Observation), names)

    def turn(self, observation: object) -> int:
        """Return the round (W24)."""
        return own(observation, Observation).round

    def continues(self, last: Step, step: Step) -> bool:
        """Keep the turns of different seats apart, even if the same seat acts."""
        return super().continues(last, step) and not any(isinstance(each, TurnBegan) for each in last.events)

    def caught_up(self, observation: object, event: Event) -> object:
        """Add the turn that has begun: in its first window no view is shown (W70)."""
        if not isinstance(event, TurnBegan):
            return observation
        return replace(own(observation, Observation), round=event.round, current=event.seat)

    def heading(self, observation: object) -> str:
        """Return how many Event cards are left; not the question, which another seat may be asked in secret (W70)."""
        return f"{counted(own(observation, Observation).decks[0], 'Event card')} in the deck"

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return for example "goes to Pumphouse and The Crater; loads fuel": up to a fight or a loss."""
        return story.opening(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return fights with their dice, losses, missions, the goal; what was done after a fight follows it."""
        return list(story.sequel(steps, names))

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return scores and Cash, the best first."""
        return table.standing(own(observation, Observation), names)

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether a round after the first has begun, or another seat leads."""
        old, new = own(before, Observation), own(after, Observation)
        return new.round > max(1, old.round) or overtaken(scores_of(old), scores_of(new))


DRAWING: Final = WastelandDrawing()
