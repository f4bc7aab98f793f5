"""Turns of Ahldarahd in plain words. Routes go by their two cities, lots by what they are."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from arena.drawings.drawing import Step
from arena.drawings.wording import LOUD, QUIET, change, counted, listed, named, scores_of
from engine.ahldarahd import actions as packing
from engine.ahldarahd import events
from engine.ahldarahd.actions import EYES, ITEM_LOT, QUEEN, RIGHTS, SHAH
from engine.ahldarahd.board import ALPHABETICAL, END_A, END_B, KINDS, NAMES
from engine.ahldarahd.notation import card_name
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import Side, offer_of
from engine.ahldarahd.position import ASK_BID, ASK_BUILD, ASK_REPLY, ASK_SHAH
from engine.game import Event, own

_FAVOURS: Final = {SHAH: "the Shah", EYES: "the Eyes of Shamesh", QUEEN: "the Pirate Queen"}

ENDING_WORDS: Final = {"DECK_EMPTY": "the deck is empty"}
"""Why a match ended, by the rules' own word."""


def route_words(route: int) -> str:
    """Return for example "Salt-Metals"."""
    return f"{NAMES[END_A[route]].capitalize()}-{NAMES[END_B[route]].capitalize()}"


def map_words(map_: int, seats: int, names: Sequence[str]) -> Text:
    """Return for example "the map of ant"."""
    if map_ == seats:
        return Text("the neutral map")
    return Text("the map of ").append_text(named(map_, names))


def item_words(item: int, names: Sequence[str]) -> Text:
    """Return for example "the Shah", "the Right to the map of ant"."""
    if item in _FAVOURS:
        return Text(_FAVOURS[item])
    return Text("the Right to the map of ").append_text(named(item - RIGHTS, names))


def lot_words(lot: int, names: Sequence[str]) -> Text:
    """Return for example "the card gems-2"."""
    if lot >= ITEM_LOT:
        return item_words(lot - ITEM_LOT, names)
    return Text(f"the card {card_name(lot % KINDS, lot // KINDS)}")


def belongs(last: Observation, now: Observation, action: int) -> bool:
    """Return whether the action, played in `now`, is in the same sentence as that of `last`, the one before."""
    if now.decision in (ASK_BID, ASK_SHAH, ASK_REPLY):
        return True
    if now.night is not None:
        return last.night is not None
    same_chance = (last.turn, last.phase, last.at) == (now.turn, now.phase, now.at)
    if now.decision != ASK_BUILD or not same_chance:
        return False
    # A seat being done is not shown, so it needs no heading after a Night.
    return last.night is None or action == packing.DONE_ACTION


def sentence(steps: Sequence[Step], names: Sequence[str]) -> Text:
    """Return the actions of an auction, a building chance or a Night; that a seat is done only if nothing else.

    A seat is named where it differs from the one before, but not at the beginning: the heading names it.
    """
    some = [step for step in steps if step.action != packing.DONE_ACTION]
    if not some:
        return Text("builds nothing")
    opened = any(packing.kind_of(step.action) == packing.OPEN_AUCTION for step in some)
    parts: list[Text] = []
    subject: int | None = some[0].seat
    for action, run in groupby(some, key=lambda step: step.action):
        together = list(run)
        if action == packing.PASS_ACTION and len(together) > 1:
            parts.append(_passes([step.seat for step in together], subject, names))
            subject = None
        else:
            for step in together:
                parts.append(_by(step.seat, subject, names).append_text(_clause(step, names)))
                subject = step.seat
        for won in [event for event in together[-1].events if isinstance(event, events.Won)]:
            lot = Text("it") if opened else lot_words(won.lot, names)
            gains = Text.assemble("wins ", lot, f" for {won.bid} gold")
            parts.append(_by(won.seat, subject, names).append_text(gains))
            subject = won.seat
    return Text("; ").join(parts)


def _by(seat: int, subject: int | None, names: Sequence[str]) -> Text:
    """Return the beginning of a clause: its seat, if that is not clear."""
    return Text() if seat == subject else named(seat, names).append(" ")


def _passes(seats: Sequence[int], subject: int | None, names: Sequence[str]) -> Text:
    """Return the passes of several seats, one after the other."""
    if seats[0] != subject:
        return listed([named(seat, names) for seat in seats]).append(" pass")
    others = listed([named(seat, names) for seat in seats[1:]])
    return Text.assemble("passes, and so ", "do " if len(seats) > 2 else "does ", others)


def _clause(step: Step, names: Sequence[str]) -> Text:
    action = step.action
    if packing.is_offer(action):
        offer = offer_of(action)
        give, want = side_words(offer.give, names), side_words(offer.want, names)
        return Text.assemble("offers ", named(offer.to, names), " ", give, " for ", want)
    kind = packing.kind_of(action)
    if kind in (packing.CLAIM, packing.BUY, packing.DESTROY, packing.LOSE_ROUTE):
        return _building(step, kind, names)
    if kind == packing.OPEN_AUCTION:
        lot = lot_words(packing.lot_of(action), names)
        return Text.assemble("puts up ", lot, f" and bids {packing.gold_of(action)}")
    if kind == packing.GIVE_SHAH:
        to = packing.seat_of(action)
        kept = to == step.seat
        return Text("keeps the Shah") if kept else Text.assemble("gives the Shah to ", named(to, names))
    if kind == packing.SELL:
        right = item_words(RIGHTS + packing.seat_of(action), names)
        return Text("sells ").append_text(right).append(_for_gold(step))
    return Text(_plain(action, kind))


def _plain(action: int, kind: int) -> str:
    if kind == packing.SETUP_ROUTES:
        routes = (packing.route_of(action), packing.second_route_of(action))
        return f"sets free routes {' and '.join(map(route_words, routes))}"
    if kind == packing.BID:
        return f"bids {packing.gold_of(action)}"
    if kind == packing.PLEDGE:
        return f"pledges {packing.gold_of(action)} gold"
    words = {
        packing.PASS: "passes",
        packing.ACCEPT: "accepts",
        packing.DECLINE: "declines",
        packing.AVERT: "averts the Night with a card",
    }
    return words[kind]


def _building(step: Step, kind: int, names: Sequence[str]) -> Text:
    action, seen = step.action, own(step.before, Observation)
    place = Text(route_words(packing.route_of(action)))
    for destroyed in [event for event in step.events if isinstance(event, events.Destroyed)]:
        place.append(" of ").append_text(named(destroyed.owner, names))
    place.append(" on ").append_text(map_words(packing.map_of(action), len(seen.seats), names))
    first, second = packing.payments_of(action)
    if kind == packing.LOSE_ROUTE:
        return Text("gives up ").append_text(place)
    if kind == packing.CLAIM:
        return Text("claims ").append_text(place).append(f" with {_card(second)}").append(_for_gold(step))
    if kind == packing.BUY:
        return Text("buys ").append_text(place).append(_for_gold(step))
    paid = " and ".join(_card(payment) if payment else "a purchase" for payment in (first, second))
    return Text("destroys ").append_text(place).append(f" with {paid}").append(_for_gold(step))


def _for_gold(step: Step) -> str:
    """Return what was paid to the bank or by it."""
    gold = [
        event.gold for event in step.events if isinstance(event, (events.Paid, events.Destroyed, events.Sold))
    ]
    return f" for {gold[0]} gold" if gold else ""


def _card(payment: int) -> str:
    name = NAMES[packing.COMMODITY_OF[payment]]
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} card"


def side_words(side: Side, names: Sequence[str]) -> Text:
    """Return for example "2 gems cards, 3 gold and the Shah"."""
    parts = [
        Text(counted(side.cards[commodity], f"{NAMES[commodity]} card"))
        for commodity in ALPHABETICAL
        if side.cards[commodity]
    ]
    if side.gold:
        parts.append(Text(f"{side.gold} gold"))
    parts += [item_words(item, names) for item in side.items]
    return listed(parts) if parts else Text("nothing")


def news(steps: Sequence[Step], names: Sequence[str]) -> Iterator[Text]:
    """Yield what followed from the steps, a sentence each."""
    seats = len(own(steps[0].before, Observation).seats)
    for step in steps:
        for event in step.events:
            # That a route is removed goes without saying where its owner has given it up.
            given_up = isinstance(event, events.Removed) and step.action == packing.lose_route(
                event.map, event.route
            )
            if not given_up:
                yield from _news(event, seats, names)
    before, after = own(steps[0].before, Observation), own(steps[-1].after, Observation)
    yield from change("Points", scores_of(before), scores_of(after), names)


def _news(event: Event, seats: int, names: Sequence[str]) -> Iterable[Text]:
    """Yield what happened to others or by chance, without what the action itself says."""
    if isinstance(event, events.Control):
        took = Text.assemble(named(event.seat, names), f" takes {event.city.name.capitalize()} on ")
        return [took.append_text(map_words(event.map, seats, names)).append(f": {event.gold} gold.")]
    if isinstance(event, events.Lost):
        lost = Text.assemble(named(event.seat, names), f" loses {event.city.name.capitalize()} on ")
        return [lost.append_text(map_words(event.map, seats, names)).append(".")]
    if isinstance(event, events.Removed):
        off = Text.assemble(f"{route_words(event.route)} of ", named(event.seat, names), " on ")
        return [off.append_text(map_words(event.map, seats, names)).append(" comes off.")]
    return _of_the_match(event, names)


def _of_the_match(event: Event, names: Sequence[str]) -> Iterable[Text]:
    if isinstance(event, events.TurnBegan) and event.revealed:
        cards = ", ".join(card_name(card.commodity, card.colour) for card in event.revealed)
        return [Text.assemble((f"Turn {event.turn} begins, turned up: ", QUIET), cards, ".")]
    if isinstance(event, events.Night):
        chips = counted(event.black, "black chip")
        if event.card is None:
            return [Text(f"The draw held {chips}, but the deck is empty: no Night comes.")]
        return [
            Text(
                f"The draw held {chips}: a Night comes to {event.card.commodity.name.capitalize()}.",
                LOUD,
            )
        ]
    if isinstance(event, events.Ransom):
        paid = [named(seat, names).append(f" {gold}") for seat, gold in enumerate(event.paid) if gold]
        return [Text.assemble("The ransom is paid: ", listed(paid), ".")]
    if isinstance(event, events.Stall):
        card = card_name(event.card.commodity, event.card.colour)
        return [Text(f"Nobody has put up a card: {card} is discarded.")]
    if isinstance(event, events.Ended):
        return [Text("The deck is empty and everybody has built: the match ends.", style="bold")]
    return []
