"""Turns of Caravanserai in plain words. Cells go by their coordinates, as in the notation."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rich.text import Text

from arena.drawings.caravanserai.symbols import colour_name, lengths, level_of, own, place, setup_of
from arena.drawings.drawing import Step
from arena.drawings.wording import LOUD, QUIET, change, counted, listed, named
from engine.caravanserai import actions as packing
from engine.caravanserai.events import (
    Counted,
    Ended,
    Ending,
    Gained,
    MarketEmptied,
    NoGood,
    PieceLaid,
    Returned,
    SeedLost,
    Skipped,
    SkipReason,
    Source,
    TakenBack,
)
from engine.caravanserai.hexes import OFFSETS, Cell, moved
from engine.caravanserai.pieces import CAMEL, COLOUR_COUNT, COLOURS, LYING, PIECES, Piece
from engine.game import Event

_ENDINGS: Final = {
    Ending.MARKET: "The last round is over: the match ends.",
    Ending.ROUND_CAP: "Round 60 is over: the match ends.",
    Ending.STUCK: "Nobody can lay any more: the match ends.",
}

_LAYS: Final = (packing.CAMEL_STEP, packing.CONTINUE, packing.START, packing.LYING_STEP)

ENDING_WORDS: Final = {
    "MARKET": "the market is empty",
    "ROUND_CAP": "the last round is over",
    "STUCK": "nobody can lay",
}
"""Why a match ended, by the rules' own word."""


class _Laid(NamedTuple):
    """One piece as a step lays it."""

    piece: Piece
    size: int
    """Of its block; of a camel 1."""
    cell: Cell


def sentence(steps: Sequence[Step], names: Sequence[str]) -> Text:
    """Return the actions of a seat in one turn, without its subject."""
    by_kind: dict[int, list[Step]] = {}
    for step in steps:
        kind = packing.kind_of(step.action)
        by_kind.setdefault(packing.START if kind in _LAYS else kind, []).append(step)
    return Text("; ").join(_clause(kind, same, names) for kind, same in by_kind.items())


def _clause(kind: int, steps: Sequence[Step], names: Sequence[str]) -> Text:
    """Return the clause for steps of one kind."""
    setup = setup_of(own(steps[0].before))
    match kind:
        case packing.OPEN:
            return Text("opens ").append_text(place(setup, packing.cell_of(steps[0].action)))
        case packing.STEAL:
            colours = [own(step.before).steal for step in steps]
            goods = [colour_name(each) if each is not None else Text("a good") for each in colours]
            victims = [named(packing.victim_of(step.action), names) for step in steps]
            parts = [Text.assemble(good, " from ", seat) for good, seat in zip(goods, victims, strict=True)]
            return Text("takes ").append_text(listed(parts))
        case packing.SEED:
            seeds = [
                (COLOURS[packing.colour_of(step.action)], packing.cell_of(step.action)) for step in steps
            ]
            places = [colour_name(colour).append(f" at {cell}") for colour, cell in seeds]
            return Text("puts on the board ").append_text(listed(places))
        case _:
            pieces = [_laid(step) for step in steps]
            text = Text("lays ").append_text(listed([*_blocks(pieces)]))
            return text.append(" ").append_text(place(setup, pieces[-1].cell))


def _laid(step: Step) -> _Laid:
    seen, kind = own(step.before), packing.kind_of(step.action)
    head = seen.seats[step.seat].caravan[-1]
    cell = moved(head.cell, OFFSETS[packing.direction_of(step.action)])
    match kind:
        case packing.START:
            return _Laid(PIECES[packing.colour_of(step.action)], packing.size_of(step.action), cell)
        case packing.CONTINUE:
            return _Laid(head.piece, seen.placement.size if seen.placement is not None else 0, cell)
        case _:
            return _Laid(PIECES[CAMEL if kind == packing.CAMEL_STEP else LYING], 1, cell)


def _blocks(pieces: Iterable[_Laid]) -> Iterator[Text]:
    """Yield for example "3 red", "2 of 4 red" for what is not complete here, "a camel"."""
    for (piece, size), run in groupby(pieces, key=lambda laid: (laid.piece, laid.size)):
        number = len(list(run))
        if piece < COLOUR_COUNT:
            many = f"{number} " if number == size else f"{number} of {size} "
            yield Text(many).append_text(colour_name(COLOURS[piece]))
        else:
            yield Text("a lying camel" if piece is Piece.LYING else "a camel")


def news(steps: Sequence[Step], names: Sequence[str]) -> Iterator[Text]:
    """Yield what followed from the steps of one turn, a sentence each."""
    events = [event for step in steps for event in step.events]
    before, after = own(steps[0].before), own(steps[-1].after)
    for what, kinds in _MOVED.items():
        parts = [_moved(event) for event in events if isinstance(event, kinds)]
        if some := [part for part in parts if part is not None]:
            yield Text.assemble((f"{what}: ", QUIET), listed(some), ".")
    yield from _counts(events)
    for event in events:
        if isinstance(event, SeedLost):
            fewer = f"{counted(event.number, 'good')} fewer go{'es' * (event.number == 1)} to the board"
            yield Text(f"{fewer}: the market has none for a free inn.")
    if before.round > 0:
        yield from change("Length", lengths(before), lengths(after), names)
    if len(after.seats) == 1 and level_of(after) not in ("", level_of(before)):
        yield Text.assemble(("Level: ", QUIET), (level_of(after), "bold"), ".")
    yield from _course(events, names, solo=len(after.seats) == 1)


_MOVED: Final = {
    "Used from the board": (PieceLaid,),
    "Back to the market": (Returned,),
    "Earned": (Gained, NoGood),
}
"""What is said of goods, and the events that say it."""


def _moved(event: Event) -> Text | None:
    """Return what a good did; None for a piece that was not on the board."""
    match event:
        case PieceLaid(source=Source.BOARD):
            return colour_name(COLOURS[event.piece]).append(f" at {event.cell}")
        case Returned():
            return colour_name(event.colour).append(f" from {event.cell}")
        case Gained():
            return colour_name(event.colour).append(f" from the {event.source.value}")
        case NoGood():
            return Text.assemble("no ", colour_name(event.colour), ", which nobody has")
        case _:
            return None


def _counts(events: Sequence[Event]) -> Iterator[Text]:
    """Yield what was counted, and what came back for it."""
    counts = [event for event in events if isinstance(event, Counted)]
    returns = [event for event in events if isinstance(event, TakenBack)]
    for count, back in zip(counts, returns, strict=True):
        less = f" less {count.omitted} omitted" if count.omitted else ""
        laid = f"{counted(count.laid, 'piece')}{less}; back from the tail: "
        yield Text.assemble(("Count: ", QUIET), laid, _many(back.pieces), ".")


def _many(pieces: Sequence[Piece]) -> Text:
    """Return for example "2 white, 1 red and 3 camels"; the order of camels does not matter."""
    goods = Counter(piece for piece in pieces if piece < COLOUR_COUNT)
    some = [piece for piece in PIECES if goods[piece]]
    parts = [Text.assemble(f"{goods[piece]} ", colour_name(COLOURS[piece])) for piece in some]
    camels = len(pieces) - goods.total()
    return listed([*parts, Text(counted(camels, "camel"))] if camels else parts)


def _course(events: Iterable[Event], names: Sequence[str], *, solo: bool) -> Iterator[Text]:
    """Yield which seats are skipped, and how the match continues or ends."""
    for event in events:
        if isinstance(event, Skipped):
            why = "no camel is left" if event.reason is SkipReason.NO_CAMEL else "there is no room"
            yield Text.assemble(named(event.seat, names), f" is skipped: {why}.")
        elif isinstance(event, MarketEmptied):
            when = "this" if solo else f"round {event.round + 1}"
            yield Text(f"The market is empty: {when} is the last round.", style=LOUD)
        elif isinstance(event, Ended):
            yield Text(_ENDINGS[event.ending], style="bold")
