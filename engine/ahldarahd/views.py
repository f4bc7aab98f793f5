"""From positions to observations, and back to a position that fits one."""

from typing import Final

from engine.ahldarahd.board import COMMODITIES, KINDS, MARKERS
from engine.ahldarahd.events import Card
from engine.ahldarahd.observation import Auction, MapView, NightView, Observation, SeatView
from engine.ahldarahd.options import MAX_SEATS
from engine.ahldarahd.position import (
    ASK_BID,
    NO_CITY,
    NO_CUP,
    NOBODY,
    START_CARDS,
    Position,
)
from engine.game import TERMINAL
from engine.randomness import SEED_BYTES, Stream

_CARDS: Final = [Card(COMMODITIES[card % KINDS], card // KINDS) for card in range(KINDS * MAX_SEATS)]


def card_of(card: int) -> Card:
    """Return a card of the deck as people see it."""
    return _CARDS[card]


def members(numbers: int) -> tuple[int, ...]:
    """Return the members of a set, ascending."""
    return tuple([number for number in range(numbers.bit_length()) if numbers >> number & 1])


def blocks_of(seats: int, first: int) -> tuple[int, ...]:
    """Return the colours as they lie in the deck, the first one on top (A6)."""
    return tuple([(first + step) % seats for step in range(seats)])


def observe(position: Position, viewer: int) -> Observation:
    """Return the position as the viewer may see it."""
    seats = range(position.setup.seats)
    over = position.seat_to_act == TERMINAL
    return Observation(
        options=position.setup.options,
        turn=position.turn,
        phase=position.phase,
        decision=position.decision,
        seat_to_act=None if over else position.seat_to_act,
        order=position.order,
        at=position.at,
        seats=tuple([_seat_view(position, seat, viewer) for seat in seats]),
        maps=tuple(
            [
                MapView(tuple(owners[1:]), tuple(cities))
                for owners, cities in zip(position.owners, position.cities, strict=True)
            ]
        ),
        holders=tuple(position.holders),
        row=tuple([card_of(card) for card in position.row]),
        deck=position.deck_size,
        blocks=blocks_of(position.setup.seats, position.deck[0] // KINDS),
        revealed=tuple([members(shown) for shown in position.revealed]),
        discards=position.discards,
        auctioned=position.auctioned,
        auction=_auction(position),
        offers_left=position.offers_left,
        offer=position.offer,
        cup=None if position.cup_gold == NO_CUP else (position.cup_gold, position.cup_black),
        night=_night(position),
        ending=position.ending,
        viewer=viewer,
    )


def _seat_view(position: Position, seat: int, viewer: int) -> SeatView:
    return SeatView(
        gold=position.gold[seat],
        flipped=bool(position.flipped >> seat & 1),
        cards=position.cards(seat),
        hand=tuple(position.hands[seat]) if seat == viewer else None,
        gained=tuple(position.gained[seat]),
        shown=members(position.shown[seat]),
        markers=MARKERS - position.placed[seat],
        score=position.score(seat),
    )


def _auction(position: Position) -> Auction | None:
    if position.decision != ASK_BID:
        return None
    return Auction(position.lot, position.bid, position.high, members(position.passed))


def _night(position: Position) -> NightView | None:
    if position.night_city == NO_CITY:
        return None
    return NightView(position.night_city, position.drawer, position.waiting, position.pledged)


def fill_from(position: Position, seen: Observation, stream: Stream) -> None:
    """Fill the cleared position to fit what was seen: hidden cards and draws to come are the stream's.

    The three start cards of a seat are all different, are none of its colour that the deck has shown, and include those
    that have been seen since; every such choice is as likely as any other, and so is any order of the rest of a block.
    """
    _fill_open(position, seen)
    starts = [_start_cards(seen, seat, stream) for seat in range(len(seen.seats))]
    for seat, view in enumerate(seen.seats):
        hand = list(view.gained)
        for commodity in starts[seat]:
            hand[commodity] += 1
        position.hands[seat] = hand
    position.deck, position.top = _deck(seen, starts, stream)
    position.seed = b"".join([stream.word().to_bytes(8, "big") for _ in range(SEED_BYTES // 8)])


def _fill_open(position: Position, seen: Observation) -> None:
    position.turn, position.phase, position.decision = seen.turn, seen.phase, seen.decision
    position.seat_to_act = TERMINAL if seen.seat_to_act is None else seen.seat_to_act
    position.order, position.at = seen.order, seen.at
    position.gold = [view.gold for view in seen.seats]
    position.flipped = sum(1 << seat for seat, view in enumerate(seen.seats) if view.flipped)
    position.holders = list(seen.holders)
    position.gained = [list(view.gained) for view in seen.seats]
    position.shown = tuple([_set_of(view.shown) for view in seen.seats])
    position.revealed = tuple([_set_of(commodities) for commodities in seen.revealed])
    position.discards = seen.discards
    position.row = tuple([KINDS * card.colour + card.commodity for card in seen.row])
    position.owners = [[NOBODY, *view.owners] for view in seen.maps]
    position.cities = [list(view.cities) for view in seen.maps]
    position.placed = [MARKERS - view.markers for view in seen.seats]
    position.auctioned = seen.auctioned
    if seen.auction is not None:
        position.lot, position.bid, position.high = seen.auction.lot, seen.auction.bid, seen.auction.high
        position.passed = _set_of(seen.auction.passed)
    position.offers_left, position.offer = seen.offers_left, seen.offer
    if seen.cup is not None:
        position.cup_gold, position.cup_black = seen.cup
    if seen.night is not None:
        position.night_city, position.drawer = seen.night.city, seen.night.drawer
        position.waiting, position.pledged = seen.night.waiting, seen.night.pledged
    position.ending = seen.ending


def _set_of(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in numbers)


def _start_cards(seen: Observation, seat: int, stream: Stream) -> list[int]:
    """Return the three cards that the seat was dealt: known from its hand, or drawn."""
    view = seen.seats[seat]
    if view.hand is not None:
        return [commodity for commodity in range(KINDS) if view.hand[commodity] > view.gained[commodity]]
    known = list(view.shown)
    possible = [
        commodity
        for commodity in range(KINDS)
        if commodity not in known and commodity not in seen.revealed[seat]
    ]
    stream.shuffle(possible)
    return [*known, *possible[: START_CARDS - len(known)]]


def _deck(seen: Observation, starts: list[list[int]], stream: Stream) -> tuple[list[int], int]:
    """All cards that were in the deck at set-up, and how many have left it: the order of those does not matter."""
    deck: list[int] = []
    for colour in seen.blocks:
        gone = list(seen.revealed[colour])
        rest = [
            commodity
            for commodity in range(KINDS)
            if commodity not in gone and commodity not in starts[colour]
        ]
        stream.shuffle(rest)
        deck += [KINDS * colour + commodity for commodity in [*gone, *rest]]
    return deck, len(deck) - seen.deck
