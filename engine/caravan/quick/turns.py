"""The search for good turns: a beam over the actions of one seat until its turn is over."""

from collections.abc import Iterator
from typing import Final

from engine.caravan.actions import PASS_ACTION, move, place
from engine.caravan.legal import squares_of
from engine.caravan.quick.jobs import (
    CARRIED,
    ON_OTHER,
    Camels,
    Job,
    camels_of,
    carried,
    free,
    job_for,
    stealable,
)
from engine.caravan.quick.policy import carry, distance, quick_action, take
from engine.caravan.quick.worth import leads, odds
from engine.caravan.state import CaravanState

FREE_JOBS: Final = 4
"""Jobs looked at beside those of the goods carried."""
TARGETS: Final = 4
"""Squares of a job's path looked at."""
SPARES: Final = 2
"""Camels looked at that could go there."""

Turn = tuple[int, ...]
"""The actions of a seat up to the end of its turn."""


class _Step:
    """Some actions of a turn, and the position after them."""

    __slots__ = ("actions", "after", "lead")

    def __init__(self, lead: float, actions: Turn, after: CaravanState) -> None:
        self.lead: float = lead
        self.actions: Turn = actions
        self.after: CaravanState = after


def candidate_turns(state: CaravanState, *, width: int, most: int) -> list[Turn]:
    """At most `most` good turns of the seat to act, best first, found by a beam of `width`; the quick policy's too."""
    seat, turn = state.seat_to_act, state.turn
    beam = [_Step(0.0, (), state)]
    done: list[_Step] = []
    seen: set[object] = set()
    while beam:
        grown: list[_Step] = []
        for step in _grow(beam, seen):
            running = step.after.seat_to_act == seat and step.after.turn == turn
            (grown if running else done).append(step)
        grown.sort(key=lambda step: -step.lead)
        beam = grown[:width]
    done.sort(key=lambda step: -step.lead)
    turns = [step.actions for step in done[:most]]
    quick = quick_turn(state)
    return turns if quick in turns else [*turns[: most - 1], quick]


def quick_turn(state: CaravanState) -> Turn:
    """Return the turn that the quick policy would play."""
    after, actions = state.clone(), []
    while after.seat_to_act == state.seat_to_act and after.turn == state.turn:
        actions.append(quick_action(after))
        after.apply(actions[-1])
    return tuple(actions)


def _grow(beam: list[_Step], seen: set[object]) -> Iterator[_Step]:
    """Return all promising actions after the steps of the beam, each position once."""
    for step in beam:
        seat = step.after.seat_to_act
        for action in (*promising(step.after), PASS_ACTION):
            after = step.after.clone()
            after.apply(action)
            key = _key(after, seat)
            if key not in seen:
                seen.add(key)
                yield _Step(leads(after)[seat], (*step.actions, action), after)


def _key(state: CaravanState, seat: int) -> object:
    """Equal for positions to which two orders of the same actions of the seat lead."""
    camels = (state.empty[seat], tuple(state.laden))
    return (state.seat_to_act, state.turn, state.points, camels, tuple(state.space_goods))


def promising(state: CaravanState) -> list[int]:
    """Return the legal actions that bring one of the seat's best jobs forward, each once."""
    seat = state.seat_to_act
    board, camels = state.setup.board, camels_of(state, seat)
    jobs = [job_for(board, camels, task) for task in (*free(state, seat), *stealable(state, seat))]
    jobs.sort(key=lambda job: -job.task.value * odds(job.cost))
    own = [job_for(board, camels, task) for task in carried(state, seat)]
    found = dict.fromkeys(action for job in own + jobs[:FREE_JOBS] for action in _steps(state, camels, job))
    return [action for action in found if state.is_legal(action)]


def _steps(state: CaravanState, camels: Camels, job: Job) -> Iterator[int]:
    """Return actions that may bring the job forward; not all of them are legal."""
    square = job.task.square
    if job.task.kind == CARRIED:
        yield from _good_moves(state, camels, job)
    elif camels.empty >> square & 1:
        yield take(job)
    else:
        yield from _camels_to(state, job, square)
        if job.task.kind == ON_OTHER:
            return
    for target in squares_of(job.missing)[:TARGETS]:
        yield from _camels_to(state, job, target)


def _good_moves(state: CaravanState, camels: Camels, job: Job) -> Iterator[int]:
    """Return the carried good as near to its city as the chain reaches."""
    here = job.task.square
    group = squares_of(state.setup.tables.group(camels.own, here) & camels.empty)
    if group:
        target = min(group, key=lambda square: distance(state, square, job.city))
        if target != here or target == job.city:
            yield carry(state, job, target)


def _camels_to(state: CaravanState, job: Job, target: int) -> Iterator[int]:
    seat = state.seat_to_act
    if state.supply[seat]:
        yield place(target)
        return
    camels = state.empty[seat]
    spare = [
        square for square in dict.fromkeys(camels) if not job.path >> square & 1 or camels.count(square) > 1
    ]
    spare.sort(key=lambda square: -distance(state, square, job.city))
    for origin in spare[:SPARES]:
        yield move(origin, target)
