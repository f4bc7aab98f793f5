"""The drawing of a game, and how it is found."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from rich.text import Text

from arena.drawings.wording import overtaken, scores_of
from engine.game import Event


@dataclass(frozen=True, slots=True)
class Step:
    """One action that was played, as the viewer may see it."""

    seat: int
    before: object
    """The game's own Observation before it."""
    action: int
    events: tuple[Event, ...]
    """Its consequences."""
    after: object
    """The Observation after it."""


class Drawing(ABC):
    """One game on a terminal. Drawings and sentences say the same without colours (`plain`).

    `names` are the bots by seat; seat numbers replace them where there are none.
    """

    @abstractmethod
    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the position in at most 80 columns."""

    @abstractmethod
    def turn(self, observation: object) -> int:
        """Return the number of the turn, as the game counts them: see `continues`."""

    def continues(self, last: Step, step: Step) -> bool:
        """Return whether a step belongs to the one before it, below one heading.

        That is what one seat does in one turn; a game where seats answer each other decides what belongs together.
        """
        return last.seat == step.seat and self.turn(last.before) == self.turn(step.before)

    def interrupts(self, step: Step) -> bool:
        """Return whether what chance does after a step is told before the rest of its turn, which may build on it."""
        return False

    def caught_up(self, observation: object, event: Event) -> object:
        """Return a view older than an event, updated for whose turn it is.

        Spectators get no view between actions that may be secret; a game with such actions adds what is known.
        """
        return observation

    def redrawn(self, observation: object, drawn: Sequence[Event], seen: Sequence[Event]) -> object | None:
        """Return the view after an action whose events were `seen`, from one in which chance made them `drawn`.

        None: what chance did cannot be put into a view. Who learns of an action without a view of the position after
        it plays it on a position that fits; there a bag may give other pieces than in the match.
        """
        return None

    @abstractmethod
    def heading(self, observation: object) -> str:
        """Return the position at the beginning of a turn in a few words, for example "4 points"."""

    @abstractmethod
    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return what was done in steps of one turn: one sentence in plain words.

        The heading names the seat of the first step: a sentence that begins with it leaves it out.
        """

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return what followed and matters, a sentence each: scores, the lead, draws."""
        return []

    def note(self, step: Step) -> str:
        """Return what a person should know of an action before they choose it and its sentence does not say.

        For example "costs 2 points"; empty: nothing.
        """
        return ""

    def left(self, observation: object) -> str:
        """Return what the seat to act may still spend in its turn, for example "3 points"; empty if none is counted."""
        return ""

    def chance(self, step: Step) -> str:
        """Return what chance, or what the seat does not see, decides after an action: a sentence without the result."""
        return "What follows depends on chance, or on what you cannot see."

    def ending(self, name: str) -> str:
        """Return why a match ended, from the rules' own word for it (`engine.game.Outcome.ending`), in a few words.

        A word that the rules do not have, such as that of a forfeit, is returned as it is.
        """
        return name

    @abstractmethod
    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return the scores in one short line."""

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether the board should be shown: a turn after the first has begun, or another seat leads."""
        turns = self.turn(before), self.turn(after)
        return turns[1] > max(1, turns[0]) or overtaken(scores_of(before), scores_of(after))


@cache
def drawing_for(game: str) -> Drawing:
    """Return the drawing of a game: the DRAWING of `arena.drawings.<game id>.drawing`.

    Raises KeyError for a game without one.
    """
    try:
        module = import_module(f"arena.drawings.{game}.drawing")
    except ModuleNotFoundError as error:
        raise KeyError(game) from error
    drawing: Drawing = module.DRAWING
    return drawing
