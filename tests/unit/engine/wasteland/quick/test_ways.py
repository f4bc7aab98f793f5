"""Ways over the board against every way there is. Clauses: docs/rules/wasteland.md."""

from engine.wasteland.board import LINKED, SPACE_KINDS, SPACES, WILD
from engine.wasteland.quick.ways import WAYS


def walked(start: int, steps: int) -> set[tuple[int, int]]:
    """(end, Wilds entered) of every way of at most so many steps (W32, W34)."""
    found, ends = {(start, 0)}, {(start, 0)}
    for _ in range(steps):
        ends = {
            (near, wilds + (SPACE_KINDS[near] == WILD)) for space, wilds in ends for near in LINKED[space]
        }
        found |= ends
    return found


def test_ends_and_wilds_are_those_of_all_ways() -> None:
    """W4, W34."""
    for start in range(SPACES):
        for steps in range(6):
            row = WAYS[steps][start]
            told = {(end, wilds) for end in range(SPACES) for wilds in range(6) if row[end] >> wilds & 1}
            assert told == walked(start, steps)
