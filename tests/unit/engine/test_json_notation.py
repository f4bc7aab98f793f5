"""What the notations in JSON refuse, and in which words."""

from collections.abc import Callable

import pytest

from engine import json_notation
from engine.game import UnreadableActionError


@pytest.mark.parametrize(
    ("read", "complaint"),
    [
        (lambda: json_notation.name_of("good", "tin", ("salt", "gold"), "a good"), "names a good: one of salt, gold"),
        (lambda: json_notation.name_of("good", ["salt"], ("salt",), "a good"), "names a good"),
        (lambda: json_notation.number_of("to", 4, 0, 3), "to is a whole number from 0 to 3"),
        (lambda: json_notation.number_of("to", True, 0, 3), "to is a whole number"),
        (lambda: json_notation.number_of("to", 1.0, 0, 3), "to is a whole number"),
        (lambda: json_notation.list_of("pay", "salt"), "pay is a list"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_the_name_of_its_field(
    read: Callable[[], object], complaint: str
) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        read()


def test_what_fits_is_read() -> None:
    assert json_notation.name_of("good", "gold", ("salt", "gold"), "a good") == 1
    assert json_notation.number_of("to", 3, 0, 3) == 3
    assert json_notation.list_of("pay", [1]) == [1]
