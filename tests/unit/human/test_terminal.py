"""A decision on a terminal, with keys from a list."""

import re
from collections.abc import Iterable
from io import StringIO

import pytest
from rich.console import Console

from arena.drawings.drawing import drawing_for
from arena.human.terminal import LISTED, Resigned, Seat, Terminal
from arena.human.turn import Planned, PlannedTurn
from engine.registry import GAMES
from tests.unit.human.positions import positions

NAMES = ("me", "ant", "bee")


class Screen:
    """A terminal of 80 columns in front of somebody who types these lines."""

    def __init__(self, game: str, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.console = Console(width=80, color_system=None, record=True, file=StringIO())
        self.terminal = Terminal(self.console, drawing_for(game), Seat(game, 0, NAMES), self._read)

    def _read(self, prompt: str) -> str:
        self.console.print(prompt)
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    @property
    def text(self) -> str:
        return self.console.export_text(clear=False)


def asked(game: str, *lines: str, plies: int = 0) -> tuple[list[Planned], str]:
    """Return what is sent from a position after so many plies, and the screen."""
    *_, state = positions(game, 2, seed=1, plies=plies + 1)
    screen = Screen(game, lines)
    turn = PlannedTurn(game, state.observe(state.seat_to_act), NAMES)
    return screen.terminal.ask(turn, lambda _: "ant would play: a hint."), screen.text


def notations(planned: list[Planned]) -> list[str]:
    return [each.choice.notation for each in planned]


def test_a_number_plans_an_action_and_enter_sends_it():
    sent, screen = asked("caravan", "26", "")
    assert notations(sent) == ["PLACE(24)"]
    assert "Planned 1: places a camel on 24." in screen


def test_undo_takes_an_action_back_before_it_is_sent():
    sent, _ = asked("caravan", "26", "u", "2", "u", "u", "PLACE(11)", "")
    assert notations(sent) == ["PLACE(11)"]


def test_a_turn_of_several_actions_is_sent_as_a_whole_or_in_part():
    whole, _ = asked("caravan", "PLACE(24)", "PLACE(25)", "", plies=1)
    part, _ = asked("caravan", "PLACE(24)", "", plies=1)
    assert (notations(whole), notations(part)) == (["PLACE(24)", "PLACE(25)"], ["PLACE(24)"])


def test_words_list_the_actions_that_have_them():
    _, screen = asked("caravan", "marrakesh", "26", "")
    listed = screen.partition("Your action")[2].partition("Your action")[0]
    assert re.findall(r"^ *(\d+) (.*?) *$", listed, re.MULTILINE) == [("5", "places a camel on Marrakesh")]


def test_of_many_actions_the_kinds_are_listed():
    _, screen = asked("caravan", "PASS", "", plies=30)
    kinds = re.findall(r"^ +(\d+) +\d+ (.*)$", screen, re.MULTILINE)
    assert sum(int(count) for count, _ in kinds) > LISTED
    assert 2 <= len(kinds) <= 24


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0", "1 to 50"),
        ("99", "1 to 50"),
        ("MOVE(1,2)", "C8"),
        ("zebra", "'zebra'"),
        ("", "Nothing is planned"),
        ("u", "Nothing is planned"),
        ("h", "ant would play: a hint."),
        ("?", "docs/rules/caravan.md"),
        ("? delivered arrives", "C14"),
        ("? zebra", "'zebra'"),
    ],
)
def test_what_plans_nothing_is_answered_and_the_question_stays(line, said):
    sent, screen = asked("caravan", line, "26", "")
    assert notations(sent) == ["PLACE(24)"]
    assert said in screen


def test_resigning_is_confirmed_and_the_end_of_the_input_resigns():
    sent, _ = asked("caravan", "q", "no", "26", "")
    assert notations(sent) == ["PLACE(24)"]
    for lines in (["q", "yes"], [], ["26"], ["q"]):
        with pytest.raises(Resigned):
            asked("caravan", *lines)


def test_the_only_action_is_planned_at_once():
    for state in positions("ahldarahd", 3, seed=1):
        if len(state.legal_actions()) == 1:
            break
    screen = Screen("ahldarahd", [""])
    turn = PlannedTurn("ahldarahd", state.observe(state.seat_to_act), NAMES)
    [sent] = screen.terminal.ask(turn, lambda _: "")
    assert sent.choice.action == state.legal_actions()[0]


@pytest.mark.parametrize("game", GAMES)
def test_no_line_is_wider_than_80_columns(game):
    for number, state in enumerate(positions(game, 3, seed=2, plies=150)):
        if number % 10 == 0:
            screen = Screen(game, ["1", "", ""])
            turn = PlannedTurn(game, state.observe(state.seat_to_act), NAMES)
            screen.terminal.ask(turn, lambda _: "")
            assert max(map(len, screen.text.splitlines())) <= 80
