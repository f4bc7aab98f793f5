"""What all games say alike of their options."""

from __future__ import annotations

import pytest

from engine.game import InvalidOptionsError
from engine.option_names import check_names, check_seats


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
