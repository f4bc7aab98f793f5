"""What may be seen of a position: all of it but the other seats' hands, the order of the deck, and the seed (A51)."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.ahldarahd.events import Card, Ending
from engine.ahldarahd.options import Options


class SeatView(NamedTuple):
    """What a seat has. Cards are counts by commodity."""

    gold: int
    flipped: bool
    """Its camel (A15)."""
    cards: int
    """In hand."""
    hand: tuple[int, ...] | None
    """None for a seat whose hand the viewer may not see."""
    gained: tuple[int, ...]
    """Cards that came into the hand since the set-up, less those that left it, in the open."""
    shown: tuple[int, ...]
    """Start cards that have been seen since: commodities, ascending. Of each, `gained` is one less than is in hand."""
    markers: int
    """Not on the maps (A22)."""
    score: int
    """If the match ended now (A32)."""


class MapView(NamedTuple):
    """What is on a map; -1: nobody."""

    owners: tuple[int, ...]
    """By route, from route 1 on: the seat whose marker is there."""
    cities: tuple[int, ...]
    """By city: the seat in control."""


class Auction(NamedTuple):
    """The auction that runs."""

    lot: int
    """As in `engine.ahldarahd.actions`."""
    bid: int
    high: int
    """The high bidder."""
    passed: tuple[int, ...]
    """The seats that have passed, ascending."""


class NightView(NamedTuple):
    """A Night that waits for a decision (A38-A42)."""

    city: int
    drawer: int
    waiting: tuple[int, ...]
    """The seats still to go through the present step, in order, the one asked first."""
    pledged: tuple[int, ...]
    """By seat; zeros outside the pledges."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The position as one viewer may see it."""

    options: Options
    turn: int
    """0 at set-up (A9)."""
    phase: int
    """SETUP ... OVER of `engine.ahldarahd.position`."""
    decision: int
    """ASK_NOTHING ... ASK_LOSS of `engine.ahldarahd.position`."""
    seat_to_act: int | None
    """None when the match is over."""
    order: tuple[int, ...]
    """In which seats set up, start auctions or build in this phase; empty when the match is over."""
    at: int
    """The index in it of the one whose turn it is."""
    seats: tuple[SeatView, ...]
    maps: tuple[MapView, ...]
    """One by seat; with the option neutral_board one more."""
    holders: tuple[int, ...]
    """By item (Shah, Eyes, Queen, then the Rights by map): the seat that holds it, -1: in the middle."""
    row: tuple[Card, ...]
    """Face-up cards, the oldest first."""
    deck: int
    """Cards in it."""
    blocks: tuple[int, ...]
    """The colours in the order in which they lie in the deck, the first on top (A6)."""
    revealed: tuple[tuple[int, ...], ...]
    """By colour: the commodities that the deck has shown so far, ascending."""
    discards: tuple[int, ...]
    """By commodity."""
    auctioned: tuple[int, ...]
    """Lots opened in this turn, in order."""
    auction: Auction | None
    offers_left: int
    offer: int
    """The offer that waits for a reply, as an action; 0: none."""
    cup: tuple[int, int] | None
    """Gold and black chips in it; None without the Night and at set-up."""
    night: NightView | None
    ending: Ending | None
    """Why the match has ended; None while it runs."""
    viewer: int
    """The seat this view was made for, or SPECTATOR."""
