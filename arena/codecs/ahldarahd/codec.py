"""Caravans of Ahldarahd on the wire."""

from functools import lru_cache
from typing import Final

from arena.codecs.ahldarahd.actions import ACTIONS
from arena.codecs.ahldarahd.events import EVENTS
from arena.codecs.ahldarahd.pieces import CARD, COMMODITY, LOT, OFFER
from arena.codecs.codec import Codec
from arena.codecs.record import (
    OPTIONAL,
    SAME,
    TUPLE,
    Convert,
    Record,
    just,
    number,
    one_of,
    several,
    tuple_of,
    wire_enum,
)
from arena.codecs.validation import WireEnum, many_of, number_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.actions import RIGHTS
from engine.ahldarahd.board import KINDS, ROUTES
from engine.ahldarahd.events import Ending
from engine.ahldarahd.observation import Auction, MapView, NightView, Observation, SeatView
from engine.ahldarahd.offers import make_offer, offer_of
from engine.ahldarahd.options import MAX_SEATS, MIN_SEATS, Options
from engine.ahldarahd.position import DECISION_NAMES, PHASE_NAMES
from engine.game import SPECTATOR

_NO_OFFER: Final = 0

_OPTIONS: Final = Record(Options, ahldarahd_pb2.Options, {})


_CITY: Final = wire_enum(WireEnum(range(KINDS), "a commodity"))
"""A commodity as a mere number."""

_CITIES: Final = several(_CITY)
_COUNTS: Final = just(KINDS)

_SEAT: Final = Record(
    SeatView,
    ahldarahd_pb2.Seat,
    {
        "flipped": Convert(name="camel_flipped"),
        "hand": _COUNTS._replace(optional=True),
        "gained": _COUNTS,
        "shown": _CITIES,
    },
)
_MAP: Final = Record(MapView, ahldarahd_pb2.Map, {"owners": just(ROUTES), "cities": _COUNTS})
_AUCTION: Final = Record(
    Auction, ahldarahd_pb2.Auction, {"lot": LOT, "bid": Convert(name="gold"), "passed": TUPLE}
)
_NIGHT: Final = Record(NightView, ahldarahd_pb2.Night, {"city": _CITY, "waiting": TUPLE, "pledged": TUPLE})


@lru_cache(maxsize=2048)
def _commodities(commodities: tuple[int, ...]) -> ahldarahd_pb2.Commodities:
    return ahldarahd_pb2.Commodities(commodities=map(COMMODITY.value, commodities))


def _holders_of(field: str, wire: ahldarahd_pb2.Holders) -> tuple[int, ...]:
    return *many_of(f"{field}.favours", wire.favours, RIGHTS), *wire.rights


_OBSERVATION: Final = Record(
    Observation,
    ahldarahd_pb2.Observation,
    {
        "options": _OPTIONS.part(cached=16),
        "phase": one_of(range(len(PHASE_NAMES))),
        "decision": number(0, len(DECISION_NAMES) - 1),
        "seat_to_act": OPTIONAL,
        "order": TUPLE,
        "seats": several(_SEAT.part(cached=4096)),
        "maps": several(_MAP.part(cached=4096)),
        "holders": Convert(
            lambda holders: ahldarahd_pb2.Holders(favours=holders[:RIGHTS], rights=holders[RIGHTS:]),
            _holders_of,
        ),
        "row": several(CARD),
        "blocks": TUPLE,
        "revealed": several(Convert(_commodities, lambda field, wire: _CITIES.read(field, wire.commodities))),
        "discards": _COUNTS,
        "auctioned": several(LOT),
        "auction": _AUCTION.part()._replace(optional=True),
        "offer": Convert(
            lambda offer: OFFER.write(offer_of(offer)),
            lambda field, wire: make_offer(OFFER.read(field, wire)),
            optional=True,
            unset=_NO_OFFER,
        ),
        "cup": tuple_of(ahldarahd_pb2.Cup, gold=SAME, black=SAME)._replace(optional=True),
        "night": _NIGHT.part()._replace(optional=True),
        "ending": one_of(tuple(Ending))._replace(optional=True),
        "viewer": Convert(optional=True, unset=SPECTATOR),
    },
)


class AhldarahdCodec(Codec):
    """Ahldarahd's ints and dataclasses as messages, and back."""

    game = AHLDARAHD
    events = EVENTS
    options = _OPTIONS
    observation = _OBSERVATION
    actions = ACTIONS

    def options_of(self, wire: ahldarahd_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats. Raises InvalidOptionsError."""
        return AHLDARAHD.options(seats, AHLDARAHD.option_values(_OPTIONS.value_of(wire)))

    def observation_of(self, wire: ahldarahd_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError, naming the wrong field."""
        seats = number_of("seats", len(wire.seats), MIN_SEATS, MAX_SEATS)
        seen = _OBSERVATION.value_of(wire)
        many_of("maps", seen.maps, seats + seen.options.neutral_board)
        many_of("holders.rights", seen.holders[RIGHTS:], seats)
        many_of("blocks", seen.blocks, seats)
        many_of("revealed", seen.revealed, seats)
        return seen


CODEC: Final = AhldarahdCodec()
