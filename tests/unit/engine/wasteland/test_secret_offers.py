"""W70: a seat that was not asked cannot be told from one that passed, in any position, by anybody else."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.game import EVERYBODY, SPECTATOR
from engine.wasteland.events import EventDrawn
from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.implementations import Implementation, Match
from tests.unit.engine.wasteland.naive import NaiveMatch


def positions(number: int) -> Iterator[Json]:
    """Yield some positions of a match."""
    dice = Random(number)
    match = NaiveMatch.new(2 + number % 3, {"max_rounds": 6}, number.to_bytes(32, "big"))
    while match.state["decision"] != "over":
        if match.state["current"] is not None and dice.random() < 0.05:
            yield match.full()
        match.play(choose(match, dice))


def with_another_hand(full: Json, seat: int) -> Json:
    """Its cards change places with as many at the bottom of the deck."""
    hand, deck = full["players"][seat]["hand"], full["decks"]["event"]
    other = [*deck[: len(deck) - len(hand)], *hand]
    player = {**full["players"][seat], "hand": sorted(deck[len(deck) - len(hand) :])}
    players = [player if number == seat else old for number, old in enumerate(full["players"])]
    return {**full, "players": players, "decks": {**full["decks"], "event": other}}


def pairs(number: int) -> Iterator[tuple[Json, Json, int]]:
    """Two positions that differ in a seat's hidden hand, and the seat."""
    for full in positions(number):
        for seat, player in enumerate(full["players"]):
            size = len(player["hand"])
            hidden = seat not in (full["current"], full["to_move"]) and 0 < size < len(full["decks"]["event"])
            if hidden:
                yield full, with_another_hand(full, seat), seat


def passed_by(match: Match, seat: int) -> None:
    """Let the seat pass wherever it is asked in the turn of another."""
    while (full := match.full())["to_move"] == seat != full["current"]:
        match.play(do.PASS)


def check_turn(one: Match, other: Match, seat: int, dice: Random) -> int:
    """Check that the rest of the turn looks the same to all others; return how often the seat was asked in one."""
    current: int = one.full()["current"]
    asked: int = 0
    while True:
        asked += bool((one.full()["to_move"] == seat) != (other.full()["to_move"] == seat))
        passed_by(one, seat)
        passed_by(other, seat)
        if one.full()["current"] != current:
            assert other.full()["current"] != current
            return asked
        for viewer in (*range(one.full()["seats"]), None):
            assert viewer == seat or one.view(viewer) == other.view(viewer)
        assert one.log() == other.log()
        assert one.legal() == other.legal()
        action = choose(one, dice)
        one.play(action)
        other.play(action)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_w70_the_rest_of_a_turn_looks_the_same(rules: Implementation, number: int) -> None:
    asked = 0
    for full, changed, seat in pairs(number):
        asked += check_turn(rules.from_json(full), rules.from_json(changed), seat, Random(number))
    assert asked, "in some of these turns one hand is asked, and the other is not"


def test_w75_which_event_card_is_drawn_its_seat_alone_sees() -> None:
    """Others are told that a card was drawn, spectators as well."""
    drawn = EventDrawn(1, 4)
    assert drawn.audience() == frozenset((1,))
    assert drawn.seen_by(1) == drawn
    for viewer in (0, 2, SPECTATOR):
        seen = drawn.seen_by(viewer)
        assert seen == EventDrawn(1, None)
        assert seen.audience() is EVERYBODY
