"""What is worth a look in a decision: each some actions in a row and an estimate, the quick policy's own first."""

from typing import Final, NamedTuple

from engine.wasteland.actions import (
    BUY,
    DONE_ACTION,
    OUTRIDER_ACTION,
    PASS_ACTION,
    STOP_ACTION,
    card_of,
    field_of,
    kind_of,
    step,
)
from engine.wasteland.position import (
    ASK_DODGE,
    ASK_EVENT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_RESPOND,
)
from engine.wasteland.quick.aims import Aim, aims, path_of
from engine.wasteland.quick.events import play_worth
from engine.wasteland.quick.policy import quick_action
from engine.wasteland.quick.stays import stay
from engine.wasteland.quick.worth import Buyer
from engine.wasteland.state import WastelandState

MOST: Final = 8
"""Candidates of any decision."""

_RIDES: Final = 2
"""Of them those that begin with Outrider Bikes."""

_BUYS: Final = 5
"""Purchases that are looked at."""

_FUEL: Final = 0.5
"""What these pay for it."""

_PREFERENCE: Final = 0.3
"""By how much the quick policy's own choice is thought better where nothing else is known."""


class Candidate(NamedTuple):
    """What might be played."""

    actions: tuple[int, ...]
    """One after the other, as far as they are asked for."""
    worth: float
    """An estimate in Cash; only differences count."""


def candidates(state: WastelandState) -> list[Candidate]:
    """At least one, at most MOST, no two alike; one alone is not worth a search."""
    own = quick_action(state)
    decision = state.decision
    if decision == ASK_MOVE:
        found = _movements(state)
    elif decision == ASK_LOCATION and any(kind_of(action) == BUY for action in state.legal_actions()):
        found = _purchases(state, own)
    elif decision == ASK_EVENT:
        found = _plays(state)
    elif decision in (ASK_DODGE, ASK_RESPOND):
        found = [Candidate((action,), 0.0) for action in state.legal_actions()]
    else:
        found = []
    found.sort(key=lambda candidate: -candidate.worth)
    others = [each for each in found if each.actions[0] != own or decision == ASK_MOVE]
    if decision == ASK_MOVE:
        return others[:MOST]
    known = [each.worth for each in found if each.actions[0] == own]
    first = Candidate((own,), (known[0] if known else 0.0) + _PREFERENCE)
    return [first, *others[: MOST - 1]]


def _movements(state: WastelandState) -> list[Candidate]:
    """Whole Movements: the best ends with each number of Wilds on the way."""
    left = state.allowance() - state.steps
    found = [_movement(state, aim, left) for aim in _best(aims(state, left), MOST)]
    if OUTRIDER_ACTION in state.legal_actions():
        seen = {each.actions[-2:] for each in found}
        rides = [_movement(state, aim, left + 1) for aim in _best(aims(state, left + 1), _RIDES)]
        found += [
            Candidate((OUTRIDER_ACTION, *ride.actions), ride.worth - _FUEL)
            for ride in rides
            if ride.actions[-2:] not in seen
        ]
    return found


def _best(found: list[Aim], number: int) -> list[Aim]:
    """Return those worth most; of one end with the same Wilds only the first."""
    ends: dict[tuple[int, int], Aim] = {}
    for aim in sorted(found, key=lambda aim: -aim.worth):
        ends.setdefault((aim.end, aim.wilds), aim)
    return list(ends.values())[:number]


def _movement(state: WastelandState, aim: Aim, steps: int) -> Candidate:
    return Candidate((*[step(space) for space in path_of(state, aim, steps)], STOP_ACTION), aim.worth)


def _purchases(state: WastelandState, own: int) -> list[Candidate]:
    """Return the best cards that can be bought, and a stay without a purchase."""
    buyer = Buyer(state, state.current)
    found = [
        Candidate((action,), buyer.worth(field_of(action)))
        for action in state.legal_actions()
        if kind_of(action) == BUY
    ]
    found = sorted(found, key=lambda candidate: -candidate.worth)[:_BUYS]
    if kind_of(own) == BUY:
        found.append(Candidate(_stay_without(state), 0.0))
    return found


def _stay_without(state: WastelandState) -> tuple[int, ...]:
    """Return all of a Location in which nothing is bought."""
    after, taken = state.clone(), []
    seat = state.current
    while after.decision == ASK_LOCATION and after.current == seat:
        action = stay(after, buys=False)
        taken.append(action)
        if action == DONE_ACTION:
            break
        after.apply(action)
    return tuple(taken)


def _plays(state: WastelandState) -> list[Candidate]:
    """Return a pass, and each Event card with the target that looks best."""
    best: dict[int, Candidate] = {}
    for action in state.legal_actions():
        if action == PASS_ACTION:
            continue
        play = Candidate((action,), play_worth(state, action))
        if card_of(action) not in best or play.worth > best[card_of(action)].worth:
            best[card_of(action)] = play
    return [Candidate((PASS_ACTION,), 0.0), *best.values()]
