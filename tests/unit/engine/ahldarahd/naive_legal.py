"""What may be done in a position of A52, and what it costs, straight from the clauses: for `naive`."""

from collections import Counter
from itertools import combinations

from tests.unit.engine.naive import Json, canonical
from tests.unit.engine.pages import rows

CITIES = ["pearls", "spices", "ivory", "gems", "incense", "metals", "salt", "textiles", "dates", "horses"]
"""In the order of table 3.1."""

ROUTES = dict(
    sorted(
        (int(number), (*ends.lower().split("-"), kind))
        for row in rows("ahldarahd", "| route | ends")
        for number, ends, kind, _price in (row[:4], row[4:])
        if number
    )
)
"""Table 3.2, from the page of the rules."""

ROUTES_OF = {city: [route for route, ends in ROUTES.items() if city in ends] for city in CITIES}

MARKERS = 21


def legal_actions(state: Json) -> list[Json]:
    """A49: every legal action once, in order; no offers."""
    if state["decision"] is None:
        return []
    found = _QUESTIONS[state["decision"]](state, state["to_move"])
    return sorted(found, key=canonical)


def default_action(state: Json) -> Json:
    """A50."""
    match state["decision"]:
        case "setup_routes":
            return {"type": "setup_routes", "routes": [1, 2]}
        case "open_auction":
            return {"type": "open_auction", "lot": _open_lots(state)[0], "bid": 0}
        case "give_shah":
            return {"type": "give_shah", "to": state["to_move"]}
        case "build":
            return {"type": "done"}
        case "trade_reply":
            return {"type": "decline"}
        case "pledge":
            return {"type": "pledge", "gold": 0}
        case "lose_route":
            map_, route = min(routes_touching(state, state["to_move"], state["night"]["city"]))
            return {"type": "lose_route", "map": map_, "route": route}
        case _:
            return {"type": "pass"}


def has_majority(owners: dict[str, int], city: str, seat: int) -> bool:
    """A23."""
    own = [route for route in ROUTES_OF[city] if owners.get(str(route)) == seat]
    return 2 * len(own) > len(ROUTES_OF[city])


def can_raise(state: Json, seat: int) -> bool:
    """A14."""
    return not state["camels"][seat] and bool(state["gold"][seat] > state["auction"]["bid"])


def discount(state: Json, seat: int, route: int) -> int:
    """A21."""
    favour = "eyes" if ROUTES[route][2] == "land" else "queen"
    return int(state["items"][favour] == seat)


def claim_price(state: Json, seat: int, route: int) -> int:
    """A19, A21."""
    return max(0, 1 - discount(state, seat, route))


def price(state: Json, seat: int, route: int) -> int:
    """A20, A21."""
    a, b, _ = ROUTES[route]
    return max(0, len(ROUTES_OF[a]) + len(ROUTES_OF[b]) - discount(state, seat, route))


def payment_price(state: Json, seat: int, route: int, payment: str) -> int:
    """One of the two payments of A26."""
    return price(state, seat, route) if payment == "buy" else claim_price(state, seat, route)


def value_of_right(state: Json, map_: int) -> int:
    """A27."""
    return len(state["cities"][map_])


def markers_on_maps(state: Json, seat: int) -> int:
    """A22."""
    return sum(owner == seat for owners in state["routes"] for owner in owners.values())


def routes_touching(state: Json, seat: int, city: str) -> list[tuple[int, int]]:
    """A39: (map, route) of all routes of the seat that touch the city."""
    return [
        (map_, route)
        for map_, owners in enumerate(state["routes"])
        for route in ROUTES_OF[city]
        if owners.get(str(route)) == seat
    ]


def score(state: Json, seat: int) -> int:
    """A32, A35."""
    points = 0
    for map_, cities in enumerate(state["cities"]):
        for city, owner in cities.items():
            if owner == seat:
                points += 4 if map_ != seat and state["cities"][seat].get(city) == seat else 1
    return points


def is_offer_legal(state: Json, offer: Json) -> bool:
    """A43, A44. The target's hand is not looked at, but for its size."""
    seat, to, give, want = state["to_move"], offer["to"], offer["give"], offer["want"]
    if state["decision"] != "build" or not state["offers_left"]:
        return False
    if to == seat or to not in range(state["seats"]):
        return False
    wanted = Counter(want["cards"])
    return (
        any(side[part] for side in (give, want) for part in ("cards", "gold", "items"))
        and not (give["gold"] and want["gold"])
        and not set(give["cards"]) & set(want["cards"])
        and Counter(give["cards"]) <= Counter(state["hands"][seat])
        and bool(give["gold"] <= state["gold"][seat])
        and all(state["items"].get(item) == seat for item in give["items"])
        and bool(want["gold"] <= state["gold"][to])
        and all(state["items"].get(item) == to for item in want["items"])
        and wanted.total() <= len(state["hands"][to])
        and all(copies <= state["seats"] for copies in wanted.values())
    )


def _open_lots(state: Json) -> list[str]:
    rights = [f"right:{seat}" for seat in range(state["seats"])]
    lots = [*(f"card:{card}" for card in state["row"]), *rights, "shah", "eyes", "queen"]
    return [lot for lot in lots if lot not in state["auctioned"]]


def _setup_routes(state: Json, seat: int) -> list[Json]:
    free = [route for route in ROUTES if str(route) not in state["routes"][seat]]
    return [{"type": "setup_routes", "routes": [a, b]} for a, b in combinations(free, 2)]


def _open_auction(state: Json, seat: int) -> list[Json]:
    most = 0 if state["camels"][seat] else state["gold"][seat]
    return [
        {"type": "open_auction", "lot": lot, "bid": bid}
        for lot in _open_lots(state)
        for bid in range(most + 1)
    ]


def _bid(state: Json, seat: int) -> list[Json]:
    bids = range(state["auction"]["bid"] + 1, state["gold"][seat] + 1)
    return [{"type": "pass"}, *({"type": "bid", "bid": bid} for bid in bids)]


def _give_shah(state: Json, _seat: int) -> list[Json]:
    return [{"type": "give_shah", "to": to} for to in range(state["seats"])]


def _build(state: Json, seat: int) -> list[Json]:
    found: list[Json] = [{"type": "done"}]
    rights = [map_ for map_ in range(state["seats"]) if state["items"][f"right:{map_}"] == seat]
    found += [{"type": "sell", "right": map_} for map_ in rights if value_of_right(state, map_) > 0]
    for map_, owners in enumerate(state["routes"]):
        own_or_neutral = map_ in (seat, state["seats"])
        if not own_or_neutral and state["items"][f"right:{map_}"] != seat:
            continue
        for route in ROUTES:
            owner = owners.get(str(route))
            if owner is None:
                found += _placements(state, seat, map_, route)
            elif owner != seat:
                found += _destructions(state, seat, map_, route)
    return found


def _placements(state: Json, seat: int, map_: int, route: int) -> list[Json]:
    if markers_on_maps(state, seat) == MARKERS:
        return []
    place, gold, found = {"map": map_, "route": route}, state["gold"][seat], []
    if price(state, seat, route) <= gold:
        found.append({"type": "buy", **place})
    if claim_price(state, seat, route) <= gold:
        cards = [city for city in ROUTES[route][:2] if city in state["hands"][seat]]
        found += [{"type": "claim", **place, "card": card} for card in cards]
    return found


def _destructions(state: Json, seat: int, map_: int, route: int) -> list[Json]:
    a, b, _ = ROUTES[route]
    hand = Counter(state["hands"][seat])
    found = []
    for pay in (["buy", "buy"], ["buy", a], ["buy", b], [a, a], [b, b], sorted([a, b])):
        gold = sum(payment_price(state, seat, route, payment) for payment in pay)
        cards = Counter(payment for payment in pay if payment != "buy")
        if gold <= state["gold"][seat] and cards <= hand:
            found.append({"type": "destroy", "map": map_, "route": route, "pay": pay})
    return found


def _trade_reply(state: Json, seat: int) -> list[Json]:
    wanted = Counter(state["offer"]["want"]["cards"])
    accept: list[Json] = [{"type": "accept"}] if wanted <= Counter(state["hands"][seat]) else []
    return [*accept, {"type": "decline"}]


def _avert(state: Json, seat: int) -> list[Json]:
    averting: list[Json] = [{"type": "avert"}] if state["night"]["city"] in state["hands"][seat] else []
    return [*averting, {"type": "pass"}]


def _pledge(state: Json, seat: int) -> list[Json]:
    most = min(state["gold"][seat], 10 - sum(state["night"]["pledged"]))
    return [{"type": "pledge", "gold": gold} for gold in range(most + 1)]


def _lose_route(state: Json, seat: int) -> list[Json]:
    touching = routes_touching(state, seat, state["night"]["city"])
    return [{"type": "lose_route", "map": map_, "route": route} for map_, route in touching]


_QUESTIONS = {
    "setup_routes": _setup_routes,
    "open_auction": _open_auction,
    "bid": _bid,
    "give_shah": _give_shah,
    "build": _build,
    "trade_reply": _trade_reply,
    "avert": _avert,
    "pledge": _pledge,
    "lose_route": _lose_route,
}
