"""What holds in every position of every match, whoever plays."""

from collections import Counter
from random import Random

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.naive_legal import fits
from tests.unit.engine.wasteland.positions import Position, of
from tests.unit.engine.wasteland.tables import ATTACKS, CARAVAN, GOAL, NEW_DECKS, SPACES

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
    log = position.match.log()
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
