"""Caravanserai for people: the board, the question, the reserves and the market, and turns in plain words."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from arena.drawings.caravanserai import board, words
from arena.drawings.caravanserai.symbols import (
    arrow_of,
    colour_name,
    good_mark,
    inn_at,
    is_last_round,
    last_round,
    lengths,
    level_of,
    own,
    piece_mark,
    setup_of,
)
from arena.drawings.colours import badge_style
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import (
    LONGEST_NAME,
    LOUD,
    QUIET,
    SCREEN,
    counted,
    named,
    overtaken,
    ranked,
    seat_label,
    seat_title,
)
from engine.caravanserai.game import LEVELS
from engine.caravanserai.observation import Decision, Observation, Placement, SeatView
from engine.caravanserai.pieces import COLOURS, Piece

_COLUMNS: Final = (("length", 7), ("reserve", 9), ("camels", 8))
"""Titles and widths."""

_GOODS: Final = 3
"""Width of the column of one colour."""


def _table_lines(observation: Observation, names: Sequence[str]) -> list[Text]:
    """Return the lines of the table, always as many in one match."""
    lines = [
        _round_line(observation, names),
        _laid_line(observation, names),
        _end_line(observation),
        Text(),
        _title(names),
        *(_seat_line(observation, seat, names) for seat in range(len(observation.seats))),
        _market_line(observation, names),
    ]
    for line in lines:
        line.truncate(SCREEN, overflow="ellipsis")
    return lines


def _reserve(view: SeatView) -> int:
    return view.camels + sum(view.goods)


def _round_line(observation: Observation, names: Sequence[str]) -> Text:
    text = Text("Opening: " if observation.round == 0 else f"Round {observation.round}: ", style="bold")
    if observation.ending is not None or observation.seat_to_act is None:
        why = f": {words.ENDING_WORDS[observation.ending.name]}" if observation.ending is not None else ""
        return text.append(f"the match has ended{why}")
    name = named(observation.seat_to_act, names)[:LONGEST_NAME]
    return Text.assemble(text, name, " to ", _asked(observation))


def _asked(observation: Observation) -> Text:
    """Return the question to the seat."""
    match observation.decision:
        case Decision.OPEN_CELL:
            return Text("open on an inn of an outer tile")
        case Decision.STEAL_FROM if observation.steal is not None:
            return Text("take a ").append_text(colour_name(observation.steal)).append(" good from a reserve")
        case Decision.SEED_GOOD:
            return Text(f"put {counted(observation.seeds, 'good')} on the board")
        case _:
            return _step_asked(observation)


def _step_asked(observation: Observation) -> Text:
    placement = observation.placement
    if placement is None or not placement.pieces:
        return Text("begin a placement")
    way = f", {_way(observation, placement)}"
    if placement.missing:
        colour = COLOURS[placement.pieces[-1]]
        return Text(f"lay {placement.missing} more ").append_text(colour_name(colour)).append(way)
    return Text(f"end with a camel or go on with size {placement.size + 1}").append(way)


def _way(observation: Observation, placement: Placement) -> str:
    """Return where the next piece may go (S19). Some are laid."""
    head = observation.seats[observation.seat_to_act or 0].caravan[-1]
    if head.piece is Piece.LYING or inn_at(setup_of(observation), head.cell) is not None:
        return "any way"
    return f"going {arrow_of(placement.direction or 0)}"


def _laid_line(observation: Observation, names: Sequence[str]) -> Text:
    if observation.ending is not None:
        return Text.assemble(("Standing: ", QUIET), _standing(observation, names))
    placement = observation.placement
    if placement is None or not placement.pieces:
        return Text("Laid: -", style=QUIET)
    seat = observation.seat_to_act or 0
    text = Text("Laid: ")
    for piece, run in groupby(placement.pieces):
        for _ in run:
            text.append_text(piece_mark(piece, seat))
        text.append(" ")
    text.right_crop(1)
    text.append("·" * placement.missing)
    if placement.declined:
        text.append(f"; {counted(len(placement.declined), 'loose good')} declined")
    return text


def _end_line(observation: Observation) -> Text:
    """Return how near the end is."""
    solo = len(observation.seats) == 1
    text = _level_line(observation) if solo else _turn_order(observation)
    if observation.trigger is None or observation.ending is not None:
        return text
    if is_last_round(observation):
        return text.append("   The market was emptied: this is the last round", style=LOUD)
    return text.append(f"   The market was emptied: round {last_round(observation)} is the last", style=LOUD)


def _level_line(observation: Observation) -> Text:
    text = Text.assemble(("Level: ", QUIET), level_of(observation) or "-")
    higher = [(length, name) for length, name in reversed(LEVELS) if length > lengths(observation)[0]]
    if higher:
        text.append(f"; {higher[0][1]} from {higher[0][0]}", style=QUIET)
    return text


def _turn_order(observation: Observation) -> Text:
    seats = len(observation.seats)
    order = [(observation.first + place) % seats for place in range(seats)]
    text = Text.assemble(("Turn order ", QUIET))
    for seat in order:
        text.append(f"{seat}", style=badge_style(seat)).append(" ")
    text.right_crop(1)
    return text


def _title(names: Sequence[str]) -> Text:
    head = seat_title(names) + "".join(f"{title:>{width}}" for title, width in _COLUMNS)
    text = Text.assemble((head, QUIET))
    for colour in COLOURS:
        text.append(" " * (_GOODS - 1)).append_text(good_mark(colour))
    return text.append("  caravan, tail first", style=QUIET)


def _seat_line(observation: Observation, seat: int, names: Sequence[str]) -> Text:
    view = observation.seats[seat]
    line = seat_label(seat, names, acts=seat == observation.seat_to_act)
    for value, (title, width) in zip(
        (lengths(observation)[seat], _reserve(view), view.camels), _COLUMNS, strict=True
    ):
        line.append(f"{value:>{width}}", style="bold" if title == "length" else "")
    line.append_text(_goods(view.goods)).append("  ")
    for _, piece in view.caravan:
        line.append_text(piece_mark(piece, seat))
    return line


def _market_line(observation: Observation, names: Sequence[str]) -> Text:
    widths = dict(_COLUMNS)
    head = f"{'  market':<{len(seat_label(0, names, acts=False)) + widths['length']}}"
    line = Text(f"{head}{sum(observation.market):>{widths['reserve']}}{'':{widths['camels']}}")
    return line.append_text(_goods(observation.market))


def _goods(counts: Sequence[int]) -> Text:
    """Return how many of each colour; there may be none."""
    text = Text()
    for count in counts:
        text.append(f"{count or '-':>{_GOODS}}", style="" if count else QUIET)
    return text


def _standing(observation: Observation, names: Sequence[str]) -> Text:
    """Return the lengths, the best first, equal ones as S42 ranks them; in solo with the level."""
    seats, first = observation.seats, observation.first
    keys = [
        (length, _reserve(view), (seat - first) % len(seats))
        for seat, (view, length) in enumerate(zip(seats, lengths(observation), strict=True))
    ]
    return ranked(keys, names, [level_of(observation)] if len(keys) == 1 else ())


_ROUNDS: Final = 5
"""The number of rounds after which the board is shown again."""


class CaravanseraiDrawing(Drawing):
    """The position as a board of cells with caravans, inns and loose goods; a turn as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the board and its legend, the question, and what each seat and the market have."""
        seen = own(observation)
        lines = [
            *board.board_lines(seen),
            *board.legend_lines(seen),
            Text(),
            *_table_lines(seen, names),
        ]
        return Text("\n", no_wrap=True, overflow="ignore").join(lines)

    def turn(self, observation: object) -> int:
        """Return the round, 0 in the opening: every seat has one turn in each (S15)."""
        return own(observation).round

    def heading(self, observation: object) -> str:
        """Return for example "length 9, 4 camels in the reserve"."""
        seen = own(observation)
        if seen.round == 0 or seen.seat_to_act is None:
            return "opening"
        length = lengths(seen)[seen.seat_to_act]
        camels = counted(seen.seats[seen.seat_to_act].camels, "camel")
        last = ", last round" if is_last_round(seen) else ""
        return f"length {length}, {camels} in the reserve{last}"

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return "lays 1 red, 2 white and a camel on the black inn at (3,-2); takes black from bert" or the like."""
        return words.sentence(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return earnings, counts, taken-back pieces, lengths, the lead, skipped seats, and that the end is near."""
        return list(words.news(steps, names)) if steps else []

    def ending(self, name: str) -> str:
        """Return for example "the market is empty"."""
        return words.ENDING_WORDS.get(name, name)

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return the lengths, the best first; in solo with the level."""
        return _standing(own(observation), names)

    def is_moment(self, before: object, after: object) -> bool:
        """Return whether the opening or five rounds ended, leader or level changed, or the market was emptied."""
        old, new = own(before), own(after)
        opened = old.round == 0 and new.round > 0
        rounds = new.round // _ROUNDS > old.round // _ROUNDS
        emptied = old.trigger is None and new.trigger is not None
        risen = len(new.seats) == 1 and level_of(old) != level_of(new)
        return opened or rounds or emptied or risen or overtaken(lengths(old), lengths(new))


DRAWING: Final = CaravanseraiDrawing()
