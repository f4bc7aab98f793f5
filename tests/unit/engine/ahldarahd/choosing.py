"""Players for tests: matches in which everything happens, offers and Nights included."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.position import ASK_AVERT, ASK_BUILD, ASK_PLEDGE
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.ahldarahd.state_form import by_name
from tests.unit.engine.naive import Json

OPTION_NAMES = ("neutral_board", "night_of_the_outsider", "trading")

TABLES = [
    (seats, dict(zip(OPTION_NAMES, values, strict=True)))
    for seats in range(2, 6)
    for values in product((False, True), repeat=3)
    if not (seats == 5 and values[0])
]
"""Every number of seats with every combination of options that it allows (A3)."""


def a_match(
    seats: int = 2, options: dict[str, bool] | None = None, seed: bytes = bytes(32)
) -> AhldarahdState:
    """Return the position after the set-up of A6 and A7."""
    values = {name: str(value).lower() for name, value in (options or {}).items()}
    return AHLDARAHD.new_match(seats, AHLDARAHD.options(seats, values), seed)


def choose(match: AhldarahdState, dice: Random) -> int:
    """Return a legal action: sensible, or of any kind, or an offer where one may be made."""
    if match.offers_left and match.decision == ASK_BUILD and dice.random() < 0.4:
        offer = match.parse_action(json.dumps(an_offer(match, dice)))
        if match.is_legal(offer):
            return offer
    if match.decision == ASK_PLEDGE and dice.random() < 0.6:
        return match.legal_actions()[-1]
    if match.decision == ASK_AVERT and dice.random() < 0.7:
        return match.default_action()
    if dice.random() < 0.5:
        return AHLDARAHD.sensible_action(match, Stream(dice.randbytes(32)))
    listed = match.legal_actions()
    kinds = sorted({action >> 28 for action in listed})
    kind = dice.choice(kinds)
    return dice.choice([action for action in listed if action >> 28 == kind])


def an_offer(match: AhldarahdState, dice: Random) -> Json:
    """Mostly a legal one: what the seat to act may have, for what another seat may have."""
    seen = match.observe(match.seat_to_act)
    to = dice.choice([seat for seat in range(len(seen.seats)) if seat != match.seat_to_act])
    hand = seen.seats[match.seat_to_act].hand
    assert hand is not None
    give = _side(seen, match.seat_to_act, by_name(hand), dice)
    unlike = [card for card in by_name((1,) * 10) if card not in give["cards"] or not dice.randrange(20)]
    want = _side(seen, to, dice.choices(unlike, k=dice.randrange(4)) if unlike else [], dice)
    if dice.randrange(20):
        want["gold"] *= not give["gold"]
    return {"type": "offer", "to": to, "give": give, "want": want}


def _side(seen: Observation, seat: int, cards: list[str], dice: Random) -> Json:
    holders = enumerate(seen.holders)
    names = ["shah", "eyes", "queen", *(f"right:{map_}" for map_ in range(5))]
    items = [names[item] for item, holder in holders if holder == seat or not dice.randrange(60)]
    most = seen.seats[seat].gold + (not dice.randrange(10))
    return {
        "cards": sorted(dice.sample(cards, dice.randint(0, min(2, len(cards))))),
        "gold": dice.randint(0, most) if dice.randrange(3) == 0 else 0,
        "items": sorted(items) if dice.randrange(4) == 0 else [],
    }


def walk(match: AhldarahdState, dice: Random) -> Iterator[AhldarahdState]:
    """All positions of the match, the same object each time."""
    yield match
    while match.seat_to_act != TERMINAL:
        match.apply(choose(match, dice))
        yield match


def played_on(match: AhldarahdState, dice: Random, plies: int) -> AhldarahdState:
    """Return the match so many plies on, or at its end."""
    for _, _state in zip(range(plies + 1), walk(match, dice), strict=False):
        pass
    return match


def cards_of(match: AhldarahdState) -> Counter[int]:
    """By commodity, all cards that there are: in the deck, face up, in hands, discarded (A4)."""
    found = Counter(card % 10 for card in [*match.deck[match.top :], *match.row])
    for counts in (*match.hands, match.discards):
        found.update(dict(enumerate(counts)))
    return found
