"""A quick plausible action: missions by the shortest way, small purchases, fights fought."""

from collections.abc import Sequence
from typing import Final

from engine.randomness import Stream
from engine.wasteland.actions import (
    BUY,
    DELIVER,
    DITCH,
    DONE_ACTION,
    FIGHT_ACTION,
    HEAL,
    KEEP_ACTION,
    LOAD,
    STEP,
    STOP_ACTION,
    field_of,
    is_scout,
    kind_of,
    space_of,
)
from engine.wasteland.board import SPACE_KINDS, WILD
from engine.wasteland.caravan_cards import COST, HEALTH
from engine.wasteland.missions import NEEDS
from engine.wasteland.plans import ROADS, best_plan
from engine.wasteland.position import (
    ASK_BOOST,
    ASK_DISCARD,
    ASK_DODGE,
    ASK_EVENT,
    ASK_HIT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_REROLL,
    ASK_RESPOND,
    Position,
)

_BUY_IN: Final = 4
"""One purchase in so many that could be made."""

_PLAY_IN: Final = 3
"""So many offers in a window are let pass for one that is taken."""


def sensible_action(state: Position, stream: Stream) -> int:
    """Return a legal action. Deterministic given state and stream."""
    listed = state.legal_actions()
    decision = state.decision
    if decision == ASK_MOVE:
        return _move(state, listed)
    if decision == ASK_LOCATION:
        return _location(state, listed, stream)
    if decision == ASK_EVENT:
        return _event(listed, stream)
    if decision == ASK_HIT:
        return max(listed, key=lambda action: _life(state, field_of(action)))
    if decision in (ASK_BOOST, ASK_REROLL, ASK_RESPOND):
        return listed[-1]
    if decision == ASK_DODGE:
        return FIGHT_ACTION if stream.uniform(2) else listed[-1]
    if decision == ASK_DISCARD:
        return KEEP_ACTION
    return listed[stream.uniform(len(listed))]


def _life(position: Position, card: int) -> int:
    """Return the number of Hits that the card can still take."""
    return HEALTH[card] - position.hits[position.current][card]


def _event(listed: Sequence[int], stream: Stream) -> int:
    return listed[0] if stream.uniform(_PLAY_IN + 1) else listed[1 + stream.uniform(len(listed) - 1)]


def _move(position: Position, listed: Sequence[int]) -> int:
    """Return a step on the road to where the best mission leads; no Wild is entered of one's own will."""
    plan = best_plan(position, position.current)
    if plan is None:
        return STOP_ACTION
    far = ROADS[plan.goal]
    best, best_far = STOP_ACTION, far[position.spaces[position.current]]
    for action in listed:
        if kind_of(action) == STEP and not is_scout(action):
            space = space_of(action)
            if SPACE_KINDS[space] != WILD and far[space] < best_far:
                best, best_far = action, far[space]
    return best


def _location(position: Position, listed: Sequence[int], stream: Stream) -> int:
    """Deliveries and healing first; what the best mission still needs is loaded, and room is made for it."""
    by_kind: dict[int, list[int]] = {}
    for action in listed:
        by_kind.setdefault(kind_of(action), []).append(action)
    for kind in (DELIVER, HEAL):
        if kind in by_kind:
            return by_kind[kind][0]
    plan = best_plan(position, position.current)
    if plan is not None:
        needs, stored = NEEDS[plan.mission], position.stores[position.current]
        for action in by_kind.get(LOAD, []):
            if stored[field_of(action)] < needs[field_of(action)]:
                return action
        short = any(have < need for have, need in zip(stored, needs, strict=True))
        for action in by_kind.get(DITCH, []):
            if short and stored[field_of(action)] > needs[field_of(action)]:
                return action
    cash = position.cash[position.current]
    offers = [action for action in by_kind.get(BUY, []) if 2 * COST[field_of(action)] <= cash]
    if offers and not stream.uniform(_BUY_IN):
        return offers[stream.uniform(len(offers))]
    return DONE_ACTION
