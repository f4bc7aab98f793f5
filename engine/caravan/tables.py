"""Everything about a board that can be computed once: bit masks and packed pieces of legal lists.

A set of squares is an int with one bit per square; a piece of a legal list is its uint32 actions as bytes.
"""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache
from typing import Final

from engine.caravan.actions import move, place
from engine.caravan.board import Board

ACTION_BYTES: Final = 4
_CHUNK: Final = 8


class BoardTables:
    """The tables of one board."""

    __slots__ = (
        "all_squares",
        "beside",
        "bits",
        "chunk_count",
        "moves_from",
        "near",
        "ones",
        "place_anywhere",
        "space_at",
        "squares",
        "steps",
        "targets",
    )

    def __init__(self, board: Board) -> None:
        """The tables of `board`."""
        self.squares: int = board.rows * board.columns
        squares = range(self.squares)
        self.bits: list[int] = [1 << square for square in squares]
        self.all_squares: int = (1 << self.squares) - 1
        self.space_at: list[int] = [-1] * self.squares
        """By square: the index of the goods space there, or -1."""
        for index, square in enumerate(board.goods_spaces):
            self.space_at[square] = index
        self.beside: list[list[int]] = [_beside(board, square) for square in squares]
        """By square: the squares one orthogonal step away, ascending."""
        self.near: list[int] = [
            self.bits[square] | sum(self.bits[other] for other in self.beside[square]) for square in squares
        ]
        """By square: the set of it and the squares one orthogonal step away."""
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
        self.chunk_count: int = (self.squares + _CHUNK - 1) // _CHUNK
        self.targets: list[list[bytes]] = [
            _chunk_targets(index * _CHUNK) for index in range(self.chunk_count)
        ]
        """By chunk of eight squares and the byte that says which of them: their numbers as uint32."""
        self.ones: list[int] = [
            int.from_bytes(_packed([1] * count), sys.byteorder) for count in range(self.squares + 1)
        ]
        """By n: an int whose n 32-bit lanes are all 1."""

    def targets_in(self, squares: int) -> bytes:
        """The numbers of the squares in the set, ascending, as uint32."""
        chunks = squares.to_bytes(self.chunk_count, "little")
        return b"".join([targets[chunk] for targets, chunk in zip(self.targets, chunks, strict=True)])

    def actions_to(self, targets: bytes, origins: list[int]) -> list[bytes]:
        """For each of `origins`, an action but for its target: the actions to the packed targets.

        One addition of long ints does all 32-bit lanes at once.
        """
        lanes = int.from_bytes(targets, sys.byteorder)
        ones = self.ones[len(targets) // ACTION_BYTES]
        return [(lanes + origin * ones).to_bytes(len(targets), sys.byteorder) for origin in origins]

    def group(self, camels: int, square: int) -> int:
        """The squares of `camels` that steps within `camels` link to `square`, itself included (C13)."""
        reached = self.near[square] & camels
        unasked = reached ^ self.bits[square]
        while unasked:
            lowest = unasked & -unasked
            grown = reached | self.near[lowest.bit_length() - 1] & camels
            unasked ^= lowest | grown ^ reached
            reached = grown
        return reached


@lru_cache(maxsize=32)
def tables_of(board: Board) -> BoardTables:
    """The tables of a board, computed once."""
    return BoardTables(board)


def _beside(board: Board, square: int) -> list[int]:
    row, column = divmod(square, board.columns)
    steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [r * board.columns + c for r, c in steps if 0 <= r < board.rows and 0 <= c < board.columns]


def _packed(actions: list[int]) -> bytes:
    return array("I", actions).tobytes()


def _chunk_targets(first: int) -> list[bytes]:
    return [
        _packed([first + offset for offset in range(_CHUNK) if chunk >> offset & 1])
        for chunk in range(1 << _CHUNK)
    ]
