"""Matches told turn by turn, whatever the game."""

import pytest
from rich.console import Console

from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency, Narrator
from engine.game import SPECTATOR
from engine.registry import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_on_a_narrow_terminal_the_lines_of_a_board_are_cut_and_not_broken(game: str) -> None:
    rules = GAMES[game]
    seats = rules.spec.min_seats
    seen = rules.new_match(seats, rules.options(seats, {}), bytes(32)).observe(SPECTATOR)
    drawing, names = drawing_for(game), ("a-bot", "b-bot", "c-bot", "d-bot")[:seats]
    with (console := Console(width=50, color_system=None)).capture() as told:
        for part in Narrator(drawing, names, BoardFrequency.MOMENTS).beginning(seen):
            console.print(part)
    drawn = drawing.draw(seen, names).plain.split("\n")
    cut = [line[:50].rstrip() for line in ["", *drawn, ""]]
    assert [line.rstrip() for line in told.get().split("\n")[:-1]] == cut
