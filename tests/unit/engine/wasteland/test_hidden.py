"""W70, W71: the position as JSON, what each seat is shown of it, what nobody can tell, and what is made of a view.

That what is hidden changes nothing that a viewer is sent is tested in tests/system/contract/test_hidden_information.py.
"""

from random import Random

import pytest

from engine.game import EVERYBODY, SPECTATOR
from engine.randomness import Stream
from engine.wasteland.events import EventDrawn
from engine.wasteland.game import WASTELAND
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import EngineMatch, Implementation
from tests.unit.engine.wasteland.naive import NaiveMatch
from tests.unit.engine.wasteland.positions import SEED, Position, Positions, attacked, in_fight

KEYS = {
    *("game", "seats", "options", "rng", "decision", "to_move", "round", "first", "current", "goal_reached"),
    *("ending", "players", "missions", "decks", "discards", "turn", "window", "queue", "fight"),
}


def played(rules: Implementation, seats: int, plies: int) -> Position:
    position = Position(rules.new(seats, {}, bytes([seats]) * 32))
    dice = Random(seats)
    for _ in range(plies):
        position.play(choose(position.match, dice))
    return position


def test_w71_what_does_not_exist_is_null(rules: Implementation) -> None:
    """In the set-up."""
    full = rules.new(2, {}, SEED).full()
    nothing = {key for key in KEYS if full[key] is None}
    assert nothing == {"first", "current", "ending", "turn", "window", "fight"}
    assert (full["queue"], full["round"], full["goal_reached"]) == ([], 0, False)


def test_w71_the_fight_stays_until_all_hits_are_placed(at: Positions) -> None:
    """The defeated card lies on the discard pile already."""
    position, _ = in_fight(at, "mutant_pack", caravan="war_rig", dice="[3-6]{5}6{3}")
    position.play(do.hit("war_rig"))
    fight = position["fight"]
    assert (fight["card"], fight["to_assign"], fight["round"]) == ("mutant_pack", 2, 1)
    assert fight["hits"] >= 2
    assert len(fight["dice"]) == 5
    assert position["discards"]["attack"] == ["mutant_pack"]
    position.play(do.hit("war_rig"), do.hit("war_rig"))
    assert position["fight"] is None


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
@pytest.mark.parametrize("plies", [3, 40, 120])
def test_w71_a_view_lacks_the_stream_the_decks_and_other_hands(
    rules: Implementation, viewer: int | None, plies: int
) -> None:
    position = played(rules, 3, plies)
    full, seen = position.match.full(), position.match.view(viewer)
    assert set(seen) == KEYS - {"rng"}
    assert seen["decks"] == {deck: len(cards) for deck, cards in full["decks"].items()}
    for seat, (player, shown) in enumerate(zip(full["players"], seen["players"], strict=True)):
        assert shown == {**player, "hand": player["hand"] if seat == viewer else len(player["hand"])}
    secret = full["decision"] in ("event", "respond") and full["to_move"] != viewer
    for key in KEYS - {"rng", "decks", "players", *(("decision", "to_move", "window") if secret else ())}:
        assert seen[key] == full[key]


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_w71_during_anothers_offer_or_answer_the_window_has_only_its_name(
    at: Positions, viewer: int | None
) -> None:
    position = attacked(at, seats=3, hands=["escort", "attack"])
    hidden = {"decision": None, "to_move": None, "window": {"name": "encounter"}}
    assert position.match.view(viewer).items() >= hidden.items()
    own = position.match.view(1)
    assert (own["decision"], own["to_move"]) == ("event", 1)
    assert own["window"] == {"name": "encounter", "asked": 1, "passes": 0, "attack": None}
    position.play(do.play("attack"))
    assert position.asked == ("respond", 0)
    assert position.match.view(viewer or 1).items() >= hidden.items()
    assert position.match.view(0)["window"]["attack"] == "attack"


def test_w70_w71_other_decisions_and_all_that_was_done_are_public(at: Positions) -> None:
    for decision in ("move", "location"):
        seen = at(decision).match.view(1)
        assert (seen["decision"], seen["to_move"]) == (decision, 0)
    position = at("move", space="i1", caravan="scout_rig", resources="fuel")
    position.play(do.step("X0", scout=True))
    seen = position.match.view(1)
    assert (seen["turn"]["wilds"], seen["players"][0]["resources"]["fuel"]) == ([["X0", 1]], 0)


def test_w70_a_declined_answer_looks_like_an_impossible_one(at: Positions) -> None:
    """Seat 0 passes with an Escort, or has none."""
    told = []
    for card in ("escort", "bargain"):
        position = attacked(at, "lone_raider", seats=3, hands=[card, "attack", "pickpockets"])
        position.play(do.play("attack"))
        if position.asked[0] == "respond":
            position.play(do.PASS)
        told.append([position.match.told, *(position.match.view(viewer) for viewer in (1, 2, None))])
    assert told[0] == told[1]


def test_w75_which_event_card_is_drawn_its_seat_alone_sees() -> None:
    """Others are told that a card was drawn, spectators as well."""
    drawn = EventDrawn(1, 4)
    assert drawn.audience() == frozenset((1,))
    assert drawn.seen_by(1) == drawn
    for viewer in (0, 2, SPECTATOR):
        seen = drawn.seen_by(viewer)
        assert seen == EventDrawn(1, None)
        assert seen.audience() is EVERYBODY


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w70_what_is_guessed_from_a_view_looks_the_same(seats: int) -> None:
    """By every viewer, in secret questions, too; whoever is asked in the guess has a choice by the slow rules (W22)."""
    match = EngineMatch.new(seats, {"max_rounds": 3}, bytes([seats]) * 32)
    dice, stream = Random(seats), Stream(SEED)
    secrets = 0
    while match.legal():
        if dice.random() < 0.3:
            for viewer in (*range(seats), None):
                seen = match.state.observe(SPECTATOR if viewer is None else viewer)
                guess = EngineMatch(WASTELAND.from_observation(seen, stream))
                assert guess.view(viewer) == match.view(viewer)
                listed = NaiveMatch.from_json(guess.full()).legal()
                assert len(listed) > 1
                assert viewer != match.full()["to_move"] or listed == match.legal()
                secrets += match.view(viewer)["decision"] is None
        match.play(choose(match, dice))
    assert secrets
