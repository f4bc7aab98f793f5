"""What to do in a fight: estimates, no rules."""

from typing import Final

from engine.wasteland.actions import (
    BOOST_ACTION,
    DETER,
    FIGHT_ACTION,
    PASS_ACTION,
    REROLL_ACTION,
    field_of,
    hit,
    kind_of,
)
from engine.wasteland.attack_cards import (
    ATTACKER_ATTACK,
    BOUNTY,
    DISCARD_WITH_BOUNTY,
    PAY_ANY,
    PAY_CASH,
    PAY_DOES,
    PAY_RESOURCES,
    WEAKEN,
    WEAKENED_DEFENSE,
)
from engine.wasteland.caravan_cards import (
    COST,
    HEAD,
    HEALTH,
)
from engine.wasteland.position import (
    ASK_DODGE,
    ASK_HIT,
    ASK_REROLL,
    Position,
)
from engine.wasteland.quick.worth import Fighter, needs_of
from engine.wasteland.resources import KINDS

_UNIT: Final = 0.5
"""What a resource in store is worth, if no mission waits for it."""
_WANTED: Final = 2.0
"""And if the best one does."""


def fight(state: Position) -> int:
    """Return an answer to a question of a combat (W40-W47)."""
    if state.decision == ASK_HIT:
        return _hit(state)
    if state.decision == ASK_DODGE:
        return _dodge(state)
    if state.decision == ASK_REROLL:
        return REROLL_ACTION
    return BOOST_ACTION if ATTACKER_ATTACK[state.fight] > 1 else PASS_ACTION


def _hit(state: Position) -> int:
    """Return where it destroys nothing, on the card that can take most; else on the cheapest one, on the Head last."""
    hits = state.hits[state.current]
    best, best_life = -1, 1
    cheapest, price = HEAD, max(COST) + 1
    for action in state.legal_actions():
        card = field_of(action)
        life = HEALTH[card] - hits[card]
        if life > best_life:
            best, best_life = card, life
        if card != HEAD and COST[card] < price:
            cheapest, price = card, COST[card]
    return hit(best if best >= 0 else cheapest)


def _dodge(state: Position) -> int:
    """Return the fight, or what is better than it by its chances."""
    card, seat = state.fight, state.current
    fighter = Fighter(state, seat)
    best = FIGHT_ACTION
    best_worth = fighter.fight_worth(card, state.fight_defense, state.fight_hits)
    needs, stored = needs_of(state, seat), state.stores[seat]
    for action in state.legal_actions():
        if action == FIGHT_ACTION:
            continue
        worth = 0.0
        if kind_of(action) != DETER:
            does = PAY_DOES[card]
            if does == WEAKEN:
                worth = fighter.fight_worth(card, WEAKENED_DEFENSE, state.fight_hits)
            elif does == DISCARD_WITH_BOUNTY:
                worth = float(BOUNTY[card])
            worth -= PAY_CASH[card]
            for kind in range(KINDS):
                units = PAY_RESOURCES[card][kind]
                if PAY_ANY[card] and field_of(action) == kind + 1:
                    units = PAY_ANY[card]
                if units:
                    wanted = stored[kind] - units < needs[kind]
                    worth -= units * (_WANTED if wanted else _UNIT)
        if worth > best_worth:
            best, best_worth = action, worth
    return best
