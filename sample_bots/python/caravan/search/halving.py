"""Monte Carlo search over turns by sequential halving (Karnin, Koren and Somekh 2013).

Sweep after sweep all turns that are left are tried on the same deal of the bag, so that luck is equal for all. At first
the quick policy plays on after each. Then the worse ones are dropped, and the next seats reply as planner would: that
takes thirty times as long, and tells far better what comes of a turn. What else was tried stands in
docs/bots/strengths.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.caravan.quick.playouts import play_on, play_turn
from engine.caravan.quick.turns import Turn, candidate_turns, quick_turn
from engine.caravan.state import CaravanState
from engine.game import TERMINAL
from sample_bots.python.caravan.search.outlook import ROUNDS, best_turn

ROOT_WIDTH: Final = 6
ROOT_TURNS: Final = 12


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the search, up to the moment when the share `until` of the time is used up."""

    until: float
    replies: int
    """So many turns after the one that is tried are searched."""
    left: int
    """So many turns go on to the next stage."""


STAGES: Final = (Stage(0.25, replies=0, left=6), Stage(0.6, replies=2, left=3), Stage(1.0, replies=2, left=1))


class Candidate:
    """One turn of the seat to act, and how it has done."""

    __slots__ = ("totals", "turn")

    def __init__(self, turn: Turn, seats: int) -> None:
        """Not tried yet."""
        self.turn = turn
        self.totals = [0.0] * seats
        """By seat, of the leads after it in this stage; all candidates left have been tried equally often."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best turn."""

    turn: Turn
    leads: tuple[float, ...] = ()
    """By seat, the mean lead after it in the last stage in which it was tried; empty if it was not tried."""
    tries: int = 0
    """How often it was tried in that stage."""


def search(deal: Callable[[], CaravanState], spent: Callable[[], float], plan: Turn = ()) -> Found:
    """Return the best turn found when the time is over; without any time, what the quick policy plays.

    `deal` gives the position, the rest of the bag in a new order each time. `spent` tells which share of the time is
    used up. `plan`: what was meant to be played from here on, tried with the others; empty for none.
    """
    state = deal()
    if spent() >= 1:
        return Found(quick_turn(state))
    turns = candidate_turns(state, width=ROOT_WIDTH, most=ROOT_TURNS)
    if plan and state.is_legal(plan[0]):
        turns = list(dict.fromkeys((plan, *turns)))
    seat, seats = state.seat_to_act, state.setup.seats
    left = [Candidate(turn, seats) for turn in turns]
    found = Found(turns[0])
    for stage in STAGES:
        tries = 0
        while len(left) > 1 and spent() < stage.until:
            leads = _sweep(state, left, stage.replies, spent)
            if leads is None:
                break
            for candidate, lead in zip(left, leads, strict=True):
                candidate.totals = [total + each for total, each in zip(candidate.totals, lead, strict=True)]
            tries += 1
            state = deal()
        left.sort(key=lambda candidate: -candidate.totals[seat])
        if tries:
            found = Found(left[0].turn, tuple(total / tries for total in left[0].totals), tries)
        left = [Candidate(candidate.turn, seats) for candidate in left[: stage.left]]
    return found


def _sweep(
    state: CaravanState, left: list[Candidate], replies: int, spent: Callable[[], float]
) -> list[list[float]] | None:
    """Return the leads by seat after each candidate; None if the time was over before all were tried."""
    leads = []
    for candidate in left:
        after = state.clone()
        play_turn(after, candidate.turn)
        for _ in range(replies):
            if after.seat_to_act == TERMINAL:
                break
            play_turn(after, best_turn(after, spent))
        leads.append(play_on(after, ROUNDS * state.setup.seats - replies))
        if spent() >= 1:
            return None
    return leads
