"""The options of a match (A3) and how they are read from text."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine import option_names
from engine.game import InvalidOptionsError, OptionSpec

MIN_SEATS: Final = 2
MAX_SEATS: Final = 5


class Options(NamedTuple):
    """What a match is played with."""

    neutral_board: bool
    """One more map in the middle, open to all (A35)."""
    night_of_the_outsider: bool
    """Gold is drawn from a cup with three black chips (A36-A42)."""
    trading: bool
    """Two offers in each building chance (A43-A46)."""


OPTION_SPECS: Final = (
    OptionSpec(
        "neutral_board",
        "Whether one more map lies in the middle, open to all.",
        "false",
        "true or false; with five seats only false",
    ),
    OptionSpec(
        "night_of_the_outsider",
        "Whether gold is drawn from a cup with three black chips, each of which may bring a Night.",
        "false",
        "true or false",
    ),
    OptionSpec(
        "trading", "Whether seats may make two offers in each building chance.", "false", "true or false"
    ),
)


def read_options(seats: int, values: Mapping[str, str]) -> Options:
    """Return the options that `values` give by name, defaults for the rest.

    Raises InvalidOptionsError: a value that is not allowed, or not for so many seats.
    """
    options = Options(*(option_names.read_switch(values, name) for name in Options._fields))
    if options.neutral_board and seats == MAX_SEATS:
        raise InvalidOptionsError(
            f'The option "neutral_board" is false with {MAX_SEATS} seats: the box holds {MAX_SEATS} maps (A3).',
            "neutral_board",
        )
    return options


def option_values(options: Options) -> dict[str, str]:
    """Return all options by name as text."""
    return {name: option_names.switch_text(chosen) for name, chosen in options._asdict().items()}
