"""Everything about a board that can be computed once: bit masks and packed pieces of legal lists.

A set of squares is an int with one bit per square; a piece of a legal list is its uint32 actions as bytes.
"""

import sys
from array import array
from functools import lru_cache
from typing import Final

from engine.caravan.actions import move, place
from engine.caravan.board import Board

ACTION_BYTES: Final = 4

BYTES: Final = [bytes((number,)) for number in range(1 << 8)]
"""By number: it as a byte string."""

_TARGETS: Final = slice(0 if sys.byteorder == "little" else ACTION_BYTES - 1, None, ACTION_BYTES)
"""Where packed actions have their targets: in the lowest byte of each."""


class BoardTables:
    """The tables of one board."""

    __slots__ = (
        "beside",
        "bits",
        "cities",
        "goods_spaces",
        "moves_from",
        "near",
        "place_anywhere",
        "space_at",
        "squares",
        "steps",
        "targets",
    )

    def __init__(self, board: Board) -> None:
        """Compute the tables of `board`."""
        self.squares: int = board.rows * board.columns
        squares = range(self.squares)
        self.bits: list[int] = [1 << square for square in squares]
        self.cities: list[int] = list(board.cities)
        """The square of each good's city, by kind of good."""
        self.goods_spaces: list[int] = list(board.goods_spaces)
        """By index of the goods space: its square."""
        self.space_at: list[int] = [-1] * self.squares
        """By square: the index of the goods space there, or -1."""
        for index, square in enumerate(board.goods_spaces):
            self.space_at[square] = index
        self.beside: list[list[int]] = [_beside(board, square) for square in squares]
        """By square: the squares one orthogonal step away, ascending."""
        self.near: list[int] = [sum(self.bits[other] for other in self.beside[square]) for square in squares]
        """By square: the set of squares one orthogonal step away."""
        self.steps: list[list[int]] = [
            [
                abs(here // board.columns - there // board.columns)
                + abs(here % board.columns - there % board.columns)
                for there in squares
            ]
            for here in squares
        ]
        """By two squares: the orthogonal steps between them."""
        self.place_anywhere: bytes = _packed([place(to) for to in squares])
        self.moves_from: list[bytes] = [
            _packed([move(origin, to) for to in squares if to != origin]) for origin in squares
        ]
        """By square: the moves from there to all other squares."""
        self.targets: bytes = bytes(squares)
        """The numbers of all squares, ascending, a byte each."""

    def group(self, camels: int, square: int) -> int:
        """Return the squares of `camels` that steps within `camels` link to `square`, itself included (C13)."""
        bits, near = self.bits, self.near
        rest = camels
        linked = bits[square]
        while linked:
            highest = linked.bit_length() - 1
            rest ^= bits[highest]
            linked = (linked | near[highest]) & rest
        return camels ^ rest


@lru_cache(maxsize=32)
def tables_of(board: Board) -> BoardTables:
    """Return the tables of a board, computed once."""
    return BoardTables(board)


def _beside(board: Board, square: int) -> list[int]:
    row, column = divmod(square, board.columns)
    steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [r * board.columns + c for r, c in steps if 0 <= r < board.rows and 0 <= c < board.columns]


def cut_to(targets: bytes, rows: list[bytes]) -> bytearray:
    """Packed actions, each row of them alike but for the targets, with these targets instead, a byte each."""
    size = ACTION_BYTES * len(targets)
    changed = bytearray().join([row[:size] for row in rows])
    changed[_TARGETS] = targets * len(rows)
    return changed


def _packed(actions: list[int]) -> bytes:
    return array("I", actions).tobytes()
