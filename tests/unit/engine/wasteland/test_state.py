"""The engine's position as data: digests, copies, observations and what is made of them, sensible play."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

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


def set_to(*path: str | int, value: object) -> Callable[[Json], None]:
    def change(full: Json) -> None:
        part = full
        for key in path[:-1]:
            part = part[key]  # type: ignore[index]
        assert part[path[-1]] != value  # type: ignore[index]
        part[path[-1]] = value  # type: ignore[index]

    return change


def turned(*path: str) -> Callable[[Json], None]:
    """Return a change that reverses the list at this path."""

    def change(full: Json) -> None:
        part = full
        for key in path:
            part = part[key]
        assert isinstance(part, list)
        assert part != part[::-1]
        part.reverse()

    return change


CHANGES: dict[str, Callable[[Json], None]] = {
    "options": set_to("options", "max_rounds", value=59),
    "rule": set_to("options", "check_rule", value="deter"),
    "seed": set_to("rng", "seed", value="11" * 32),
    "words": set_to("rng", "words", value=1),
    "decision": set_to("decision", value="assign_hit"),
    "to_move": set_to("to_move", value=1),
    "round": set_to("round", value=2),
    "first": set_to("first", value=1),
    "current": set_to("current", value=2),
    "goal": set_to("goal_reached", value=True),
    "space": set_to("players", 0, "space", value="W"),
    "cash": set_to("players", 2, "cash", value=77),
    "hits": set_to("players", 0, "caravan", "war_rig", value=2),
    "caravan": set_to("players", 1, "caravan", value={"head": 0, "gun_truck": 0}),
    "resources": set_to("players", 1, "resources", "medicine", value=1),
    "hand": set_to("players", 0, "hand", value=["bargain"]),
    "missions": turned("missions"),
    "event deck": turned("decks", "event"),
    "attack deck": turned("decks", "attack"),
    "mission deck": turned("decks", "mission"),
    "event discards": turned("discards", "event"),
    "attack discards": set_to("discards", "attack", value=[]),
    "mission discards": turned("discards", "mission"),
    **{name: set_to("turn", name, value=3) for name in ("steps", "tailwinds", "flat_tires", "actions")},
    **{
        name: set_to("turn", name, value=True)
        for name in ("outrider", "sandstorm", "bargain", "bonus", "healed")
    },
    "road blocks": set_to("turn", "road_blocks", value=["N"]),
    "wilds": set_to("turn", "wilds", value=[["X1", 1]]),
    "attackers": set_to("turn", "attackers", value=[2]),
    "dry": set_to("turn", "dry", value=["fuel"]),
    "ditched": set_to("turn", "ditched", value=[]),
    "queue": set_to("queue", value=[{"card": "toll_gang", "surprise": True}]),
    "no queue": set_to("queue", value=[]),
    "fight": set_to("fight", "card", value="lone_raider"),
    "surprise": set_to("fight", "surprise", value=True),
    "defense": set_to("fight", "defense", value=3),
    "fight hits": set_to("fight", "hits", value=1),
    "fight round": set_to("fight", "round", value=7),
    "rerolled": set_to("fight", "rerolled", value=True),
    "dice": set_to("fight", "dice", value=[1, 2, 3, 4, 4, 4, 4]),
    "to_assign": set_to("fight", "to_assign", value=2),
    "window": set_to("window", value={"name": "end", "asked": 1, "passes": 0, "attack": None}),
}


@pytest.mark.parametrize("part", CHANGES)
def test_w71_the_digest_changes_with_every_part(part: str) -> None:
    full = fighting()
    changed = json.loads(json.dumps(full))
    CHANGES[part](changed)
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
