"""The option of a match (S1) and how it is read from text."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine import option_names
from engine.game import OptionSpec

MIN_SEATS: Final = 1
MAX_SEATS: Final = 6


class Options(NamedTuple):
    """What a match is played with."""

    expert: bool
    """Lying camels, first blocks of one good, seven shared goods of each colour."""


OPTION_SPECS: Final = (
    OptionSpec(
        "expert",
        "Whether the expert rules are played: lying camels, and seven shared goods of each colour.",
        "false",
        "true or false",
    ),
)


def read_options(values: Mapping[str, str]) -> Options:
    """Return the options that `values` give by name, defaults for the rest.

    Raises InvalidOptionsError: a value that is not allowed.
    """
    return Options(option_names.read_switch(values, "expert"))


def option_values(options: Options) -> dict[str, str]:
    """Return all options by name as text."""
    return {"expert": option_names.switch_text(options.expert)}
