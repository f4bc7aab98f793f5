"""What a caravan promises at the end of its turn, in tenths of a piece."""

from typing import Final

PIECE: Final = 10
GOOD: Final = 7
CAMELS: Final = (-60, -18, -8, -3, 0, 1, 2, 3, 3)
"""By camels in the reserve; a caravan without one is locked."""
ROOM: Final = (-80, -12, -4, 0, 2, 3, 4)
"""By empty cells beside the leading camel."""

_FIRST: Final = 1000
"""More than all pieces that there are."""


def worth(length: int, goods: int, camels: int, room: int, *, last: bool) -> int:
    """Return the worth of a caravan of that length, with so many goods and camels in the reserve.

    After its last turn nothing counts but what ranks the seats: the length, then the reserve (S42).
    """
    if last:
        return _FIRST * length + goods + camels
    return PIECE * length + GOOD * goods + CAMELS[camels] + ROOM[room]
