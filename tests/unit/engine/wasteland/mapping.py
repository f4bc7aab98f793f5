"""The engine in the words of the rules: positions as W71's JSON and back, actions as W72's, events as W75's."""

import json
from typing import Self

from engine.game import SPECTATOR, TERMINAL, Event
from engine.wasteland import events
from engine.wasteland.attack_cards import ATTACKER_IDS
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS
from engine.wasteland.event_cards import EVENT_IDS, TARGET, TARGET_NAMES, WINDOW_NAMES
from engine.wasteland.game import WASTELAND
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.notation import target_name
from engine.wasteland.observation import FightView, Observation, SeatView, TurnView, WindowView
from engine.wasteland.options import Options
from engine.wasteland.position import DECISION_NAMES, NOBODY, Setup
from engine.wasteland.resources import NAMES
from engine.wasteland.state import WastelandState
from tests.unit.engine.naive import Forms, Json, canonical
from tests.unit.engine.naive import event_form as form_of
from tests.unit.engine.wasteland.naive import NaiveMatch

DECKS = ("event", "attack", "mission")
IDS = {"event": EVENT_IDS, "attack": ATTACKER_IDS, "mission": MISSION_IDS}
NOT_IN_PLAY = -1


class EngineMatch:
    """A match played by the engine."""

    def __init__(self, state: WastelandState) -> None:
        self.state = state
        self.told = _forms(state)
        """The log of W75, since the match or the position was made."""

    @classmethod
    def new(cls, seats: int, options: Json, seed: bytes) -> Self:
        """W13-W15."""
        values = {name: str(value) for name, value in options.items()}
        return cls(WASTELAND.new_match(seats, WASTELAND.options(seats, values), seed))

    @classmethod
    def from_json(cls, full: Json) -> Self:
        """Return the position of W71's full view."""
        return cls(state_of(full))

    def legal(self) -> list[Json]:
        """In the order of W73; the engine's own is that of its ints."""
        return [
            json.loads(text) for text in sorted(map(self.state.format_action, self.state.legal_actions()))
        ]

    def default(self) -> Json:
        """W74."""
        default: Json = json.loads(self.state.format_action(self.state.default_action()))
        return default

    def play(self, action: Json) -> None:
        """Through the text of the action, which is read back the same."""
        number = self.state.parse_action(canonical(action))
        assert self.state.format_action(number) == canonical(action)
        self.state.apply(number)
        self.told += _forms(self.state)

    def full(self) -> Json:
        """W71's full view."""
        return full_form(self.state)

    def view(self, viewer: int | None) -> Json:
        """W71's view."""
        return view_form(self.state.observe(SPECTATOR if viewer is None else viewer))

    def scores(self) -> list[int]:
        """W68, as everybody sees them."""
        return [seat.score for seat in self.state.observe(SPECTATOR).seats]

    def placings(self) -> list[int]:
        """W69: those of the outcome, as if the match ended here."""
        ended = self.state.clone()
        ended.ending = events.Ending.GOAL
        outcome = ended.outcome()
        assert outcome is not None
        return list(outcome.placings)


Match = EngineMatch | NaiveMatch
Implementation = type[EngineMatch] | type[NaiveMatch]
IMPLEMENTATIONS: dict[str, Implementation] = {"engine": EngineMatch, "naive": NaiveMatch}
"""What the tests of clauses run on, with positions, actions and log as JSON."""


def _forms(state: WastelandState) -> list[Json]:
    """Return what has happened, as W75 writes it; the shuffles of the set-up are told beside it (W13)."""
    return [event_form(event) for event in state.take_events() if not isinstance(event, events.Shuffled)]


# Positions as JSON


def full_form(state: WastelandState) -> Json:
    """W71's full view: every seat sees its own hand, the seat to act what is asked; the rest is hidden from all."""
    form = view_form(state.observe(max(state.seat_to_act, SPECTATOR)))
    for seat, player in enumerate(form["players"]):
        player["hand"] = view_form(state.observe(seat))["players"][seat]["hand"]
    form["decks"] = {deck: _names(deck, getattr(state, f"{deck}_deck")) for deck in DECKS}
    return {**form, "rng": {"seed": state.seed.hex(), "words": state.words}}


def view_form(seen: Observation) -> Json:
    """W71's view of the viewer."""
    return {
        "game": "wasteland",
        "seats": len(seen.seats),
        "options": seen.options._asdict(),
        "decision": None if seen.decision is None else DECISION_NAMES[seen.decision],
        "to_move": seen.seat_to_act,
        "round": seen.round,
        "first": seen.first,
        "current": seen.current,
        "goal_reached": seen.goal_reached,
        "ending": None if seen.ending is None else seen.ending.name,
        "players": [_player(seat) for seat in seen.seats],
        "missions": _names("mission", seen.missions),
        "decks": dict(zip(DECKS, seen.decks, strict=True)),
        "discards": {deck: _names(deck, pile) for deck, pile in zip(DECKS, seen.discards, strict=True)},
        "turn": None if seen.turn is None else _turn(seen.turn),
        "window": None if seen.window is None else _window(seen.window),
        "queue": [{"card": ATTACKER_IDS[card], "surprise": surprise} for card, surprise in seen.queue],
        "fight": None if seen.fight is None else _fight(seen.fight),
    }


def _names(deck: str, cards: tuple[int, ...] | list[int]) -> list[str]:
    return [IDS[deck][card] for card in cards]


def _player(seat: SeatView) -> Json:
    hand: int | list[str] = seat.cards
    if seat.hand is not None:
        hand = sorted(EVENT_IDS[card] for card, number in enumerate(seat.hand) for _ in range(number))
    return {
        "space": None if seat.space < 0 else SPACE_IDS[seat.space],
        "cash": seat.cash,
        "caravan": {CARD_IDS[card]: hits for card, hits in enumerate(seat.hits) if hits != NOT_IN_PLAY},
        "resources": dict(zip(NAMES, seat.stores, strict=True)),
        "hand": hand,
    }


def _turn(turn: TurnView) -> Json:
    return {
        **turn._asdict(),
        "road_blocks": sorted(SPACE_IDS[space] for space in turn.road_blocks),
        "wilds": [[SPACE_IDS[space], required] for space, required in turn.wilds],
        "attackers": list(turn.attackers),
        "dry": [NAMES[resource] for resource in turn.dry],
        "ditched": [NAMES[resource] for resource in turn.ditched],
    }


def _window(window: WindowView) -> Json:
    if window.asked is None:
        assert window.passes is None
        assert window.responding_to is None
        return {"name": WINDOW_NAMES[window.name]}
    attack = None if window.responding_to is None else EVENT_IDS[window.responding_to]
    return {
        "name": WINDOW_NAMES[window.name],
        "asked": window.asked,
        "passes": window.passes,
        "attack": attack,
    }


def _fight(fight: FightView) -> Json:
    return {**fight._asdict(), "card": ATTACKER_IDS[fight.card], "dice": list(fight.dice)}


# JSON as positions


def state_of(full: Json) -> WastelandState:
    """Return the position of W71's full view."""
    state = WastelandState(Setup(full["seats"], Options(**full["options"])))
    state.clear()
    state.seed, state.words = bytes.fromhex(full["rng"]["seed"]), full["rng"]["words"]
    state.decision = DECISION_NAMES.index(full["decision"])
    state.seat_to_act = TERMINAL if full["to_move"] is None else full["to_move"]
    state.round, state.goal_reached = full["round"], full["goal_reached"]
    state.first = NOBODY if full["first"] is None else full["first"]
    state.current = NOBODY if full["current"] is None else full["current"]
    state.ending = None if full["ending"] is None else events.Ending[full["ending"]]
    for seat, player in enumerate(full["players"]):
        state.spaces[seat] = NOBODY if player["space"] is None else SPACE_IDS.index(player["space"])
        state.cash[seat] = player["cash"]
        state.hits[seat] = [player["caravan"].get(card, NOT_IN_PLAY) for card in CARD_IDS]
        state.stores[seat] = [player["resources"][resource] for resource in NAMES]
        state.hands[seat] = [player["hand"].count(card) for card in EVENT_IDS]
    state.missions = _numbers("mission", full["missions"])
    for deck in DECKS:
        setattr(state, f"{deck}_deck", _numbers(deck, full["decks"][deck]))
        setattr(state, f"{deck}_discards", _numbers(deck, full["discards"][deck]))
    state.queue = tuple(
        (ATTACKER_IDS.index(entry["card"]), int(entry["surprise"])) for entry in full["queue"]
    )
    for load, part in ((_load_turn, "turn"), (_load_window, "window"), (_load_fight, "fight")):
        if full[part] is not None:
            load(state, full[part])
    return state


def _numbers(deck: str, cards: list[str]) -> tuple[int, ...]:
    return tuple(IDS[deck].index(card) for card in cards)


def _load_turn(state: WastelandState, turn: Json) -> None:
    for name, value in turn.items():
        if not isinstance(value, list):
            setattr(state, name, value)
    state.road_blocks = tuple(sorted(SPACE_IDS.index(space) for space in turn["road_blocks"]))
    state.wilds = tuple((SPACE_IDS.index(space), required) for space, required in turn["wilds"])
    state.attackers = tuple(turn["attackers"])
    state.dry = tuple(NAMES.index(resource) for resource in turn["dry"])
    state.ditched = tuple(NAMES.index(resource) for resource in turn["ditched"])


def _load_window(state: WastelandState, window: Json) -> None:
    state.window = WINDOW_NAMES.index(window["name"])
    state.asked, state.passes = window["asked"], window["passes"]
    if window["attack"] is not None:
        state.responding_to = EVENT_IDS.index(window["attack"])


def _load_fight(state: WastelandState, fight: Json) -> None:
    state.fight, state.fight_surprise = ATTACKER_IDS.index(fight["card"]), fight["surprise"]
    state.fight_defense, state.fight_hits = fight["defense"], fight["hits"]
    state.fight_round, state.rerolled = fight["round"], fight["rerolled"]
    state.dice, state.to_assign = tuple(fight["dice"]), fight["to_assign"]


# Events as entries of the log


def event_form(event: Event) -> Json:
    """Return an event of the engine as W75 has it."""
    match event:
        case events.Played(seat, card, target):
            named = target_name(card, target)
            fields = {} if named is None else {TARGET_NAMES[TARGET[card]]: named}
            return {"event": "play", "seat": seat, "card": EVENT_IDS[card], **fields}
        case events.Dodged(card, how, resource):
            fields = {} if resource is None else {"resource": NAMES[resource]}
            return {"event": "dodge", "card": ATTACKER_IDS[card], "how": how.name.lower(), **fields}
    return form_of(event, FORMS)


FORMS: Forms = {
    events.MissionShown: ("mission", {"mission": MISSION_IDS.__getitem__}),
    events.StartDie: ("start_die", {}),
    events.TurnBegan: ("turn", {}),
    events.LostResource: ("lose", {"resource": NAMES.__getitem__}),
    events.AttackDrawn: ("attack_card", {"card": ATTACKER_IDS.__getitem__}),
    events.FightBegan: ("fight", {"card": ATTACKER_IDS.__getitem__}),
    events.Rolled: ("roll", {"side": lambda side: side.name.lower(), "dice": list}),
    events.AttackDefeated: ("attack_defeated", {"card": ATTACKER_IDS.__getitem__}),
    events.AttackGone: ("attack_gone", {"card": ATTACKER_IDS.__getitem__}),
    events.Destroyed: ("destroyed", {"card": CARD_IDS.__getitem__}),
    events.Defeated: ("defeat", {}),
    events.Delivered: ("deliver", {"mission": MISSION_IDS.__getitem__}),
    events.EventDrawn: ("event_card", {"card": EVENT_IDS.__getitem__}),
    events.EventDiscarded: ("event_discard", {"card": EVENT_IDS.__getitem__}),
    events.Rebuilt: ("rebuild", {"deck": lambda deck: deck.name.lower()}),
    events.GoalReached: ("goal", {}),
    events.Ended: ("end", {"ending": lambda ending: ending.name}),
}
