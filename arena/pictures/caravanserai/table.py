"""What lies beside the board of Caravanserai: what is being laid, the market, and the reserve of each seat."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from arena.drawings.caravanserai.drawing import DRAWING
from arena.drawings.caravanserai.symbols import is_last_round, last_round, lengths, level_of, setup_of
from arena.drawings.wording import counted
from arena.pictures.caravanserai.board import KINDS, cells_of
from arena.pictures.panel import ROW_TITLE, seat_rows
from arena.pictures.picture import WIDTH, Layer, Part
from arena.pictures.svg import change, element, rectangle, text, token, tooltip
from engine.caravanserai.counting import omitted_pieces
from engine.caravanserai.game import CARAVANSERAI, LEVELS
from engine.caravanserai.observation import Decision, Observation
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_LETTERS, COLOURS, PIECE_LETTERS, Piece
from engine.randomness import Stream

SEAT_HEIGHT: Final = 72
MARKET_HEIGHT: Final = 62

_EDGE: Final = 12
_GOODS: Final = 116
"""Left edge of the goods of the market and of reserves."""
_SLOT: Final = 103
"""Width for the goods of one colour."""
_TOKEN: Final = 52
_LAID: Final = 64
"""Centre of the line of pieces that are being laid."""
_BLOCKS: Final = 64
"""Left edge of the blocks on that line."""
_LAID_WIDTH: Final = 330
_LEVEL_HEIGHT: Final = 34


def task(seen: Observation) -> str:
    """Return what is asked, or how the match has ended."""
    placement = seen.placement
    match seen.decision:
        case None:
            return (
                f"over: {DRAWING.ending(seen.ending.name)}"
                if seen.ending is not None
                else "the match is over"
            )
        case Decision.OPEN_CELL:
            return "opens on an outer tile"
        case Decision.STEAL_FROM if seen.steal is not None:
            return f"takes a {seen.steal.name.lower()} good"
        case Decision.SEED_GOOD:
            return f"{counted(seen.seeds, 'good')} to the board"
        case _ if placement is None or not placement.pieces:
            return "begins to lay"
        case _ if placement.pieces[-1] is Piece.CAMEL:
            return "counts what is laid"
        case _ if placement.missing:
            return f"lays {placement.missing} more {COLOURS[placement.pieces[-1]].name.lower()}"
        case _:
            return f"a camel, or {placement.size + 1} goods"


def laid(seen: Observation) -> Iterator[Part]:
    """Yield the blocks of the placement that is under way, and which round is the last."""
    if seen.trigger is not None and seen.ending is None:
        note = "the last round" if is_last_round(seen) else f"last round: {last_round(seen)}"
        yield Part("end", WIDTH - _EDGE, _LAID + 6, text(0, 0, note, 18, style="loud bold", anchor="end"))
    placement = seen.placement
    if placement is None or not placement.pieces:
        return
    yield Part("laid", _EDGE, _LAID + 6, text(0, 0, "Laid", 18, style="quiet"))
    blocks = [list(run) for _, run in groupby(enumerate(placement.pieces), key=lambda each: each[1])]
    step = min(_TOKEN + 4, _LAID_WIDTH / len(blocks))
    for number, block in enumerate(blocks):
        missing = placement.missing if number == len(blocks) - 1 else 0
        declined = any(index in placement.declined for index, _ in block)
        body = _block(block[0][1], len(block), missing, step - 4, declined=declined)
        yield Part(f"laid-{number}", _BLOCKS + step * (number + 0.5), _LAID, body)
    count = text(0, 0, f"count {_count(seen)}", 18, style="quiet")
    yield Part("count", _BLOCKS + step * len(blocks) + 8, _LAID + 6, count)


def _count(seen: Observation) -> int:
    """Return how many pieces would be taken back if the placement were over (S32)."""
    position = CARAVANSERAI.from_observation(seen, Stream(bytes(32)))
    return position.laid - omitted_pieces(position)


def _block(piece: Piece, laid: int, missing: int, width: float, *, declined: bool) -> str:
    """Return for example "2 R" around the origin, "1/2 R" as long as one is missing."""
    if piece >= COLOUR_COUNT:
        what = "lying camel" if piece is Piece.LYING else "camel"
        box = rectangle(-width / 2, -12, width, 24, "paper edge", 12)
        return element("g", tooltip(what), box, text(0, 6, PIECE_LETTERS[piece], 17, anchor="middle"))
    number = f"{laid}/{laid + missing}" if missing else f"{laid}"
    title = f"{number} {COLOURS[piece].name.lower()}" + (", a loose good declined" if declined else "")
    label = f"{number} {COLOUR_LETTERS[piece]}"
    return element(
        "g", tooltip(title), token(KINDS[piece], label, width, 24, "guarded" if declined else "edge")
    )


def level(seen: Observation) -> str:
    """Return the level in solo and the one above it (S43)."""
    length = lengths(seen)[0]
    higher = [(least, name) for least, name in reversed(LEVELS) if least > length]
    reached = level_of(seen) or "none"
    return f"Level: {reached}" + (f"; {higher[0][1]} from {higher[0][0]}" if higher else "")


def tables_top(seen: Observation) -> int:
    """Return the upper edge of the market."""
    return cells_of(setup_of(seen).tables).bottom


def height(seen: Observation) -> int:
    """Return the height of the picture."""
    solo = _LEVEL_HEIGHT if len(seen.seats) == 1 else 0
    return _seats_top(seen) + ROW_TITLE + SEAT_HEIGHT * len(seen.seats) + solo + 6


def _seats_top(seen: Observation) -> int:
    return tables_top(seen) + MARKET_HEIGHT


def seat_at(seen: Observation, seat: int) -> tuple[float, float]:
    """Return where the piece of a seat's row lies."""
    return 32, _seats_top(seen) + ROW_TITLE + SEAT_HEIGHT * seat + 22


def goods_at(seen: Observation, seat: int, colour: int) -> tuple[float, float]:
    """Return the centre of a seat's goods of a colour."""
    return _goods_x(colour), seat_at(seen, seat)[1] + 30


def _goods_x(colour: int) -> float:
    return _GOODS + _SLOT * colour + _TOKEN / 2


def market(seen: Observation, before: Observation) -> Iterator[Part]:
    """Yield the goods of the market, by colour."""
    top = tables_top(seen)
    yield Part(
        "market-field", 0, top, rectangle(4, 0, WIDTH - 8, MARKET_HEIGHT - 4, "field line", 8), Layer.TRACES
    )
    yield Part("market-title", _EDGE, top + 26, text(0, 0, "Market", 18, style="ink bold"))
    yield Part("market", _EDGE, top + 50, text(0, 0, counted(sum(seen.market), "good"), 18))
    yield from _goods("market", seen.market, before.market, top + 20)
    for colour in COLOURS:
        x = _goods_x(colour)
        name = text(0, 0, colour.name.lower(), 16, style="quiet", anchor="middle")
        yield Part(f"colour-{COLOUR_LETTERS[colour]}", x, top + 51, name)


def _goods(owner: str, goods: Sequence[int], before: Sequence[int], y: float) -> Iterator[Part]:
    """Yield how many goods of each colour, and by how much that has changed."""
    for colour in COLOURS:
        count, old, letter = goods[colour], before[colour], COLOUR_LETTERS[colour]
        x = _goods_x(colour)
        label = f"{count} {letter}"
        body = token(KINDS[colour], label, _TOKEN, 24) if count else _none(label)
        yield Part(f"{owner}-{letter}", x, y, body)
        if count != old:
            yield Part(f"{owner}-{letter}-change", x + _TOKEN - 4, y, change(count - old), Layer.MARKS)


def _none(label: str) -> str:
    return rectangle(-_TOKEN / 2, -12, _TOKEN, 24, "field line", 6) + text(
        0, 6, label, 16, style="quiet", anchor="middle"
    )


def seats(seen: Observation, before: Observation, names: Sequence[str]) -> Iterator[Part]:
    """Yield the row of each seat with its reserve."""
    top = _seats_top(seen)
    yield from seat_rows(
        _columns(seen), _columns(before), names, top=top, height=SEAT_HEIGHT, acts=seen.seat_to_act
    )
    for seat, (view, old) in enumerate(zip(seen.seats, before.seats, strict=True)):
        x, y = seat_at(seen, seat)
        yield from _goods(f"goods-{seat}", view.goods, old.goods, y + 30)
        if seat == seen.first and len(seen.seats) > 1:
            first = element(
                "g", tooltip("begins each round"), text(0, 0, "first", 16, style="quiet", anchor="middle")
            )
            yield Part("first", x + 2, y + 36, first)
    if len(seen.seats) == 1:
        line = text(0, 0, level(seen), 18, style="ink bold", width=WIDTH - 2 * _EDGE)
        yield Part("level", _EDGE, height(seen) - 16, line)


def _columns(seen: Observation) -> dict[str, list[int]]:
    return {
        "length": lengths(seen),
        "reserve": [view.camels + sum(view.goods) for view in seen.seats],
        "camels": [view.camels for view in seen.seats],
    }
