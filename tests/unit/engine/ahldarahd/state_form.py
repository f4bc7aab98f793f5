"""An engine's position and its events in the words of the rules: the dicts of A52 and A53."""

from itertools import chain, repeat

from engine.ahldarahd import events
from engine.ahldarahd.notation import card_name, item_name, lot_name, side_fields
from engine.ahldarahd.observation import MapView, Observation, SeatView
from engine.ahldarahd.offers import offer_of
from engine.ahldarahd.position import DECISION_NAMES, PHASE_NAMES
from engine.ahldarahd.state import AhldarahdState
from engine.game import SPECTATOR, Event
from tests.unit.engine.naive import Forms, Json, event_form

NAMES = ["pearls", "spices", "ivory", "gems", "incense", "metals", "salt", "textiles", "dates", "horses"]


def full_form(state: AhldarahdState) -> Json:
    """A52's full view."""
    form = view_form(state.observe(SPECTATOR))
    form["hands"] = [
        view_form(state.observe(seat))["hands"][seat] for seat in range(len(state.observe(SPECTATOR).seats))
    ]
    form["deck"] = [card_name(card % 10, card // 10) for card in state.deck[state.top :]]
    return {**form, "seed": state.seed.hex(), "words": state.words}


def view_form(seen: Observation) -> Json:
    """A52's view of the viewer."""
    return {
        "seats": len(seen.seats),
        "options": seen.options._asdict(),
        "turn": seen.turn,
        "phase": PHASE_NAMES[seen.phase],
        "decision": DECISION_NAMES[seen.decision] or None,
        "to_move": seen.seat_to_act,
        "order": list(seen.order),
        "at": seen.at,
        "gold": [seat.gold for seat in seen.seats],
        "camels": [seat.flipped for seat in seen.seats],
        "items": {item_name(item): _seat(holder) for item, holder in enumerate(seen.holders)},
        "hands": [_hand(seat) for seat in seen.seats],
        "discards": by_name(seen.discards),
        "deck": seen.deck,
        "row": [card_name(card.commodity, card.colour) for card in seen.row],
        "routes": [_routes(map_) for map_ in seen.maps],
        "cities": [{NAMES[city]: seat for city, seat in enumerate(m.cities) if seat >= 0} for m in seen.maps],
        "auctioned": [lot_name(lot) for lot in seen.auctioned],
        "auction": _auction(seen),
        "offers_left": seen.offers_left,
        "offer": _offer(seen),
        "cup": None if seen.cup is None else {"gold": seen.cup[0], "black": seen.cup[1]},
        "night": _night(seen),
        "ending": None if seen.ending is None else seen.ending.name,
    }


def by_name(counts: tuple[int, ...] | list[int]) -> list[str]:
    """Cards as A52 lists them."""
    return sorted(chain.from_iterable(map(repeat, NAMES, counts)))


def _seat(number: int) -> int | None:
    return None if number < 0 else number


def _hand(seat: SeatView) -> list[str] | int:
    return seat.cards if seat.hand is None else by_name(seat.hand)


def _routes(map_: MapView) -> dict[str, int]:
    return {str(route): owner for route, owner in enumerate(map_.owners, start=1) if owner >= 0}


def _auction(seen: Observation) -> Json | None:
    """`live` is what A14 makes of those that have not passed."""
    auction = seen.auction
    if auction is None:
        return None
    live = [
        seat
        for seat, view in enumerate(seen.seats)
        if seat != auction.high
        and seat not in auction.passed
        and not view.flipped
        and view.gold > auction.bid
    ]
    return {"lot": lot_name(auction.lot), "bid": auction.bid, "high": auction.high, "live": live}


def _offer(seen: Observation) -> Json | None:
    if not seen.offer:
        return None
    offer = offer_of(seen.offer)
    sides = {"give": side_fields(offer.give), "want": side_fields(offer.want)}
    return {"from": seen.order[seen.at], "to": offer.to, **sides}


def _night(seen: Observation) -> Json | None:
    if seen.night is None:
        return None
    return {**seen.night._asdict(), "city": NAMES[seen.night.city]} | {
        "waiting": list(seen.night.waiting),
        "pledged": list(seen.night.pledged),
    }


def consequences(told: list[Json]) -> list[Json]:
    """Return what of the events of A53 is not in the action itself: that alone is an event of the engine."""
    kept = []
    for fields in told:
        match fields["event"]:
            case "claim" | "buy":
                kept.append({"event": "paid", "seat": fields["seat"], "gold": fields["gold"]})
            case "destroy":
                kept.append({name: value for name, value in fields.items() if name != "pay"})
            case "sell":
                kept.append({name: value for name, value in fields.items() if name != "right"})
            case "turn" | "won" | "control" | "removed" | "lost" | "stall" | "night" | "ransom" | "end":
                kept.append(fields)
    return kept


def form_of(event: Event) -> Json:
    """Return an event of the engine as `consequences` has it."""
    return event_form(event, FORMS)


def _card(card: events.Card) -> str:
    return card_name(card.commodity, card.colour)


CITY, PLAIN = NAMES.__getitem__, list
FORMS: Forms = {
    events.TurnBegan: ("turn", {"revealed": lambda cards: list(map(_card, cards))}),
    events.Won: ("won", {"lot": lot_name}),
    events.Control: ("control", {"city": CITY}),
    events.Removed: ("removed", {}),
    events.Lost: ("lost", {"city": CITY}),
    events.Paid: ("paid", {}),
    events.Sold: ("sell", {}),
    events.Destroyed: ("destroy", {}),
    events.Night: ("night", {"card": lambda card: card and _card(card)}),
    events.Ransom: ("ransom", {"paid": PLAIN}),
    events.Stall: ("stall", {"card": _card}),
    events.Ended: (
        "end",
        {"ending": lambda ending: ending.name, "scores": PLAIN, "gold": PLAIN, "placings": PLAIN},
    ),
}
