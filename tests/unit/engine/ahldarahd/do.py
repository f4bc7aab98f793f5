"""Actions, as A48 writes them."""

from tests.unit.engine.naive import Json, action

NOTHING: Json = {"cards": [], "gold": 0, "items": []}
PASS: Json = {"type": "pass"}
DONE: Json = {"type": "done"}
ACCEPT: Json = {"type": "accept"}
DECLINE: Json = {"type": "decline"}
AVERT: Json = {"type": "avert"}


def opening(lot: str, bid: int = 0) -> Json:
    """Return the opening of an auction (A48)."""
    return {"type": "open_auction", "lot": lot, "bid": bid}


bid = action("bid", "bid")
shah_to = action("give_shah", "to")
claim = action("claim", "map", "route", "card")
buy = action("buy", "map", "route")
sell = action("sell", "right")
pledge = action("pledge", "gold")
lose = action("lose_route", "map", "route")


def setting(a: int, b: int) -> Json:
    """Return the choice of the first routes (A48)."""
    return {"type": "setup_routes", "routes": [a, b]}


def destroy(map_: int, route: int, *pay: str) -> Json:
    """Return the destruction of a route (A48)."""
    return {"type": "destroy", "map": map_, "route": route, "pay": list(pay)}


def side(cards: str = "", gold: int = 0, items: str = "") -> Json:
    """Return one side of an offer."""
    return {"cards": sorted(cards.split()), "gold": gold, "items": sorted(items.split())}


def offer(to: int, give: Json = NOTHING, want: Json = NOTHING) -> Json:
    """Return an offer (A48)."""
    return {"type": "offer", "to": to, "give": give, "want": want}
