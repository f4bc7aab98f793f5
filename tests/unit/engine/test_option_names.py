"""What all games say alike of their options."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.game import InvalidOptionsError
from engine.option_names import check_names, check_seats, read_choice, read_number, read_switch, switch_text
from tests.unit.engine.playing import check_words


@contextmanager
def refusal(words: str) -> Iterator[None]:
    """Expect a refusal with these words."""
    with pytest.raises(InvalidOptionsError) as caught:
        yield
    check_words(str(caught.value), words)
    assert len(str(caught.value)) < 200


def test_another_number_of_seats_is_refused_with_the_allowed_ones() -> None:
    for seats in (2, 3, 4):
        check_seats("Sandstorm", seats, range(2, 5))
    for seats in (-1, 0, 1, 5):
        with refusal(f"Sandstorm 2 4 seats {seats}"):
            check_seats("Sandstorm", seats, range(2, 5))


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    check_names("Sandstorm", [], ("wind", "dust"))
    check_names("Sandstorm", ["dust", "wind"], ("wind", "dust"))
    with refusal("Sandstorm option rain options wind dust"):
        check_names("Sandstorm", ["wind", "rain"], ("wind", "dust"))
    with refusal("Sandstorm option only wind"):
        check_names("Sandstorm", ["x" * 5000], ("wind",))


@pytest.mark.parametrize(
    ("values", "chosen"), [({}, False), ({"dust": "true"}, True), ({"dust": "false"}, False)]
)
def test_a_switch_is_off_by_default_and_comes_back_from_its_text(
    values: dict[str, str], chosen: bool
) -> None:
    assert read_switch(values, "dust") is chosen
    assert read_switch({"dust": switch_text(chosen)}, "dust") is chosen


@pytest.mark.parametrize("text", ["", "True", "1", "yes"])
def test_a_switch_is_true_or_false_and_nothing_else(text: str) -> None:
    with refusal(f"dust true false {text}"):
        read_switch({"dust": text}, "dust")


@pytest.mark.parametrize(("values", "number"), [({}, 7), ({"gusts": "1"}, 1), ({"gusts": "90"}, 90)])
def test_a_number_goes_from_one_to_its_bound(values: dict[str, str], number: int) -> None:
    assert read_number(values, "gusts", 7, 90, "number of gusts") == number


@pytest.mark.parametrize("text", ["", "0", "91", "-1", "1.5", "\N{ARABIC-INDIC DIGIT THREE}", "9" * 400])
def test_what_is_no_number_within_the_bound_is_refused(text: str) -> None:
    with refusal("gusts number 1 90"):
        read_number({"gusts": text}, "gusts", 7, 90, "number of gusts")


def test_a_choice_is_the_first_word_by_default() -> None:
    assert read_choice({}, "wind", ("calm", "storm")) == "calm"
    assert read_choice({"wind": "storm"}, "wind", ("calm", "storm")) == "storm"


@pytest.mark.parametrize("text", ["", "Storm", "x" * 5000])
def test_another_word_is_refused_with_the_allowed_ones(text: str) -> None:
    with refusal("wind calm storm"):
        read_choice({"wind": text}, "wind", ("calm", "storm"))
