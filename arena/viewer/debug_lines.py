"""The debug lines of a reader's own bots, put into a replay page that was made for everybody."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from arena.viewer.page import as_script

MOST_LINES: Final = 5_000
"""Lines that a page takes; a browser shows further ones too slowly."""

_BEFORE: Final = '<script type="application/json" id="data">'


class SeatLine(NamedTuple):
    """What a bot has sent or printed."""

    seat: int
    decision: int
    """The number of the seat's decision that it belongs to; 0 for the match as a whole."""
    source: str
    """One of "message", "exception", "stdout" or "stderr"."""
    text: str


def with_debug_lines(page: str, lines: Iterable[SeatLine]) -> str:
    """Return a replay page that also shows these lines, each at its decision; at most `MOST_LINES`.

    Raises ValueError: it is no replay page.
    """
    shown: Sequence[SeatLine] = [line for line, _ in zip(lines, range(MOST_LINES), strict=False)]
    before, mark, behind = page.partition(_BEFORE)
    if not mark:
        raise ValueError("This is no replay page: it has no data.")
    return f'{before}<script type="application/json" id="debug-lines">{as_script(shown)}</script>\n{mark}{behind}'
