"""Secret questions take whole pads, asked or not: docs/architecture.md, "What timing tells"."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.units import NS_PER_MS
from arena.runner.timing_pad import TimingPad
from engine.game import State
from engine.wasteland.state import WastelandState
from tests.unit.runner.fakes import CONTROL, MatchFixture

PAD = 10


@dataclass
class FakeState:
    """What a pad looks at of a position."""

    secret_offers: int = 0
    asks_in_secret: bool = False


def a_state(settled: int, *, secret: bool = False) -> State:
    return cast("State", FakeState(settled, secret))


@pytest.mark.parametrize(("pad_ns", "settled", "pads"), [(0, 5, 0), (PAD, 0, 0), (PAD, 3, 3)])
def test_each_question_that_was_not_asked_takes_a_pad(pad_ns: int, settled: int, pads: int) -> None:
    assert TimingPad(pad_ns).due(a_state(settled), 7) == 7 + pads * PAD


@pytest.mark.parametrize(("thought", "taken"), [(0, 1), (1, 1), (PAD, 1), (PAD + 1, 2), (5 * PAD, 5)])
def test_one_that_was_asked_takes_whole_pads_and_at_least_one(thought: int, taken: int) -> None:
    pad = TimingPad(PAD)
    pad.asked(a_state(0, secret=True), 100)
    assert pad.due(a_state(1), 100 + thought) == 100 + taken * PAD


def test_a_question_asked_again_counts_from_its_beginning() -> None:
    pad = TimingPad(PAD)
    pad.asked(a_state(0, secret=True), 100)
    assert pad.due(a_state(0, secret=True), 104) == 104
    pad.asked(a_state(0, secret=True), 104)
    assert pad.due(a_state(1), 109) == 110


def test_a_question_that_never_was_sent_is_one_that_was_not_asked() -> None:
    pad = TimingPad(PAD)
    assert pad.due(a_state(1, secret=True), 100) == 110
    assert pad.due(a_state(2), 104) == 120


@given(st.lists(st.none() | st.integers(0, PAD), min_size=1, max_size=8), st.data())
def test_quick_answers_look_like_no_questions(thoughts: list[int | None], data: st.DataObject) -> None:
    """None: not asked. Whatever is asked in the other match, the public question after the window comes as early."""

    def ends(asked: list[int | None]) -> int:
        pad, now, settled, waiting = TimingPad(PAD), 1000, 0, 0
        for thought in asked:
            waiting += 1
            if thought is None:
                continue
            settled, waiting = settled + waiting - 1, 1
            now = pad.due(a_state(settled, secret=True), now)
            pad.asked(a_state(settled, secret=True), now)
            now += thought
            settled, waiting = settled + 1, 0
            now = pad.due(a_state(settled), now)
        return pad.due(a_state(settled + waiting), now)

    others = [data.draw(st.none() | st.integers(0, PAD)) for _ in thoughts]
    assert ends(thoughts) == ends(others) == 1000 + len(thoughts) * PAD


def public_questions(pad_ms: int, thought_ms: float, step_ms: int = 1) -> list[int]:
    """When each public question of a match is asked, from the first one on; every answer takes the same time.

    `step_ms`: so seldom timers are looked at, so that they go off late.
    """
    control = replace(CONTROL, secret_pad_ms=pad_ms)
    fixture = MatchFixture(2, game="wasteland", control=control, max_rounds="3").begin()
    asked = []
    while not fixture.ends:
        state = fixture.runner.state
        assert isinstance(state, WastelandState)
        player = fixture.players[state.seat_to_act]
        waiting = fixture.runner._referee.open_decision(state.seat_to_act)
        while not player.questions or player.questions[-1].decision != waiting:
            fixture.timers.stall(step_ms)
        if not state.asks_in_secret:
            asked.append(fixture.timers.now() // NS_PER_MS)
        player.take(player.questions[-1].decision)
        fixture.timers.move(thought_ms)
        player.match.answered(player.seat, waiting or 0, (state.default_action(),), fixture.timers.now())
    return asked


def test_a_match_keeps_the_pad() -> None:
    """W22, W70: after a window of two seats at least two pads have gone by, however quickly both have passed."""
    plain, padded = public_questions(0, 1), public_questions(PAD, 1)
    assert len(plain) == len(padded) > 6
    pauses = [later - earlier for earlier, later in pairwise(padded)]
    assert {pause for pause in pauses if pause > 1} <= {1 + PAD * number for number in range(1, 30)}
    assert max(pauses) > 2 * PAD > max(later - earlier for earlier, later in pairwise(plain))


def test_timers_that_are_late_do_not_add_up() -> None:
    """Or the sum of the delays would tell how many of a window were asked."""
    late = 3
    pauses = [later - earlier for earlier, later in pairwise(public_questions(PAD, 1, late))]
    assert max(pauses) > 2 * PAD
    assert max((pause - 1) % PAD for pause in pauses) < late
