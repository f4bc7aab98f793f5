"""The engine and the slow rules play the same matches: lists, positions, views and log are equal at every ply."""

from random import Random

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import EngineMatch
from tests.unit.engine.wasteland.naive import NaiveMatch
from tests.unit.engine.wasteland.positions import text
from tests.unit.engine.wasteland.tables import CARAVAN, RESOURCES

TABLES = [
    (seats, {"check_rule": rule, "max_rounds": rounds})
    for seats in (2, 3, 4)
    for rule in ("engage", "deter")
    for rounds in (1, 9)
]


def check_equal(engine: EngineMatch, naive: NaiveMatch, *, views: bool) -> None:
    """Compare what may be played, by whom, the default, the log, and the position as each viewer sees it."""
    assert text(engine.legal()) == text(naive.legal())
    assert engine.log() == naive.log()
    assert engine.state.words == naive.state["rng"]["words"]
    if naive.legal():
        assert engine.default() == naive.default()
    if views:
        assert engine.full() == naive.full()
        for viewer in (*range(naive.state["seats"]), None):
            assert engine.view(viewer) == naive.view(viewer)


def play_both(engine: EngineMatch, naive: NaiveMatch, dice: Random, *, wild: bool = False) -> set[str]:
    """Play to the end; return the kinds of decisions and of the log's entries that came up."""
    seen, ply = set(), 0
    while naive.state["decision"] != "over":
        check_equal(engine, naive, views=ply % 2 == 0)
        seen.add(naive.state["decision"])
        action = dice.choice(naive.legal()) if wild else choose(naive, dice)
        engine.play(action)
        naive.play(action)
        ply += 1
    check_equal(engine, naive, views=True)
    assert (engine.scores(), engine.placings()) == (naive.scores(), naive.placings())
    return seen | {entry["event"] for entry in naive.log()}


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_w71_both_play_the_same_matches(seats: int, options: Json) -> None:
    number = TABLES.index((seats, options))
    for seed, wild in ((bytes([number]) * 32, False), (bytes([100 + number]) * 32, True)):
        engine, naive = EngineMatch.new(seats, options, seed), NaiveMatch.new(seats, options, seed)
        play_both(engine, naive, Random(seed), wild=wild)


def richer(full: Json, dice: Random) -> Json:
    """Return the position with grown, damaged and loaded caravans: what is rare then happens."""
    for player in full["players"]:
        cards = dice.sample(list(CARAVAN)[1:], dice.randrange(3, 10))
        player["caravan"] = {card: dice.randrange(CARAVAN[card].health) for card in ["head", *cards]}
        player["resources"] = {r: CARAVAN["head"].storage[r] for r in RESOURCES}
        for card in cards:
            for kind, slots in CARAVAN[card].storage.items():
                player["resources"][kind if kind != "any" else dice.choice(RESOURCES)] += slots
        player["cash"] = dice.randrange(0, 20)
    return full


def rich_matches(number: int) -> set[str]:
    """Play both from a position as JSON, of which each made its own match (W71); return what `play_both` does."""
    dice = Random(number)
    seats, rule = 2 + number % 3, ("engage", "deter")[number % 2]
    naive = NaiveMatch.new(seats, {"check_rule": rule, "max_rounds": 5}, number.to_bytes(32, "big"))
    for _ in range(seats):
        naive.play(dice.choice(naive.legal()))
    while naive.state["decision"] != "move":
        naive.play(naive.default())
    full = richer(naive.full(), dice)
    return play_both(EngineMatch.from_json(full), NaiveMatch.from_json(full), dice)


EVERYTHING = """
event respond spoil move dodge boost reroll assign_hit overflow location end_discard cook start_city mission turn play
lose attack_card fight roll attack_defeated destroyed defeat deliver event_discard event_card rebuild goal end
"""
"""Decisions, and entries of the log but `attack_gone`, which takes fifty rounds (W50), and those of the set-up."""


def test_w75_rich_matches_have_every_decision_and_nearly_every_entry() -> None:
    assert set().union(*map(rich_matches, range(15))) >= set(EVERYTHING.split())
