"""Caravan on a terminal: the board with goods, cities and camels, then the turn, the seats and the bag.

A square's number is the one at its row plus the one above its column. A camel is the number of its seat, a
laden one followed by two letters of its good, and by "!" if the good is protected.
"""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from arena.drawings.colours import badge_style, seat_style
from arena.drawings.wording import LONGEST_NAME, LOUD, QUIET, SCREEN, counted, named, seat_label, seat_title
from engine import game
from engine.caravan.board import Board
from engine.caravan.goods import GOODS, Good
from engine.caravan.observation import GoodsSpace, Observation, SeatView

_WIDTH: Final = 9
_HEIGHT: Final = 3
_MARGIN: Final = 5
"""Columns to the left of the board."""

_LINES: Final = "dim"
GOOD_STYLES: Final = (
    "red3",
    "steel_blue",
    "grey54",
    "dark_orange3",
    "dark_goldenrod",
    "magenta3",
    "spring_green4",
    "medium_purple3",
)
"""By kind of good; they can be read on dark and on light terminals."""

CITY_NAMES: Final = (
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

_SEAT_COLUMNS: Final = (("score", 6), ("supply", 8), ("theft", 7), ("demand", 8))
"""Titles and widths."""

ENDING_WORDS: Final = {
    "FINAL_DELIVERY": "a delivery with the bag empty",
    "NO_PROGRESS": "too many idle turns",
    "TURN_LIMIT": "the last turn is over",
}
"""Why a match ended, by the rules' own word."""


def drawn(observation: Observation, names: Sequence[str]) -> Text:
    """Return the position of Caravan, 76 columns wide on the classic board."""
    lines = [
        *_board_lines(observation),
        Text(),
        _turn_line(observation, names),
        _bag_line(observation),
        Text(),
        *_seat_lines(observation, names),
    ]
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def own(observation: object) -> Observation:
    """Return the observation, if it is one of Caravan. Raises TypeError."""
    return game.own(observation, Observation)


def name_of(good: Good) -> str:
    """Return the good in small letters."""
    return good.name.lower()


def _board_lines(observation: Observation) -> list[Text]:
    board = observation.board
    cells = [_cell(observation, square) for square in range(board.rows * board.columns)]
    numbers = "".join(f"{f'+{column}':^{_WIDTH + 1}}" for column in range(board.columns))
    lines = [Text(" " * (_MARGIN + 1) + numbers.rstrip(), style=QUIET), _rule(board, "┌", "┬", "┐")]
    for row in range(board.rows):
        first = row * board.columns
        for line in range(_HEIGHT):
            number = f"{first:>{_MARGIN - 2}}  " if line == _HEIGHT // 2 else " " * _MARGIN
            text = Text.assemble((number, QUIET), ("│", _LINES))
            for cell in cells[first : first + board.columns]:
                cell[line].truncate(_WIDTH, overflow="ellipsis", pad=True)
                text.append_text(cell[line]).append("│", style=_LINES)
            lines.append(text)
        lines.append(_rule(board, "├", "┼", "┤"))
    lines[-1] = _rule(board, "└", "┴", "┘")
    return lines


def _rule(board: Board, left: str, middle: str, right: str) -> Text:
    return Text(" " * _MARGIN + left + middle.join(["─" * _WIDTH] * board.columns) + right, style=_LINES)


def _cell(observation: Observation, square: int) -> list[Text]:
    """Return the lines of one square."""
    seats = enumerate(observation.seats)
    camels = Text(" ").join(camel for seat, view in seats for camel in _camels_of(seat, view, square))
    board = observation.board
    if square in board.goods_spaces:
        number = board.goods_spaces.index(square)
        return [*_space_lines(number, observation.goods_spaces[number]), camels]
    if square in board.cities:
        good = GOODS[board.cities.index(square)]
        style = GOOD_STYLES[good]
        return [
            Text(f"{CITY_NAMES[good]:<{_WIDTH}}", style=f"bold bright_white on {style}"),
            Text(f"◇ {name_of(good)}", style=style),
            camels,
        ]
    return [Text(), camels, Text()]


def _space_lines(number: int, space: GoodsSpace) -> list[Text]:
    markers = f"+{space.demand_markers}" if space.demand_markers else ""
    head = Text.assemble((f"({number + 1})", QUIET), (f"{markers:>{_WIDTH - 3}}", "bold"))
    if space.good is None:
        return [head, Text("-", style=QUIET)]
    return [head, Text(f"● {name_of(space.good)}", style=GOOD_STYLES[space.good])]


def _camels_of(seat: int, view: SeatView, square: int) -> list[Text]:
    badge = badge_style(seat)
    found = [Text(str(seat) * camels, style=badge) for at, camels in view.empty_camels if at == square]
    for at, good, protected in view.laden_camels:
        if at == square:
            camel = Text().append(str(seat), style=badge)
            camel.append(short_name(good), style=f"bold {GOOD_STYLES[good]}")
            found.append(camel.append("!" if protected else "", style=seat_style(seat)))
    return found


def short_name(good: Good) -> str:
    """Return the two letters of a good; of meat not the first ones, since "me" is who plays by hand."""
    return "mt" if good is Good.MEAT else name_of(good)[:2]


def _turn_line(observation: Observation, names: Sequence[str]) -> Text:
    text = Text.assemble((f"Turn {observation.turn}: ", "bold"))
    if observation.ending is not None:
        return text.append(f"the match has ended: {ENDING_WORDS[observation.ending.name]}", style="bold")
    text.append_text(named(observation.seat_to_act, names)[:LONGEST_NAME])
    text.append(f" to act with {counted(observation.points, 'point')} left")
    if observation.idle_turns:
        limit = observation.options.no_progress_turns
        text.append(f"; {observation.idle_turns} of {limit} idle turns", style=QUIET)
    return text


def _bag_line(observation: Observation) -> Text:
    if observation.ending is not None:
        return Text(f"Bag {sum(observation.bag)}", style=QUIET)
    if observation.end_armed:
        return Text("The bag is empty: the next delivery ends the match", style=LOUD)
    text = Text(f"Bag {sum(observation.bag)}: ")
    return text.append_text(_counts(observation.bag))


def _counts(counts: tuple[int, ...]) -> Text:
    """Return how many of each kind, without kinds of which there is none."""
    some = [
        Text(f"{counts[good]} {name_of(good)}", style=GOOD_STYLES[good]) for good in GOODS if counts[good]
    ]
    return Text(", ").join(some) if some else Text("-", style=QUIET)


def _seat_lines(observation: Observation, names: Sequence[str]) -> list[Text]:
    head = seat_title(names)
    head += "".join(f"{title:>{width}}" for title, width in _SEAT_COLUMNS) + "  delivered; carried"
    lines = [Text(head, style=QUIET)]
    for seat, view in enumerate(observation.seats):
        acts = seat == observation.seat_to_act and observation.ending is None
        line = seat_label(seat, names, acts=acts)
        values = (view.score, view.supply, view.theft_markers, view.demand_markers)
        for value, (title, width) in zip(values, _SEAT_COLUMNS, strict=True):
            line.append(f"{value:>{width}}", style="bold" if title == "score" else "")
        line.append("  ")
        line.append_text(_delivered(view))
        line.truncate(SCREEN, overflow="ellipsis")
        lines.append(line)
    return lines


def _delivered(view: SeatView) -> Text:
    """Return the goods delivered and carried as "2mt 1iv; go"."""
    some = [
        Text(f"{view.delivered[good]}{short_name(good)}", style=f"bold {GOOD_STYLES[good]}")
        for good in GOODS
        if view.delivered[good]
    ]
    text = Text(" ").join(some) if some else Text("-", style=QUIET)
    goods = [Text(short_name(camel.good), style=GOOD_STYLES[camel.good]) for camel in view.laden_camels]
    return Text.assemble(text, "; ", Text(" ").join(goods)) if goods else text
