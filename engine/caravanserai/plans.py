"""Plans: a whole placement as one answer, and the steps that it stands for (S48)."""

from itertools import groupby, pairwise
from typing import Final, NamedTuple

from engine.caravanserai.actions import (
    SIZE_MASK,
    camel_step,
    check_field,
    continue_step,
    lying_step,
    start_step,
    steal,
)
from engine.caravanserai.hexes import DIRECTIONS, OFFSETS, Cell, moved
from engine.caravanserai.observation import Decision
from engine.caravanserai.options import MAX_SEATS
from engine.caravanserai.pieces import CAMEL, COLOUR_COUNT, LYING, PIECE_LETTERS
from engine.caravanserai.position import Position
from engine.game import UnreadableActionError

_CAMEL_LETTER: Final = PIECE_LETTERS[CAMEL]
_LYING_LETTER: Final = PIECE_LETTERS[LYING]


class Plan(NamedTuple):
    """A whole placement."""

    cells: tuple[Cell, ...]
    """Where the pieces are laid, in order."""
    pieces: str
    """A letter for each piece; series of equal letters are the blocks."""
    declined: tuple[int, ...] = ()
    """The indices of the pieces for which a loose good is declined, ascending."""
    victim: int | None = None
    """From whom the lying camel takes a good, if it has to steal one."""


def steps_of(plan: Plan, position: Position) -> tuple[int, ...]:
    """Return the actions that the plan stands for, one after the other; they may be illegal.

    Raises UnreadableActionError: it is no plan, or no first step is asked for; the message names the field.
    """
    if position.decision is not Decision.STEP or position.laid:
        raise UnreadableActionError("A plan answers the first step of a turn, and this is none (S48).")
    _check_pieces(plan)
    _check_declined(plan)
    directions = _directions(plan, position)
    steps: list[int] = []
    for letter, block in groupby(range(len(plan.pieces)), key=plan.pieces.__getitem__):
        indices = list(block)
        if letter == _CAMEL_LETTER:
            steps.append(camel_step(directions[-1]))
        elif letter == _LYING_LETTER:
            steps += [lying_step(directions[index]) for index in indices]
            if plan.victim is not None:
                steps.append(steal(check_field("plan.victim", plan.victim, MAX_SEATS - 1)))
        else:
            steps += _steps_of_block(plan, PIECE_LETTERS.index(letter), indices, directions)
    return tuple(steps)


def _steps_of_block(plan: Plan, colour: int, indices: list[int], directions: list[int]) -> list[int]:
    size = check_field("size", len(indices), SIZE_MASK)
    first, *others = indices
    steps = [start_step(directions[first], colour, size, decline=first in plan.declined)]
    return steps + [continue_step(directions[index], decline=index in plan.declined) for index in others]


def _check_pieces(plan: Plan) -> None:
    for letter in plan.pieces:
        if letter not in PIECE_LETTERS:
            raise UnreadableActionError(
                f'The field plan.pieces has the letter "{letter}": a piece is one of {PIECE_LETTERS} (S48).'
            )
    if not plan.pieces.endswith(_CAMEL_LETTER) or plan.pieces.count(_CAMEL_LETTER) != 1:
        raise UnreadableActionError(
            f'The field plan.pieces must have one standing camel ("{_CAMEL_LETTER}"), at its end (S48).'
        )
    if len(plan.cells) != len(plan.pieces):
        raise UnreadableActionError(
            f"The field plan.cells must have as many as pieces, {len(plan.pieces)}, and has {len(plan.cells)} (S48)."
        )
    if plan.victim is not None and _LYING_LETTER not in plan.pieces:
        raise UnreadableActionError("The field plan.victim is for a plan with a lying camel (S48).")


def _check_declined(plan: Plan) -> None:
    ascending = all(one < other for one, other in pairwise((-1, *plan.declined, len(plan.pieces))))
    if not ascending or any(
        PIECE_LETTERS.index(plan.pieces[index]) >= COLOUR_COUNT for index in plan.declined
    ):
        raise UnreadableActionError(
            "The field plan.declined must have indices of goods among the pieces, each once, ascending (S48)."
        )


def _directions(plan: Plan, position: Position) -> list[int]:
    """Return the direction of the step to each of the cells."""
    head = position.setup.tables.cells[position.cells[position.seat_to_act][-1]]
    found: list[int] = []
    for index, (before, cell) in enumerate(pairwise((head, *plan.cells))):
        ways = [direction for direction in DIRECTIONS if moved(before, OFFSETS[direction]) == cell]
        if not ways:
            raise UnreadableActionError(
                f"The field plan.cells has {cell} at index {index}: it is no neighbour of {before} (S18, S48)."
            )
        found += ways
    return found
