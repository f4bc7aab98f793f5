"""Positions for tests, written as short as they can be read: seat 0 has its turn, all other seats hold nothing."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.randomness import Stream
from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import Implementation, Match
from tests.unit.engine.wasteland.naive import NaiveMatch, new_turn
from tests.unit.engine.wasteland.naive_table import new_player
from tests.unit.engine.wasteland.tables import ATTACKS, NEW_DECKS, RESOURCES

SEED = bytes(32)


class Position:
    """A match with what tests ask of it."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def play(self, *actions: Json) -> list[Json]:
        """Play the actions and return what they added to the log."""
        before = len(self.match.told)
        for action in actions:
            assert action in self.match.legal(), (action, self.match.legal())
            self.match.play(action)
        return self.match.told[before:]

    def told(self, *actions: Json) -> list[str]:
        """Apply the actions and return the kinds of their log entries."""
        return [entry["event"] for entry in self.play(*actions)]

    def may(self, action: Json) -> bool:
        return action in self.match.legal()

    def legal(self, kind: str = "") -> list[Json]:
        """Return the legal actions of one kind, or all."""
        return [action for action in self.match.legal() if not kind or action["type"] == kind]

    def values(self, kind: str, field: str) -> set[Any]:
        """Return what a field may be in legal actions of a kind."""
        return {action[field] for action in self.legal(kind)}

    def finish(self) -> list[Json]:
        """Play defaults to the end and return what they added to the log."""
        before = len(self.match.told)
        while self["decision"] != "over":
            self.match.play(self.match.default())
        return self.match.told[before:]

    def walk(self) -> int:
        """Walk to and fro between two Towns until the Movement stops by itself; return the steps."""
        made = 0
        while self.asked == ("move", 0):
            self.play(do.step("a1" if self.he["space"] == "N" else "N"))
            made += 1
        return made

    def __getitem__(self, key: str) -> Any:
        return self.match.full()[key]

    @property
    def asked(self) -> tuple[str, int]:
        full = self.match.full()
        return full["decision"], full["to_move"]

    @property
    def he(self) -> Json:
        """Seat 0, whose turn it is in the positions of this file."""
        return self.seat(0)

    def seat(self, number: int) -> Json:
        player: Json = self["players"][number]
        return player

    def stored(self) -> dict[str, int]:
        """Seat 0's resources, none left out that it has."""
        return {resource: number for resource, number in self.he["resources"].items() if number}


Positions = Callable[..., Position]
"""`a_position` with an implementation."""


def a_position(
    rules: Implementation,
    decision: str = "location",
    *,
    seats: int = 2,
    to_move: int = 0,
    window: str = "",
    space: str = "N",
    cash: int = 5,
    caravan: str = "",
    resources: str = "",
    hands: Sequence[str] = (),
    others: Mapping[int, Json] | None = None,
    missions: str = "",
    decks: Mapping[str, str] | None = None,
    discards: Mapping[str, str] | None = None,
    dice: str = "",
    turn: Json | None = None,
    fight: Json | None = None,
    options: Json | None = None,
    **over: Any,
) -> Position:
    """Return a position at a decision that is really asked, by default seat 0's Location in Northgate, in round 1.

    `caravan`, `resources`: such as "gun_truck head:2" (Hits), "fuel:2 rations" (units); the Head is there anyhow.
    `hands`: by seat; `missions`: by place, the rest from the deck; `decks`: the cards on top; `discards`: the whole
    pile; `dice`: what the coming ones match, a regular expression over digits; `others`: fields of other players.
    """
    players = [new_player() | {"space": "N"} for _ in range(seats)]
    players[0] |= {"space": space, "cash": cash}
    players[0]["caravan"] = {"head": 0} | counts(caravan, 0)
    players[0]["resources"] |= counts(resources)
    for seat, hand in enumerate(hands):
        players[seat]["hand"] = sorted(hand.split())
    for seat, fields in (others or {}).items():
        players[seat] |= fields
    state = NaiveMatch.new(seats, options or {}, SEED).state | {
        "rng": {"seed": SEED.hex(), "words": _words_before(dice)},
        "decision": decision,
        "to_move": to_move,
        "round": 1,
        "first": 0,
        "current": 0,
        "players": players,
        "turn": new_turn() | (turn or {}),
        "fight": None if fight is None else _a_fight(fight),
    }
    if window:
        state["window"] = {"name": window, "asked": to_move, "passes": 0, "attack": None}
    state |= over
    state |= _decks(state, missions.split(), decks or {}, discards or {})
    match = rules.from_json(json.loads(json.dumps(state)))
    assert len(match.legal()) > 1, f"nobody would be asked here (W22): {match.legal()}"
    return Position(match)


def counts(text: str, default: int = 1) -> dict[str, int]:
    """Return what "fuel:2 rations" counts."""
    pairs = (word.partition(":") for word in text.split())
    return {name: int(number) if number else default for name, _, number in pairs}


def holding(text: str) -> Json:
    """Return the caravan and the resources of a text such as "gun_truck head:2 fuel"."""
    resources = [word for word in text.split() if word.partition(":")[0] in RESOURCES]
    caravan = [word for word in text.split() if word not in resources]
    return {"caravan": " ".join(caravan), "resources": " ".join(resources)}


def _a_fight(fields: Json) -> Json:
    blank = {"surprise": False, "defense": ATTACKS[fields["card"]].defense, "hits": 0, "round": 0}
    return {**blank, "rerolled": False, "dice": [], "to_assign": 0, **fields}


def _decks(
    state: Json, missions: list[str], tops: Mapping[str, str], discards: Mapping[str, str]
) -> dict[str, Any]:
    """All cards, each once: what is not named lies in the deck in the order of its table."""
    left = {deck: list(cards) for deck, cards in NEW_DECKS.items()}
    tops_ = {deck: _taken(left[deck], tops.get(deck, "").split()) for deck in left}
    piles = {deck: _taken(left[deck], discards.get(deck, "").split()) for deck in left}
    for player in state["players"]:
        _taken(left["event"], player["hand"])
    _taken(left["attack"], [entry["card"] for entry in state["queue"]])
    fight = state["fight"]
    if fight and fight["hits"] < ATTACKS[fight["card"]].health:
        _taken(left["attack"], [fight["card"]])
    face_up = _taken(left["mission"], missions)
    while len(face_up) < state["seats"] + 2:
        face_up.append(left["mission"].pop())
    return {
        "missions": face_up,
        "decks": {deck: [*tops_[deck], *left[deck]] for deck in left},
        "discards": piles,
    }


def _taken(deck: list[str], cards: Sequence[str]) -> list[str]:
    for card in cards:
        deck.remove(card)
    return list(cards)


@cache
def _dice() -> str:
    """Return the dice of the first words of the seed of zeros."""
    stream = Stream(SEED)
    return "".join(str(stream.die(6)) for _ in range(100_000))


def _words_before(dice: str) -> int:
    """Return how many words are used up so that the coming dice are these."""
    found = re.search(dice, _dice())
    assert found, f"no such dice in the first 100,000: {dice}"
    return found.start()


def attacked(at: Positions, *cards: str, by: str = "attack", **fields: Any) -> Position:
    """Seat 1 may attack seat 0; the top cards of the Attack deck are these."""
    decks = {**fields.pop("decks", {}), "attack": " ".join(cards)}
    defaults = {"decision": "event", "window": "encounter", "to_move": 1, "hands": ["", by]}
    return at(**{**defaults, **fields}, decks=decks)


def in_fight(at: Positions, *cards: str, by: str = "attack", **fields: Any) -> tuple[Position, list[Json]]:
    """Play the attack; return the position at seat 0's next decision, and what the log says of it."""
    position = attacked(at, *cards, by=by, **fields)
    return position, position.play(do.play(by))


def of(kind: str, entries: list[Json]) -> list[Json]:
    """Return the log's entries of one kind."""
    return [entry for entry in entries if entry["event"] == kind]


def only(**resources: int) -> dict[str, int]:
    """All four resources, those not named 0."""
    return {resource: resources.get(resource, 0) for resource in RESOURCES}
