"""The trades of a log and their balance: against what the seats had before and after each answer."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from arena.core.match import Cause
from arena.match_log.reader import MatchLog
from arena.match_report.plies import positions
from arena.match_report.trades import between, in_all, trades
from engine.ahldarahd.position import BUILDING
from engine.ahldarahd.state import AhldarahdState
from engine.game import own
from engine.registry import GAMES
from tests.unit.match_log.trading import CODEC, lively, played, read, scripted

GAME = CODEC.game
NOTHING = {"cards": [], "gold": 0, "items": []}
ACCEPT, DECLINE, DONE = ('{"type":"accept"}', '{"type":"decline"}', '{"type":"done"}')


def offer(to: int, give: Mapping[str, object], want: Mapping[str, object]) -> str:
    return json.dumps({"type": "offer", "to": to, "give": {**NOTHING, **give}, "want": {**NOTHING, **want}})


def first_builder() -> int:
    """Who has the first building chance of the match that the tests play."""
    log = read(played(scripted(), 30))
    return next(
        ply.seat for state, ply in positions(log, GAME) if own(state, AhldarahdState).phase == BUILDING
    )


A = first_builder()
B, C = (A + 1) % 3, (A + 2) % 3


def a_log(*texts: str, cause: Cause = Cause.CHOSEN) -> MatchLog:
    return read(played(scripted(*texts), 40, cause=cause))


def test_each_answered_offer_is_a_trade_in_order_with_what_each_side_gave() -> None:
    log = a_log(offer(B, {"gold": 2}, {"items": [f"right:{C}"]}), ACCEPT, offer(C, {"gold": 1}, {}), DECLINE)

    first, second = trades(log, GAME) or ()

    assert (first.exchange.turn, first.exchange.proposer, first.exchange.target) == (1, A, B)
    assert (first.exchange.gave, first.exchange.got) == ({"gold": 2}, {f"right:{C}": 1})
    assert (first.exchange.accepted, first.cause, first.gift) == (True, Cause.CHOSEN, None)
    assert (second.exchange.target, second.exchange.gave, second.exchange.accepted) == (C, {"gold": 1}, False)
    assert second.ply == first.ply + 2


def test_what_is_given_for_nothing_is_a_gift_by_either_side() -> None:
    log = a_log(
        *(offer(B, {"gold": 1}, {}), ACCEPT, offer(B, {}, {"gold": 3}), ACCEPT, DONE),
        *(offer(C, {"gold": 1}, {}), DECLINE),
    )

    found = trades(log, GAME) or ()

    assert [each.gift for each in found] == [(A, B), (B, A), None]
    [pair, other] = sorted(between(found), key=lambda each: -each.accepted)
    assert (pair.seats, pair.offers, pair.accepted, pair.gifts) == (tuple(sorted((A, B))), 2, 2, (1, 1))
    assert dict(zip(pair.seats, pair.gave, strict=True)) == {A: {"gold": 1}, B: {"gold": 3}}
    assert (other.offers, other.accepted, other.gave) == (1, 0, ({}, {}))
    mine = in_all(found, A)
    assert (mine.gave, mine.got, mine.gifts_given, mine.gifts_got) == ({"gold": 1}, {"gold": 3}, 1, 1)


def test_an_answer_that_the_arena_gave_has_its_cause() -> None:
    [trade] = trades(a_log(offer(B, {"gold": 1}, {}), DECLINE, cause=Cause.TIME_FORFEIT), GAME) or ()
    assert (trade.cause, trade.exchange.accepted) == (Cause.TIME_FORFEIT, False)


def test_an_offer_that_waits_when_the_match_ends_is_no_trade() -> None:
    chooser = scripted(offer(B, {"gold": 1}, {}))
    whole = read(played(chooser, 200))
    answer = next(each.ply for each in trades(whole, GAME) or ())
    cut = read(played(scripted(offer(B, {"gold": 1}, {})), answer))
    assert trades(cut, GAME) == ()


def test_nothing_is_known_where_the_log_does_not_fit_the_rules() -> None:
    log = a_log(offer(B, {"gold": 1}, {}), ACCEPT)
    assert trades(log, GAME)
    assert trades(replace(log, setup=replace(log.setup, rules_version=99)), GAME) is None
    assert trades(replace(log, setup=replace(log.setup, seed=bytes(32))), GAME) is None


def test_a_game_without_trades_has_none_also_where_a_log_does_not_fit_its_rules() -> None:
    log = a_log(offer(B, {"gold": 1}, {}), ACCEPT)
    assert trades(log, GAMES["caravan"]) == ()


@pytest.mark.parametrize("source", range(6))
def test_the_balance_is_what_the_seats_have_gained_and_lost(source: int) -> None:
    log = read(played(lively(Random(source)), 2_000))
    found = trades(log, GAME) or ()
    assert any(each.exchange.accepted for each in found)

    expected: list[Counter[str]] = [Counter() for _ in range(3)]
    for number, (state, ply) in enumerate(positions(log, GAME)):
        if any(each.ply == number for each in found):
            after = own(state.clone(), AhldarahdState)
            after.apply(ply.action)
            for seat in range(3):
                expected[seat].update(held(after, seat))
                expected[seat].subtract(held(own(state, AhldarahdState), seat))

    for seat in range(3):
        sums = in_all(found, seat)
        net = Counter(sums.got)
        net.subtract(sums.gave)
        assert {word: n for word, n in net.items() if n} == {w: n for w, n in expected[seat].items() if n}
    for pair in between(found):
        assert pair.offers >= pair.accepted >= sum(pair.gifts)


def held(state: AhldarahdState, seat: int) -> Counter[str]:
    """Return what a seat has, in the words of A48."""
    names = ["pearls", "spices", "ivory", "gems", "incense", "metals", "salt", "textiles", "dates", "horses"]
    items = ["shah", "eyes", "queen", *(f"right:{map_}" for map_ in range(3))]
    owned = [item for item, holder in zip(items, state.holders, strict=False) if holder == seat]
    cards = dict(zip(names, state.hands[seat], strict=True))
    return Counter({"gold": state.gold[seat], **cards, **dict.fromkeys(owned, 1)})
