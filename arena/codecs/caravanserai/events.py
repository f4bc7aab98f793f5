"""Events of Caravanserai on the wire, and in words.

Message and dataclass of an event have the same name and, but for the set-up and what was taken back, the same fields.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from arena.codecs.caravanserai.pieces import CARAVAN, CELL, CELLS, COLOUR, PIECE, board_message, tiles_of
from arena.codecs.event_table import EventTable
from arena.codecs.record import Convert, one_of, wire_enum
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine.caravanserai import events
from engine.caravanserai.events import BoardLaid, Ending, SkipReason, Source, TakenBack
from engine.caravanserai.observation import CaravanPiece
from engine.caravanserai.pieces import COLOURS
from engine.game import Event

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

_WORDS: Final[dict[type[Event], str]] = {
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


def _sentence(event: Event) -> str:
    """Return the event in words, cells by their coordinates."""
    words = {each.name: _IN_WORDS.get(each.name, str)(getattr(event, each.name)) for each in fields(event)}
    return _WORDS[type(event)].format_map(words)


def _board_fields(event: BoardLaid) -> dict[str, Any]:
    return {"board": board_message(event.first, event.tiles), "loose_goods": CELLS.write(event.loose)}


def _board_of(_field: str, wire: caravanserai_pb2.BoardLaid) -> BoardLaid:
    return BoardLaid(wire.board.first_seat, tiles_of(wire.board), CELLS.read("loose_goods", wire.loose_goods))


def _taken_of(_field: str, wire: caravanserai_pb2.TakenBack) -> TakenBack:
    taken = CARAVAN.read("pieces", wire.pieces)
    return TakenBack(wire.seat, tuple(each.cell for each in taken), tuple(each.piece for each in taken))


def _taken_fields(event: TakenBack) -> dict[str, Any]:
    taken = CARAVAN.write(map(CaravanPiece, event.cells, event.pieces))
    return {"seat": event.seat, "pieces": taken}


EVENTS: Final = EventTable(
    "Caravanserai",
    caravanserai_pb2.Event,
    dict.fromkeys(_WORDS, _sentence),
    {
        "cell": CELL,
        "colour": wire_enum(COLOUR),
        "piece": wire_enum(PIECE),
        "source": one_of(tuple(Source)),
        "reason": one_of(tuple(SkipReason)),
        "ending": one_of(tuple(Ending)),
    },
    whole={BoardLaid: Convert(_board_fields, _board_of), TakenBack: Convert(_taken_fields, _taken_of)},
)
