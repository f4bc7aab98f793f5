"""Actions as text: the JSON of W72, with sorted keys and no white space (W73)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine import json_notation
from engine.game import UnreadableActionError
from engine.json_notation import Fields
from engine.wasteland.actions import (
    BOOST_ACTION,
    BUY,
    COOK_ACTION,
    DELIVER,
    DETER_ACTION,
    DISCARD,
    DITCH,
    DONE_ACTION,
    FIGHT_ACTION,
    HEAL,
    HIT,
    KEEP_ACTION,
    KIND_NAMES,
    LOAD,
    LOSE,
    OUTRIDER_ACTION,
    PASS_ACTION,
    PAY,
    PAY_ACTION,
    PLAY,
    REROLL_ACTION,
    START_CITY,
    STEP,
    STOP_ACTION,
    buy,
    card_of,
    deliver,
    discard,
    ditch,
    field_of,
    heal,
    hit,
    hits_of,
    is_scout,
    kind_of,
    load,
    lose,
    one_hit,
    pay_resource,
    play,
    scout,
    space_of,
    start_city,
    step,
    target_of,
    two_hits,
)
from engine.wasteland.board import CITIES, SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS
from engine.wasteland.event_cards import (
    EVENT_IDS,
    EVENTS,
    HITS,
    MISSION,
    RESOURCE,
    SPACE,
    TARGET,
    TARGET_NAMES,
)
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.options import TITLE
from engine.wasteland.resources import NAMES

_EXAMPLE: Final = '{"resource":"fuel","type":"load"}'
_MOST_TEXT: Final = 1000
"""Longer than any action."""

_MOST_HITS: Final = 2

_NAMED: Final[dict[int, tuple[str, Sequence[str]]]] = {
    START_CITY: ("city", SPACE_IDS),
    LOSE: ("resource", NAMES),
    HIT: ("card", CARD_IDS),
    LOAD: ("resource", NAMES),
    DITCH: ("resource", NAMES),
    BUY: ("card", CARD_IDS),
    DELIVER: ("mission", MISSION_IDS),
    DISCARD: ("card", EVENT_IDS),
}
"""By kind: the only field of the action, and the ids that it takes."""


def hit_names(field: int) -> list[str]:
    """Return the ids of a Hits field as W72 writes them, sorted by text."""
    return sorted(_name(CARD_IDS, card) for card in hits_of(field))


def target_name(card: int, target: int) -> str | list[str] | None:
    """Return what a play names beside its card (W8); None if it names nothing."""
    kind = TARGET[card]
    if kind == HITS:
        return hit_names(target)
    names = {SPACE: SPACE_IDS, RESOURCE: NAMES, MISSION: MISSION_IDS}.get(kind)
    return None if names is None else _name(names, target)


def format_action(action: int) -> str:
    """Return the canonical text, for example `{"resource":"fuel","type":"load"}`."""
    return json_notation.write(_fields(action))


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number < len(names) else f"unknown {number}"


def _fields(action: int) -> Fields:
    kind = kind_of(action)
    if not 0 <= kind < len(KIND_NAMES):
        return json_notation.unknown(action)
    fields: Fields = {"type": KIND_NAMES[kind]}
    field = field_of(action)
    if kind in _NAMED:
        name, names = _NAMED[kind]
        fields[name] = _name(names, field)
    elif kind == PLAY:
        card = card_of(action)
        fields["card"] = _name(EVENT_IDS, card)
        target = target_name(card, target_of(action)) if card < EVENTS else None
        if target is not None:
            fields[TARGET_NAMES[TARGET[card]]] = target
    elif kind == STEP:
        fields["to"] = _name(SPACE_IDS, space_of(action))
        if is_scout(action):
            fields["scout"] = True
    elif kind == PAY and field:
        fields["resource"] = _name(NAMES, field - 1)
    elif kind == HEAL:
        fields["hits"] = hit_names(field)
    return fields


def parse_action(text: str) -> int:
    """Parse the text of `format_action`, keys in any order.

    Raises UnreadableActionError: the text is no action of this game; the message names the field.
    """
    kind, fields = json_notation.read(text, TITLE, _EXAMPLE, _MOST_TEXT)
    if kind in _PLAIN:
        json_notation.check_fields(kind, fields, ())
        return _PLAIN[kind]
    if kind not in _READ:
        raise json_notation.unknown_type(kind, KIND_NAMES)
    return _READ[kind](kind, fields)


def _hits(fields: Mapping[str, Any]) -> int:
    named = fields["hits"]
    if not isinstance(named, list) or not 1 <= len(named) <= _MOST_HITS or named != sorted(map(str, named)):
        raise UnreadableActionError("The field hits is a list of one or two Caravan cards, sorted.")
    cards = [json_notation.name_of("hits", card, CARD_IDS, "Caravan cards") for card in named]
    return two_hits(cards[0], cards[1]) if len(cards) == _MOST_HITS else one_hit(cards[0])


def _play(kind: str, fields: Fields) -> int:
    if "card" not in fields:
        raise UnreadableActionError("An action of the type play has the field card.")
    card = json_notation.name_of("card", fields["card"], EVENT_IDS, "an Event card")
    what = TARGET[card]
    name = TARGET_NAMES[what]
    json_notation.check_fields(
        f"{kind} with the card {EVENT_IDS[card]}", fields, ("card", name) if name else ("card",)
    )
    if what == HITS:
        return play(card, _hits(fields))
    if what == SPACE:
        return play(card, json_notation.name_of(name, fields[name], SPACE_IDS, "a space"))
    if what == RESOURCE:
        return play(card, json_notation.name_of(name, fields[name], NAMES, "a resource"))
    return (
        play(card, json_notation.name_of(name, fields[name], MISSION_IDS, "a mission"))
        if what == MISSION
        else play(card)
    )


def _step(kind: str, fields: Fields) -> int:
    scouted = "scout" in fields
    if scouted and fields.pop("scout") is not True:
        raise UnreadableActionError("The field scout is true, or left out.")
    json_notation.check_fields(kind, fields, ("to",))
    space = json_notation.name_of("to", fields["to"], SPACE_IDS, "a space")
    return scout(space) if scouted else step(space)


def _pay(kind: str, fields: Fields) -> int:
    if not fields:
        return PAY_ACTION
    json_notation.check_fields(kind, fields, ("resource",))
    return pay_resource(json_notation.name_of("resource", fields["resource"], NAMES, "a resource"))


def _heal(kind: str, fields: Fields) -> int:
    json_notation.check_fields(kind, fields, ("hits",))
    return heal(_hits(fields))


def _one(
    name: str, names: Sequence[str], what: str, pack: Callable[[int], int]
) -> Callable[[str, Fields], int]:
    """Read an action with one field that names one of `names`."""

    def read(kind: str, fields: Fields) -> int:
        json_notation.check_fields(kind, fields, (name,))
        return pack(json_notation.name_of(name, fields[name], names, what))

    return read


_PLAIN: Final = {
    KIND_NAMES[kind_of(action)]: action
    for action in (
        PASS_ACTION,
        OUTRIDER_ACTION,
        STOP_ACTION,
        FIGHT_ACTION,
        DETER_ACTION,
        BOOST_ACTION,
        REROLL_ACTION,
        DONE_ACTION,
        KEEP_ACTION,
        COOK_ACTION,
    )
}
"""By type: the actions that have no field."""

_READ: Final[dict[str, Callable[[str, Fields], int]]] = {
    "start_city": _one("city", SPACE_IDS[:CITIES], "a City", start_city),
    "play": _play,
    "lose": _one("resource", NAMES, "a resource", lose),
    "step": _step,
    "pay": _pay,
    "hit": _one("card", CARD_IDS, "a Caravan card", hit),
    "load": _one("resource", NAMES, "a resource", load),
    "ditch": _one("resource", NAMES, "a resource", ditch),
    "buy": _one("card", CARD_IDS, "a Caravan card", buy),
    "deliver": _one("mission", MISSION_IDS, "a mission", deliver),
    "heal": _heal,
    "discard": _one("card", EVENT_IDS, "an Event card", discard),
}
