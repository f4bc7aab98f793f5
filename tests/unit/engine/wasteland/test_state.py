"""The engine's position as data: digests, copies, observations and what is made of them, sensible play."""

import json
from random import Random
from typing import Any

import pytest

from engine.game import SPECTATOR
from engine.randomness import Stream
from engine.wasteland.game import WASTELAND
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.implementations import Json
from tests.unit.engine.wasteland.mapping import EngineMatch, state_of
from tests.unit.engine.wasteland.naive import NaiveMatch
from tests.unit.engine.wasteland.positions import SEED, a_position, in_fight
from tests.unit.engine.wasteland.tables import GOAL


def fighting() -> Json:
    """Return a position in which as much as possible is not as at the beginning."""
    position, _ = in_fight(
        lambda *a, **k: a_position(EngineMatch, *a, **k),
        "mutant_pack",
        "toll_gang",
        by="ambush",
        seats=3,
        caravan="war_rig:1 gun_truck",
        resources="fuel munitions",
        hands=["tailwind", "ambush", "bargain"],
        discards={"event": "attack escort", "attack": "rust_tank", "mission": "d1A d1B"},
        turn={"wilds": [["X1", 2]], "road_blocks": ["N", "a1"], "ditched": ["fuel"], "dry": ["rations"]},
        dice="[1-3]{3}",
    )
    return position.match.full()


REVERSED = object()
CHANGES: list[tuple[str, Any]] = [
    ("options.max_rounds", 59),
    ("options.check_rule", "deter"),
    ("rng.seed", "11" * 32),
    ("rng.words", 1),
    ("decision", "assign_hit"),
    ("to_move", 1),
    ("round", 2),
    ("first", 1),
    ("current", 2),
    ("goal_reached", True),
    ("players.0.space", "W"),
    ("players.2.cash", 77),
    ("players.0.caravan.war_rig", 2),
    ("players.1.caravan", {"head": 0, "gun_truck": 0}),
    ("players.1.resources.medicine", 1),
    ("players.0.hand", ["bargain"]),
    ("missions", REVERSED),
    ("decks.event", REVERSED),
    ("decks.attack", REVERSED),
    ("decks.mission", REVERSED),
    ("discards.event", REVERSED),
    ("discards.attack", []),
    ("discards.mission", REVERSED),
    ("turn.road_blocks", ["N"]),
    ("turn.wilds", [["X1", 1]]),
    ("turn.attackers", [2]),
    ("turn.dry", ["fuel"]),
    ("turn.ditched", []),
    ("queue", [{"card": "toll_gang", "surprise": True}]),
    ("queue", []),
    ("fight.card", "lone_raider"),
    ("fight.surprise", True),
    ("fight.defense", 3),
    ("fight.hits", 1),
    ("fight.round", 7),
    ("fight.rerolled", True),
    ("fight.dice", [1, 2, 3, 4, 4, 4, 4]),
    ("fight.to_assign", 2),
    ("window", {"name": "end", "asked": 1, "passes": 0, "attack": None}),
    *((f"turn.{name}", 3) for name in ("steps", "tailwinds", "flat_tires", "actions")),
    *((f"turn.{name}", True) for name in ("outrider", "sandstorm", "bargain", "bonus", "healed")),
]


@pytest.mark.parametrize(("path", "value"), CHANGES)
def test_w71_the_digest_changes_with_every_part(path: str, value: Any) -> None:
    full = fighting()
    part = changed = json.loads(json.dumps(full))
    *parents, last = path.split(".")
    for key in parents:
        part = part[int(key) if isinstance(part, list) else key]
    part[last] = part[last][::-1] if value is REVERSED else value
    assert changed != full
    assert state_of(full).digest() == state_of(full).digest()
    assert state_of(changed).digest() != state_of(full).digest()


@pytest.mark.parametrize(
    "window",
    [
        {"name": "encounter", "asked": 1, "passes": 0, "attack": None},
        {"name": "end", "asked": 2, "passes": 0, "attack": None},
        {"name": "end", "asked": 1, "passes": 1, "attack": None},
        {"name": "end", "asked": 1, "passes": 0, "attack": "attack"},
    ],
)
def test_w71_the_window_is_in_the_digest(window: Json) -> None:
    one = {**fighting(), "window": {"name": "end", "asked": 1, "passes": 0, "attack": None}}
    assert state_of(one).digest() != state_of({**one, "window": window}).digest()


def test_w71_seats_and_ending_are_in_the_digest() -> None:
    ends = {state_of({**fighting(), "ending": ending}).digest() for ending in (None, "GOAL", "ROUND_LIMIT")}
    assert len(ends) == 3
    digests = {WASTELAND.new_match(n, WASTELAND.options(n, {}), SEED).digest() for n in (2, 3, 4)}
    assert len(digests) == 3


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


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sensible_matches_end_by_the_goal(seats: int) -> None:
    """Every action is legal; nearly all matches are over long before the round limit."""
    endings, rounds = [], []
    for number in range(4):
        stream = Stream(bytes([number]) * 32)
        state = WASTELAND.new_match(seats, WASTELAND.options(seats, {}), bytes([number, seats]) * 16)
        while (outcome := state.outcome()) is None:
            action = WASTELAND.sensible_action(state, stream)
            assert action in state.legal_actions()
            state.apply(action)
        endings.append(outcome.ending)
        rounds.append(state.round)
        assert max(outcome.scores) >= GOAL[seats] - 10
    assert endings.count("GOAL") >= 3
    assert sorted(rounds)[1] < 40
