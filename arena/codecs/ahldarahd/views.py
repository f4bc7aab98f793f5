"""Observations of Ahldarahd on the wire."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeVar

from arena.codecs.ahldarahd.pieces import (
    COMMODITY,
    card_message,
    card_of,
    lot_message,
    lot_of,
    offer_message,
    offer_of,
)
from arena.codecs.validation import many_of, number_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd import actions
from engine.ahldarahd.actions import RIGHTS, make_offer
from engine.ahldarahd.board import KINDS, ROUTES
from engine.ahldarahd.events import Ending
from engine.ahldarahd.observation import Auction, MapView, NightView, Observation, SeatView
from engine.ahldarahd.options import MAX_SEATS, MIN_SEATS, Options
from engine.ahldarahd.position import DECISION_NAMES, PHASE_NAMES
from engine.game import SPECTATOR

Each = TypeVar("Each")

_NO_OFFER: Final = 0


def options_message(options: Options) -> ahldarahd_pb2.Options:
    """Return the options as a message; the fields have the same names."""
    return ahldarahd_pb2.Options(**options._asdict())


def observation_message(seen: Observation) -> ahldarahd_pb2.Observation:
    """Return the position as its viewer may see it."""
    message = ahldarahd_pb2.Observation(
        options=options_message(seen.options),
        turn=seen.turn,
        phase=ahldarahd_pb2.Phase.ValueType(seen.phase + 1),
        decision=ahldarahd_pb2.Decision.ValueType(seen.decision),
        seat_to_act=seen.seat_to_act,
        order=seen.order,
        at=seen.at,
        seats=map(_seat_message, seen.seats),
        maps=map(_map_message, seen.maps),
        holders=ahldarahd_pb2.Holders(favours=seen.holders[:RIGHTS], rights=seen.holders[RIGHTS:]),
        row=map(card_message, seen.row),
        deck=seen.deck,
        blocks=seen.blocks,
        revealed=map(_commodities_message, seen.revealed),
        discards=seen.discards,
        auctioned=map(lot_message, seen.auctioned),
        offers_left=seen.offers_left,
        ending=ahldarahd_pb2.Ending.ValueType(seen.ending or 0),
        viewer=None if seen.viewer == SPECTATOR else seen.viewer,
    )
    _add_what_waits(message, seen)
    return message


def _add_what_waits(message: ahldarahd_pb2.Observation, seen: Observation) -> None:
    if seen.auction is not None:
        lot, bid, high, passed = seen.auction
        message.auction.CopyFrom(
            ahldarahd_pb2.Auction(lot=lot_message(lot), gold=bid, high=high, passed=passed)
        )
    if seen.offer != _NO_OFFER:
        message.offer.CopyFrom(offer_message(actions.offer_of(seen.offer)))
    if seen.cup is not None:
        message.cup.gold, message.cup.black = seen.cup
        message.cup.SetInParent()
    if seen.night is not None:
        city, drawer, waiting, pledged = seen.night
        message.night.CopyFrom(
            ahldarahd_pb2.Night(city=COMMODITY.value(city), drawer=drawer, waiting=waiting, pledged=pledged)
        )


def observation_of(wire: ahldarahd_pb2.Observation) -> Observation:
    """Return the observation of a message. Raises UnreadableActionError, naming the wrong field."""
    seats = number_of("seats", len(wire.seats), MIN_SEATS, MAX_SEATS)
    return Observation(
        options=Options(wire.options.neutral_board, wire.options.night_of_the_outsider, wire.options.trading),
        turn=wire.turn,
        phase=number_of("phase", wire.phase, 1, len(PHASE_NAMES)) - 1,
        decision=number_of("decision", wire.decision, 0, len(DECISION_NAMES) - 1),
        seat_to_act=wire.seat_to_act if wire.HasField("seat_to_act") else None,
        order=tuple(wire.order),
        at=wire.at,
        seats=tuple([_seat_of(seat) for seat in wire.seats]),
        maps=many_of(
            "maps",
            [
                MapView(many_of("maps.owners", each.owners, ROUTES), _counts("maps.cities", each.cities))
                for each in wire.maps
            ],
            seats + wire.options.neutral_board,
        ),
        holders=(
            *many_of("holders.favours", wire.holders.favours, RIGHTS),
            *many_of("holders.rights", wire.holders.rights, seats),
        ),
        row=tuple([card_of("row", card) for card in wire.row]),
        deck=wire.deck,
        blocks=many_of("blocks", wire.blocks, seats),
        revealed=many_of(
            "revealed", [_commodities_of("revealed", each.commodities) for each in wire.revealed], seats
        ),
        discards=_counts("discards", wire.discards),
        auctioned=tuple([lot_of("auctioned", lot) for lot in wire.auctioned]),
        auction=_auction_of(wire),
        offers_left=wire.offers_left,
        offer=make_offer(offer_of(wire.offer)) if wire.HasField("offer") else _NO_OFFER,
        cup=(wire.cup.gold, wire.cup.black) if wire.HasField("cup") else None,
        night=_night_of(wire),
        ending=None if not wire.ending else Ending(number_of("ending", wire.ending, 1, len(Ending))),
        viewer=wire.viewer if wire.HasField("viewer") else SPECTATOR,
    )


@lru_cache(maxsize=4096)
def _seat_message(view: SeatView) -> ahldarahd_pb2.Seat:
    return ahldarahd_pb2.Seat(
        gold=view.gold,
        camel_flipped=view.flipped,
        cards=view.cards,
        hand=view.hand,
        gained=view.gained,
        shown=map(COMMODITY.value, view.shown),
        markers=view.markers,
        score=view.score,
    )


def _seat_of(wire: ahldarahd_pb2.Seat) -> SeatView:
    return SeatView(
        gold=wire.gold,
        flipped=wire.camel_flipped,
        cards=wire.cards,
        hand=_counts("seats.hand", wire.hand) if wire.hand else None,
        gained=_counts("seats.gained", wire.gained),
        shown=_commodities_of("seats.shown", wire.shown),
        markers=wire.markers,
        score=wire.score,
    )


@lru_cache(maxsize=4096)
def _map_message(view: MapView) -> ahldarahd_pb2.Map:
    return ahldarahd_pb2.Map(owners=view.owners, cities=view.cities)


@lru_cache(maxsize=2048)
def _commodities_message(commodities: tuple[int, ...]) -> ahldarahd_pb2.Commodities:
    return ahldarahd_pb2.Commodities(commodities=map(COMMODITY.value, commodities))


def _commodities_of(field: str, wire: Iterable[int]) -> tuple[int, ...]:
    return tuple([int(COMMODITY.member(field, number)) for number in wire])


def _auction_of(wire: ahldarahd_pb2.Observation) -> Auction | None:
    if not wire.HasField("auction"):
        return None
    auction = wire.auction
    return Auction(lot_of("auction.lot", auction.lot), auction.gold, auction.high, tuple(auction.passed))


def _night_of(wire: ahldarahd_pb2.Observation) -> NightView | None:
    if not wire.HasField("night"):
        return None
    night = wire.night
    city = int(COMMODITY.member("night.city", night.city))
    return NightView(city, night.drawer, tuple(night.waiting), tuple(night.pledged))


def _counts(field: str, wire: Iterable[int]) -> tuple[int, ...]:
    return many_of(field, wire, KINDS)
