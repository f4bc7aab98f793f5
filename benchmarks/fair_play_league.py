"""A league whose cheats are known: who is a copy of whom, and who gives matches away, is written in its cast.

It is played in process by the rules and the sample bots; all chance follows from the league's number.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from typing import Final

from arena.codecs.codec import codec_for
from arena.core.clock.seat_clock import SeatClock
from arena.core.clock.time_control import TimeControl
from arena.core.fair_play.choice import Choice, Likeness
from arena.core.finished_match import FinishedMatch
from arena.core.pairing.groups import default_seed_policy, plan_group
from arena.fair_play.material import ActionKinds, choices_of_match
from arena.sdk import Bot
from benchmarks.in_process import Table, clock_now
from benchmarks.strength_contest import bot_class
from engine.game import State
from engine.randomness import Stream
from engine.registry import GAMES

SENSIBLE: Final = "sensible"
"""The game's own quick plausible play, instead of a sample bot."""

RANDOM: Final = "random"

_CONTROL: Final = TimeControl(per_decision_ms=10)
_PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class Part:
    """How one bot of the cast plays."""

    program: str
    """A sample bot, SENSIBLE or RANDOM."""
    slips: int = 0
    """Percent of its decisions at which it plays any legal action."""
    gives_to: str = ""
    """Against this bot it plays any legal action, always."""


CAST: Final = {
    "greedy": Part("greedy"),
    "twin": Part("greedy"),
    "near-twin": Part("greedy", slips=10),
    "hasty": Part(SENSIBLE),
    "half": Part("greedy", slips=50),
    "dice-a": Part(RANDOM),
    "dice-b": Part(RANDOM),
    "giver": Part("greedy", slips=30, gives_to="hasty"),
}
"""Who takes part. All chance is drawn, so a league is the same on every machine."""

THINKER: Final = {"planner": Part("planner")}
"""Takes part where there is time for it; what it plays hangs on the machine's speed."""

COPIES: Final = frozenset({("greedy", "twin")})
"""Pairs of the same program."""

NEAR_COPIES: Final = frozenset({("greedy", "near-twin"), ("near-twin", "twin")})
"""Pairs of the same program, one of which slips now and then."""

HALF_COPIES: Final = frozenset(
    {
        *(("greedy", "half"), ("half", "near-twin"), ("half", "twin")),
        *(("giver", "greedy"), ("giver", "half"), ("giver", "near-twin"), ("giver", "twin")),
    }
)
"""Pairs that share a program, but one plays at random so often that either answer is right."""

GIFTS: Final = frozenset({("giver", "hasty")})
"""Who gives to whom."""


@dataclass(frozen=True, slots=True)
class LeagueMatch:
    """A match, and what its bots chose."""

    result: FinishedMatch
    choices: tuple[tuple[Likeness, Choice], ...]


def play_league(
    game: str, number: int, groups: int, cast: Mapping[str, Part] = CAST
) -> Iterator[LeagueMatch]:
    """Play every pair of the cast in so many match groups, seats rotated, seeds as an arena would draw them."""
    secret = sha256(f"fair-play-league/{game}/{number}".encode()).digest()
    policy = default_seed_policy(GAMES[game].spec.chance, isolated=False)
    kinds, group, match = ActionKinds(), 0, 0
    for _ in range(groups):
        for pair in combinations(cast, 2):
            group += 1
            for plan in plan_group(secret, group, pair, policy):
                match += 1
                chance = Stream(sha256(b"chance" + secret + match.to_bytes(4, "big")).digest())
                bots = {bot: cast[bot] for bot in plan.bots}
                yield _play(game, (match, group), bots, plan.seed, (chance, kinds))


def _play(
    game: str,
    numbers: tuple[int, int],
    seats: Mapping[str, Part],
    seed: bytes,
    means: tuple[Stream, ActionKinds],
) -> LeagueMatch:
    """`numbers`: of match and group; `seats`: by bot, in order; `means`: chance, and the kinds of actions."""
    (match, group), (chance, kinds), rules, bots = numbers, means, GAMES[game], tuple(seats)
    state = rules.new_match(len(bots), rules.options(len(bots), {}), seed)
    table = Table(game, len(bots), _CONTROL)
    seated = [_seated(table, seats[bot], seat, state) for seat, bot in enumerate(bots)]
    played: list[int] = []
    while (outcome := state.outcome()) is None:
        seat = state.seat_to_act
        others = set(bots) - {bots[seat]}
        for action in _choose(table, seats[bots[seat]], seated[seat], state, (chance, others)):
            state.apply(action)
            played.append(action)
    again = rules.new_match(len(bots), rules.options(len(bots), {}), seed)
    result = FinishedMatch(bots, outcome.placings, group=group)
    plies = ((action, True) for action in played)
    choices = choices_of_match(codec_for(game), again, plies, kinds, replace(result, match=match))
    return LeagueMatch(result, tuple(choices))


def _seated(table: Table, part: Part, seat: int, state: State) -> Bot | None:
    """Return the sample bot on its seat; None for play that needs none."""
    if part.program in {SENSIBLE, RANDOM}:
        return None
    return table.take_seat(bot_class(table.game, part.program), seat, state)


def _choose(
    table: Table, part: Part, bot: Bot | None, state: State, around: tuple[Stream, set[str]]
) -> tuple[int, ...]:
    """`around`: the source of chance, and who else sits at the table."""
    chance, others = around
    slips = chance.uniform(_PERCENT) < part.slips
    if part.program == RANDOM or slips or part.gives_to in others:
        listed = state.legal_actions()
        return (listed[chance.uniform(len(listed))],)
    if bot is None:
        return (GAMES[table.game].sensible_action(state, chance),)
    return table.ask(bot, state, clock_now(SeatClock(_CONTROL)))
