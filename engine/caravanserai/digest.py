"""The canonical bytes of a position and their SHA-256.

::

    text   "caravanserai-state-v1", seats, expert as 0 or 1, first, all tiles as tile/rotation; one line
    bytes  round, trigger + 1, seat to act + 1, decision or 0, ending or 0, steal + 1, seeds
           the market by colour (5); the set of cells with loose goods (32)
           each seat: camels and goods (5) in the reserve, length of the caravan, its cells, its pieces
           laid, size, missing, direction, number of declined goods and their indices
    All numbers are big-endian and take one byte unless said otherwise.

The stream's place is left out: nothing is drawn after the set-up (S13).
"""

from hashlib import sha256

from engine.caravanserai.position import Position, Setup

_SET_BYTES = 32


def digest(position: Position) -> bytes:
    """Return 32 bytes, equal iff the positions are equal."""
    setup = position.setup
    if not setup.text:
        setup.text = _setup_text(setup)
    parts = [setup.text, _clock(position), bytes(position.market)]
    parts.append(position.loose.to_bytes(_SET_BYTES, "big"))
    parts += [_seat(position, seat) for seat in range(setup.seats)]
    placement = (position.laid, position.size, position.missing, position.direction)
    parts += [bytes((*placement, len(position.declined))), position.declined]
    return sha256(b"".join(parts)).digest()


def _setup_text(setup: Setup) -> bytes:
    numbers = (setup.seats, int(setup.options.expert), setup.first)
    return " ".join(map(str, ("caravanserai-state-v1", *numbers, *setup.tiles, "\n"))).encode()


def _clock(position: Position) -> bytes:
    return bytes(
        (
            position.round,
            position.trigger + 1,
            position.seat_to_act + 1,
            position.decision or 0,
            position.ending or 0,
            position.steal + 1,
            position.seeds,
        )
    )


def _seat(position: Position, seat: int) -> bytes:
    reserve = bytes((position.camels[seat], *position.goods_of(seat), len(position.cells[seat])))
    return reserve + position.cells[seat] + position.pieces[seat]
