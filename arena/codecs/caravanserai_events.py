"""Events of Caravanserai on the wire, and in words.

Message and dataclass of an event have the same name and, but for the set-up and what was taken back, the same fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from arena.codecs.caravanserai_board import board_message, tiles_of
from arena.codecs.caravanserai_pieces import (
    caravan_messages,
    caravan_of,
    cell_message,
    cell_messages,
    cell_of,
    cells_of,
    colour_number,
    colour_of,
    piece_number,
    piece_of,
)
from arena.codecs.reading import member_of, unknown_event
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine.caravanserai import events
from engine.caravanserai.events import BoardLaid, Ending, SkipReason, Source, TakenBack
from engine.caravanserai.observation import CaravanPiece
from engine.caravanserai.pieces import COLOURS
from engine.game import Event

_SOURCES: Final = tuple(Source)
_REASONS: Final = tuple(SkipReason)

_TO_WIRE: Final[dict[str, Callable[[Any], Any]]] = {
    "cell": cell_message,
    "colour": colour_number,
    "piece": piece_number,
    "source": lambda source: _SOURCES.index(source) + 1,
    "reason": lambda reason: _REASONS.index(reason) + 1,
    "ending": int,
}
"""By field; all others are numbers."""

_FROM_WIRE: Final[dict[str, Callable[[Any], Any]]] = {
    "cell": cell_of,
    "colour": lambda number: colour_of("colour", number),
    "piece": lambda number: piece_of("piece", number),
    "source": lambda number: member_of("source", number, _SOURCES),
    "reason": lambda number: member_of("reason", number, _REASONS),
    "ending": lambda number: member_of("ending", number, tuple(Ending)),
}

_COLOUR_WORDS: Final = tuple(colour.name.lower() for colour in COLOURS)
_PIECE_WORDS: Final = (*(f"a {colour} good" for colour in _COLOUR_WORDS), "a lying camel", "a camel")

_IN_WORDS: Final[dict[str, Callable[[Any], str]]] = {
    "colour": _COLOUR_WORDS.__getitem__,
    "piece": _PIECE_WORDS.__getitem__,
    "source": lambda source: source.value,
    "reason": {SkipReason.NO_CAMEL: "has no camel", SkipReason.BLOCKED: "has no room"}.__getitem__,
    "ending": lambda ending: ending.name,
    "tiles": lambda tiles: str(len(tiles)),
    "loose": lambda cells: ", ".join(map(str, cells)),
    "pieces": lambda pieces: ", ".join(_PIECE_WORDS[piece] for piece in pieces) or "nothing",
}

_SENTENCES: Final[dict[type[Event], str]] = {
    events.BoardLaid: "The board of {tiles} tiles is laid, with loose goods on {loose}; seat {first} begins.",
    events.Opened: "Seat {seat} opens on {cell}.",
    events.PieceLaid: "Seat {seat} lays {piece} on {cell}, from the {source}.",
    events.Returned: "The loose {colour} good on {cell} returns to the market.",
    events.Gained: "Seat {seat} gains a {colour} good from the {source}.",
    events.Stolen: "Seat {seat} takes a {colour} good from seat {victim}.",
    events.NoGood: "Seat {seat} gains nothing: nobody has a {colour} good.",
    events.Counted: "Seat {seat} has laid {laid} pieces, of which {omitted} are omitted: the count is {count}.",
    events.TakenBack: "Seat {seat} takes back {pieces}.",
    events.Seeded: "Seat {seat} moves a {colour} good from the market to {cell}.",
    events.SeedLost: "Seat {seat} has no place for goods of the market: {number} not moved.",
    events.MarketEmptied: "The market is empty in round {round}: the end is near.",
    events.Skipped: "Seat {seat} {reason} and is skipped.",
    events.RoundBegan: "Round {round} begins.",
    events.Ended: "The match ends: {ending}.",
}
"""Every event there is, with what is said of it."""

_EVENTS: Final = {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in _SENTENCES}
"""By the field of the message `Event`."""

_FIELDS: Final = {kind: field for field, kind in _EVENTS.items()}


def event_message(event: Event) -> caravanserai_pb2.Event:
    """The event as a message."""
    kind = _kind(event)
    message: Any
    if isinstance(event, BoardLaid):
        board = board_message(event.first, event.tiles)
        message = caravanserai_pb2.BoardLaid(board=board, loose_goods=cell_messages(event.loose))
    elif isinstance(event, TakenBack):
        taken = caravan_messages(map(CaravanPiece, event.cells, event.pieces))
        message = caravanserai_pb2.TakenBack(seat=event.seat, pieces=taken)
    else:
        values = {name: _TO_WIRE.get(name, int)(value) for name, value in _values(event).items()}
        message = getattr(caravanserai_pb2, kind.__name__)(**values)
    return caravanserai_pb2.Event(**{_FIELDS[kind]: message})


def event_of(message: caravanserai_pb2.Event) -> Event:
    """The event again. Raises UnreadableActionError for one that is not known here."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise unknown_event()
    if kind == "board_laid":
        laid = message.board_laid
        return BoardLaid(laid.board.first_seat, tiles_of(laid.board), cells_of(laid.loose_goods))
    if kind == "taken_back":
        taken = caravan_of(message.taken_back.pieces)
        cells, pieces = tuple(each.cell for each in taken), tuple(each.piece for each in taken)
        return TakenBack(message.taken_back.seat, cells, pieces)
    wire, event = getattr(message, kind), _EVENTS[kind]
    names = [field.name for field in fields(event)]
    return event(**{name: _FROM_WIRE.get(name, int)(getattr(wire, name)) for name in names})


def describe(event: Event) -> str:
    """One sentence; cells by their coordinates."""
    words = {name: _IN_WORDS.get(name, str)(value) for name, value in _values(event).items()}
    return _SENTENCES[_kind(event)].format_map(words)


def _kind(event: Event) -> type[Event]:
    if type(event) not in _SENTENCES:
        raise TypeError(f"{type(event).__name__} is no event of Caravanserai")
    return type(event)


def _values(event: Event) -> dict[str, Any]:
    return {field.name: getattr(event, field.name) for field in fields(event)}
