"""Offers that are legal without being listed, through the referee: nobody can stall a match by them (A43)."""

from collections import Counter

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Termination
from arena.core.match import Cause, MatchResult, MatchState
from arena.core.referee.effects import Ask, CloseDecision, Effect, EndSeat, Played
from arena.core.referee.referee import Network, Referee
from arena.core.units import NS_PER_MS
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.actions import is_offer
from engine.ahldarahd.offers import EMPTY_SIDE, Offer, make_offer
from engine.ahldarahd.position import ASK_BUILD, OFFERS
from engine.ahldarahd.state import AhldarahdState
from engine.game import own
from tests.unit.core.stalls_by_hand import idle_meter

CONTROL = TimeControl(per_decision_ms=1_000, bank_ms=10_000, increment_ms=50, grace_ms=0, strikes=2)
SEATS = 2
STALLER = 0
THOUGHT_NS = 999 * NS_PER_MS
MOST_DECISIONS = 500
"""More than such a match has."""


def played(*, legal: bool) -> tuple[Referee, list[Effect]]:
    """Play a match in which one seat, the staller, makes offers and uses all free time for every decision.

    `legal`: whether it makes only offers that are legal.
    """
    state = AHLDARAHD.new_match(SEATS, AHLDARAHD.options(SEATS, {"trading": "true"}), bytes(32))
    referee = Referee(
        state,
        SEATS,
        CONTROL,
        stalls=idle_meter(),
        network=lambda _seat: Network(credit_ns=0, round_trip_ns=None),
    )
    now, told = 0, referee.begin(0)
    for _ in range(MOST_DECISIONS):
        if referee.over:
            break
        asked = next(each for each in reversed(told) if isinstance(each, Ask))
        referee.sent(asked.seat, asked.decision, now)
        now += THOUGHT_NS if asked.seat == STALLER else 0
        told += referee.answered(asked.seat, asked.decision, (chosen(state, legal=legal),), now)
    return referee, told


def chosen(state: AhldarahdState, *, legal: bool) -> int:
    """Return an offer of nothing for a card where the staller may build, else the default."""
    offer = make_offer(Offer(1 - STALLER, EMPTY_SIDE, EMPTY_SIDE._replace(cards=(1, *EMPTY_SIDE.cards[1:]))))
    offering = state.seat_to_act == STALLER and state.decision == ASK_BUILD
    return offer if offering and (state.is_legal(offer) or not legal) else state.default_action()


def test_offers_take_two_decisions_of_a_chance_at_most_and_each_is_charged() -> None:
    referee, told = played(legal=True)

    plies = [each.record for each in told if isinstance(each, Played)]
    state = own(referee.state, AhldarahdState)
    offers = sum(is_offer(ply.action) for ply in plies)
    assert 0 < offers <= OFFERS * state.turn
    assert len(plies) <= AHLDARAHD.max_plies(SEATS, state.setup.options)
    used = Counter[int]()
    for ply in plies:
        used[ply.seat] += ply.used_ns
    mine = sum(ply.seat == STALLER for ply in plies)
    assert (used[STALLER], used[1 - STALLER]) == (mine * THOUGHT_NS, 0)
    [finish] = [each for each in told if isinstance(each, MatchResult)]
    assert (finish.state, finish.ending) == (MatchState.FINISHED, "DECK_EMPTY")


def test_a_third_offer_ends_the_chance_and_the_third_such_the_match() -> None:
    """docs/bad_inputs.md row 12."""
    _, told = played(legal=False)

    closed = [each for each in told if isinstance(each, CloseDecision)]
    assert {each.cause for each in closed} == {Cause.ILLEGAL_ACTION}
    assert all("(A43)" in each.sentence or "(A44)" in each.sentence for each in closed)
    assert any("no offer is left" in each.sentence for each in closed)
    [ended] = [each for each in told if isinstance(each, EndSeat)]
    assert (ended.seat, ended.ending.termination) == (STALLER, Termination.ILLEGAL_ACTION)
    assert sum(each.record.seat == STALLER for each in told if isinstance(each, Played)) < 60
