"""W13-W16: the set-up."""

import pytest

from engine.randomness import Stream
from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.positions import SEED, Position, of, only
from tests.unit.engine.wasteland.tables import NEW_DECKS


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w13_the_three_decks_are_shuffled_in_this_order(rules: Implementation, seats: int) -> None:
    """Event, Attack, Mission: one stream for all, 39, 23 and 35 words of it; no card lies in a discard pile."""
    seed = bytes([seats]) * 32
    stream, decks = Stream(seed), {deck: list(NEW_DECKS[deck]) for deck in ("event", "attack", "mission")}
    for deck in decks.values():
        stream.shuffle(deck)
    full = rules.new(seats, {}, seed).full()
    mission = decks.pop("mission")
    assert [*full["missions"], *full["decks"].pop("mission")] == mission
    assert full["decks"] == decks
    assert full["rng"]["words"] == 39 + 23 + 35
    assert full["discards"] == {"event": [], "attack": [], "mission": []}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w14_w15_missions_and_what_a_seat_begins_with(rules: Implementation, seats: int) -> None:
    match = rules.new(seats, {}, SEED)
    full = match.full()
    assert len(full["missions"]) == seats + 2
    assert match.log() == [
        {"event": "mission", "place": place, "mission": mission}
        for place, mission in enumerate(full["missions"])
    ]
    player: Json = {"space": None, "cash": 5, "caravan": {"head": 0}, "resources": only(), "hand": []}
    assert full["players"] == [player] * seats


def test_w15_each_seat_in_its_order_chooses_one_of_the_cities(rules: Implementation) -> None:
    """Several may take one."""
    position = Position(rules.new(4, {}, SEED))
    for seat, name in enumerate("SSWN"):
        assert position.asked == ("start_city", seat)
        assert position.legal() == [do.city("E"), do.city("N"), do.city("S"), do.city("W")]
        assert (position["current"], position["round"]) == (None, 0)
        position.play(do.city(name))
    assert [player["space"] for player in position["players"]] == ["S", "S", "W", "N"]


def started(rules: Implementation, seats: int, seed: bytes) -> Position:
    position = Position(rules.new(seats, {}, seed))
    for _ in range(seats):
        position.play(do.city("N"))
    return position


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w16_the_highest_die_begins(rules: Implementation, seats: int, number: int) -> None:
    """While several are highest, exactly these roll again, in the same order."""
    position = started(rules, seats, bytes([number]) * 32)
    stream, rolling, rolls = Stream(bytes([number]) * 32, 97), list(range(seats)), []
    while len(rolling) > 1:
        dice = {seat: stream.die(6) for seat in rolling}
        rolls += [{"event": "start_die", "seat": seat, "die": die} for seat, die in dice.items()]
        rolling = [seat for seat in rolling if dice[seat] == max(dice.values())]
    log = position.match.log()
    assert of("start_die", log) == rolls
    assert of("turn", log)[0] == {"event": "turn", "round": 1, "seat": rolling[0]}
    assert (position["first"], position["current"], position["round"]) == (rolling[0], rolling[0], 1)


def test_w16_round_1_begins_with_an_empty_turn_and_ties_do_come_up_in_these_tests(
    rules: Implementation,
) -> None:
    positions = [started(rules, 4, bytes([n]) * 32) for n in range(8)]
    assert max(len(of("start_die", position.match.log())) for position in positions) > 4
    assert positions[0].asked == ("move", positions[0]["first"])
    assert set(map(str, positions[0]["turn"].values())) == {"0", "False", "[]"}
