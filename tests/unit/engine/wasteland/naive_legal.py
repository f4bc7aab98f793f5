"""What may be played in a position of W71: the lists of W72 in the order of W73, and the defaults of W74."""

from itertools import combinations_with_replacement
from typing import Any

from tests.unit.engine.naive import Json, canonical
from tests.unit.engine.wasteland.tables import (
    ATTACK_TYPE,
    ATTACKS,
    CARAVAN,
    CITIES,
    EVENTS,
    MISSIONS,
    NEXT_TO,
    OFFERS,
    RESOURCES,
    SPACES,
    TOWNS,
    WILDS,
)

MOST_CARDS = 3
MOST_DEFENSE = 5

PASS: Json = {"type": "pass"}


def legal_actions(state: Json) -> list[Json]:
    """W72 and W73; one action alone is in it, too, where W22 would not ask."""
    if state["decision"] == "over":
        return []
    found = {canonical(action): action for action in LISTS[state["decision"]](state)}
    return [found[text] for text in sorted(found)]


def default_action(state: Json) -> Json:
    """W74."""
    listed = legal_actions(state)
    match state["decision"]:
        case "start_city":
            return {"type": "start_city", "city": "N"}
        case "spoil" | "overflow":
            return next(a for r in RESOURCES for a in listed if a["resource"] == r)
        case "assign_hit":
            in_order = [*(card for card in CARAVAN if card != "head"), "head"]
            return next(a for card in in_order for a in listed if a["card"] == card)
    named = {"move": "stop", "dodge": "fight", "location": "done", "end_discard": "keep"}
    return {"type": named.get(state["decision"], "pass")}


# The caravan (section 4)


def me(state: Json) -> Json:
    """Return the current player."""
    player: Json = state["players"][state["current"]]
    return player


def total(player: Json, number: str) -> int:
    """W17, W19: the sum of a printed number over the cards in play."""
    return sum(getattr(CARAVAN[card], number) for card in player["caravan"])


def defense(player: Json) -> int:
    """W18."""
    return min(MOST_DEFENSE, total(player, "defense"))


def slots(player: Json, kind: str) -> int:
    """Return the slots of a resource's very kind, or those for "any"."""
    return sum(CARAVAN[card].storage.get(kind, 0) for card in player["caravan"])


def fits(player: Json, resources: dict[str, int]) -> bool:
    """W20: what has no slot of its kind needs one for any."""
    homeless = sum(max(0, resources[r] - slots(player, r)) for r in RESOURCES)
    return homeless <= slots(player, "any")


def one_more_fits(player: Json, resource: str) -> bool:
    """Return whether another unit has a slot (W20)."""
    return fits(player, {**player["resources"], resource: player["resources"][resource] + 1})


def can_use(player: Json, card: str, resource: str) -> bool:
    """Return the card is in play, and there is a unit for its ability."""
    return card in player["caravan"] and player["resources"][resource] > 0


def repairs(player: Json) -> list[list[str]]:
    """W59: the ways to remove two Hits, or the only one."""
    hits = player["caravan"]
    number = min(2, sum(hits.values()))
    ways = combinations_with_replacement(sorted(hits), number) if number else []
    return [list(way) for way in ways if all(way.count(card) <= hits[card] for card in way)]


# The lists, one for each decision


def _start_city(_state: Json) -> list[Json]:
    return [{"type": "start_city", "city": city} for city in CITIES]


def _event(state: Json) -> list[Json]:
    """W8, W26."""
    seat, window = state["to_move"], state["window"]["name"]
    who = "C" if seat == state["current"] else "O"
    actions = [PASS]
    for card in state["players"][seat]["hand"]:
        row = EVENTS[card]
        if row.who in (who, "all") and window in row.windows and _condition(state, card, seat):
            play = {"type": "play", "card": card}
            if row.target:
                actions += [{**play, row.target: value} for value in _targets(state, card)]
            else:
                actions.append(play)
    return actions


def _condition(state: Json, card: str, seat: int) -> bool:
    """Return the column of W8; what follows from an empty list of targets needs no condition."""
    he, turn = me(state), state["turn"]
    if card in ATTACK_TYPE:
        return seat not in turn["attackers"]
    match card:
        case "sandstorm":
            return not turn["sandstorm"]
        case "spoiled_stores":
            return bool(he["resources"]["rations"] or he["resources"]["medicine"])
        case "leaking_tank":
            return bool(he["resources"]["fuel"])
        case "pickpockets":
            return bool(he["cash"])
        case "bargain":
            return he["space"] in CITIES
        case "bonus_contract":
            return he["space"] in TOWNS
    return True


def _targets(state: Json, card: str) -> list[Any]:
    he, turn = me(state), state["turn"]
    match card:
        case "road_block":
            return [space for space in SPACES if space not in turn["road_blocks"]]
        case "dry_market":
            return [r for r in OFFERS.get(he["space"], ()) if r not in turn["dry"]]
        case "contract_cancelled":
            return [mission for mission in state["missions"] if mission]
        case "field_repairs":
            return repairs(he)
        case "salvage":
            return [r for r in RESOURCES if one_more_fits(he, r)]
    raise AssertionError(card)


def _respond(state: Json) -> list[Json]:
    """W29."""
    return [PASS, *([{"type": "play", "card": "escort"}] if "escort" in me(state)["hand"] else [])]


def _spoil(state: Json) -> list[Json]:
    """W30."""
    stored = me(state)["resources"]
    return [{"type": "lose", "resource": r} for r in ("rations", "medicine") if stored[r]]


def _move(state: Json) -> list[Json]:
    """W31-W35. With no step left it stops, whatever the Outrider Bikes could add (W32)."""
    he, turn = me(state), state["turn"]
    stop = {"type": "stop"}
    moved = total(he, "movement") + turn["outrider"] + 2 * turn["tailwinds"] - 2 * turn["flat_tires"]
    if turn["steps"] >= max(1, moved):
        return [stop]
    steps: list[Json] = []
    for to in NEXT_TO[he["space"]]:
        if to in turn["road_blocks"] or (to in WILDS and turn["sandstorm"]):
            continue
        steps.append({"type": "step", "to": to})
        if to in WILDS and can_use(he, "scout_rig", "fuel"):
            steps.append({"type": "step", "to": to, "scout": True})
    if steps and turn["steps"] == 0 and not turn["outrider"] and can_use(he, "outrider_bikes", "fuel"):
        steps.append({"type": "outrider"})
    return [*steps, stop]


def _dodge(state: Json) -> list[Json]:
    """W38, W40."""
    he, card = me(state), ATTACKS[state["fight"]["card"]]
    actions: list[Json] = [{"type": "fight"}]
    if "any" in card.price:
        actions += [{"type": "pay", "resource": r} for r in RESOURCES if he["resources"][r]]
    elif card.price:
        purse = {**he["resources"], "cash": he["cash"]}
        if all(purse[what] >= number for what, number in card.price.items()):
            actions.append({"type": "pay"})
    deter = state["options"]["check_rule"] == "deter" and card.check is not None
    if deter and total(he, "health") >= (card.check or 0):
        actions.append({"type": "deter"})
    return actions


def _boost(state: Json) -> list[Json]:
    """W42."""
    return [PASS, *([{"type": "boost"}] if can_use(me(state), "mobile_garrison", "munitions") else [])]


def _reroll(state: Json) -> list[Json]:
    """W44."""
    fight = state["fight"]
    missed = any(die <= fight["defense"] for die in fight["dice"])
    may = missed and not fight["rerolled"] and can_use(me(state), "gun_truck", "munitions")
    return [PASS, *([{"type": "reroll"}] if may else [])]


def _assign_hit(state: Json) -> list[Json]:
    """W47."""
    return [{"type": "hit", "card": card} for card in me(state)["caravan"]]


def _overflow(state: Json) -> list[Json]:
    """W49."""
    he = me(state)
    return [{"type": "lose", "resource": r} for r in RESOURCES if he["resources"][r] > slots(he, r)]


def _location(state: Json) -> list[Json]:
    """W54-W59."""
    he, turn = me(state), state["turn"]
    space = he["space"]
    actions: list[Json] = [{"type": "done"}]
    offered = [r for r in OFFERS.get(space, ()) if r not in turn["dry"] and r not in turn["ditched"]]
    actions += [{"type": "load", "resource": r} for r in offered if one_more_fits(he, r)]
    if space in OFFERS:
        actions += [{"type": "ditch", "resource": r} for r in RESOURCES if he["resources"][r]]
    if space in CITIES:
        for card in CARAVAN:
            if card not in he["caravan"] and he["cash"] >= price(state, card):
                actions.append({"type": "buy", "card": card})
    for mission in state["missions"]:
        row = MISSIONS[mission]
        if row.town == space and all(he["resources"][r] >= number for r, number in row.demand.items()):
            actions.append({"type": "deliver", "mission": mission})
    if can_use(he, "field_hospital", "medicine") and not turn["healed"]:
        actions += [{"type": "heal", "hits": way} for way in repairs(he)]
    return actions


def price(state: Json, card: str) -> int:
    """W57."""
    cost = CARAVAN[card].cost
    return max(1, cost - 2) if state["turn"]["bargain"] else cost


def _end_discard(state: Json) -> list[Json]:
    """W62."""
    return [{"type": "keep"}, *({"type": "discard", "card": card} for card in me(state)["hand"])]


def _cook(state: Json) -> list[Json]:
    """W64."""
    he = me(state)
    may = can_use(he, "cook_wagon", "rations") and len(he["hand"]) < MOST_CARDS
    return [PASS, *([{"type": "cook"}] if may else [])]


LISTS = {
    "start_city": _start_city,
    "event": _event,
    "respond": _respond,
    "spoil": _spoil,
    "move": _move,
    "dodge": _dodge,
    "boost": _boost,
    "reroll": _reroll,
    "assign_hit": _assign_hit,
    "overflow": _overflow,
    "location": _location,
    "end_discard": _end_discard,
    "cook": _cook,
}
