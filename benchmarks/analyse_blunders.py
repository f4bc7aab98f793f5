"""Whether `arena match analyse` finds a blunder: `python -m benchmarks.analyse_blunders`.

Sample bots play a match in this process, and one of them is made to blunder once. The analysis of its seat then has to
name that decision among its three costliest. docs/results/analysis.md has the numbers.

**The blunder** is chosen without the analysis: from a decision in the middle of the match, the bot's own action and a
few other legal ones are played out to the end of the match many times, by the game's sensible policy, which the judge
does not use, and counted by the placings at the end. The worst action has to cost the seat much of its expected score,
beyond doubt. The sensible policy plays weakly, and an action that it cannot make good again may cost a better player
nothing. So the same has to hold when the quick policy of the sample bots plays both matches out to their ends
(`--weak` leaves this out). A decision without such an action is passed over.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from statistics import fmean, stdev
from typing import Final

from arena.analysis.analysis import Analysis, Budget
from arena.analysis.decisions import SeatDecision
from arena.analysis.judging import Judges, Reply, Request, reply_of
from arena.codecs.codec import codec_for
from arena.core.clock.seat_clock import SeatClock
from arena.core.clock.time_control import TimeControl
from arena.core.match import Cause
from benchmarks.in_process import Table, clock_now
from benchmarks.strength_contest import bot_class
from engine.game import TERMINAL, State
from engine.randomness import Stream
from engine.registry import GAMES
from sample_bots.python.analysis.evaluation import answer
from sample_bots.python.analysis.judge import judge_of

BOT: Final = "planner"
"""Who plays: its own mistakes are small."""
THINK_MS: Final = "25"

COST: Final = 0.15
"""A blunder costs so much of the expected score at least,"""
CERTAINTY: Final = 4.0
"""and so many standard errors."""
ACTIONS: Final = 8
"""Legal actions that are looked at in a decision."""
SCREENED, CONFIRMED = 16, 160
"""Matches played out after each, at first and for the worst."""
MIDDLE: Final = (0.15, 0.85)
"""The part of the decisions of a seat from which the blunder is chosen."""
DECISIONS: Final = 16
"""So many are looked at in a match; then another match is played."""

PlayOn = Callable[[str, State, Stream], None]
"""Plays a match of a game to its end, with chance from a stream."""

_CONTROL: Final = TimeControl(per_decision_ms=5_000, bank_ms=600_000)


class JudgesHere(Judges):
    """Judges in this process."""

    def ask(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield the replies in order."""
        for place, request in enumerate(requests):
            yield place, reply_of(answer(request.document()))


@dataclass(frozen=True, slots=True)
class Asked:
    """One decision of a match: the position, and what was played."""

    seat: int
    before: State
    played: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Blunder:
    """A blunder of a match and what the analysis says."""

    game: str
    seats: int
    number: int
    """Of the decision among those of its seat, from 0."""
    of: int
    cost: float
    """By the matches played out, of the expected score."""
    action: str
    rank: int | None
    """Among the costliest decisions, from 1; None if it is not among them."""
    losses: tuple[float, ...]
    """Of the costliest decisions."""
    own_loss: float
    seconds: float
    """Processor time of the analysis."""
    playouts: int


def play(game: str, seats: int, begin: State, asked: list[Asked], bot: str = BOT) -> State:
    """Play on from a position with new bots to the end, adding the decisions; return the end."""
    table, state = Table(game, seats, _CONTROL), begin.clone()
    bots = [table.take_seat(bot_class(game, bot), seat, state) for seat in range(seats)]
    while state.seat_to_act != TERMINAL:
        seat, before = state.seat_to_act, state.clone()
        listed = state.legal_actions()
        single = len(listed) == 1
        played = (listed[0],) if single else table.ask(bots[seat], state, clock_now(SeatClock(_CONTROL)))
        asked.append(Asked(seat, before, tuple(played)))
        for action in played:
            state.apply(action)
    return state


def find_blunder(
    game: str, asked: Sequence[Asked], seat: int, chance: random.Random, policies: Sequence[PlayOn]
) -> tuple[int, int, float] | None:
    """Return the index of a decision, the blunder in it and what it costs; None if none is found."""
    own = [index for index, each in enumerate(asked) if each.seat == seat]
    middle = own[int(MIDDLE[0] * len(own)) : int(MIDDLE[1] * len(own))]
    open_ = [index for index in middle if len(asked[index].before.legal_actions()) > 1]
    for index in chance.sample(open_, min(DECISIONS, len(open_))):
        each = asked[index]
        others = [action for action in each.before.legal_actions() if action != each.played[0]]
        tried = chance.sample(others, min(ACTIONS, len(others)))
        seed = chance.randbytes(16)
        own_end = fmean(ends_of(game, each, each.played, range(SCREENED), seed))
        ends = [fmean(ends_of(game, each, (action,), range(SCREENED), seed)) for action in tried]
        worst = min(range(len(tried)), key=ends.__getitem__)
        if own_end - ends[worst] < COST:
            continue
        costs = [confirmed_cost(game, each, tried[worst], seed, play_on) for play_on in policies]
        if all(cost >= COST for cost in costs):
            return index, tried[worst], costs[0]
    return None


def confirmed_cost(game: str, asked: Asked, action: int, seed: bytes, play_on: PlayOn) -> float:
    """Return what the action costs, the mean of many matches played out; 0 if that is not beyond doubt."""
    numbers = range(SCREENED, SCREENED + CONFIRMED)
    own_ends = ends_of(game, asked, asked.played, numbers, seed, play_on)
    ends = ends_of(game, asked, (action,), numbers, seed, play_on)
    costs = [one - other for one, other in zip(own_ends, ends, strict=True)]
    cost, error = fmean(costs), stdev(costs) / math.sqrt(len(costs))
    return cost if cost >= CERTAINTY * error else 0.0


def play_sensibly(game: str, state: State, stream: Stream) -> None:
    """Play to the end by the sensible policy."""
    rules = GAMES[game]
    while state.seat_to_act != TERMINAL:
        state.apply(rules.sensible_action(state, stream))


def play_quickly(game: str, state: State, stream: Stream) -> None:
    """Play to the end by the quick policy of the sample bots."""
    judge = judge_of(game)
    while state.seat_to_act != TERMINAL:
        judge.play_on(state, state.clone(), stream)


def ends_of(
    game: str,
    asked: Asked,
    move: tuple[int, ...],
    numbers: range,
    seed: bytes,
    play_on: PlayOn = play_sensibly,
) -> list[float]:
    """Return the score of the seat at the end of each of some matches, played out after these actions of it.

    The same number gives the same hidden cards and the same chance.
    """
    rules, seen, ends = GAMES[game], asked.before.observe(asked.seat), []
    for number in numbers:
        known = sha256(seed + number.to_bytes(4, "big"))
        state, stream = (
            rules.from_observation(seen, Stream(known.digest())),
            Stream(sha256(known.digest()).digest()),
        )
        for each in move:
            if state.seat_to_act == asked.seat and state.is_legal(each):
                state.apply(each)
        play_on(game, state, stream)
        ends.append(score(state, asked.seat))
    return ends


def score(state: State, seat: int) -> float:
    """Return the score of a seat by the placings, 0 to 1."""
    outcome = state.outcome()
    assert outcome is not None
    placings, own = outcome.placings, outcome.placings[seat]
    return (sum((its > own) + (its == own) / 2 for its in placings) - 0.5) / (len(placings) - 1)


def one_match(
    game: str, seats: int, seed: int, budget: int, bot: str = BOT, *, weak: bool = False
) -> Blunder | None:
    """Play a match with a blunder and analyse it; None if the match has no decision for a blunder."""
    chance = random.Random(f"{game} {seats} {seed}")
    rules, seat = GAMES[game], chance.randrange(seats)
    asked: list[Asked] = []
    play(game, seats, rules.new_match(seats, rules.options(seats, {}), chance.randbytes(32)), asked, bot)
    policies = (play_sensibly,) if weak else (play_sensibly, play_quickly)
    found = find_blunder(game, asked, seat, chance, policies)
    if found is None:
        return None
    index, action, cost = found
    blunder, asked = asked[index], asked[:index]
    asked.append(Asked(seat, blunder.before, (action,)))
    after = blunder.before.clone()
    after.apply(action)
    play(game, seats, after, asked, bot)
    decisions = _decisions(game, asked, seat)
    began = time.process_time()
    analysis = Analysis(game, decisions, 0, 3, JudgesHere(), Budget(playouts=budget))
    analysis.run()
    seconds = time.process_time() - began
    costliest = analysis.costliest()
    plies = [each.decision.ply for each in costliest]
    ply = sum(len(each.played) for each in asked[:index])
    own = [each for each in analysis.trials if each.decision.ply == ply]
    return Blunder(
        game,
        seats,
        [each.ply for each in decisions].index(ply),
        len(decisions),
        cost,
        blunder.before.format_action(action),
        plies.index(ply) + 1 if ply in plies else None,
        tuple(each.loss().mean for each in costliest),
        own[0].loss().mean,
        seconds,
        analysis.budget.done,
    )


def _decisions(game: str, asked: Sequence[Asked], seat: int) -> list[SeatDecision]:
    codec, ply = codec_for(game), 0
    found: list[SeatDecision] = []
    for each in asked:
        if each.seat == seat:
            seen = codec.encode_observation(each.before.observe(seat))
            choices = len(each.before.legal_actions())
            found.append(SeatDecision(ply, len(found) + 1, seen, each.played, Cause.CHOSEN, choices))
        ply += len(each.played)
    return found


def main() -> None:
    """Play the matches and print one line for each, and the sums for each game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=[*GAMES], help="Default: all.")
    parser.add_argument("--matches", type=int, default=10, help="For each game.")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--playouts", type=int, default=8_000, help="Of each analysis.")
    parser.add_argument("--seed", type=int, default=0, help="The first match.")
    parser.add_argument("--weak", action="store_true", help="Blunders by the sensible policy alone.")
    wanted = parser.parse_args()
    os.environ["ARENA_THINK_MS"] = THINK_MS
    for game in wanted.games:
        found: list[Blunder] = []
        passed_over = 0
        for seed in count(wanted.seed):
            if len(found) == wanted.matches:
                break
            blunder = one_match(game, wanted.seats, seed, wanted.playouts, weak=wanted.weak)
            if blunder is None:
                passed_over += 1
                print(f"{game} {seed}: no blunder found", flush=True)
                continue
            found.append(blunder)
            losses = " ".join(f"{loss:.3f}" for loss in blunder.losses)
            print(
                f"{game} {seed}: decision {blunder.number} of {blunder.of}, {blunder.action} costs {blunder.cost:.3f}; "
                f"rank {blunder.rank}, its loss {blunder.own_loss:.3f}, costliest {losses}; "
                f"{blunder.playouts} playouts, {blunder.seconds:.0f} s",
                flush=True,
            )
        named = sum(each.rank is not None for each in found)
        result = {"game": game, "named": named, "of": len(found), "matches_without_blunder": passed_over}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
