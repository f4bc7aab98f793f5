"""What holds in every position of every match, whoever plays."""

from collections.abc import Iterator

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.actions import (
    CAMEL_STEP,
    continue_step,
    kind_of,
    lying_step,
    open_cell,
    seed,
    start_step,
    steal,
)
from engine.caravanserai.events import Counted, RoundBegan
from engine.caravanserai.observation import Decision, Observation
from engine.caravanserai.pieces import COLOUR_NUMBERS
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.caravanserai.naive import board_of, naive_legal_actions
from tests.unit.engine.caravanserai.positions import view

RANDOM_ONE_TIME_IN = 3
WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""A match from a smaller seed is no simpler match; looking for one takes minutes."""

seeds = st.binary(min_size=32, max_size=32)


@st.composite
def matches(draw: st.DrawFn) -> CaravanseraiState:
    seats = draw(st.integers(1, 6))
    values = {"expert": draw(st.sampled_from(["false", "true"]))}
    return CARAVANSERAI.new_match(seats, CARAVANSERAI.options(seats, values), draw(seeds))


def walk(match: CaravanseraiState, choices: bytes) -> Iterator[CaravanseraiState]:
    """Yield the positions of a match between players who are sensible two times out of three."""
    stream = Stream(choices)
    yield match
    while match.seat_to_act != TERMINAL:
        if stream.uniform(RANDOM_ONE_TIME_IN) == 0:
            listed = match.legal_actions()
            match.apply(listed[stream.uniform(len(listed))])
        else:
            match.apply(CARAVANSERAI.sensible_action(match, stream))
        yield match


def check_conserved(seen: Observation) -> None:
    board = board_of(seen)
    for colour in COLOUR_NUMBERS:
        loose = sum(board[cell] == "WKPRY"[colour] for cell in seen.loose)
        carried = sum(piece.piece == colour for seat in seen.seats for piece in seat.caravan)
        reserves = sum(seat.goods[colour] for seat in seen.seats)
        total = seen.market[colour] + loose + carried + reserves
        assert total == (7 if seen.options.expert else 6) + 3 * len(seen.seats)
    for seat in seen.seats:
        assert seat.camels + sum(piece.piece >= len(COLOUR_NUMBERS) for piece in seat.caravan) == 8
    cells = [piece.cell for seat in seen.seats for piece in seat.caravan]
    assert len(set(cells)) == len(cells)
    assert not set(cells) & set(seen.loose)
    assert all(board[cell] for cell in seen.loose)


@settings(max_examples=30, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds)
def test_s56_goods_and_camels_are_conserved_and_a_caravan_grows_by_its_omitted_goods(
    match: CaravanseraiState, choices: bytes
) -> None:
    lengths = [1] * match.setup.seats
    for state in walk(match, choices):
        seen = view(state)
        check_conserved(seen)
        for event in state.take_events():
            if isinstance(event, Counted):
                assert event.count == event.laid - event.omitted >= 1
                lengths[event.seat] += event.omitted
        between = seen.placement is None or not seen.placement.pieces
        if seen.round and between:
            assert [len(seat.caravan) for seat in seen.seats] == lengths
    assert state.outcome() is not None


@settings(max_examples=30, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds, st.integers(0, 3))
def test_the_legal_list_is_that_of_a_naive_generator(
    match: CaravanseraiState, choices: bytes, offset: int
) -> None:
    for ply, state in enumerate(walk(match, choices)):
        if ply % 4 == offset and state.seat_to_act != TERMINAL:
            assert list(state.legal_actions()) == naive_legal_actions(view(state))


def possible_actions(state: CaravanseraiState) -> Iterator[int]:
    """All steps, and everything else that may be legal in some position of the match."""
    for direction in range(6):
        yield CAMEL_STEP << 25 | direction << 22
        yield lying_step(direction)
        for decline in (False, True):
            yield continue_step(direction, decline=decline)
            for colour in range(5):
                for size in range(8):
                    yield start_step(direction, colour, size, decline=decline)
    yield from map(steal, range(8))
    for cell in state.setup.tables.cells:
        yield open_cell(cell)
        yield from (seed(colour, cell) for colour in range(5))


@settings(max_examples=6, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds, st.integers(0, 19))
def test_single_actions_are_judged_as_the_list_says(
    match: CaravanseraiState, choices: bytes, offset: int
) -> None:
    for ply, state in enumerate(walk(match, choices)):
        if ply % 20 == offset:
            judged = {action for action in possible_actions(state) if state.is_legal(action)}
            assert judged == {action for action in state.legal_actions() if _size(action) < 8}


def _size(action: int) -> int:
    return action >> 14 & 31 if kind_of(action) == 3 else 0


@settings(max_examples=12, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds)
def test_s50_every_legal_step_leads_to_the_end_of_its_placement(
    match: CaravanseraiState, choices: bytes
) -> None:
    stream = Stream(choices)
    for ply, state in enumerate(walk(match, choices)):
        if ply % 9 or state.decision is not Decision.STEP:
            continue
        for action in list(state.legal_actions()):
            tried = state.clone()
            tried.apply(action)
            while tried.in_placement and tried.laid:
                listed = tried.legal_actions()
                assert listed
                tried.apply(listed[stream.uniform(len(listed))])


def as_plan(before: Observation, after: CaravanseraiState, victim: int | None) -> Plan:
    """Return the placement that is under way in `after`, as a plan; its last piece is laid."""
    seat = before.seat_to_act
    assert seat is not None
    new = view(after).seats[seat].caravan[len(before.seats[seat].caravan) :]
    placement = view(after).placement
    assert placement is not None
    letters = "".join("WKPRYlc"[piece] for piece in placement.pieces)
    return Plan(tuple(piece.cell for piece in new), letters, placement.declined, victim)


@settings(max_examples=15, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds)
def test_s48_a_plan_is_the_steps_of_its_placement(match: CaravanseraiState, choices: bytes) -> None:
    """Each placement that was played step by step is written as a plan, and read as steps again."""
    start: CaravanseraiState | None = None
    steps: list[int] = []
    plans = 0
    stream = Stream(choices)
    while match.seat_to_act != TERMINAL:
        listed = match.legal_actions()
        action = listed[stream.uniform(len(listed))]
        if match.decision is Decision.STEP and match.laid == 0:
            start, steps = match.clone(), []
        last = kind_of(action) == CAMEL_STEP
        if match.in_placement and match.laid and start is not None and last:
            plan = _with_camel(as_plan(view(start), match, _victim(steps)), match, action)
            assert steps_of(plan, start) == (*steps, action)
            plans += 1
        steps.append(action)
        match.apply(action)
    assert plans


def _victim(steps: list[int]) -> int | None:
    return next((step >> 10 & 7 for step in steps if kind_of(step) == 5), None)


def _with_camel(plan: Plan, state: CaravanseraiState, action: int) -> Plan:
    after = state.clone()
    after.apply(action)
    # the head of the caravan is the camel just laid, whatever was taken back from the tail
    camel = view(after).seats[state.seat_to_act].caravan[-1].cell
    return Plan((*plan.cells, camel), plan.pieces + "c", plan.declined, plan.victim)


def test_s15_the_rounds_of_a_match_follow_each_other() -> None:
    match = CARAVANSERAI.new_match(3, CARAVANSERAI.options(3, {}), bytes(32))
    events = [event for state in walk(match, bytes(range(32))) for event in state.take_events()]
    rounds = [event.round for event in events if isinstance(event, RoundBegan)]
    assert rounds == list(range(1, view(match).round + 1))
