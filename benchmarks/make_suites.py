"""Make the suites of two seats that come with the games, balanced by seat: `python -m benchmarks.make_suites`.

    python -m benchmarks.make_suites                    # every game; prints what it has measured
    python -m benchmarks.make_suites GAME --write       # also writes engine/GAME/suites/

In process, by the quick sensible play of the games; docs/results/suites.md explains the method and has the figures.
Everything follows from the seed, so the same suite comes out each time.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final

from arena.core.match import SeedPolicy
from arena.core.suites import SUITE_SUFFIX, SuiteEntry, canonical_text, parse_suite
from benchmarks.luck_figures import EVEN, HALF_OF_95, Estimate, mean_of, variance
from benchmarks.luck_groups import SENSIBLE, Series, play_match, program_of
from engine.randomness import SEED_BYTES, Stream
from engine.registry import GAMES

SEATS: Final = 2
SET_UPS: Final = 256
CANDIDATES: Final = 512
PLAYOUTS: Final = 64
"""Of each candidate, to choose by."""
CHECKS: Final = 128
"""Of each chosen set-up, other ones, to measure the suite by."""
TOLERANCE: Final = 1 / 64
"""How much of a point the advantages of a pair of set-ups may leave."""
SEED: Final = sha256(b"Caravan Arena: suites that come with the games, first edition").digest()
SLIPS: Final = {"one": 20, "two": 20}
"""In a thousand decisions of the sample bot of the second check, which would play some set-ups alike each time."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """A seed and how often seat 0 won from it."""

    seed: bytes
    scores: tuple[float, ...]
    """Of seat 0 in each playout: 1, 1/2 or 0."""

    @property
    def advantage(self) -> float:
        """What seat 0 made of it above an even score, -1/2 to 1/2."""
        return mean_of(self.scores).value - EVEN


def played(game: str, seed: bytes, label: str, playouts: int) -> SetUp:
    """Play the set-up so often by the game's sensible play. `label`: keeps the chance of different uses apart."""
    rules = GAMES[game]
    first = rules.new_match(SEATS, rules.options(SEATS, {}), seed)
    scores = []
    for number in range(playouts):
        state = first.clone()
        state.playout(Stream(sha256(f"{label}/{number}/".encode() + seed).digest()), limit=1 << 20)
        outcome = state.outcome()
        assert outcome is not None
        mine, theirs = outcome.placings
        scores.append(EVEN if mine == theirs else float(mine < theirs))
    return SetUp(seed, tuple(scores))


def shrunk(set_ups: Sequence[SetUp]) -> list[float]:
    """Return the advantages of seat 0, pulled towards their mean by as much of their spread as is chance of playouts.

    Source: Efron and Morris, Stein's Estimation Rule and Its Competitors, 1973. Without it the set-ups chosen as the
    most favourable ones would turn out to be less so.
    """
    advantages = [each.advantage for each in set_ups]
    middle = mean_of(advantages).value
    chance = mean_of([variance(each.scores) / len(each.scores) for each in set_ups]).value
    kept = max(0.0, 1 - chance / variance(advantages))
    return [middle + kept * (each - middle) for each in advantages]


def mirrored_pairs(advantages: Sequence[float], pairs: int) -> Iterator[tuple[int, int]]:
    """Yield as many pairs of places whose advantages cancel, each place at most once, in the order of the places.

    Raises ValueError: there are fewer.
    """
    by_advantage = sorted(range(len(advantages)), key=lambda place: (advantages[place], place))
    low, high, found = 0, len(by_advantage) - 1, []
    while low < high:
        one, two = by_advantage[low], by_advantage[high]
        left = advantages[one] + advantages[two]
        if abs(left) <= TOLERANCE:
            found.append((min(one, two), max(one, two)))
        # A pair that cancels uses both; otherwise the end that is too far out has no partner.
        low += left <= TOLERANCE
        high -= left >= -TOLERANCE
    if len(found) < pairs:
        raise ValueError(f"only {len(found)} pairs of {len(advantages)} set-ups cancel, not {pairs}")
    yield from sorted(found)[:pairs]


def advantage_of(set_ups: Sequence[SetUp]) -> Estimate:
    """Return the advantage of seat 0 over a suite: the set-ups are given, and only the playouts are chance."""
    chance = sum(variance(each.scores) / len(each.scores) for each in set_ups)
    mean = sum(each.advantage for each in set_ups) / len(set_ups)
    return Estimate(mean, HALF_OF_95 * chance**0.5 / len(set_ups))


def advantage_for(game: str, program: str, seeds: Sequence[bytes]) -> Estimate:
    """Return the same for a sample bot that slips now and then, from one match of each set-up."""
    series = Series(game, program, SLIPS, SeedPolicy.FIXED, SEED)
    matches = [
        play_match(series, tuple(SLIPS), seed, Stream(sha256(b"check by a sample bot/" + seed).digest()))
        for seed in seeds
    ]
    return mean_of([match.score("one") - EVEN for match in matches])


def suite_text(game: str, seeds: Sequence[bytes]) -> str:
    """Return the suite as a file."""
    entries = tuple(SuiteEntry(f"{number:03}", seed) for number, seed in enumerate(seeds, 1))
    first, *rest = canonical_text(game, SEATS, entries).splitlines()
    about = (
        f"# {len(seeds)} set-ups, balanced by seat: the advantages of lines 1 and 2, 3 and 4, ... cancel.",
        "# Made by benchmarks/make_suites.py; docs/results/suites.md has the method and the figures.",
    )
    return "".join(f"{line}\n" for line in (*about, first, *rest))


def main() -> None:
    """Choose the set-ups, measure them anew and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)} (default: all)")
    parser.add_argument("--set-ups", type=int, default=SET_UPS, help="an even number (default: %(default)s)")
    parser.add_argument("--candidates", type=int, default=CANDIDATES, help="default: %(default)s")
    parser.add_argument(
        "--playouts", type=int, default=PLAYOUTS, help="of a candidate (default: %(default)s)"
    )
    parser.add_argument("--checks", type=int, default=CHECKS, help="of a set-up (default: %(default)s)")
    parser.add_argument("--seed", type=bytes.fromhex, default=SEED, help="64 hexadecimal digits")
    parser.add_argument("--write", action="store_true", help="write the suites into the games' folders")
    asked = parser.parse_args()
    if unknown := set(asked.games) - set(GAMES):
        parser.error(f"there is no game {', '.join(sorted(unknown))}; the games are {', '.join(GAMES)}")
    if asked.set_ups < 2 or asked.set_ups % 2:
        parser.error("--set-ups has to be an even number: they are chosen in pairs")
    if min(asked.playouts, asked.checks, asked.candidates) < 2:
        parser.error(
            "--candidates, --playouts and --checks have to be 2 or more: one says nothing of a spread"
        )
    if len(asked.seed) != SEED_BYTES:
        parser.error(f"--seed has {2 * SEED_BYTES} hexadecimal digits, not {2 * len(asked.seed)}")
    for game in asked.games or GAMES:
        try:
            _make(game, asked)
        except ValueError as error:
            parser.error(f"{game}: {error}; give more --candidates")


def _make(game: str, asked: argparse.Namespace) -> None:
    seeds = [
        sha256(f"{game}/{SEATS}/{number}/".encode() + asked.seed).digest()
        for number in range(asked.candidates)
    ]
    candidates = [played(game, seed, "choice", asked.playouts) for seed in seeds]
    pairs = mirrored_pairs(shrunk(candidates), asked.set_ups // 2)
    chosen = [candidates[place] for place in chain.from_iterable(pairs)]
    checked = [played(game, each.seed, "check", asked.checks) for each in chosen]
    name, text = f"{game}-{SEATS}", suite_text(game, [each.seed for each in chosen])
    print(f"{name}: {len(chosen)} of {len(candidates)} set-ups, sha256 {parse_suite(name, text).sha256}")
    for what, estimate in (
        (f"all candidates, {asked.playouts} playouts each", advantage_of(candidates)),
        (f"the chosen ones, {asked.checks} new playouts", advantage_of(checked)),
        ("the first half of them", advantage_of(checked[: len(checked) // 2])),
        ("the second half", advantage_of(checked[len(checked) // 2 :])),
    ):
        _print(what, estimate)
    spread = variance([each.advantage for each in checked])
    print(f"  standard deviation of a set-up's advantage: {100 * spread**0.5:.1f} % of a point", flush=True)
    if (program := program_of(game)) != SENSIBLE:
        _print(f"{program}, one match of each", advantage_for(game, program, [each.seed for each in chosen]))
    if asked.write:
        path = Path("engine") / game / "suites" / f"{name}{SUITE_SUFFIX}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="ascii")


def _print(what: str, advantage: Estimate) -> None:
    print(
        f"  {what:40} seat 0 {100 * advantage.value:+6.2f} ± {100 * advantage.half:.2f} % of a point",
        flush=True,
    )


if __name__ == "__main__":
    main()
