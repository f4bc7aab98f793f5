"""How often the fair play report is right: leagues whose cheats are known, and what the report says of them.

    python -m benchmarks.fair_play_rates --leagues 12 --groups 3
    python -m benchmarks.fair_play_rates --drawn --leagues 200 --groups 8

With --drawn nothing is played: placings follow from strengths (R. L. Plackett, *Applied Statistics* 24 (1975),
193-202), and only giving is looked at.
The numbers of docs/results/fair_play.md are from this program; without the planner they are the same on every machine.
"""

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, permutations
from multiprocessing import get_context
from random import Random
from typing import Final

from arena.core.fair_play.agreement import Agreement
from arena.core.fair_play.choice import Choice, Likeness
from arena.core.fair_play.favours import Favour, givings
from arena.core.fair_play.finding import FairPlayFinding, Weight
from arena.core.fair_play.report import Evidence, Participant, report
from arena.core.fair_play.thresholds import RARE
from arena.core.finished_match import FinishedMatch
from benchmarks.fair_play_league import (
    CAST,
    COPIES,
    GIFTS,
    HALF_COPIES,
    NEAR_COPIES,
    THINKER,
    LeagueMatch,
    play_league,
)
from engine.registry import GAMES

_EVERYTHING: Final = 10**6

DRAWN_GIFT: Final = ("bot-1", "bot-5")
"""Who gives to whom where results are drawn."""


def evidence_of(league: Sequence[LeagueMatch]) -> Evidence:
    """Return a league as evidence for the report; every bot has an owner of its own."""
    choices: dict[Likeness, list[Choice]] = defaultdict(list)
    for match in league:
        for likeness, choice in match.choices:
            choices[likeness].append(choice)
    results = tuple(
        FinishedMatch(match.result.bots, match.result.placings, (False, False), match.result.group, number)
        for number, match in enumerate(league, start=1)
    )
    bots = sorted({bot for match in league for bot in match.result.bots})
    return Evidence(tuple(Participant(bot, bot, ()) for bot in bots), results, choices, len(league))


def what_it_says(league: Sequence[LeagueMatch]) -> Iterator[tuple[str, bool]]:
    """By question: what the truth is, and whether the report says that it is worth a look."""
    found = report(evidence_of(league), most=_EVERYTHING).findings
    bots = sorted({bot for match in league for bot in match.result.bots})
    alike = {
        frozenset((each.one, each.other)) for each in _worth(found) if isinstance(each.numbers, Agreement)
    }
    gives = {(each.one, each.other) for each in _worth(found) if isinstance(each.numbers, Favour)}
    for pair in combinations(bots, 2):
        yield _truth(pair), frozenset(pair) in alike
    for pair in permutations(bots, 2):
        yield ("gives matches away" if pair in GIFTS else "gives nothing"), pair in gives


def _worth(found: Iterable[FairPlayFinding]) -> Iterator[FairPlayFinding]:
    return (each for each in found if each.weight is Weight.WORTH_A_LOOK)


def _truth(pair: tuple[str, str]) -> str:
    if pair in COPIES:
        return "a copy"
    if pair in NEAR_COPIES:
        return "a copy with 10 % slips"
    if pair in HALF_COPIES:
        return "a copy with 30 to 50 % slips"
    return "two different bots"


def drawn_league(number: int, groups: int, gives: float) -> list[FinishedMatch]:
    """Return eight bots, two at a table; the second strongest gives that part of its match groups to the sixth."""
    source = Random(f"fair-play-drawn/{number}")
    strengths = {f"bot-{place}": 1.4 - 0.4 * place for place in range(8)}
    found: list[FinishedMatch] = []
    for _ in range(groups):
        for one, other in combinations(strengths, 2):
            better = source.random() < 1 / (1 + math.exp(strengths[other] - strengths[one]))
            if (one, other) == DRAWN_GIFT and source.random() < gives:
                better = False
            match = len(found) + 1
            found.append(
                FinishedMatch((one, other), (1, 2) if better else (2, 1), (False, False), match, match)
            )
    return found


def _drawn(number: int, groups: int) -> Iterator[tuple[str, bool]]:
    for gives, truth in ((0.0, "honest league"), (0.5, "half of it given"), (1.0, "all of it given")):
        alarms = {
            (each.giver, each.receiver)
            for each in givings(drawn_league(number, groups, gives))
            if each.adjusted is not None and each.adjusted <= RARE
        }
        if gives:
            yield f"{truth}: the pair", DRAWN_GIFT in alarms
        yield f"{truth}: any other pair", bool(alarms - {DRAWN_GIFT})


def _league(game: str, number: int, groups: int, *, planner: bool) -> list[tuple[str, bool]]:
    cast = CAST | THINKER if planner else CAST
    return list(what_it_says(list(play_league(game, number, groups, cast))))


def main() -> None:
    """Print, by truth, how many questions there were and how many the report found worth a look."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=GAMES, default=next(iter(GAMES)))
    parser.add_argument("--leagues", type=int, default=12, help="how many leagues (default: 12)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them (default: 0)")
    parser.add_argument("--groups", type=int, default=3, help="match groups of each pair (default: 3)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--planner", action="store_true", help="the planner takes part, too; takes ten times as long"
    )
    parser.add_argument("--drawn", action="store_true", help="draw results instead of playing; seconds")
    asked = parser.parse_args()
    numbers = range(asked.first, asked.first + asked.leagues)
    if asked.drawn:
        said = (each for number in numbers for each in _drawn(number, asked.groups))
        _show(f"drawn results: {asked.leagues} leagues, {asked.groups} match groups of each pair", said)
        return
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        leagues = [
            pool.submit(_league, asked.game, number, asked.groups, planner=asked.planner)
            for number in numbers
        ]
        said = (each for league in leagues for each in league.result())
        _show(f"{asked.game}: {asked.leagues} leagues, {asked.groups} match groups of each pair", said)


def _show(title: str, said: Iterable[tuple[str, bool]]) -> None:
    asked_of, seen = Counter[str](), Counter[str]()
    for truth, worth in said:
        asked_of[truth] += 1
        seen[truth] += worth
    print(title)
    for truth in sorted(asked_of):
        print(f"{truth:40} {seen[truth]:5} of {asked_of[truth]:5} worth a look")


if __name__ == "__main__":
    main()
