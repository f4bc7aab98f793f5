"""Matches played in process by the rules alone: no clock, no arena, no network."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from multiprocessing import get_context

from engine.randomness import Stream
from engine.registry import GAMES

_MATCH_LABEL = b"arena-simulation-v1"
_POLICY_LABEL = b"arena-simulation-policy-v1"
_CHUNKS_PER_JOB = 8
_MOST_IN_A_CHUNK = 25


class Policy(StrEnum):
    """The policy of all seats."""

    SENSIBLE = "sensible"
    """The game's own quick plausible play."""
    RANDOM = "random"
    """Any legal action, each with the same chance. Some games then end only by their limits."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A simulation. All results follow from it."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...]
    """The options that differ from the defaults, by name as text."""
    policy: Policy
    seed: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class SimulatedMatch:
    """One match."""

    ending: str
    plies: int
    scores: tuple[int, ...]
    placings: tuple[int, ...]


def play_all(plan: Plan, matches: int, jobs: int) -> Iterator[SimulatedMatch]:
    """Yield the matches 0 to `matches` - 1 in order, the same for any number of jobs."""
    if jobs == 1:
        for number in range(matches):
            yield play(plan, number)
        return
    size = max(1, min(_MOST_IN_A_CHUNK, matches // (jobs * _CHUNKS_PER_JOB)))
    chunks = [(start, min(start + size, matches)) for start in range(0, matches, size)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for played in pool.map(_play_chunk, [plan] * len(chunks), chunks):
            yield from played


def play(plan: Plan, number: int) -> SimulatedMatch:
    """Play the match of that number. Raises InvalidOptionsError."""
    game = GAMES[plan.game]
    seed = match_seed(plan.seed, number)
    stream = Stream(sha256(_POLICY_LABEL + seed).digest())
    state = game.new_match(plan.seats, game.options(plan.seats, dict(plan.options)), seed)
    plies = 0
    while (outcome := state.outcome()) is None:
        if plan.policy is Policy.SENSIBLE:
            state.apply(game.sensible_action(state, stream))
        else:
            legal = state.legal_actions()
            state.apply(legal[stream.uniform(len(legal))])
        plies += 1
    return SimulatedMatch(outcome.ending, plies, outcome.scores, outcome.placings)


def match_seed(seed: bytes, number: int) -> bytes:
    """Return SHA-256("arena-simulation-v1" || seed || number as 8 bytes, big-endian)."""
    return sha256(_MATCH_LABEL + seed + number.to_bytes(8, "big")).digest()


def _play_chunk(plan: Plan, numbers: tuple[int, int]) -> list[SimulatedMatch]:
    return [play(plan, number) for number in range(*numbers)]
