"""Caravanserai for people: the board, and turns in plain words."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from arena.drawings.caravanserai import board, table, words
from arena.drawings.caravanserai.symbols import lengths, own
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import counted, overtaken

_ROUNDS: Final = 5
"""The number of rounds after which the board is shown again."""


class CaravanseraiDrawing(Drawing):
    """The position as a board of cells with caravans, inns and loose goods; a turn as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the board and its legend, the question, and what each seat and the market have."""
        seen = own(observation)
        lines = [
            *board.board_lines(seen),
            *board.legend_lines(seen),
            Text(),
            *table.table_lines(seen, names),
        ]
        return Text("\n", no_wrap=True, overflow="ignore").join(lines)

    def turn(self, observation: object) -> int:
        """Return the round, 0 in the opening: every seat has one turn in each (S15)."""
        return own(observation).round

    def heading(self, observation: object) -> str:
        """Return for example "length 9, 4 camels in the reserve"."""
        seen = own(observation)
        if seen.round == 0 or seen.seat_to_act is None:
            return "opening"
        length = lengths(seen)[seen.seat_to_act]
        camels = counted(seen.seats[seen.seat_to_act].camels, "camel")
        last = ", last round" if table.is_last_round(seen) else ""
        return f"length {length}, {camels} in the reserve{last}"

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return "lays 1 red, 2 white and a camel on the black inn at (3,-2); takes black from bert" or the like."""
        return words.sentence(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return earnings, counts, taken-back pieces, lengths, the lead, skipped seats, and that the end is near."""
        return list(words.news(steps, names)) if steps else []

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return the lengths, the best first; in solo with the level."""
        return table.standing(own(observation), names)

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether the opening or five rounds ended, leader or level changed, or the market was emptied."""
        old, new = own(before), own(after)
        opened = old.round == 0 and new.round > 0
        rounds = new.round // _ROUNDS > old.round // _ROUNDS
        emptied = old.trigger is None and new.trigger is not None
        risen = len(new.seats) == 1 and table.level_of(old) != table.level_of(new)
        return opened or rounds or emptied or risen or overtaken(lengths(old), lengths(new))


DRAWING: Final = CaravanseraiDrawing()
