"""What a person is told about the rules."""

import re

import pytest

from arena.human.rules import Medium, clause_letter, clauses, turn_in_short
from engine.registry import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_signs_of_the_picture_are_explained_there_and_those_of_the_terminal_on_the_terminal(game):
    picture, terminal = turn_in_short(game, Medium.PICTURE), turn_in_short(game, Medium.TERMINAL)
    assert picture.startswith("You play for")
    both = set(picture.splitlines()) & set(terminal.splitlines())
    signs = [picture.partition("In the picture:\n")[2], terminal.partition("On a terminal:\n")[2]]
    assert both
    assert all(signs)
    assert not both & {line for text in signs for line in text.splitlines()}
    assert Medium.TERMINAL not in picture
    assert Medium.PICTURE not in terminal


def test_numbers_and_markers_of_the_picture_of_caravan_are_explained():
    shown = turn_in_short("caravan", Medium.PICTURE)
    for sign in ("(1) to (8)", "demand marker", "+1", "idle 3/40"):
        assert sign in shown
    assert "0sa" not in shown


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("carry", "C9 "),
        ("carries a good", "C9 "),
        ("pick-up", "C10 "),
        ("steal", "C11 "),
        ("c13", "C13 "),
        ("C2", "C2 "),
    ],
)
def test_words_of_the_turn_in_short_find_the_clauses_that_it_names(words, first):
    assert clauses("caravan", words)[0].startswith(first)


@pytest.mark.parametrize("game", GAMES)
def test_answers_have_neither_marks_of_the_page_nor_what_is_written_for_programs(game):
    for word in "abcdefghijklmnopqrstuvwxyz":
        for each in clauses(game, word):
            assert not re.search(r"†|\*\*|\bbits?\b|[A-Z]{3,}_[A-Z]+\(|\{\"type", each), each


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_found_by_its_number_and_the_turn_in_short_names_only_such(game):
    letter = clause_letter(game)
    numbers = set(re.findall(rf"\b{letter}\d+\b", turn_in_short(game, Medium.PICTURE)))
    assert numbers
    for number in numbers:
        assert clauses(game, number)[0].startswith(f"{number} ")
