"""Matches played in process: all of a simulation follows from its plan."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from multiprocessing import get_context
from typing import Final

from arena.dataset.columns import Rows
from arena.dataset.trajectories import Trajectories
from engine.randomness import Stream
from engine.registry import GAMES
from engine.state import TERMINAL

_MATCH_LABEL: Final = b"arena-simulation-v1"
_POLICY_LABEL: Final = b"arena-simulation-policy-v1"
_CHUNKS_PER_JOB: Final = 8
_MOST_IN_A_CHUNK: Final = 25


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


@dataclass(frozen=True, slots=True)
class Chunk:
    """Matches that one process has played together."""

    first: int
    """The number of the first of them."""
    played: list[SimulatedMatch]
    decisions: Rows | None
    """Rows of the table of decisions; None if nothing was recorded."""


def play_all(plan: Plan, matches: int, jobs: int, *, record: bool = False) -> Iterator[Chunk]:
    """Yield the matches 0 to `matches` - 1 in order, the same for any number of jobs. `record`: with trajectories."""
    size = max(1, min(_MOST_IN_A_CHUNK, matches // (jobs * _CHUNKS_PER_JOB)))
    chunks = [(start, min(start + size, matches)) for start in range(0, matches, size)]
    if jobs == 1:
        for chunk in chunks:
            yield play_chunk(plan, chunk, record)
        return
    count = len(chunks)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play_chunk, [plan] * count, chunks, [record] * count)


def play_chunk(plan: Plan, numbers: tuple[int, int], record: bool) -> Chunk:
    """Play the matches from the first number up to the second."""
    trajectories = Trajectories() if record else None
    played = [play(plan, number, trajectories) for number in range(*numbers)]
    return Chunk(numbers[0], played, None if trajectories is None else trajectories.rows(numbers[0]))


def play(plan: Plan, number: int, trajectories: Trajectories | None = None) -> SimulatedMatch:
    """Play the match of that number, and record its plies. Raises InvalidOptionsError."""
    game = GAMES[plan.game]
    seed = match_seed(plan.seed, number)
    stream = Stream(sha256(_POLICY_LABEL + seed).digest())
    state = game.new_match(plan.seats, game.options(plan.seats, dict(plan.options)), seed)
    is_sensible = plan.policy is Policy.SENSIBLE
    plies = 0
    while state.seat_to_act != TERMINAL:
        if is_sensible:
            action = game.sensible_action(state, stream)
        else:
            legal = state.legal_actions()
            action = legal[stream.uniform(len(legal))]
        if trajectories is not None:
            trajectories.add(state.seat_to_act, action, state.legal_actions())
        state.apply(action)
        plies += 1
    if trajectories is not None:
        trajectories.end_match(state, plies)
    outcome = state.outcome()
    assert outcome is not None
    return SimulatedMatch(outcome.ending, plies, outcome.scores, outcome.placings)


def match_seed(seed: bytes, number: int) -> bytes:
    """Return SHA-256("arena-simulation-v1" || seed || number as 8 bytes, big-endian)."""
    return sha256(_MATCH_LABEL + seed + number.to_bytes(8, "big")).digest()
