"""Caravan as SVG: the board with goods, cities and camels, then the bag and a row for each seat."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, sqrt
from typing import Final, NamedTuple

from arena.drawings.caravan.board import CITY_NAMES, name_of, own, short_name
from arena.drawings.caravan.drawing import DRAWING
from arena.drawings.drawing import Step
from arena.drawings.wording import counted
from arena.pictures.panel import ROW_TITLE, seat_rows, turn_line
from arena.pictures.picture import WIDTH, GamePicture, Layer, Moment, Part, Picture
from arena.pictures.svg import arrow, badge, change, circle, element, number, rectangle, text, token, tooltip
from engine import game
from engine.caravan import actions as packing
from engine.caravan.board import Board
from engine.caravan.events import Delivered, EndArmed, Refill
from engine.caravan.goods import GOODS, Good
from engine.caravan.observation import Observation, SeatView
from engine.caravan.state import REFILL_AT

_TOP: Final = 52
_EDGE: Final = 12
_BAG_HEIGHT: Final = 92
_SEAT_HEIGHT: Final = 78
_CAMEL: Final = 13
"""Radius."""
_LOAD: Final = 34
"""Width of a camel's good."""


class CaravanPicture(GamePicture):
    """The position as a board of squares; a laden camel has its good beside it."""

    def draw(
        self,
        observation: object,
        names: Sequence[str] = (),
        moment: Moment | None = None,
        others: Sequence[object] = (),
    ) -> Picture:
        """Return the board, the bag, and what each seat has. Nothing of it is hidden, so `others` tell no more."""
        view = own(observation)
        squares = _Squares(view.board)
        parts = [
            turn_line(view.turn, view.seat_to_act, names, _task(view), over=view.ending is not None),
            *_goods_spaces(view, squares),
            *(Part(camel.id, camel.x, camel.y, camel.body) for camel in _camels(view, squares)),
            *_bag(view, squares.bottom),
            *_seats(view, names, squares.bottom + _BAG_HEIGHT, moment),
            *(_marks(moment, squares) if moment is not None else ()),
        ]
        height = squares.bottom + _BAG_HEIGHT + ROW_TITLE + _SEAT_HEIGHT * len(view.seats) + 6
        return Picture(
            height,
            _board(squares),
            tuple(parts),
            f"Caravan, turn {view.turn}. {DRAWING.standing(view, names)}",
        )

    def moments(self, step: Step) -> Sequence[Moment]:
        """Return the action, then the refill that it causes (C15)."""
        refills = tuple(event for event in step.events if isinstance(event, Refill | EndArmed))
        if not refills:
            return super().moments(step)
        rest = tuple(event for event in step.events if event not in refills)
        goods = "Refill: " + ", ".join(
            f"{name_of(good)} on ({own(step.after).board.goods_spaces.index(square) + 1})"
            for event in refills
            if isinstance(event, Refill)
            for square, good in event.drawn
        )
        armed = "; the bag is empty" if own(step.after).end_armed else ""
        before = _before_refill(own(step.after), refills)
        return (
            Moment(step, before, events=rest),
            Moment(step, step.after, acts=False, events=refills, caption=goods + armed),
        )


def _before_refill(view: Observation, refills: Iterable[game.Event]) -> Observation:
    """Return the position between an action and the refill that followed it."""
    spaces, bag = list(view.goods_spaces), list(view.bag)
    for event in refills:
        if isinstance(event, Refill):
            for square in event.marked:
                index = view.board.goods_spaces.index(square)
                spaces[index] = spaces[index]._replace(demand_markers=spaces[index].demand_markers - 1)
            for square, good in event.drawn:
                index = view.board.goods_spaces.index(square)
                spaces[index] = spaces[index]._replace(good=None)
                bag[good] += 1
    return view._replace(goods_spaces=tuple(spaces), bag=tuple(bag), end_armed=False)


def _task(view: Observation) -> str:
    if view.ending is not None:
        return f"over: {DRAWING.ending(view.ending.name)}"
    idle = f"; idle {view.idle_turns}/{view.options.no_progress_turns}" if view.idle_turns else ""
    return f"{counted(view.points, 'point')} left{idle}"


class _Squares:
    """Where the squares of a board lie."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.size = min(88.0, (WIDTH - 2 * _EDGE) / board.columns)
        self.left = (WIDTH - self.size * board.columns) / 2
        self.bottom = ceil(_TOP + self.size * board.rows + 8)

    def corner(self, square: int) -> tuple[float, float]:
        """Return the upper left corner of a square."""
        row, column = divmod(square, self.board.columns)
        return self.left + column * self.size, _TOP + row * self.size

    def middle(self, square: int) -> tuple[float, float]:
        """Return where an arrow begins or ends."""
        x, y = self.corner(square)
        return x + self.size / 2, y + self.size * 0.68


def _board(squares: _Squares) -> str:
    board, size = squares.board, squares.size
    drawn = []
    for square in range(board.rows * board.columns):
        x, y = squares.corner(square)
        if square in board.goods_spaces:
            drawn.append(rectangle(x + 2, y + 2, size - 4, size - 4, "place line", 8))
            drawn.append(
                text(x + 9, y + 24, f"({board.goods_spaces.index(square) + 1})", 18, style="ink bold")
            )
        elif square in board.cities:
            good = GOODS[board.cities.index(square)]
            drawn.append(rectangle(x + 2, y + 2, size - 4, size - 4, "field line", 8))
            drawn.append(_city(good, x, y, size))
        else:
            drawn.append(rectangle(x + 2, y + 2, size - 4, size - 4, "field line", 8))
            drawn.append(text(x + 9, y + 20, str(square), 16, style="quiet"))
    return "".join(drawn)


def _city(good: Good, x: float, y: float, size: float) -> str:
    """Return the sign of a city: its roof in the colour of the good that it takes."""
    left, right, top, bottom = number(x + 2), number(x + size - 10), number(y + 10), number(y + 48)
    roof = f"M{left} {bottom}V{top}q0 -8 8 -8H{right}q8 0 8 8V{bottom}Z"
    letters, middle, room = f"on-kind-{good}", x + size / 2, size - 16
    return element(
        "g",
        tooltip(f"{CITY_NAMES[good]} takes {name_of(good)}"),
        element("path", d=roof, class_=f"kind-{good} line"),
        text(
            middle, y + 22, CITY_NAMES[good], 16, style=letters, anchor="middle", width=size + 8, within=room
        ),
        text(middle, y + 41, name_of(good), 18, style=f"{letters} bold", anchor="middle", within=room),
    )


def _goods_spaces(view: Observation, squares: _Squares) -> Iterator[Part]:
    for index, space in enumerate(view.goods_spaces):
        x, y = squares.corner(view.board.goods_spaces[index])
        if space.demand_markers:
            yield Part(f"markers-{index + 1}", x + squares.size - 22, y + 18, _marker(space.demand_markers))
        if space.good is not None:
            yield Part(
                f"good-{index + 1}", x + squares.size / 2, y + 43, token(space.good, name_of(space.good), 70)
            )


def _marker(markers: int) -> str:
    """Return the demand markers of a goods space."""
    return element(
        "g",
        tooltip(f"{counted(markers, 'demand marker')} for who picks the good up"),
        circle(0, 0, 15, "paper edge"),
        text(0, 6, f"+{markers}", 18, style="ink bold", anchor="middle", within=24),
    )


class _Camel(NamedTuple):
    """A camel as it is drawn."""

    id: str
    x: float
    y: float
    body: str
    scale: float


def _camels(view: Observation, squares: _Squares) -> Iterator[_Camel]:
    for square in range(view.board.rows * view.board.columns):
        found = [camel for seat, seen in enumerate(view.seats) for camel in _camels_of(seat, seen, square)]
        if not found:
            continue
        x, y = squares.corner(square)
        top = 46 if square in view.board.cities else 58 if square in view.board.goods_spaces else 26
        places = _places([width for _, width, _ in found], squares.size - 8, squares.size - top - 4)
        for (name, _, body), (dx, dy, scale) in zip(found, places, strict=True):
            shown = body if scale == 1 else element("g", body, transform=f"scale({scale:.2f})")
            yield _Camel(name, x + 4 + dx, y + top + dy, shown, scale)


def _camels_of(seat: int, seen: SeatView, square: int) -> Iterator[tuple[str, float, str]]:
    """Yield id, width and body of each camel of a seat on a square."""
    for at, camels in seen.empty_camels:
        if at == square:
            for each in range(camels):
                yield f"camel-{seat}-{square}-{each}", 2 * _CAMEL + 2, badge(seat, _CAMEL)
    laden = [camel for camel in seen.laden_camels if camel.square == square]
    for each, (_, good, guarded) in enumerate(laden):
        style = "guarded" if guarded else "edge"
        load = token(good, short_name(good), _LOAD, 24, style)
        body = element("g", badge(seat, _CAMEL), transform=f"translate({number(-_LOAD / 2)} 0)") + element(
            "g",
            tooltip(f"{name_of(good)}, protected" if guarded else name_of(good)),
            load,
            transform=f"translate({number(_CAMEL)} 0)",
        )
        yield f"laden-{seat}-{square}-{each}", 2 * _CAMEL + _LOAD + 2, body


def _places(widths: Sequence[float], width: float, height: float) -> Iterator[tuple[float, float, float]]:
    """Yield the centre and the scale of things so wide, in rows within a box."""
    row_height = 2 * _CAMEL + 2
    rows: list[list[float]] = []
    scale = min(1.0, sqrt(width * height / (sum(widths) * row_height)))
    while True:
        rows = [[]]
        for each in widths:
            if rows[-1] and sum(rows[-1]) + each > width / scale:
                rows.append([])
            rows[-1].append(each)
        if max(max(map(sum, rows)) / width, len(rows) * row_height / height) * scale <= 1:
            break
        scale *= 0.95
    top = (height - len(rows) * row_height * scale) / 2
    for index, row in enumerate(rows):
        left = (width - sum(row) * scale) / 2
        for each in row:
            yield left + each * scale / 2, top + (index + 0.5) * row_height * scale, scale
            left += each * scale


def _bag(view: Observation, top: float) -> Iterator[Part]:
    last = view.end_armed and view.ending is None
    label = "The bag is empty: the next delivery ends the match" if last else _bag_label(view)
    yield Part("bag", _EDGE, top + 26, text(0, 0, label, 20, style="loud bold" if last else "ink bold"))
    width = (WIDTH - 2 * _EDGE) / len(GOODS)
    for good in GOODS:
        body = (
            token(good, f"{view.bag[good]} {name_of(good)}", width - 4)
            if view.bag[good]
            else _none(good, width)
        )
        yield Part(f"bag-{name_of(good)}", _EDGE + (good + 0.5) * width, top + 56, body)


def _bag_label(view: Observation) -> str:
    """Return what is in the bag, and when the next refill comes (C15), the last of which arms the end (C17)."""
    left = sum(view.bag)
    if view.ending is not None or not left:
        return f"Bag {left}"
    lie = sum(space.good is not None for space in view.goods_spaces)
    after = f"after {counted(lie - REFILL_AT, 'pick-up')}" if lie > REFILL_AT else "comes now"
    return f"Bag {left}: {'the last' if left <= REFILL_AT else 'the next'} refill {after}"


def _none(good: Good, width: float) -> str:
    return rectangle(2 - width / 2, -13, width - 4, 26, "field line", 6) + text(
        0, 6, f"0 {name_of(good)}", 16, style="quiet", anchor="middle", within=width - 12
    )


def _seats(view: Observation, names: Sequence[str], top: float, moment: Moment | None) -> Iterator[Part]:
    columns = {
        "score": [seat.score for seat in view.seats],
        "supply": [seat.supply for seat in view.seats],
        "theft": [seat.theft_markers for seat in view.seats],
        "demand": [seat.demand_markers for seat in view.seats],
    }
    before = own(moment.step.before).seats if moment is not None and moment.acts else view.seats
    old = {
        "score": [seat.score for seat in before],
        "supply": [seat.supply for seat in before],
        "theft": [seat.theft_markers for seat in before],
        "demand": [seat.demand_markers for seat in before],
    }
    acts = None if view.ending is not None else view.seat_to_act
    yield from seat_rows(columns, old, names, top=top, height=_SEAT_HEIGHT, acts=acts)
    for seat, seen in enumerate(view.seats):
        y = top + ROW_TITLE + _SEAT_HEIGHT * seat + 56
        yield Part(f"delivered-{seat}", 56, y + 6, text(0, 0, "delivered", 16, style="quiet"))
        found = [good for good in GOODS if seen.delivered[good]]
        for place, good in enumerate(found):
            label = f"{seen.delivered[good]} {short_name(good)}"
            yield Part(f"delivered-{seat}-{name_of(good)}", 170 + place * 58, y, token(good, label, 54))


def _marks(moment: Moment, squares: _Squares) -> Iterator[Part]:
    for event in moment.events:
        if isinstance(event, Refill):
            for square, _ in event.drawn:
                x, y = squares.corner(square)
                yield Part(f"drawn-{square}", x + squares.size / 2, y + 43, _ring(74, 30), Layer.MARKS)
            for square in event.marked:
                x, y = squares.corner(square)
                yield Part(
                    f"marked-{square}", x + squares.size - 22, y + 18, circle(0, 0, 18, "ring"), Layer.MARKS
                )
    if not moment.acts:
        return
    action = moment.step.action
    kind, at, to = packing.kind_of(action), packing.at_of(action), packing.to_of(action)
    if kind in (packing.MOVE, packing.MOVE_GOOD):
        body = arrow((0, 0), _difference(squares.middle(at), squares.middle(to)))
        yield Part("arrow", *squares.middle(at), body, Layer.MARKS)
        yield _ghost(moment.step, squares)
    if kind != packing.PASS:
        shown = at if kind in (packing.PICK_UP, packing.STEAL) else to
        x, y = squares.corner(shown)
        ring = rectangle(3, 3, squares.size - 6, squares.size - 6, "ring", 8)
        yield Part("changed", x, y, ring, Layer.MARKS)
    for event in moment.events:
        if isinstance(event, Delivered):
            x, y = squares.corner(to)
            gain = own(moment.after).seats[event.seat].score - own(moment.step.before).seats[event.seat].score
            yield Part("delivery", x + squares.size / 2, y - 2, change(gain), Layer.MARKS)


def _ghost(step: Step, squares: _Squares) -> Part:
    """Return what an action has moved, a camel or a good, where it was before."""
    before, at = own(step.before), packing.at_of(step.action)
    camels = {camel.id: camel for camel in _camels(before, squares)}
    if packing.kind_of(step.action) == packing.MOVE:
        (here,) = (number for square, number in before.seats[step.seat].empty_camels if square == at)
        moved = camels[f"camel-{step.seat}-{at}-{here - 1}"]
        return Part("ghost", moved.x, moved.y, element("g", moved.body, class_="ghost"), Layer.TRACES)
    good = GOODS[packing.good_of(step.action)]
    loads = [camel.good for camel in before.seats[step.seat].laden_camels if camel.square == at]
    laden = camels[f"laden-{step.seat}-{at}-{loads.index(good)}"]
    load = token(good, short_name(good), _LOAD, 24)
    body = element("g", load, class_="ghost", transform=f"scale({laden.scale:.2f})")
    return Part("ghost", laden.x + _CAMEL * laden.scale, laden.y, body, Layer.TRACES)


def _ring(width: float, height: float) -> str:
    return rectangle(-width / 2, -height / 2, width, height, "ring", 8)


def _difference(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    return end[0] - start[0], end[1] - start[1]


PICTURE: Final = CaravanPicture()
