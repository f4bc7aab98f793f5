"""What all games say alike of their options."""

from __future__ import annotations

import pytest

from engine.game import InvalidOptionsError
from engine.option_names import (
    check_names,
    check_seats,
    read_choice,
    read_number,
    read_switch,
    switch_text,
)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_allowed_numbers_of_seats_pass(seats: int) -> None:
    check_seats("Sandstorm", seats, range(2, 5))


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_another_number_of_seats_is_refused_with_the_allowed_ones(seats: int) -> None:
    with pytest.raises(InvalidOptionsError, match=rf"^Sandstorm is for 2 to 4 seats, not {seats}\.$"):
        check_seats("Sandstorm", seats, range(2, 5))


def test_known_names_pass_in_any_number() -> None:
    check_names("Sandstorm", [], ("wind", "dust"))
    check_names("Sandstorm", ["dust", "wind"], ("wind", "dust"))


@pytest.mark.parametrize(
    ("known", "listed"),
    [(("wind", "dust"), "its options are wind, dust"), (("wind",), "its only option is wind")],
)
def test_an_unknown_name_is_refused_with_the_known_ones(known: tuple[str, ...], listed: str) -> None:
    with pytest.raises(InvalidOptionsError, match=rf'^Sandstorm has no option "rain": {listed}\.$'):
        check_names("Sandstorm", ["wind", "rain"], known)


def test_a_long_name_is_cut_in_the_sentence() -> None:
    with pytest.raises(InvalidOptionsError) as caught:
        check_names("Sandstorm", ["x" * 5000], ("wind",))
    assert len(str(caught.value)) < 200


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
    with pytest.raises(InvalidOptionsError, match=rf'^The option "dust" is true or false, not "{text}"\.$'):
        read_switch({"dust": text}, "dust")


@pytest.mark.parametrize(("values", "number"), [({}, 7), ({"gusts": "1"}, 1), ({"gusts": "90"}, 90)])
def test_a_number_goes_from_one_to_its_bound(values: dict[str, str], number: int) -> None:
    assert read_number(values, "gusts", 7, 90, "number of gusts") == number


@pytest.mark.parametrize("text", ["", "0", "91", "-1", "1.5", "\N{ARABIC-INDIC DIGIT THREE}", "9" * 400])
def test_what_is_no_number_within_the_bound_is_refused(text: str) -> None:
    with pytest.raises(
        InvalidOptionsError, match=r'^The option "gusts" is a number of gusts from 1 to 90, not "'
    ):
        read_number({"gusts": text}, "gusts", 7, 90, "number of gusts")


def test_a_choice_is_the_first_word_by_default() -> None:
    assert read_choice({}, "wind", ("calm", "storm")) == "calm"
    assert read_choice({"wind": "storm"}, "wind", ("calm", "storm")) == "storm"


@pytest.mark.parametrize("text", ["", "Storm", "x" * 5000])
def test_another_word_is_refused_with_the_allowed_ones(text: str) -> None:
    with pytest.raises(InvalidOptionsError, match=r'^The option "wind" is calm or storm, not "') as caught:
        read_choice({"wind": text}, "wind", ("calm", "storm"))
    assert len(str(caught.value)) < 200
