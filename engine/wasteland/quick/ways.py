"""Ways over the board, reckoned once: which ends can be reached by how many Wilds."""

from typing import Final

from engine.wasteland.board import LINKED, SPACE_KINDS, SPACES, WILD

MOST_STEPS: Final = 12
"""No Movement has more (W76)."""


def _wilds_on_ways() -> list[list[list[int]]]:
    ways = [[[1 if end == start else 0 for end in range(SPACES)] for start in range(SPACES)]]
    for steps in range(1, MOST_STEPS + 1):
        before = ways[steps - 1]
        table = []
        for start in range(SPACES):
            row = before[start][:]
            for near in LINKED[start]:
                more = 1 if SPACE_KINDS[near] == WILD else 0
                for end in range(SPACES):
                    row[end] |= before[near][end] << more
            table.append(row)
        ways.append(table)
    return ways


WAYS: Final = _wilds_on_ways()
"""By steps, start and end: bit w is set if a way of at most so many steps enters w Wilds."""
