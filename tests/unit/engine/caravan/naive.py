"""The legal actions of a position once more, slowly, straight from the rules' text and from what a spectator sees."""

from engine.caravan import actions
from engine.caravan.observation import Observation


def naive_legal_actions(seen: Observation) -> list[int]:
    """All legal actions in the order of C22; the order comes from tuples of fields, not from packed ints."""
    found: list[tuple[int, ...]] = [(0,)]
    found += [(1, to) for to in _all_squares(seen) if seen.seats[_me(seen)].supply and _can_pay(seen, to)]
    found += [
        (2, at, to)
        for at in set(_empty(seen))
        for to in _all_squares(seen)
        if to != at and _can_pay(seen, to)
    ]
    if len(seen.seats[_me(seen)].laden_camels) + 1 <= seen.options.camels - 1:
        found += [(3, at) for at in set(_empty(seen)) if _good_lies_on(seen, at)]
        found += _steals(seen)
    found += _moves_of_goods(seen)
    return [_packed(fields) for fields in sorted(found)]


def _me(seen: Observation) -> int:
    return seen.seat_to_act


def _all_squares(seen: Observation) -> range:
    return range(seen.board.rows * seen.board.columns)


def _empty(seen: Observation) -> list[int]:
    return [camels.square for camels in seen.seats[_me(seen)].empty_camels]


def _squares_of_seat(seen: Observation, seat: int) -> set[int]:
    view = seen.seats[seat]
    return {camels.square for camels in view.empty_camels} | {camel.square for camel in view.laden_camels}


def _can_pay(seen: Observation, square: int) -> bool:
    taken = any(square in _squares_of_seat(seen, seat) for seat in range(len(seen.seats)))
    return seen.points >= (2 if taken else 1)


def _good_lies_on(seen: Observation, square: int) -> bool:
    return any(
        at == square and space.good is not None
        for at, space in zip(seen.board.goods_spaces, seen.goods_spaces, strict=True)
    )


def _steals(seen: Observation) -> set[tuple[int, ...]]:
    if not seen.seats[_me(seen)].theft_markers:
        return set()
    return {
        (4, camel.square, victim, camel.good)
        for victim, view in enumerate(seen.seats)
        for camel in view.laden_camels
        if victim != _me(seen) and not camel.protected and camel.square in _empty(seen)
    }


def _linked(seen: Observation, start: int) -> set[int]:
    """Squares of the own group, by walking from neighbour to neighbour (C13)."""
    own, reached, frontier = _squares_of_seat(seen, _me(seen)), {start}, [start]
    while frontier:
        row, column = divmod(frontier.pop(), seen.board.columns)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            square = r * seen.board.columns + c
            inside = 0 <= r < seen.board.rows and 0 <= c < seen.board.columns
            if inside and square in own and square not in reached:
                reached.add(square)
                frontier.append(square)
    return reached


def _moves_of_goods(seen: Observation) -> set[tuple[int, ...]]:
    return {
        (5, camel.square, camel.good, camel.protected, to)
        for camel in seen.seats[_me(seen)].laden_camels
        for to in _linked(seen, camel.square)
        if to in _empty(seen)
    }


def _packed(fields: tuple[int, ...]) -> int:
    match fields:
        case (1, to):
            return actions.place(to)
        case (2, at, to):
            return actions.move(at, to)
        case (3, at):
            return actions.pick_up(at)
        case (4, at, victim, good):
            return actions.steal(at, victim, good)
        case (5, at, good, protected, to):
            return actions.move_good(at, good, to, protected=bool(protected))
        case _:
            return actions.PASS_ACTION
