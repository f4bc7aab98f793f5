"""Caravan on a terminal: the board with goods, cities and camels, then the turn, the seats and the bag.

A square's number is the one at its row plus the one above its column. A camel is the number of its seat, a
laden one followed by two letters of its good, and by "!" if the good is protected.
"""

from __future__ import annotations

from typing import Final

from rich.text import Text

from engine.caravan.board import Board
from engine.caravan.goods import GOODS, POINTS, Good
from engine.caravan.observation import GoodsSpace, Observation, SeatView

_WIDTH: Final = 9
_HEIGHT: Final = 3
_MARGIN: Final = 5
"""Columns to the left of the board."""

_LINES: Final = "dim"
_QUIET: Final = "dim"
_SEAT_STYLES: Final = ("bold cyan", "bold yellow", "bold green", "bold magenta")
_GOOD_STYLES: Final = ("red", "blue", "white", "dark_orange3", "bright_white", "purple", "green3", "pink1")
_CITY_NAMES: Final = (
    "Taghaza",
    "Sijilmasa",
    "Taoudenni",
    "Walata",
    "Marrakesh",
    "Awlil",
    "Agadez",
    "Timbuktu",
)
"""By kind of good."""

_SEAT_COLUMNS: Final = ("score", "supply", "theft", "demand")


def draw(observation: object) -> Text:
    """The position of Caravan, 76 columns wide on the classic board."""
    if not isinstance(observation, Observation):
        raise TypeError(f"an Observation of Caravan is needed, not {type(observation).__name__}")
    lines = [
        *_board_lines(observation),
        Text(),
        _turn_line(observation),
        _bag_line(observation),
        Text(),
        *_seat_lines(observation),
    ]
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def _name(good: Good) -> str:
    return good.name.lower()


def _board_lines(observation: Observation) -> list[Text]:
    board = observation.board
    cells = [_cell(observation, square) for square in range(board.rows * board.columns)]
    lines = [_column_numbers(board), _rule(board, "┌", "┬", "┐")]
    for row in range(board.rows):
        first = row * board.columns
        for line in range(_HEIGHT):
            number = f"{first:>{_MARGIN - 2}}  " if line == _HEIGHT // 2 else " " * _MARGIN
            text = Text(number, style=_QUIET).append("│", style=_LINES)
            for cell in cells[first : first + board.columns]:
                text.append_text(_padded(cell[line])).append("│", style=_LINES)
            lines.append(text)
        lines.append(_rule(board, "├", "┼", "┤"))
    lines[-1] = _rule(board, "└", "┴", "┘")
    return lines


def _column_numbers(board: Board) -> Text:
    numbers = "".join(f"{f'+{column}':^{_WIDTH + 1}}" for column in range(board.columns))
    return Text(" " * (_MARGIN + 1) + numbers.rstrip(), style=_QUIET)


def _rule(board: Board, left: str, middle: str, right: str) -> Text:
    return Text(" " * _MARGIN + left + middle.join(["─" * _WIDTH] * board.columns) + right, style=_LINES)


def _padded(text: Text) -> Text:
    """Exactly one cell wide, cut with an ellipsis if need be."""
    text.truncate(_WIDTH, overflow="ellipsis", pad=True)
    return text


def _cell(observation: Observation, square: int) -> list[Text]:
    """The lines of one square."""
    camels = _camels(observation, square)
    board = observation.board
    if square in board.goods_spaces:
        number = board.goods_spaces.index(square)
        return [*_space_lines(number, observation.goods_spaces[number]), camels]
    if square in board.cities:
        good = GOODS[board.cities.index(square)]
        style = _GOOD_STYLES[good]
        return [
            Text(_CITY_NAMES[good], style=f"bold {style}"),
            Text(f"◇ {_name(good)}", style=style),
            camels,
        ]
    return [Text(), camels, Text()]


def _space_lines(number: int, space: GoodsSpace) -> list[Text]:
    markers = f"+{space.demand_markers}" if space.demand_markers else ""
    head = Text(f"({number + 1})", style=_QUIET).append(f"{markers:>{_WIDTH - 3}}", style="bold")
    if space.good is None:
        return [head, Text("-", style=_QUIET)]
    return [head, Text(f"● {_name(space.good)}", style=_GOOD_STYLES[space.good])]


def _camels(observation: Observation, square: int) -> Text:
    found = [camel for seat, view in enumerate(observation.seats) for camel in _camels_of(seat, view, square)]
    return Text(" ").join(found)


def _camels_of(seat: int, view: SeatView, square: int) -> list[Text]:
    style = _SEAT_STYLES[seat]
    found = [Text(str(seat) * camels, style=style) for at, camels in view.empty_camels if at == square]
    for at, good, protected in view.laden_camels:
        if at == square:
            camel = Text(str(seat), style=style).append(_name(good)[:2], style=f"bold {_GOOD_STYLES[good]}")
            found.append(camel.append("!" if protected else "", style=style))
    return found


def _turn_line(observation: Observation) -> Text:
    text = Text(f"Turn {observation.turn}: ", style="bold")
    if observation.ending is not None:
        return text.append(f"the match has ended, {observation.ending.name}", style="bold")
    points = "1 point" if observation.points == 1 else f"{observation.points} points"
    text.append(f"seat {observation.seat_to_act}", style=_SEAT_STYLES[observation.seat_to_act])
    text.append(f" to act with {points} left")
    if observation.idle_turns:
        limit = observation.options.no_progress_turns
        text.append(f"; idle turns before: {observation.idle_turns} of {limit}", style=_QUIET)
    return text


def _bag_line(observation: Observation) -> Text:
    if observation.end_armed:
        return Text("The bag is empty: the next delivery ends the match", style="bold red")
    text = Text(f"Bag {sum(observation.bag)}: ")
    return text.append_text(_counts(observation.bag))


def _counts(counts: tuple[int, ...]) -> Text:
    """How many of each kind, without kinds of which there is none."""
    some = [
        Text(f"{count} {_name(good)}", style=_GOOD_STYLES[good])
        for good, count in zip(GOODS, counts, strict=True)
        if count
    ]
    return Text(", ").join(some) if some else Text("-", style=_QUIET)


def _seat_lines(observation: Observation) -> list[Text]:
    head = "  seat" + "".join(f"{title:>8}" for title in _SEAT_COLUMNS) + "  delivered, carried"
    lines = [Text(head, style=_QUIET)]
    for seat, view in enumerate(observation.seats):
        acts = seat == observation.seat_to_act and observation.ending is None
        line = Text("▶ " if acts else "  ", style=_SEAT_STYLES[seat])
        line.append(f"{seat:>4}", style=_SEAT_STYLES[seat]).append(f"{view.score:>8}", style="bold")
        line.append(f"{view.supply:>8}{view.theft_markers:>8}{view.demand_markers:>8}  ")
        points = sum(count * value for count, value in zip(view.delivered, POINTS, strict=True))
        line.append_text(_counts(view.delivered)).append(f" = {points}" if points else "", style="bold")
        line.append_text(_carried(view))
        lines.append(line)
    return lines


def _carried(view: SeatView) -> Text:
    if not view.laden_camels:
        return Text()
    goods = [Text(_name(camel.good), style=_GOOD_STYLES[camel.good]) for camel in view.laden_camels]
    return Text("; carries ").append_text(Text(", ").join(goods))
