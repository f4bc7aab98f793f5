"""How the budget of an analysis is spent, on a judge whose losses are known."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random

import pytest

from arena.analysis.analysis import FIRST_DEALS, LEAST_DEALS, Analysis, Budget
from arena.analysis.decisions import SeatDecision
from arena.analysis.judging import Move, Reply, Request
from arena.core.match import Cause

PLAYED, BETTER, WORSE, ADVICE = (1,), (2,), (3,), (4,)
COSTLY = {12: 0.5, 40: 0.3, 77: 0.2, 78: 0.1}
"""Plies of the decisions that cost something, and how much."""


class Stopped(BaseException):
    """Stands for an interrupt."""


class KnownJudges:
    """Know what each decision has cost; single deals differ by far more."""

    def __init__(self, noise: float = 0.5, order: int = 0, stops_after: int = 10**9) -> None:
        self.noise, self.order, self.stops_after = noise, order, stops_after
        self.requests: list[Request] = []

    def ask(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        places = list(range(len(requests)))
        Random(self.order).shuffle(places)
        for place in places:
            self.requests.append(requests[place])
            if len(self.requests) > self.stops_after:
                raise Stopped
            yield place, self.judge(requests[place])

    def judge(self, request: Request) -> Reply:
        moves = request.moves or (PLAYED, BETTER, WORSE)
        if request.advised:
            moves = (*moves, ADVICE)
        deals = range(request.first, request.first + request.deals)
        scores = tuple(tuple(self.score(request, deal, move) for move in moves) for deal in deals)
        return Reply(moves, tuple(move == PLAYED for move in moves), scores)

    def score(self, request: Request, deal: int, move: tuple[int, ...]) -> float:
        gains: dict[Move, float] = {
            BETTER: COSTLY.get(int(request.observation), 0.0),
            WORSE: -0.2,
            ADVICE: -0.1,
        }
        gain = gains.get(move, 0.0)
        digest = sha256(request.seed + repr((deal, move)).encode()).digest()
        return 0.5 + gain + self.noise * (int.from_bytes(digest[:4], "big") / 2**32 - 0.5)


def decisions() -> list[SeatDecision]:
    """Return a hundred decisions; every tenth one leaves no choice."""
    return [
        SeatDecision(ply, ply + 1, str(ply).encode(), PLAYED, Cause.CHOSEN, 1 if ply % 10 == 9 else 5)
        for ply in range(100)
    ]


def an_analysis(judges: KnownJudges, budget: Budget, *, seed: int = 0, top: int = 3) -> Analysis:
    return Analysis("pile", decisions(), seed, top, judges, budget)


def named(analysis: Analysis) -> list[int]:
    return [each.decision.ply for each in analysis.costliest()]


@pytest.mark.parametrize("seed", range(5))
def test_the_costliest_decisions_are_named_in_order_with_intervals_that_hold_the_loss(seed: int) -> None:
    analysis = an_analysis(KnownJudges(), Budget(playouts=8000), seed=seed)
    analysis.run()
    assert named(analysis) == [12, 40, 77]
    assert analysis.is_complete
    for trial in analysis.costliest():
        loss = trial.loss()
        assert loss.mean == pytest.approx(COSTLY[trial.decision.ply], abs=0.1)
        assert loss.deals >= LEAST_DEALS
        assert loss.high - loss.low < 0.3


def test_decisions_without_a_choice_are_not_judged() -> None:
    judges = KnownJudges()
    an_analysis(judges, Budget(playouts=2000)).run()
    assert {int(request.observation) for request in judges.requests} == {
        ply for ply in range(100) if ply % 10 != 9
    }


def test_the_result_does_not_depend_on_the_order_of_replies() -> None:
    results = []
    for order in (1, 2):
        analysis = an_analysis(KnownJudges(order=order), Budget(playouts=4000))
        analysis.run()
        results.append([(each.decision.ply, each.loss(), each.better()) for each in analysis.costliest()])
    assert results[0] == results[1]


def test_another_seed_gives_another_estimate() -> None:
    losses = set()
    for seed in range(3):
        analysis = an_analysis(KnownJudges(), Budget(playouts=4000), seed=seed)
        analysis.run()
        losses.add(analysis.costliest()[0].loss().mean)
    assert len(losses) == 3


@pytest.mark.parametrize("playouts", [4000, 20_000])
def test_about_as_many_playouts_as_asked_for_are_done(playouts: int) -> None:
    analysis = an_analysis(KnownJudges(), Budget(playouts=playouts))
    analysis.run()
    assert playouts * 0.9 <= analysis.budget.done <= playouts * 1.1


def test_a_time_is_spent_at_the_rate_of_the_playouts() -> None:
    now = 0.0
    judges = KnownJudges()
    budget = Budget(seconds=60.0, clock=lambda: now)
    analysis = an_analysis(judges, budget)
    shares = []

    def on_progress(share: float) -> None:
        nonlocal now
        now = analysis.budget.done / 100  # a hundred playouts a second
        shares.append(share)

    analysis.on_progress = on_progress
    analysis.run()
    assert budget.done == pytest.approx(6000, rel=0.1)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_the_first_look_is_at_every_decision_even_without_a_budget_for_it() -> None:
    judges = KnownJudges()
    analysis = an_analysis(judges, Budget(playouts=1))
    analysis.run()
    looked = [request for request in judges.requests if not request.moves and not request.advised]
    assert len(looked) == 90
    assert {request.deals for request in looked} == {FIRST_DEALS}
    assert len(analysis.costliest()) == 3


def test_the_alternative_is_chosen_and_compared_on_different_deals() -> None:
    judges = KnownJudges()
    analysis = an_analysis(judges, Budget(playouts=6000))
    analysis.run()
    for trial in analysis.costliest():
        own = [
            each for each in judges.requests if each.observation == trial.decision.observation and each.deals
        ]
        compared = [each for each in own if each.moves == (PLAYED, trial.better())]
        chosen = [each for each in own if each not in compared]
        assert max(each.first + each.deals for each in chosen) <= min(each.first for each in compared)
        assert sum(each.deals for each in compared) == trial.loss().deals


@pytest.mark.parametrize("asked", [30, 95, 150])
def test_an_interrupted_analysis_has_what_was_found_so_far(asked: int) -> None:
    analysis = an_analysis(KnownJudges(noise=0.01, stops_after=asked), Budget(playouts=8000))
    with pytest.raises(Stopped):
        analysis.run()
    assert not analysis.is_complete
    judged = {trial.decision.ply for trial in analysis.trials if trial.loss().deals}
    costly = [ply for ply in COSTLY if ply in judged][:3]
    assert costly
    assert named(analysis)[: len(costly)] == costly


def test_a_match_without_a_mistake_names_none() -> None:
    judges = KnownJudges(noise=0.0)
    analysis = Analysis("pile", decisions()[:9], 0, 3, judges, Budget(playouts=500))
    analysis.run()
    assert named(analysis) == []


def test_what_a_seat_could_not_see_and_the_place_in_the_match_do_not_change_a_judgement() -> None:
    judges = KnownJudges()
    one = SeatDecision(5, 2, b"7", PLAYED, Cause.CHOSEN, 5)
    other = SeatDecision(9, 3, b"7", PLAYED, Cause.CHOSEN, 5)
    for decision in (one, other):
        Analysis("pile", [decision], 0, 3, judges, Budget(playouts=100)).run()
    half = len(judges.requests) // 2
    assert judges.requests[:half] == judges.requests[half:]
