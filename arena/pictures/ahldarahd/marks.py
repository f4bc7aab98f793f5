"""The marks of what has changed in a position of Ahldarahd."""

from collections.abc import Iterator

from arena.pictures.ahldarahd import maps
from arena.pictures.ahldarahd.table import (
    CARD_WIDTH,
    HEIGHT,
    ITEM_WIDTH,
    SPENT_WIDTH,
    board_top,
    card_at,
    card_box,
    item_at,
    seat_at,
    spent_at,
)
from arena.pictures.picture import Layer, Moment, Part
from arena.pictures.svg import arrow, badge, change, circle, element, rectangle
from engine.ahldarahd import actions as packing
from engine.ahldarahd.board import NAMES
from engine.ahldarahd.events import Control, Destroyed, Lost, Night, Removed, Stall, TurnBegan, Won
from engine.ahldarahd.notation import card_name
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.views import card_of
from engine.game import Event, own


def marks(moment: Moment, seen: Observation) -> Iterator[Part]:
    """Yield what an action and its events have changed."""
    top = board_top(seen)
    routes: dict[tuple[int, int], int | None] = {}
    cities: dict[tuple[int, int], int] = {}
    if moment.acts:
        yield Part("actor", *seat_at(seen, moment.step.seat), circle(0, 0, 20, "ring"), Layer.MARKS)
        yield from _of_action(moment, seen)
        before = own(moment.step.before, Observation).seats
        for seat, (old, new) in enumerate(zip(before, seen.seats, strict=True)):
            if old.cards != new.cards:
                x, y = seat_at(seen, seat)
                yield Part(f"cards-{seat}-change", x, y + 66, change(new.cards - old.cards), Layer.MARKS)
        routes |= _routes_of(moment.step.seat, moment.step.action)
    for event in moment.events:
        if isinstance(event, Removed | Destroyed):
            routes[event.map, event.route] = event.seat if isinstance(event, Removed) else event.owner
        elif isinstance(event, Control):
            cities[event.map, event.city] = event.gold
        elif isinstance(event, Lost):
            cities.setdefault((event.map, event.city), 0)
        yield from _cards_of(event, moment, seen)
    for (map_, route), owner in routes.items():
        x, y = maps.route_at(map_, route, top)
        yield Part(f"changed-{map_}-{route}", x, y, circle(0, 0, maps.MARKER + 4, "ring"), Layer.MARKS)
        if owner is not None:
            ghost = element("g", badge(owner, maps.MARKER), class_="ghost")
            yield Part(f"ghost-{map_}-{route}", x, y, ghost, Layer.TRACES)
    for (map_, city), gold in cities.items():
        x, y = maps.city_at(map_, city, top)
        ring = _ring(maps.CITY_WIDTH, maps.CITY_HEIGHT)
        yield Part(f"changed-{map_}-{NAMES[city]}", x, y, ring, Layer.MARKS)
        if gold:
            yield Part(f"income-{map_}-{NAMES[city]}", x, y + 26, change(gold), Layer.MARKS)


def _routes_of(seat: int, action: int) -> dict[tuple[int, int], int | None]:
    """Return the routes that an action names, by map and number."""
    kind = packing.kind_of(action)
    if kind == packing.SETUP_ROUTES:
        return {(seat, packing.route_of(action)): None, (seat, packing.second_route_of(action)): None}
    if kind in (packing.CLAIM, packing.BUY, packing.DESTROY, packing.LOSE_ROUTE):
        return {(packing.map_of(action), packing.route_of(action)): None}
    return {}


def _of_action(moment: Moment, seen: Observation) -> Iterator[Part]:
    """Yield the lot that is put up, the bid, and the way of each item to who has it now."""
    action, before = moment.step.action, own(moment.step.before, Observation)
    kind = packing.kind_of(action)
    waits = seen.auction is not None and kind in (packing.OPEN_AUCTION, packing.BID)
    if waits or packing.is_offer(action):
        yield Part("changed-waiting", 320, 64, _ring(620, 28), Layer.MARKS)
    if kind == packing.OPEN_AUCTION and (lot := packing.lot_of(action)) >= packing.ITEM_LOT:
        item = lot - packing.ITEM_LOT
        place = item_at(seen, item, before.holders[item])
        yield Part("lot", *place, _ring(ITEM_WIDTH, HEIGHT), Layer.MARKS)
    elif kind == packing.OPEN_AUCTION and (card := card_of(lot)) in before.row:
        yield Part("lot", *card_at(before, card), _ring(CARD_WIDTH - 4, HEIGHT), Layer.MARKS)
    for item, (old, new) in enumerate(zip(before.holders, seen.holders, strict=True)):
        if old != new:
            start, end = item_at(seen, item, old), item_at(seen, item, new)
            yield Part(f"way-{item}", *start, arrow((0, 0), (0, end[1] - start[1])), Layer.MARKS)


def _cards_of(event: Event, moment: Moment, seen: Observation) -> Iterator[Part]:
    """Yield cards that were turned up, won or spent."""
    before = own(moment.step.before, Observation)
    if isinstance(event, TurnBegan):
        for card in event.revealed:
            if card in seen.row:
                name = f"drawn-{card_name(card.commodity, card.colour)}"
                yield Part(name, *card_at(seen, card), _ring(CARD_WIDTH - 4, HEIGHT), Layer.MARKS)
    elif isinstance(event, Won) and event.lot < packing.ITEM_LOT:
        card = card_of(event.lot)
        if card in before.row:
            name, (x, y) = card_name(card.commodity, card.colour), card_at(before, card)
            yield Part(f"won-{name}", x, y, element("g", card_box(card), class_="ghost"), Layer.TRACES)
            winner = _ring(CARD_WIDTH - 4, HEIGHT) + badge(event.seat, 12)
            yield Part(f"winner-{name}", x, y, winner, Layer.MARKS)
    elif isinstance(event, Night | Stall) and event.card is not None:
        place = spent_at(seen, event.card.commodity)
        name = f"spent-{NAMES[event.card.commodity]}-changed"
        yield Part(name, *place, _ring(SPENT_WIDTH - 3, HEIGHT), Layer.MARKS)


def _ring(width: float, height: float) -> str:
    return rectangle(-width / 2 - 3, -height / 2 - 3, width + 6, height + 6, "ring", 8)
