"""The canonical bytes of a position and their SHA-256.

::

    text     "ahldarahd-state-v1", seats and options, one line
    numbers  turn, phase, decision, seat to act + 1, index in the order, ending or 0, flipped camels, auction (lot, bid,
             high bidder + 1, passed seats), offers left, cup (gold + 1, black), Night (city + 1, drawer + 1),
             words of the stream used; 4 bytes each, then the offer that waits, 16 bytes
    lists    order, lots auctioned, row, what is left of the deck, seats that wait in the Night; each with its length
             before it; 1 byte each
    seats    gold, gold pledged (4 bytes each), hand, start cards shown (2 bytes)
    rest     holders + 1 by item, discards; revealed by colour (2 bytes each); owners + 1 by map and route, then cities
    seed     32 bytes
    All numbers are big-endian.
"""

from hashlib import sha256

from engine.ahldarahd.position import Position
from engine.digesting import counted, shifted, wide


def digest(position: Position) -> bytes:
    """Return 32 bytes, equal iff the positions are equal, hidden cards and draws to come included."""
    parts = [position.setup.text, _numbers(position), position.offer.to_bytes(16, "big")]
    lists = (
        position.order,
        position.auctioned,
        position.row,
        position.deck[position.top :],
        position.waiting,
    )
    parts += [counted(numbers) for numbers in lists]
    for seat in range(position.setup.seats):
        parts.append(wide(4, (position.gold[seat], position.pledged[seat])))
        parts.append(bytes(position.hands[seat]))
        parts.append(wide(2, (position.shown[seat],)))
    parts.append(shifted(position.holders))
    parts.append(bytes(position.discards))
    parts.append(wide(2, position.revealed))
    for owners, cities in zip(position.owners, position.cities, strict=True):
        parts.append(shifted(owners))
        parts.append(shifted(cities))
    parts.append(position.seed)
    return sha256(b"".join(parts)).digest()


def _numbers(position: Position) -> bytes:
    return wide(
        4,
        (
            position.turn,
            position.phase,
            position.decision,
            position.seat_to_act + 1,
            position.at,
            position.ending or 0,
            position.flipped,
            position.lot,
            position.bid,
            position.high + 1,
            position.passed,
            position.offers_left,
            position.cup_gold + 1,
            position.cup_black,
            position.night_city + 1,
            position.drawer + 1,
            position.words,
        ),
    )
