"""Matches of any game, played by chance."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from hypothesis import Phase, settings

from engine.game import TERMINAL, State
from engine.randomness import Stream
from engine.registry import GAMES

Match = TypeVar("Match", bound=State)


def examples(number: int) -> settings:
    """Return settings without shrinking: a match from a smaller seed is no simpler match; a search takes minutes."""
    phases = (Phase.explicit, Phase.reuse, Phase.generate)
    return settings(max_examples=number, deadline=None, phases=phases)


def walk(match: Match, game: str, seed: bytes) -> Iterator[Match]:
    """Yield the positions of a match between players who are sensible two times out of three, the same object."""
    stream = Stream(seed)
    yield match
    while match.seat_to_act != TERMINAL:
        listed = match.legal_actions()
        any_action = listed[stream.uniform(len(listed))]
        match.apply(GAMES[game].sensible_action(match, stream) if stream.uniform(3) else any_action)
        yield match


def a_match(game: str, seats: int, values: Mapping[str, str], seed: bytes = bytes(32)) -> State:
    """Return the position after the set-up."""
    return GAMES[game].new_match(seats, GAMES[game].options(seats, values), seed)
