"""Turns of Caravan in plain words. Squares go by the names of their cities and spaces where they have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from arena.drawings.caravan_board import CITY_NAMES, GOOD_STYLES, name_of, named, own
from arena.drawings.drawing import Step
from engine.caravan import actions as packing
from engine.caravan.board import Board
from engine.caravan.events import Delivered, EndArmed, Refill
from engine.caravan.goods import GOODS, POINTS, Good
from engine.caravan.observation import Observation

_QUIET: Final = "dim"


def sentence(steps: Sequence[Step], names: Sequence[str]) -> Text:
    """What a seat did in one turn, its subject left out."""
    clauses: list[Text] = []
    for kind, same in groupby(steps, key=lambda step: packing.kind_of(step.action)):
        clauses += _clauses(kind, list(same), names)
    return _listed(clauses)


def _clauses(kind: int, steps: list[Step], names: Sequence[str]) -> Iterator[Text]:
    """Steps of one kind, one after the other; places and moves become one clause."""
    board = own(steps[0].before).board
    match kind:
        case packing.PLACE:
            places = [_place(board, packing.to_of(step.action)) for step in steps]
            yield (
                Text("places ")
                .append("a camel on " if len(places) == 1 else "camels on ")
                .append_text(_listed(places))
            )
        case packing.MOVE:
            moves = [_way(board, step.action) for step in steps]
            yield (
                Text("moves ")
                .append("a camel " if len(moves) == 1 else "camels ")
                .append_text(_listed(moves))
            )
        case packing.PASS:
            points = own(steps[0].before).points
            yield Text("passes").append(f" with {points} point{'s' * (points > 1)} left", style=_QUIET)
        case packing.PICK_UP:
            yield Text("picks up ").append_text(_listed([_picked(board, step) for step in steps]))
        case packing.STEAL:
            yield from (_steal(board, step.action, names) for step in steps)
        case _:
            yield from (_carry(board, step) for step in steps)


def _picked(board: Board, step: Step) -> Text:
    at = packing.at_of(step.action)
    space = own(step.before).goods_spaces[board.goods_spaces.index(at)]
    text = Text().append_text(_good(space.good)) if space.good is not None else Text("a good")
    text.append(" on ").append_text(_place(board, at))
    if space.demand_markers:
        markers = "a demand marker" if space.demand_markers == 1 else f"{space.demand_markers} demand markers"
        text.append(f" with {markers}")
    return text


def _steal(board: Board, action: int, names: Sequence[str]) -> Text:
    text = Text("steals ").append_text(_good(GOODS[packing.good_of(action)]))
    text.append(" from ").append_text(named(packing.victim_of(action), names))
    return text.append(" on ").append_text(_place(board, packing.at_of(action)))


def _carry(board: Board, step: Step) -> Text:
    good = GOODS[packing.good_of(step.action)]
    delivered = any(isinstance(event, Delivered) for event in step.events)
    text = Text("delivers " if delivered else "carries ").append_text(_good(good)).append(" ")
    text.append_text(_way(board, step.action))
    return text.append(f" (+{POINTS[good]})", style="bold") if delivered else text


def refills(steps: Sequence[Step]) -> Iterator[Text]:
    """What was drawn from the bag, and that it is empty."""
    for step in steps:
        board = own(step.after).board
        for event in step.events:
            if isinstance(event, Refill):
                goods = [
                    _good(good).append(" on ").append_text(_place(board, square))
                    for square, good in event.drawn
                ]
                yield Text.assemble(("Refill: ", _QUIET), _listed(goods), ".")
            elif isinstance(event, EndArmed):
                yield Text("The bag is empty: the next delivery ends the match.", style="bold red3")


def score_change(before: Observation, after: Observation, names: Sequence[str]) -> Text | None:
    """Whose score has changed, and whether somebody else leads now; None if nothing has."""
    changes = [
        named(seat, names).append(f" {old.score} → {new.score}", style="bold")
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
        if old.score != new.score
    ]
    if not changes:
        return None
    text = Text.assemble(("Score: ", _QUIET), _listed(changes))
    first = leader(after)
    if first is not None and first != leader(before):
        text.append("; ").append_text(named(first, names)).append(" takes the lead", style="bold")
    return text.append(".")


def leader(observation: Observation) -> int | None:
    """The seat ahead of all others; None if there is none."""
    scores = [seat.score for seat in observation.seats]
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def _good(good: Good) -> Text:
    return Text.assemble((name_of(good), f"bold {GOOD_STYLES[good]}"))


def _way(board: Board, action: int) -> Text:
    origin, to = packing.at_of(action), packing.to_of(action)
    return Text("from ").append_text(_place(board, origin)).append(" to ").append_text(_place(board, to))


def _place(board: Board, square: int) -> Text:
    if square in board.cities:
        good = board.cities.index(square)
        return Text.assemble((CITY_NAMES[good], GOOD_STYLES[good]))
    if square in board.goods_spaces:
        return Text(f"({board.goods_spaces.index(square) + 1})")
    return Text(str(square))


def _listed(parts: Sequence[Text]) -> Text:
    """ "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return parts[0].copy() if parts else Text()
    return Text(", ").join(parts[:-1]).append(" and ").append_text(parts[-1])
