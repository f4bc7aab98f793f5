"""A quick policy for playouts: the next step of the job that pays best per action point."""

from engine.caravan.actions import PASS_ACTION, laden_camel, move, move_good, pick_up, place, steal
from engine.caravan.legal import squares_of
from engine.caravan.quick.jobs import (
    CARRIED,
    ON_SPACE,
    Camels,
    Job,
    camels_of,
    carried,
    free,
    job_for,
    stealable,
)
from engine.caravan.state import CaravanState


def quick_action(state: CaravanState) -> int:
    """Return a legal action of the seat to act; PASS if nothing pays. Thefts count only if this turn can deliver."""
    seat = state.seat_to_act
    board, camels = state.setup.board, camels_of(state, seat)
    jobs = [job_for(board, camels, task) for task in (*carried(state, seat), *free(state, seat))]
    thefts = [job_for(board, camels, task) for task in stealable(state, seat)]
    jobs += [job for job in thefts if job.cost <= state.points]
    jobs.sort(key=lambda job: job.cost / job.task.value)
    for job in jobs:
        action = next_step(state, camels, job)
        if action != PASS_ACTION:
            return action
    return PASS_ACTION


def next_step(state: CaravanState, camels: Camels, job: Job) -> int:
    """Return the first action of the job that the points can pay, or PASS."""
    square = job.task.square
    if job.task.kind != CARRIED:
        return take(job) if camels.empty >> square & 1 else bring_camel(state, camels, job, square)
    if not job.missing:
        return carry(state, job, job.city)
    missing = sorted(squares_of(job.missing), key=lambda target: distance(state, square, target))
    if camels.idle < len(missing) + (job.path & camels.own).bit_count() and not spare_camels(state, job):
        front = farthest_link(state, camels, job)
        if front is not None:
            return carry(state, job, front)
    for target in missing:
        action = bring_camel(state, camels, job, target)
        if action != PASS_ACTION:
            return action
    return PASS_ACTION


def take(job: Job) -> int:
    """PICK_UP or STEAL of a good that is not ours."""
    task = job.task
    return pick_up(task.square) if task.kind == ON_SPACE else steal(task.square, task.victim, task.good)


def carry(state: CaravanState, job: Job, to: int) -> int:
    """MOVE_GOOD of the carried good."""
    square, good = job.task.square, job.task.good
    protected = laden_camel(square, good) not in state.laden[state.seat_to_act]
    return move_good(square, good, to, protected=protected)


def farthest_link(state: CaravanState, camels: Camels, job: Job) -> int | None:
    """Return the square nearest to the city to which the present chain can bring the good; None if none is nearer."""
    here = job.task.square
    group = state.setup.tables.group(camels.own, here) & camels.empty & ~(1 << here)
    links = [(distance(state, square, job.city), square) for square in squares_of(group)]
    nearest = min(links, default=(0, None))
    return nearest[1] if nearest[0] < distance(state, here, job.city) else None


def bring_camel(state: CaravanState, camels: Camels, job: Job, target: int) -> int:
    """PLACE or MOVE of the camel farthest from the city among those the job can spare, or PASS."""
    if 1 + (camels.anybody >> target & 1) > state.points:
        return PASS_ACTION
    if state.supply[state.seat_to_act]:
        return place(target)
    spare = [square for square in spare_camels(state, job) if square != target]
    if not spare:
        return PASS_ACTION
    return move(max(spare, key=lambda square: distance(state, square, job.city)), target)


def spare_camels(state: CaravanState, job: Job) -> list[int]:
    """Return the squares of empty camels that the job does not need there."""
    camels = state.empty[state.seat_to_act]
    kept = job.path if job.task.kind == CARRIED else job.path | 1 << job.task.square
    return [square for square in dict.fromkeys(camels) if not kept >> square & 1 or camels.count(square) > 1]


def distance(state: CaravanState, one: int, other: int) -> int:
    """Return the number of orthogonal steps between two squares."""
    return state.setup.tables.steps[one][other]
