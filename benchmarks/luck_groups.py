"""The match groups of `python -m benchmarks.luck`: one program on all seats, that slips more or less often.

A *slip* is any legal action, drawn, instead of the program's own. So bots of any strength below the program's are to be
had in every game, and all chance but the seed of the match is each bot's own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from typing import Final

from arena.core.clock.seat_clock import SeatClock
from arena.core.clock.time_control import TimeControl
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import plan_group
from arena.sdk import Bot
from benchmarks.in_process import Table, clock_now
from benchmarks.strength_contest import bot_class
from engine.game import State
from engine.randomness import Stream
from engine.registry import GAMES

_SAMPLE_BOT: Final = "greedy"
SENSIBLE: Final = "sensible play"
"""The game's own quick plausible play, which draws much of what it does."""

PERMILLE: Final = 1000
_CONTROL: Final = TimeControl()


@dataclass(frozen=True, slots=True)
class Series:
    """Match groups of one line-up."""

    game: str
    program: str
    """A sample bot, or SENSIBLE."""
    slips: Mapping[str, int]
    """By bot: how many of a thousand decisions it slips at."""
    policy: SeedPolicy
    secret: bytes
    """32 bytes: seats, seeds and slips follow from it."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the game, by name; the defaults for the rest."""


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match of a group and how it ended."""

    bots: tuple[str, ...]
    """By seat."""
    placings: tuple[int, ...]
    """By seat; 1 is best."""
    first: int
    """The seat that was asked first."""

    def score(self, bot: str) -> float:
        """Return the mean score of its pairs, 0 to 1: 1 for one behind it, 1/2 for one level (docs/ratings.md)."""
        others = [other for other in self.bots if other != bot]
        return sum(self.against(bot, other) for other in others) / len(others)

    def against(self, bot: str, other: str) -> float:
        """Return 1 if the bot is ahead of the other, 1/2 if they are level, else 0."""
        one, two = (self.placings[self.bots.index(each)] for each in (bot, other))
        return 0.5 if one == two else float(one < two)


Group = tuple[SeatedMatch, ...]
"""The matches of one match group, in order."""


def program_of(game: str) -> str:
    """Return what plays by default: the sample bot greedy; in a game that has none, its own quick sensible play."""
    found = find_spec(f"sample_bots.python.{game}") and find_spec(f"sample_bots.python.{game}.{_SAMPLE_BOT}")
    return _SAMPLE_BOT if found else SENSIBLE


def play_groups(series: Series, groups: range) -> list[Group]:
    """Play the match groups of these numbers, the same on every machine as long as the program draws nothing itself."""
    return [tuple(_matches(series, number)) for number in groups]


def _matches(series: Series, group: int) -> Iterator[SeatedMatch]:
    for k, plan in enumerate(plan_group(series.secret, group, tuple(series.slips), series.policy)):
        label = f"slips/{group}/{k}".encode()
        yield play_match(series, plan.bots, plan.seed, Stream(sha256(label + series.secret).digest()))


def play_match(series: Series, bots: tuple[str, ...], seed: bytes, chance: Stream) -> SeatedMatch:
    """Play one match. `bots`: by seat, each of them in `series.slips`. `chance`: of the slips and of SENSIBLE."""
    rules, seats = GAMES[series.game], len(bots)
    state = rules.new_match(seats, rules.options(seats, series.options), seed)
    first, table = state.seat_to_act, Table(series.game, seats, _CONTROL)
    seated = [_seated(table, series.program, seat, state) for seat in range(seats)]
    while (outcome := state.outcome()) is None:
        seat = state.seat_to_act
        for action in _choose(table, seated[seat], state, series.slips[bots[seat]], chance):
            state.apply(action)
    return SeatedMatch(bots, outcome.placings, first)


def _seated(table: Table, program: str, seat: int, state: State) -> Bot | None:
    """Return the program on its seat; None where the game's own sensible play stands in for it."""
    return None if program == SENSIBLE else table.take_seat(bot_class(table.game, program), seat, state)


def _choose(table: Table, bot: Bot | None, state: State, slips: int, chance: Stream) -> tuple[int, ...]:
    if chance.uniform(PERMILLE) < slips:
        listed = state.legal_actions()
        return (listed[chance.uniform(len(listed))],)
    if bot is None:
        return (GAMES[table.game].sensible_action(state, chance),)
    return table.ask(bot, state, clock_now(SeatClock(_CONTROL)))
