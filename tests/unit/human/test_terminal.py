"""A decision on a terminal, with keys from a list."""

import re
from collections.abc import Iterable
from io import StringIO

import pytest
from rich.console import Console

from arena.drawings.drawing import drawing_for
from arena.human.lines import Question
from arena.human.listing import LISTED
from arena.human.rules import CLAUSES
from arena.human.terminal import Resigned, Seat, Terminal
from arena.human.turn import Advice, Planned, PlannedTurn
from engine.registry import GAMES
from tests.unit.human.positions import positions

NAMES = ("me", "ant", "bee")


class Screen:
    """A terminal of 80 columns in front of somebody who types these lines."""

    def __init__(self, game: str, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.console = Console(width=80, color_system=None, record=True, file=StringIO())
        self.terminal = Terminal(self.console, drawing_for(game), Seat(game, 0, NAMES), self._read)

    def _read(self, prompt: str, question: Question) -> str:
        self.console.print(prompt)
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    @property
    def text(self) -> str:
        return self.console.export_text(clear=False)


def hinting(turn: PlannedTurn) -> Advice:
    """Advise to place a camel on 24."""
    return Advice("ant would play: places a camel on 24.", turn.choices()[25])


def asked(game: str, *lines: str, plies: int = 0) -> tuple[list[Planned], str]:
    """Return what is sent from a position after so many plies, and the screen."""
    *_, state = positions(game, 2, seed=1, plies=plies + 1)
    screen = Screen(game, lines)
    turn = PlannedTurn(game, state.observe(state.seat_to_act), NAMES)
    return screen.terminal.ask(turn, hinting, Question()), screen.text


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


def listed(screen: str) -> list[tuple[str, str]]:
    """Return the numbered actions between the first prompt and the second."""
    part = screen.partition("Your action")[2].partition("Your action")[0]
    return re.findall(r"(\d+) (places a camel on \S+)", part)


def test_words_list_the_actions_that_have_them_and_a_number_is_a_whole_number():
    _, screen = asked("caravan", "camel 5", "26", "")
    assert listed(screen) == [("7", "places a camel on 5"), ("38", "places a camel on (5)")]


def test_words_of_a_sentence_count_before_those_of_the_notation():
    """The notation of the action on square 5 is PLACE(5), but (5) is the name of a goods space."""
    assert notations(asked("caravan", "places (5)", "")[0]) == ["PLACE(36)"]
    assert notations(asked("caravan", "place(5)", "")[0]) == ["PLACE(5)"]


def test_words_that_only_one_action_has_plan_it_and_so_does_its_whole_sentence():
    assert notations(asked("caravan", "marrakesh", "")[0]) == ["PLACE(3)"]
    assert notations(asked("caravan", "places a camel on 2", "")[0]) == ["PLACE(2)"]


def test_of_many_actions_the_kinds_are_listed_with_the_range_of_their_numbers():
    _, screen = asked("caravan", "PASS", "", plies=30)
    kinds = [
        (int(first), int(last or first))
        for first, last in re.findall(
            r"^ +(\d+)(?:-(\d+))?  \S",
            screen.partition("Type the number")[2].partition("Your action")[0],
            re.MULTILINE,
        )
    ]
    assert kinds[-1][1] > LISTED
    assert 2 <= len(kinds) <= 24
    assert [first for first, _ in kinds] == [1, *(last + 1 for _, last in kinds[:-1])]


def test_all_actions_are_listed_one_by_one_on_request_and_those_of_one_kind_at_once():
    for line, first in (("a", 1), ("camel", 2)):
        numbers = [int(number) for number, _ in listed(asked("caravan", line, "26", "")[1])]
        assert sorted(numbers) == list(range(2, 51)), (line, first)


def test_a_hint_names_the_number_that_plans_it():
    assert "Type 26 to plan it." in asked("caravan", "h", "26", "")[1]


def test_what_happened_is_shown_below_the_board():
    screen = Screen("caravan", ["26", ""])
    screen.terminal.show(["It happened."])
    turn = PlannedTurn("caravan", next(positions("caravan", 2, seed=1)).observe(0), NAMES)
    screen.terminal.ask(turn, hinting, Question())
    assert (
        screen.text.index("Marrakesh") < screen.text.index("It happened.") < screen.text.index("Your action")
    )
    assert screen.text.count("It happened.") == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_match_begins_with_the_rules_of_a_turn_in_short(game):
    screen = Screen(game, [])
    screen.terminal.begin("You are me.")
    assert "You play for" in screen.text
    assert len(screen.text.splitlines()) >= 5


def test_the_rules_of_a_turn_have_a_line_for_each_action():
    screen = Screen("caravan", [])
    screen.terminal.begin("You are me.")
    beginnings = [line.split()[1] for line in screen.text.splitlines() if line.startswith("   - ")]
    assert beginnings == ["place", "pick", "carry", "steal,"]


def test_an_answer_about_the_rules_is_short_and_says_what_is_left_out():
    _, screen = asked("caravan", "? a camel", "26", "")
    answer = screen.split("Your action")[1]
    assert len(re.findall(r"^   C\d+ ", answer, re.MULTILINE)) == CLAUSES
    assert re.search(r"\d+ more places have these words", answer)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0", "1 to 50"),
        ("99", "1 to 50"),
        ("MOVE(1,2)", "C8"),
        ("zebra", "'zebra'"),
        ("steal", "? steal"),
        ("", "Nothing is planned"),
        ("u", "Nothing is planned"),
        ("h", "ant would play: places a camel on 24."),
        ("?", "docs/rules/caravan.md"),
        ("?", "PLACE(48)"),
        ("r", "You play for points"),
        ("? common rare", "The first four kinds"),
        ("? cloth", "city Awlil"),
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
    [sent] = screen.terminal.ask(turn, hinting, Question())
    assert sent.choice.action == state.legal_actions()[0]


@pytest.mark.parametrize("game", GAMES)
def test_no_line_is_wider_than_80_columns(game):
    for number, state in enumerate(positions(game, 3, seed=2, plies=150)):
        if number % 10 == 0:
            screen = Screen(game, ["1", "", ""])
            turn = PlannedTurn(game, state.observe(state.seat_to_act), NAMES)
            screen.terminal.ask(turn, hinting, Question())
            assert max(map(len, screen.text.splitlines())) <= 80
