"""What the canonical bytes of all games' positions are made of. Numbers are big-endian."""

from collections.abc import Iterable, Sequence


def wide(size: int, numbers: Iterable[int]) -> bytes:
    """Return the bytes of numbers of 0 or more, so many bytes each."""
    return b"".join([int(number).to_bytes(size, "big") for number in numbers])


def shifted(numbers: Iterable[int]) -> bytes:
    """Return the bytes of numbers from -1 on, one byte each, with 1 added."""
    return bytes([number + 1 for number in numbers])


def counted(numbers: Sequence[int]) -> bytes:
    """Return the bytes of numbers of one byte each, with their count before them."""
    return bytes((len(numbers), *numbers))
