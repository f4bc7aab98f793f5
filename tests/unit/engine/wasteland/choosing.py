"""Players for tests: matches in which everything happens."""

from random import Random

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.mapping import Match
from tests.unit.engine.wasteland.tables import MISSIONS, NEXT_TO, TOWNS

EAGER = {"deliver": 30, "buy": 6, "heal": 2, "outrider": 2} | dict.fromkeys(
    ("pay", "boost", "reroll", "play", "load"), 3
)
"""How much likelier than others some kinds are; a kind is chosen first, then one of its actions."""


def choose(match: Match, dice: Random) -> Json:
    """Any legal action, the useful ones more often."""
    listed = match.legal()
    if listed[-1]["type"] == "stop":
        return _move(match, listed, dice)
    kinds = sorted({action["type"] for action in listed})
    kind = dice.choices(kinds, [EAGER.get(kind, 1) for kind in kinds])[0]
    return dice.choice([action for action in listed if action["type"] == kind])


def _move(match: Match, listed: list[Json], dice: Random) -> Json:
    """Return a step towards a Town where a mission can be fulfilled, if there is one; else anywhere."""
    full = match.full()
    he = full["players"][full["current"]]
    aims = [
        MISSIONS[mission].town
        for mission in full["missions"]
        if mission and all(he["resources"][r] >= n for r, n in MISSIONS[mission].demand.items())
    ]
    if dice.random() < 0.15:
        return dice.choice(listed)
    if he["space"] in aims or (not aims and he["space"] not in TOWNS and dice.random() < 0.4):
        return {"type": "stop"}
    steps = [action for action in listed if action["type"] == "step"]
    near = [
        action
        for action in steps
        if any(_links(action["to"], aim) < _links(he["space"], aim) for aim in aims)
    ]
    return dice.choice(near or steps)


def _links(start: str, aim: str) -> int:
    """Return the shortest way."""
    reached, links = {start}, 0
    while aim not in reached:
        reached |= {other for space in reached for other in NEXT_TO[space]}
        links += 1
    return links
