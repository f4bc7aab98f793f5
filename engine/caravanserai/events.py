"""What happens by the rules, for the log (S53). Everybody sees everything."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from engine.caravanserai.hexes import Cell
from engine.caravanserai.pieces import Colour, Piece
from engine.caravanserai.tiles import LaidTile
from engine.game import Event


class Ending(IntEnum):
    """Why a match ended; `name` is the rules' word."""

    MARKET = 1
    """The last round after the market was emptied is over (S37)."""
    ROUND_CAP = 2
    """Round 60 is over (S41)."""
    STUCK = 3
    """No seat can lay (S39)."""


class Source(Enum):
    """Where a good comes from."""

    RESERVE = "reserve"
    BOARD = "board"
    """A loose good."""
    MARKET = "market"


class SkipReason(Enum):
    """Why a seat cannot lay (S16)."""

    NO_CAMEL = "no_camel"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class BoardLaid(Event):
    """The tiles are laid and the first seat is drawn (S8 to S12)."""

    first: int
    tiles: tuple[LaidTile, ...]
    """By position."""
    loose: tuple[Cell, ...]
    """The loose goods, by position of their tile."""


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A seat put its first camel on the board (S14)."""

    seat: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class PieceLaid(Event):
    """A seat laid a piece (S18)."""

    seat: int
    cell: Cell
    piece: Piece
    source: Source
    """BOARD for the loose good itself (S26)."""


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A loose good went to the market (S26, S27)."""

    cell: Cell
    colour: Colour


@dataclass(frozen=True, slots=True)
class Gained(Event):
    """A camel brought a good to its seat's reserve (S30)."""

    seat: int
    colour: Colour
    source: Source
    """BOARD or MARKET."""


@dataclass(frozen=True, slots=True)
class Stolen(Event):
    """A camel brought a good from the victim's reserve (S31)."""

    seat: int
    colour: Colour
    victim: int


@dataclass(frozen=True, slots=True)
class NoGood(Event):
    """A camel brought nothing, because market and reserves have no such good (S31)."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """A placement was counted (S32)."""

    seat: int
    laid: int
    omitted: int
    count: int


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """Pieces left the tail of a caravan for the reserve (S34)."""

    seat: int
    cells: tuple[Cell, ...]
    """From the tail on."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Seeded(Event):
    """A good moved from the market to the board (S35)."""

    seat: int
    cell: Cell
    colour: Colour


@dataclass(frozen=True, slots=True)
class SeedLost(Event):
    """So many goods could not be moved to the board (S35)."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class MarketEmptied(Event):
    """The market is empty for the first time: the end is near (S36)."""

    round: int


@dataclass(frozen=True, slots=True)
class Skipped(Event):
    """A seat could not lay and has no turn (S16)."""

    seat: int
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """The next round began (S38)."""

    round: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match ended."""

    ending: Ending
