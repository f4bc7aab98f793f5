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
_LOWEST_BYTE: Final = 0 if sys.byteorder == "little" else ACTION_BYTES - 1
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
        """By chunk of eight squares and the byte that says which of them: their numbers, a byte each."""

    def targets_in(self, squares: int) -> bytes:
        """The numbers of the squares in the set, ascending, a byte each."""
        chunks = squares.to_bytes(self.chunk_count, "little")
        targets = self.targets
        return b"".join([targets[index][chunk] for index, chunk in enumerate(chunks)])

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


def actions_to(targets: bytes, actions: list[bytes]) -> bytearray:
    """Packed actions, each row of them alike but for the targets, with these targets instead, a byte each."""
    size = ACTION_BYTES * len(targets)
    changed = bytearray(b"".join([packed[:size] for packed in actions]))
    changed[_LOWEST_BYTE::ACTION_BYTES] = targets * len(actions)
    return changed


def _packed(actions: list[int]) -> bytes:
    return array("I", actions).tobytes()


def _chunk_targets(first: int) -> list[bytes]:
    return [
        bytes([first + offset for offset in range(_CHUNK) if chunk >> offset & 1])
        for chunk in range(1 << _CHUNK)
    ]
