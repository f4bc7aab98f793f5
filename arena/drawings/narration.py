"""Matches turn by turn, with the board where it has changed: the same for every game."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from arena.drawings.colours import seat_style
from arena.drawings.drawing import Drawing, Step

WIDTH = 80
"""Columns of a story, on wider terminals too."""

_INDENT = 3


class BoardFrequency(StrEnum):
    """When the board is drawn."""

    MOMENTS = "moments"
    """At the beginning, where much has changed, and at the end."""
    EVERY = "every"
    """After every action."""
    TURNS = "turns"
    """After every turn."""
    END = "end"
    """At the end alone."""
    NEVER = "never"


class Narrator:
    """Writes the turns of one match."""

    def __init__(self, drawing: Drawing, names: Sequence[str], boards: BoardFrequency) -> None:
        """`names`: who sits where."""
        self._drawing = drawing
        self._names = names
        self._boards = boards
        self._drawn: object = None

    def beginning(self, observation: object) -> Iterator[RenderableType]:
        """Yield the position that the match begins with."""
        if self._boards not in (BoardFrequency.END, BoardFrequency.NEVER):
            yield from self._board(observation)

    def continues(self, steps: Sequence[Step], step: Step) -> bool:
        """Return whether a step belongs to the turn that these steps began."""
        return not steps or self._drawing.continues(steps[-1], step)

    def turn(self, steps: Sequence[Step], aside: str = "") -> Iterator[RenderableType]:
        """Yield one turn. `aside` follows its heading."""
        yield self.heading(steps[0], aside)
        if self._boards is BoardFrequency.EVERY:
            for number, step in enumerate(steps):
                if number and step.seat != steps[number - 1].seat:
                    yield self.heading(step)
                yield from map(Paragraph, told(self._drawing, [step], self._names))
                yield from self._board(step.after)
            return
        yield from map(Paragraph, told(self._drawing, steps, self._names))
        before, after = steps[0].before, steps[-1].after
        moment = self._boards is BoardFrequency.MOMENTS and self._drawing.is_moment(before, after)
        if moment or self._boards is BoardFrequency.TURNS:
            yield from self._board(after)

    def end(self, observation: object) -> Iterator[RenderableType]:
        """Yield the last position, unless it was shown already."""
        if self._boards is not BoardFrequency.NEVER and observation != self._drawn:
            yield from self._board(observation)

    def heading(self, step: Step, aside: str = "") -> Text:
        """Return the number of the turn, its seat, and what it is worth."""
        drawing = self._drawing
        text = Text.assemble((f"Turn {drawing.turn(step.before)}", "bold"), " · ", self._name(step.seat))
        text.append(f" · {drawing.heading(step.before)}", style="dim")
        return text.append(f" · {aside}", style="dim") if aside else text

    def _board(self, observation: object) -> Iterator[RenderableType]:
        self._drawn = observation
        yield Text()
        # In a group it keeps its own rule for long lines: a text that is printed by itself is wrapped.
        yield Group(self._drawing.draw(observation, self._names))
        yield Text()

    def _name(self, seat: int) -> Text:
        return Text(self._names[seat], style=seat_style(seat))


class Paragraph:
    """Text below a heading: indented, wrapped, without spaces at the ends of lines."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines, at most WIDTH wide."""
        for line in self.text.wrap(console, min(options.max_width, WIDTH) - _INDENT):
            line.rstrip()
            yield Text(" " * _INDENT).append_text(line)


def told(drawing: Drawing, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
    """Return what was done in steps of one turn and what followed, a paragraph each, as it happened.

    `names`: who sits where. The first paragraph is what was done until something interrupts the turn.
    """
    paragraphs: list[Text] = []
    begin = 0
    for end, step in enumerate(steps, start=1):
        if end == len(steps) or drawing.interrupts(step):
            part, begin = steps[begin:end], end
            paragraphs.append(capital(drawing.describe(part, names)).append("."))
            paragraphs += drawing.describe_events(part, names)
    return paragraphs


def capital(text: Text) -> Text:
    """Return the text with a capital first letter."""
    first = text.plain[:1]
    return Text.assemble((first.upper(), text.style), text[1:]) if first else text


def seat_names(bots: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the seats: their bots, with the number of the seat where a bot has several."""
    names = tuple(bots)
    return tuple(
        f"{name} (seat {seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)
    )
