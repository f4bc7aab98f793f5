"""Events that are made once for each board: there are few, and a search makes them again and again."""

from typing import Final

from engine.caravanserai.events import Counted, Gained, PieceLaid, RoundBegan, Seeded, Source
from engine.caravanserai.hexes import Cell
from engine.caravanserai.options import MAX_SEATS
from engine.caravanserai.pieces import COLOUR_COUNT, COLOURS, PIECES

_PIECE_COUNT: Final = len(PIECES)
_RESERVE: Final = Source.RESERVE
_BOARD: Final = Source.BOARD
_MARKET: Final = Source.MARKET
"""Members of an enum are slow to look up."""


class Reports:
    """The events of one board; each is made when it is first asked for."""

    __slots__ = ("_cells", "_counted", "_gained", "_laid", "_rounds", "_seeded")

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        """`cells`: by number."""
        self._cells = cells
        self._laid: list[PieceLaid | None] = [None] * (len(cells) * _PIECE_COUNT * MAX_SEATS * 2)
        self._seeded: list[Seeded | None] = [None] * (len(cells) * COLOUR_COUNT * MAX_SEATS)
        self._gained: list[Gained | None] = [None] * (COLOUR_COUNT * MAX_SEATS * 2)
        self._rounds: dict[int, RoundBegan] = {}
        self._counted: dict[int, Counted] = {}

    def piece_laid(self, seat: int, cell: int, piece: int, *, from_board: bool) -> PieceLaid:
        """Return that a piece went to the cell, from the reserve or, as the loose good itself, from the board."""
        place = ((cell * _PIECE_COUNT + piece) * MAX_SEATS + seat) * 2 + int(from_board)
        made = self._laid[place]
        if made is None:
            source = _BOARD if from_board else _RESERVE
            made = self._laid[place] = PieceLaid(seat, self._cells[cell], PIECES[piece], source)
        return made

    def seeded(self, seat: int, cell: int, colour: int) -> Seeded:
        """Return that a good went from the market to the cell."""
        place = (cell * COLOUR_COUNT + colour) * MAX_SEATS + seat
        made = self._seeded[place]
        if made is None:
            made = self._seeded[place] = Seeded(seat, self._cells[cell], COLOURS[colour])
        return made

    def gained(self, seat: int, colour: int, *, from_board: bool) -> Gained:
        """Return that a camel brought a good from the board or from the market."""
        place = (colour * MAX_SEATS + seat) * 2 + int(from_board)
        made = self._gained[place]
        if made is None:
            made = self._gained[place] = Gained(seat, COLOURS[colour], _BOARD if from_board else _MARKET)
        return made

    def counted(self, seat: int, laid: int, omitted: int) -> Counted:
        """Return that so many pieces were laid, of which `omitted` are in omitted blocks."""
        key = (laid << 8 | omitted) * MAX_SEATS + seat
        made = self._counted.get(key)
        if made is None:
            made = self._counted[key] = Counted(seat, laid, omitted, laid - omitted)
        return made

    def round_began(self, number: int) -> RoundBegan:
        """Return that the round began."""
        made = self._rounds.get(number)
        if made is None:
            made = self._rounds[number] = RoundBegan(number)
        return made
