"""The public random stream of a match (docs/rules/randomness.md): anyone can recompute it from the seed."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Final, TypeVar

SEED_BYTES: Final = 32

_WORDS_PER_BLOCK: Final = 4
_WORDS: Final = Struct(f">{_WORDS_PER_BLOCK}Q")
_WORD_RANGE: Final = 1 << 64
_FEW: Final = 1 << 32
_GOOD_FOR_FEW: Final = _WORD_RANGE - _FEW - 1
"""No word up to it is dropped for any n up to _FEW."""
_COMMITMENT_LABEL = b"arena-seed-v1"

T = TypeVar("T")


def commitment(seed: bytes) -> bytes:
    """SHA-256("arena-seed-v1" || seed), 32 bytes: binds to the seed without telling it."""
    return sha256(_COMMITMENT_LABEL + seed).digest()


class Stream:
    """The words of one seed, each used once.

    `words` is the number of 64-bit words used so far; two streams of one seed are equal iff it is equal.
    """

    __slots__ = ("_block", "seed", "words")

    def __init__(self, seed: bytes, words: int = 0) -> None:
        """`seed`: 32 bytes. Raises ValueError for any other length."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        self.words = words
        self._block: tuple[int, ...] = self._block_at(words // _WORDS_PER_BLOCK)

    def _block_at(self, index: int) -> tuple[int, ...]:
        return _WORDS.unpack(sha256(self.seed + index.to_bytes(8, "big")).digest())

    def clone(self) -> Stream:
        """Return an independent stream that continues with the same words."""
        return Stream(self.seed, self.words)

    def word(self) -> int:
        """Return the next word, 0 to 2**64 - 1."""
        place = self.words % _WORDS_PER_BLOCK
        if place == 0 and self.words:
            self._block = self._block_at(self.words // _WORDS_PER_BLOCK)
        self.words += 1
        return self._block[place]

    def uniform(self, n: int) -> int:
        """Return an integer from 0 to n - 1, each with the same chance; n from 1 to 2**64."""
        if n < 1:
            raise ValueError(f"uniform(n) needs n >= 1, not {n}")
        value = self.word()
        if value > _GOOD_FOR_FEW or n > _FEW:
            while value >= _WORD_RANGE - _WORD_RANGE % n:
                value = self.word()
        return value % n

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place, from the last item down."""
        for i in range(len(items) - 1, 0, -1):
            j = self.uniform(i + 1)
            items[i], items[j] = items[j], items[i]

    def die(self, sides: int) -> int:
        """Return one die: 1 to `sides`."""
        return self.uniform(sides) + 1
