"""The four resources, and what fits into typed storage (W3, W20)."""

from typing import Final

from engine.compiling import i64

FUEL: Final = 0
MUNITIONS: Final = 1
RATIONS: Final = 2
MEDICINE: Final = 3

KINDS: Final = 4

NAMES: Final = ("fuel", "munitions", "rations", "medicine")
"""By resource, in the order of W3."""

ANY: Final = 4
"""The place of the slots for any kind in a list of slots."""

SLOT_NAMES: Final = (*NAMES, "any")


def excess(stored: list[int], slots: list[int]) -> int:
    """Return how many units lie in slots for any kind; `slots` has five numbers, the last one of these slots (W20)."""
    over: i64 = 0
    for kind in range(KINDS):
        more: i64 = stored[kind] - slots[kind]
        if more > 0:
            over += more
    return over


def fits(stored: list[int], slots: list[int]) -> bool:
    """Return whether every unit can have a slot of its own (W20)."""
    return excess(stored, slots) <= slots[ANY]
