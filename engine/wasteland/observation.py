"""What may be seen of a position: all but others' hands, the order of decks, dice to come, and who is asked (W70)."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.wasteland.events import Ending
from engine.wasteland.options import Options


class SeatView(NamedTuple):
    """What a seat has."""

    space: int
    """Where it is; -1 before it has chosen a City."""
    cash: int
    hits: tuple[int, ...]
    """By Caravan card: Hits on it, -1: not in play."""
    stores: tuple[int, ...]
    """By resource."""
    cards: int
    """Event cards in hand."""
    hand: tuple[int, ...] | None
    """By Event card; None for a seat whose hand the viewer may not see."""
    score: int
    """If the match ended now (W68)."""


class TurnView(NamedTuple):
    """What is in force in this turn, as in `engine.wasteland.position` (W71)."""

    steps: int
    tailwinds: int
    flat_tires: int
    outrider: bool
    sandstorm: bool
    road_blocks: tuple[int, ...]
    wilds: tuple[tuple[int, int], ...]
    attackers: tuple[int, ...]
    dry: tuple[int, ...]
    bargain: bool
    bonus: bool
    ditched: tuple[int, ...]
    healed: bool
    actions: int


class WindowView(NamedTuple):
    """The Event window that is open. All but its name is for the seat that is asked (W71)."""

    name: int
    """BEFORE_MOVE ... END of `engine.wasteland.event_cards`."""
    asked: int | None
    passes: int | None
    responding_to: int | None
    """The Event card that `respond` is about."""


class FightView(NamedTuple):
    """The Attack card that is fought (W71)."""

    card: int
    surprise: bool
    defense: int
    hits: int
    round: int
    rerolled: bool
    dice: tuple[int, ...]
    to_assign: int


@dataclass(frozen=True, slots=True)
class Observation:
    """The position as one viewer may see it."""

    options: Options
    decision: int | None
    """ASK_NOTHING ... ASK_COOK of `engine.wasteland.position`; None while another seat may be asked in secret."""
    seat_to_act: int | None
    """None when the match is over, and while another seat may be asked in secret."""
    round: int
    """0 in the set-up."""
    first: int | None
    """The first player; None in the set-up."""
    current: int | None
    """The current player; None in the set-up and at the end."""
    goal_reached: bool
    ending: Ending | None
    """Why the match has ended; None while it runs."""
    seats: tuple[SeatView, ...]
    missions: tuple[int, ...]
    """Face up, by place."""
    decks: tuple[int, int, int]
    """Cards in the Event, Attack and Mission deck."""
    discards: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    """Of the same, the oldest first."""
    turn: TurnView | None
    """None in the set-up and at the end."""
    window: WindowView | None
    queue: tuple[tuple[int, bool], ...]
    """(Attack card, whether drawn for a Surprise Attack!), the next one first."""
    fight: FightView | None
    viewer: int
    """The seat this view was made for, or SPECTATOR."""
