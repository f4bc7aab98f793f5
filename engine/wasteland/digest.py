"""The canonical bytes of a position and their SHA-256.

::

    text     "wasteland-state-v1", seats and options, one line
    numbers  decision, seat to act + 1, round, first + 1, current + 1, goal reached, ending or 0, steps, tailwinds, flat
             tires, outrider, sandstorm, bargain, bonus, healed, actions, window + 1, asked + 1, passes, card answered
             + 1, card fought + 1, surprise, its Defense, its Hits, round of the combat, rerolled, Hits to place, words
             of the stream used; 4 bytes each
    lists    face-up missions, Event deck and discards, Attack deck and discards, Mission deck and discards, road
             blocks, wilds, attackers, dry, ditched, queue, dice; each with its length before it; 1 byte each, pairs
             flat
    seats    space + 1, Cash (4 bytes each), Hits + 1 by Caravan card, resources, hand by Event card
    seed     32 bytes
    All numbers are big-endian.
"""

from hashlib import sha256

from engine.digesting import counted, shifted, wide
from engine.wasteland.position import Position


def digest(position: Position) -> bytes:
    """Return 32 bytes, equal iff the positions are equal, hidden cards and draws to come included."""
    parts = [position.setup.text, _numbers(position)]
    lists = (
        position.missions,
        position.event_deck,
        position.event_discards,
        position.attack_deck,
        position.attack_discards,
        position.mission_deck,
        position.mission_discards,
        position.road_blocks,
        _flat(position.wilds),
        position.attackers,
        position.dry,
        position.ditched,
        _flat(position.queue),
        position.dice,
    )
    parts += [counted(numbers) for numbers in lists]
    for seat in range(position.setup.seats):
        parts.append(wide(4, (position.spaces[seat] + 1, position.cash[seat])))
        parts.append(shifted(position.hits[seat]))
        parts.append(bytes(position.stores[seat]))
        parts.append(bytes(position.hands[seat]))
    parts.append(position.seed)
    return sha256(b"".join(parts)).digest()


def _numbers(position: Position) -> bytes:
    return wide(
        4,
        (
            position.decision,
            position.seat_to_act + 1,
            position.round,
            position.first + 1,
            position.current + 1,
            position.goal_reached,
            position.ending or 0,
            position.steps,
            position.tailwinds,
            position.flat_tires,
            position.outrider,
            position.sandstorm,
            position.bargain,
            position.bonus,
            position.healed,
            position.actions,
            position.window + 1,
            position.asked + 1,
            position.passes,
            position.responding_to + 1,
            position.fight + 1,
            position.fight_surprise,
            position.fight_defense,
            position.fight_hits,
            position.fight_round,
            position.rerolled,
            position.to_assign,
            position.words,
        ),
    )


def _flat(pairs: tuple[tuple[int, int], ...]) -> list[int]:
    return [number for pair in pairs for number in pair]
