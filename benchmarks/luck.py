"""How much of a result is luck, and what rotated seats and a shared seed do about it: `python -m benchmarks.luck`.

    python -m benchmarks.luck                                   # every game, every number of seats
    python -m benchmarks.luck GAME --seats 2 --groups 400 --jobs 2

In process, by the rules and the sample bots; docs/results/luck.md explains the tables. The number of groups is set
before the first match, and everything but the program's own chance follows from the seed that is printed.
"""

import argparse
import secrets
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from typing import Final

from typer import BadParameter

from arena.cli.framework.names import pairs
from arena.cli.framework.output import print_note
from arena.core.match import SeedPolicy
from arena.core.seeds import SECRET_BYTES
from benchmarks.luck_figures import (
    EVEN,
    Estimate,
    by_place,
    by_place_in_the_first_match,
    by_seat_in_the_first_match,
    expected_score,
    group_results,
    group_scores,
    groups_for_an_interval,
    groups_needed,
    half_of_tosses,
    match_results,
    mean_of,
    points_of,
    taken_away,
    variance,
)
from benchmarks.luck_groups import PERMILLE, SENSIBLE, Group, Series, play_groups, program_of
from engine.game import InvalidOptionsError
from engine.registry import GAMES

POINTS: Final = 50
"""The difference in Elo that an organiser wants to see."""
LIKELIHOOD: Final = 0.95
"""How likely the better bot is to be the better one by then."""
IN_RUNS: Final = (0.5, 0.95)
"""The part of all runs in which that likelihood is reached."""

STRONG, WEAK = "strong", "weak"
_TRIED: Final = (50, 100, 200)
"""Slips in a thousand decisions from which those for POINTS are reckoned."""
_MOST_SLIPS: Final = PERMILLE // 2
_CHUNK: Final = 10
"""Match groups that a process plays at a time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured of one game with one number of seats."""

    game: str
    program: str
    seats: int
    groups: int
    """Of each of the four series."""
    secret: bytes
    pool: Executor
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the game, by name; the defaults for the rest."""

    def play(self, what: str, slips: Mapping[str, int], policy: SeedPolicy, groups: int) -> list[Group]:
        """Return so many groups; `what` and the policy keep the chance of different series apart."""
        label = f"{self.game}/{self.seats}/{what}/{policy.name}/".encode()
        secret = sha256(label + self.secret).digest()
        series = Series(self.game, self.program, slips, policy, secret, self.options)
        chunks = [range(first, min(first + _CHUNK, groups)) for first in range(0, groups, _CHUNK)]
        played = [self.pool.submit(play_groups, series, chunk) for chunk in chunks]
        return [group for each in played for group in each.result()]

    def line_up(self, slips: int) -> dict[str, int]:
        """Return a strong bot, a weak one that slips so often, and as many more strong ones as there are seats left."""
        return {STRONG: 0, WEAK: slips} | {f"strong-{seat}": 0 for seat in range(2, self.seats)}


def slips_for(plan: Plan) -> int:
    """In a thousand decisions, so that the weak bot is about POINTS behind: in proportion to what is tried."""
    behind = 0.0
    for tried in _TRIED:
        groups = plan.play(f"tried {tried}", plan.line_up(tried), SeedPolicy.SHARED, max(2, plan.groups // 4))
        behind -= points_of(mean_of(group_scores(groups, WEAK)).value)
    return min(_MOST_SLIPS, max(1, round(POINTS * sum(_TRIED) / max(behind, 1.0))))


def advantage_lines(plan: Plan, slips: int) -> Iterator[str]:
    """Yield what a place is worth in single matches, and to bots that sat there first after the whole group."""
    alike = {f"bot-{seat}": slips for seat in range(plan.seats)}
    own = plan.play("alike", alike, SeedPolicy.DERIVED, plan.groups)
    shared = plan.play("alike", alike, SeedPolicy.SHARED, plan.groups)
    yield _row("single matches, by place", by_place(own))
    yield _row("groups, own seeds, by seat", by_seat_in_the_first_match(own))
    yield _row("groups, shared seed, by place", by_place_in_the_first_match(shared))


def spread_lines(plan: Plan, slips: int) -> Iterator[str]:
    """Return how results spread with own seeds and with a shared one, and how many groups that makes."""
    line_up = plan.line_up(slips)
    own = plan.play("unlike", line_up, SeedPolicy.DERIVED, plan.groups)
    shared = plan.play("unlike", line_up, SeedPolicy.SHARED, plan.groups)
    results = [group_results(groups, STRONG, WEAK) for groups in (own, shared)]
    for name, each in zip(("own seeds", "shared seed"), results, strict=True):
        score = mean_of(each)
        low, high = points_of(score.value - score.half), points_of(score.value + score.half)
        yield (
            f"  {name:12} strong - weak {score.value:.3f}, {points_of(score.value):z4.0f} Elo"
            f" ({low:z.0f} to {high:z.0f})"
        )
    own_spread, shared_spread = (variance(each) for each in results)
    apart = variance(match_results(own, STRONG, WEAK)) / plan.seats
    less = taken_away(*results)
    yield (
        f"  variance of a match {apart * plan.seats:.4f}; of the mean of {plan.seats} apart {apart:.4f};"
        f" of a group with own seeds {own_spread:.4f}, with a shared seed {shared_spread:.4f}"
    )
    if less is None:
        yield "  all groups with own seeds ended alike: there is no luck that a shared seed could take away"
    else:
        yield f"  the shared seed takes away {less.value:.0%} ± {less.half:.0%} of what own seeds leave"
    for part in IN_RUNS:
        needed = [
            groups_needed(each, POINTS, likelihood=LIKELIHOOD, in_runs=part)
            for each in (own_spread, shared_spread)
        ]
        yield (
            f"  {POINTS} Elo at a likelihood of {LIKELIHOOD} in {part:.0%} of all runs:"
            f" {needed[0]} groups with own seeds, {needed[1]} with a shared one"
        )


def _row(name: str, places: list[Estimate]) -> str:
    """Return percentages of a pair's point, with a star where 0 lies outside of the interval."""
    cells = (
        f"{100 * each.value:+z6.1f} ± {100 * each.half:4.1f}{' ' if each.holds(0) else '*'}"
        for each in places
    )
    return f"  {name:30}" + " ".join(cells)


def main() -> None:
    """Play and print, one number of seats after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)} (default: all)")
    parser.add_argument("--seats", type=int, help="only with so many seats")
    parser.add_argument("--groups", type=int, default=200, help="match groups of each series (default: 200)")
    parser.add_argument(
        "--quick", action="store_true", help=f"{SENSIBLE} instead of sample bots, many times as fast"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a game option; as often as needed",
    )
    parser.add_argument("--slips", type=int, help="in a thousand decisions (default: for about 50 Elo)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--seed", type=bytes.fromhex, help="64 hexadecimal digits (default: a new seed)")
    asked = parser.parse_args()
    if unknown := set(asked.games) - set(GAMES):
        parser.error(f"there is no game {', '.join(sorted(unknown))}; the games are {', '.join(GAMES)}")
    if asked.groups < 2:
        parser.error("--groups has to be 2 or more: one group says nothing of a spread")
    if asked.slips is not None and not 0 <= asked.slips <= PERMILLE:
        parser.error(f"--slips is out of a thousand: 0 to {PERMILLE}")
    if asked.jobs < 1:
        parser.error("--jobs has to be 1 or more")
    if asked.seed is not None and len(asked.seed) != SECRET_BYTES:
        parser.error(f"--seed has {2 * SECRET_BYTES} hexadecimal digits, not {2 * len(asked.seed)}")
    tables = [(game, seats) for game in asked.games or GAMES for seats in _seat_counts(game, asked.seats)]
    if not tables:
        parser.error(f"none of the games has {asked.seats} seats")
    try:
        options = pairs(asked.option, "--option")
        for game, seats in tables:
            GAMES[game].options(seats, options)  # refuses what it does not have
    except (BadParameter, InvalidOptionsError) as error:
        parser.error(f"--option: {error}")
    secret = asked.seed or secrets.token_bytes(SECRET_BYTES)
    print(f"Seed: {secret.hex()}. {asked.groups} match groups of each series; intervals of 95 %.", flush=True)
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for game, seats in tables:
            program = SENSIBLE if asked.quick else program_of(game)
            _show(Plan(game, program, seats, asked.groups, secret, pool, options), asked.slips)


def _seat_counts(game: str, asked: int | None) -> list[int]:
    """Return those of a game at which bots meet, or of these the one that is asked for."""
    spec = GAMES[game].spec
    possible = range(max(2, spec.min_seats), spec.max_seats + 1)
    return [seats for seats in possible if asked in (None, seats)]


def _show(plan: Plan, given: int | None) -> None:
    least = groups_for_an_interval(POINTS, plan.seats)
    if plan.groups < least:
        interval, wanted = half_of_tosses(plan.groups, plan.seats), expected_score(POINTS) - EVEN
        print_note(
            f"Few: were every match a toss, {plan.groups} match groups with {plan.seats} seats would tell a score to "
            f"± {interval:.2f}, and {POINTS} Elo are {wanted:.2f}. From --groups {least} on the interval is no wider "
            "than that; what fewer show is mostly luck."
        )
    slips = slips_for(plan) if given is None else given
    options = "".join(f", {name} {value}" for name, value in plan.options.items())
    print(
        f"{plan.game}, {plan.seats} seats{options}, {plan.program}; slips in a thousand decisions: {slips}",
        flush=True,
    )
    for line in (*advantage_lines(plan, slips), *spread_lines(plan, slips)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
