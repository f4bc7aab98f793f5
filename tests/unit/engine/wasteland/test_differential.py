"""What holds in every match, whoever plays, and that the engine and the slow rules play the same matches."""

from collections import Counter
from random import Random

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import EngineMatch, Implementation
from tests.unit.engine.wasteland.naive import NaiveMatch
from tests.unit.engine.wasteland.naive_legal import fits
from tests.unit.engine.wasteland.positions import Position, of
from tests.unit.engine.wasteland.tables import ATTACKS, CARAVAN, GOAL, NEW_DECKS, RESOURCES, SPACES

TABLES = [
    (seats, {"check_rule": rule, "max_rounds": rounds})
    for seats in (2, 3, 4)
    for rule in ("engage", "deter")
    for rounds in (1, 9)
]


def check_equal(engine: EngineMatch, naive: NaiveMatch, *, views: bool) -> None:
    """Compare what may be played, by whom, the default, the log, and the position as each viewer sees it."""
    assert engine.legal() == naive.legal()
    assert engine.told == naive.told
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
    return seen | {entry["event"] for entry in naive.told}


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


MATCHES = [
    (2, "engage", 1),
    (3, "deter", 2),
    (4, "engage", 3),
    (2, "deter", 4),
    (3, "engage", 5),
    (4, "deter", 6),
]


def cards_of(full: Json) -> dict[str, Counter[str]]:
    """Return all cards that there are, by deck."""
    found = {deck: Counter([*full["decks"][deck], *full["discards"][deck]]) for deck in NEW_DECKS}
    found["mission"].update(full["missions"])
    for player in full["players"]:
        found["event"].update(player["hand"])
    found["attack"].update(entry["card"] for entry in full["queue"])
    fight = full["fight"]
    if fight and fight["hits"] < ATTACKS[fight["card"]].health:
        found["attack"][fight["card"]] += 1
    return found


def check(full: Json) -> None:
    """Check one position."""
    assert cards_of(full) == {deck: Counter(cards) for deck, cards in NEW_DECKS.items()}
    for player in full["players"]:
        assert player["cash"] >= 0
        assert min(player["resources"].values()) >= 0
        assert len(player["hand"]) <= 3
        assert player["hand"] == sorted(player["hand"])
        assert player["space"] in SPACES or full["decision"] == "start_city"
        assert all(0 <= hits < CARAVAN[card].health for card, hits in player["caravan"].items())
        assert "head" in player["caravan"]
        assert fits(player, player["resources"]) or full["decision"] == "overflow"
    if full["turn"]:
        assert full["turn"]["steps"] <= 11
        assert full["turn"]["actions"] < 41
        assert len(set(full["turn"]["attackers"])) == len(full["turn"]["attackers"])
    if full["fight"]:
        assert full["fight"]["round"] <= 50
    goal = any(player["cash"] >= GOAL[full["seats"]] for player in full["players"])
    assert full["goal_reached"] or not goal


@pytest.mark.parametrize(("seats", "check_rule", "number"), MATCHES)
def test_w66_cards_are_conserved_storage_is_matchable_and_all_have_the_same_number_of_turns(
    rules: Implementation, seats: int, check_rule: str, number: int
) -> None:
    """W5-W8, W20, W48, W63, W65, W76 in every position of a match of eight rounds."""
    options = {"check_rule": check_rule, "max_rounds": 8}
    position = Position(rules.new(seats, options, bytes([number]) * 32))
    dice = Random(number)
    while position["decision"] != "over":
        check(position.match.full())
        position.play(choose(position.match, dice))
    check(position.match.full())
    log = position.match.told
    assert Counter(entry["seat"] for entry in of("turn", log)) == dict.fromkeys(
        range(seats), position["round"]
    )
    assert len(of("end", log)) == 1
    assert bool(of("goal", log)) == (position["ending"] == "GOAL")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w12_the_same_seed_and_actions_give_the_same_match(rules: Implementation, seats: int) -> None:
    """And from a position as JSON the match goes on as from the match itself (W71)."""
    matches = [Position(rules.new(seats, {"max_rounds": 3}, bytes([7]) * 32)) for _ in range(2)]
    dice = Random(seats)
    one, other = matches
    while one["decision"] != "over":
        action = choose(one.match, dice)
        other = Position(rules.from_json(other.match.full()))
        assert one.play(action) == other.play(action)
        assert one.match.full() == other.match.full()
