"""The options of a match (C2, C18) and how they are read from text."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine import option_names
from engine.caravan.board import BOARDS_VARIABLE, load_board
from engine.caravan.goods import GoodsSet
from engine.game import InvalidOptionsError, OptionSpec

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4

_CAMELS: Final = ("5", "6")
_MAX_TURNS: Final = 2**32 - 1
_TURN_LIMIT: Final = 1000
_IDLE_TURNS_PER_SEAT: Final = 20


class Options(NamedTuple):
    """What a match is played with."""

    camels: int
    """Of each seat."""
    goods: GoodsSet
    board: str
    """The board's name."""
    no_progress_turns: int
    """So many idle turns in a row end the match."""
    turn_limit: int
    """The match ends at the latest after this turn."""


OPTION_SPECS: Final = (
    OptionSpec("camels", "Camels of each seat.", "5", "5 or 6"),
    OptionSpec(
        "goods",
        "How many goods are in the match: 48 (FULL) or 32 (SHORT).",
        "SHORT for 2 or 3 seats, FULL for 4",
        "FULL or SHORT",
    ),
    OptionSpec(
        "board",
        "The board, by name.",
        "classic",
        f"classic, or the name of a board in the folder that {BOARDS_VARIABLE} names",
    ),
    OptionSpec(
        "no_progress_turns",
        "So many turns in a row without a pick-up, a steal or a delivery end the match.",
        "20 for each seat",
        f"1 to {_MAX_TURNS}",
    ),
    OptionSpec("turn_limit", "The match ends at the latest after this turn.", "1000", f"1 to {_MAX_TURNS}"),
)


def read_options(seats: int, values: Mapping[str, str]) -> Options:
    """Return the options that `values` give by name, defaults for the rest; the board exists.

    Raises InvalidOptionsError: a value that is not allowed, or not for so many seats.
    """
    default_goods = GoodsSet.FULL if seats == MAX_SEATS else GoodsSet.SHORT
    return Options(
        camels=int(option_names.read_choice(values, "camels", _CAMELS)),
        goods=_goods(values.get("goods", default_goods.value)),
        board=load_board(values.get("board", "classic")).name,
        no_progress_turns=_turns(values, "no_progress_turns", _IDLE_TURNS_PER_SEAT * seats),
        turn_limit=_turns(values, "turn_limit", _TURN_LIMIT),
    )


def option_values(options: Options) -> dict[str, str]:
    """Return all options by name as text."""
    return {
        "camels": str(options.camels),
        "goods": options.goods.value,
        "board": options.board,
        "no_progress_turns": str(options.no_progress_turns),
        "turn_limit": str(options.turn_limit),
    }


def _goods(text: str) -> GoodsSet:
    try:
        return GoodsSet(text.upper())
    except ValueError:
        raise InvalidOptionsError(
            f'The option "goods" is FULL or SHORT, not "{text[:80]}".', "goods"
        ) from None


def _turns(values: Mapping[str, str], name: str, default: int) -> int:
    return option_names.read_number(values, name, default, _MAX_TURNS, "number of turns")
