"""The options of Wasteland (W2)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine import option_names
from engine.game import OptionSpec

TITLE: Final = "Wasteland"
MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
MOST_ROUNDS: Final = 1_000_000
"""More would only make the numbers of a position wider."""

CHECK_RULES: Final = ("engage", "deter")
_DEFAULT_ROUNDS: Final = 60


class Options(NamedTuple):
    """The options of one match."""

    check_rule: str = CHECK_RULES[0]
    """"engage" (W37) or "deter" (W38)."""
    max_rounds: int = _DEFAULT_ROUNDS
    """1 to MOST_ROUNDS (W67)."""


OPTION_SPECS: Final = (
    OptionSpec(
        "check_rule",
        "Whether an Attack card whose Check is not met is replaced (engage), or one whose Check is met may be turned "
        "away (deter).",
        CHECK_RULES[0],
        " or ".join(CHECK_RULES),
    ),
    OptionSpec(
        "max_rounds",
        "After so many rounds the match ends, whoever has reached the Cash goal.",
        str(_DEFAULT_ROUNDS),
        f"1 to {MOST_ROUNDS}",
    ),
)


def read_options(values: Mapping[str, str]) -> Options:
    """Return the options from text; defaults for what is not named.

    Raises InvalidOptionsError: a value that is not allowed.
    """
    return Options(
        option_names.read_choice(values, "check_rule", CHECK_RULES),
        option_names.read_number(values, "max_rounds", _DEFAULT_ROUNDS, MOST_ROUNDS, "number of rounds"),
    )


def option_values(options: Options) -> dict[str, str]:
    """Return all options by name as text."""
    return {"check_rule": options.check_rule, "max_rounds": str(options.max_rounds)}
