"""What holds in every position of every match, whoever plays."""

from hypothesis import given
from hypothesis import strategies as st

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.actions import (
    CAMEL_STEP,
    kind_of,
)
from engine.caravanserai.events import Counted
from engine.caravanserai.observation import Decision, Observation
from engine.caravanserai.pieces import COLOUR_NUMBERS
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.caravanserai.naive import board_of, naive_legal_actions
from tests.unit.engine.caravanserai.positions import view
from tests.unit.engine.matches import examples, walk

seeds = st.binary(min_size=32, max_size=32)


@st.composite
def matches(draw: st.DrawFn) -> CaravanseraiState:
    seats = draw(st.integers(1, 6))
    values = {"expert": draw(st.sampled_from(["false", "true"]))}
    return CARAVANSERAI.new_match(seats, CARAVANSERAI.options(seats, values), draw(seeds))


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


@examples(30)
@given(matches(), seeds)
def test_s56_goods_and_camels_are_conserved_and_a_caravan_grows_by_its_omitted_goods(
    match: CaravanseraiState, choices: bytes
) -> None:
    lengths = [1] * match.setup.seats
    for state in walk(match, "caravanserai", choices):
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


@examples(30)
@given(matches(), seeds, st.integers(0, 3))
def test_the_legal_list_is_that_of_a_naive_generator(
    match: CaravanseraiState, choices: bytes, offset: int
) -> None:
    for ply, state in enumerate(walk(match, "caravanserai", choices)):
        if ply % 4 == offset and state.seat_to_act != TERMINAL:
            assert list(state.legal_actions()) == naive_legal_actions(view(state))


@examples(12)
@given(matches(), seeds)
def test_s50_every_legal_step_leads_to_the_end_of_its_placement(
    match: CaravanseraiState, choices: bytes
) -> None:
    stream = Stream(choices)
    for ply, state in enumerate(walk(match, "caravanserai", choices)):
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


@examples(15)
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
