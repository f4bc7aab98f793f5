"""Actions, as W72 writes them."""

from tests.unit.engine.naive import Json, action

PASS: Json = {"type": "pass"}
STOP: Json = {"type": "stop"}
DONE: Json = {"type": "done"}
FIGHT: Json = {"type": "fight"}
PAY: Json = {"type": "pay"}
KEEP: Json = {"type": "keep"}
COOK: Json = {"type": "cook"}
OUTRIDER: Json = {"type": "outrider"}
BOOST: Json = {"type": "boost"}
REROLL: Json = {"type": "reroll"}
DETER: Json = {"type": "deter"}


def play(card: str, **target: object) -> Json:
    """Return the play of an Event card."""
    return {"type": "play", "card": card, **target}


load, ditch, lose = (action(kind, "resource") for kind in ("load", "ditch", "lose"))
buy, hit, discard = (action(kind, "card") for kind in ("buy", "hit", "discard"))
deliver, city = action("deliver", "mission"), action("start_city", "city")


def step(to: str, *, scout: bool = False) -> Json:
    """Return a step."""
    return {"type": "step", "to": to, **({"scout": True} if scout else {})}


def heal(*hits: str) -> Json:
    """Return the removal of Hits."""
    return {"type": "heal", "hits": list(hits)}
