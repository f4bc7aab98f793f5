"""Actions, as W72 writes them."""

from collections.abc import Callable

from tests.unit.engine.naive import Json

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


def _naming(field: str, kind: str) -> Callable[[str], Json]:
    return lambda name: {"type": kind, field: name}


load, ditch, lose = (_naming("resource", kind) for kind in ("load", "ditch", "lose"))
buy, hit, discard = (_naming("card", kind) for kind in ("buy", "hit", "discard"))
deliver, city = _naming("mission", "deliver"), _naming("city", "start_city")


def step(to: str, *, scout: bool = False) -> Json:
    """Return a step."""
    return {"type": "step", "to": to, **({"scout": True} if scout else {})}


def heal(*hits: str) -> Json:
    """Return the removal of Hits."""
    return {"type": "heal", "hits": list(hits)}
