"""The picture of a game, and how it is found."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib import import_module
from typing import Any, Final

from arena.drawings.drawing import Step, drawing_for
from arena.pictures.style import Theme, style_sheet
from arena.pictures.svg import clean, element, number, rectangle, shortened
from engine.game import Event

WIDTH = 640
"""User units from the left to the right edge of a picture."""

_TITLE: Final = 400
"""Characters of the longest title."""


class Layer(IntEnum):
    """What lies above what: parts of a higher layer cover those of a lower one."""

    TRACES = 0
    """Where pieces were before."""
    PIECES = 1
    """The position itself."""
    MARKS = 2
    """Arrows and changes."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a picture that can appear, move, change or disappear between two pictures of a match."""

    id: str
    """Unique in the picture, and the same for the same piece in the next one, for example "score-1"."""
    x: float
    y: float
    body: str
    """Markup around the origin. Pieces that look alike have the same body wherever they lie."""
    layer: Layer = Layer.PIECES


@dataclass(frozen=True, slots=True)
class Picture:
    """A position as a viewer may see it."""

    height: int
    """User units; the width is WIDTH."""
    board: str
    """Markup below all parts: the same in all pictures of a match."""
    parts: tuple[Part, ...]
    title: str
    """What it shows, in a few words, for screen readers."""

    def ordered(self) -> tuple[Part, ...]:
        """Return the parts in the order of drawing, which depends on nothing but layers and ids."""
        return tuple(sorted(self.parts, key=lambda part: (part.layer, part.id)))

    def svg(self, theme: Theme = "auto") -> str:
        """Return a file of its own."""
        return self._element(element("style", style_sheet(theme)))

    def markup(self) -> str:
        """Return the picture for a page that has `style_sheet` itself."""
        return self._element("")

    def _element(self, style: str) -> str:
        drawn = (
            element("g", part.body, id=part.id, transform=f"translate({number(part.x)} {number(part.y)})")
            for part in self.ordered()
        )
        return element(
            "svg",
            element("title", clean(shortened(self.title, _TITLE))),
            style,
            rectangle(0, 0, WIDTH, self.height, "paper", 12),
            self.board,
            *drawn,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {self.height}",
            class_="picture",
            role="img",
        )

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        return self.svg()


@dataclass(frozen=True, slots=True)
class Moment:
    """What one frame of a replay shows: an action, or an event that followed it, such as a draw or a roll of dice."""

    step: Step
    """The ply that it belongs to."""
    after: object
    """The game's own Observation that is drawn."""
    acts: bool = True
    """Whether the action is marked."""
    events: tuple[Event, ...] = ()
    """The events that are marked."""
    caption: str = ""
    """An event in a few words; empty for the action."""


class GamePicture(ABC):
    """One game as SVG. Pictures are functions of what they get: the same arguments give the same bytes."""

    @abstractmethod
    def draw(
        self,
        observation: object,
        names: Sequence[str] = (),
        moment: Moment | None = None,
        others: Sequence[object] = (),
    ) -> Picture:
        """Return the position.

        `names`: the bots by seat. `moment`: what has led to the observation, to be marked. `others`: the Observations
        of further viewers of the same position, whose hidden cards are drawn too: for a match that is over.
        """

    def moments(self, step: Step) -> Sequence[Moment]:
        """Return what a person should see one after the other: the action, then each draw and each roll of dice.

        All viewers have the same number of moments. The last one shows the observation after the step.
        """
        return (Moment(step, step.after, events=step.events),)

    def scores(self, observation: object) -> Sequence[int]:
        """Return the scores by seat, for a graph; none if the seats of the observation have no score."""
        return [seat.score for seat in getattr(observation, "seats", ()) if hasattr(seat, "score")]


def known_hands(observation: Any, others: Sequence[Any]) -> list[Sequence[int] | None]:
    """Return the hands by seat as the viewer sees them, completed by what others see; None: hidden from all of them."""
    hands: list[Sequence[int] | None] = [seat.hand for seat in observation.seats]
    for other in others:
        for seat, view in enumerate(other.seats):
            hands[seat] = view.hand if view.hand is not None else hands[seat]
    return hands


@cache
def picture_for(game: str) -> GamePicture:
    """Return the picture of a game: the PICTURE of `arena.pictures.<game id>.picture`.

    A game without one is shown as in a terminal. Raises KeyError for a game that has no drawing either.
    """
    try:
        module = import_module(f"arena.pictures.{game}.picture")
    except ModuleNotFoundError:
        from arena.pictures.terminal import TerminalPicture

        return TerminalPicture(drawing_for(game))
    picture: GamePicture = module.PICTURE
    return picture
