"""docs/rules/randomness.md, with its vectors."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.randomness import Stream, commitment

ZERO_SEED = bytes(32)
seeds = st.binary(min_size=32, max_size=32)


def words_by_hand(seed: bytes, count: int) -> list[int]:
    blocks = b"".join(sha256(seed + i.to_bytes(8, "big")).digest() for i in range(count // 4 + 1))
    return [int.from_bytes(blocks[8 * i : 8 * i + 8], "big") for i in range(count)]


def test_the_first_four_words_of_the_zero_seed_are_those_of_the_vectors() -> None:
    stream = Stream(ZERO_SEED)
    assert [f"{stream.word():016x}" for _ in range(4)] == [
        "2c34ce1df23b838c",
        "5abf2a7f6437cca3",
        "d3067ed509ff25f1",
        "1df6b11b582b51eb",
    ]


def test_the_commitment_of_the_zero_seed_is_that_of_the_vectors() -> None:
    expected = "44907f78c33f86f963a89fd6b356b70aba74f51aa600913c575919894ab7c1c5"
    assert commitment(ZERO_SEED).hex() == expected


@given(seeds, st.integers(1, 40))
def test_the_stream_is_the_blocks_in_counter_mode(seed: bytes, count: int) -> None:
    stream = Stream(seed)
    assert [stream.word() for _ in range(count)] == words_by_hand(seed, count)
    assert stream.words == count


@given(seeds, st.integers(0, 20))
def test_a_stream_can_be_taken_up_at_any_word(seed: bytes, used: int) -> None:
    stream = Stream(seed)
    for _ in range(used):
        stream.word()
    copy = stream.clone()
    assert copy.word() == stream.word() == Stream(seed, used).word()
    copy.word()
    assert stream.words == used + 1


class ScriptedStream(Stream):
    """A stream whose words are given."""

    def __init__(self, *words: int) -> None:
        super().__init__(ZERO_SEED)
        self.script = list(words)

    def word(self) -> int:
        return self.script.pop(0)


def test_a_word_that_would_favour_small_values_is_dropped() -> None:
    limit = 2**64 - 2**64 % 3
    assert ScriptedStream(limit, limit - 1).uniform(3) == (limit - 1) % 3


def test_a_word_is_never_dropped_for_a_power_of_two() -> None:
    assert ScriptedStream(2**64 - 1).uniform(2**10) == 2**10 - 1


@given(seeds, st.lists(st.integers(), max_size=30))
def test_a_shuffle_swaps_from_the_last_item_down(seed: bytes, items: list[int]) -> None:
    stream, by_hand = Stream(seed), list(items)
    for i in reversed(range(1, len(by_hand))):
        j = stream.uniform(i + 1)
        by_hand[i], by_hand[j] = by_hand[j], by_hand[i]
    shuffled = list(items)
    Stream(seed).shuffle(shuffled)
    assert shuffled == by_hand


def test_a_die_shows_one_more_than_the_uniform_value() -> None:
    assert ScriptedStream(5).die(6) == 6
    assert ScriptedStream(6).die(6) == 1


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        Stream(bytes(31))


def test_a_range_without_values_is_refused() -> None:
    with pytest.raises(ValueError, match="n >= 1, not 0"):
        Stream(ZERO_SEED).uniform(0)
